// One plot over time. It is made when it comes into sight; it follows the replay, the crosshair and
// the window. Names and values stand at the ends of its curves.
import uPlot from 'uplot';
import type { Comparison } from './comparison';
import type { Crosshair } from './crosshair';
import {
  type Bundle,
  bundlesOf,
  drawEvents,
  largestOf,
  opacityOf,
  rangeOf,
  smoothPaths,
  withGaps,
} from './curves';
import { button, element } from './dom';
import { type EndLabel, EndLabels, labelPitch } from './end_labels';
import { formatBeside, formatTime } from './format';
import { curveColor } from './palette';
import { inReadableUnit } from './readable';
import { axis, bottomSize, paddedRange, timeAxis, topPadding } from './plot_style';
import { PlotTip, type TipLine } from './plot_tip';
import type { Player } from './player';
import type { Group, Series, TimedEvent } from './report';
import { currentTheme, isPrinting, onAppearanceChange } from './theme';
import type { TimeWindow } from './time_window';
import { nearestRow } from './timeline';

const fadedOpacity = 0.15;
const manyLabels = 9;
/** labels that a plot makes room for unasked */
const labelsUnasked = 14;
/** milliseconds between two updates of the numbers while time runs */
const valuePause = 70;

/** What all plots of a report share. */
export interface PlotContext {
  player: Player;
  window: TimeWindow;
  crosshair: Crosshair;
  comparison: Comparison;
  events: TimedEvent[];
  onPlot(plot: uPlot): void;
  onSave(plot: TimePlot): void;
}

export class TimePlot {
  readonly root: HTMLElement;
  private readonly place = element('div', { class: 'plot' });
  private readonly line = element('div', { class: 'now' });
  private readonly cross = element('div', { class: 'cross', hidden: '' });
  private readonly dots = element('div', { class: 'dots' });
  private readonly tip = new PlotTip();
  private readonly bundles: Bundle[];
  readonly labels: EndLabels;
  /** the largest value of all series, beside which others are nothing; found when it is needed */
  private largest = 0;
  private plot: uPlot | null = null;
  private inSight = false;
  private folded = false;
  private height = 150;
  private shown: boolean[] = [];
  /** of the mouse, from the top of the curves [pixels] */
  private pointerTop = 0;
  private valueTime = 0;
  private valueTimer: number | undefined;

  readonly group: Group;

  constructor(
    group: Group,
    private readonly context: PlotContext,
  ) {
    this.group = inReadableUnit(group);
    this.bundles = bundlesOf(this.group.series);
    this.labels = new EndLabels(
      this.bundles.map((bundle) => this.labelOf(bundle)),
      {
        onShown: (shown) => this.show(shown),
        onEmphasis: (index) => this.emphasize(index),
        onExpand: () => this.setHeight(this.height),
      },
    );
    const row = element('div', { class: 'plot-row' }, this.place, this.labels.root);
    this.root = element('figure', { class: 'plot-card' }, this.head(), row);
    this.applyColors();
    this.listen();
  }

  get picture(): uPlot | null {
    return this.plot;
  }

  get isFolded(): boolean {
    return this.folded;
  }

  /** Series that are to be seen now. */
  visibleSeries(): Series[] {
    return this.group.series.filter((_, index) => this.isVisible(index));
  }

  /** Pixels for the curves with their axis; the plot takes more where its names need it. */
  setHeight(height: number): void {
    this.height = height;
    this.fit();
  }

  fold(folded: boolean): void {
    this.folded = folded;
    this.root.classList.toggle('folded', folded);
    this.root.querySelector('.fold')?.setAttribute('aria-expanded', String(!folded));
    this.refresh();
  }

  private head(): HTMLElement {
    const { title, unit, subject } = this.group;
    const fold = button('', 'Fold or unfold this plot', () => this.fold(!this.folded), 'fold');
    fold.setAttribute('aria-expanded', 'true');
    fold.append(title);
    const heading = element(
      'h3',
      {},
      fold,
      says(title, subject) ? null : element('span', { class: 'subject', text: subject }),
      unit ? element('span', { class: 'unit', text: unit }) : null,
    );
    const save = button(
      'PNG',
      `Save '${title}' as a picture`,
      () => this.context.onSave(this),
      'save',
    );
    save.setAttribute('aria-label', `Save ${title} as PNG`);
    const { labels } = this;
    const every = (on: boolean) => labels.show(this.bundles.map(() => on));
    const all =
      this.bundles.length > manyLabels
        ? [
            button('All', 'Show all curves', () => every(true)),
            button('None', 'Hide all curves', () => every(false)),
          ]
        : [];
    return element('header', {}, heading, element('span', { class: 'tools' }, ...all, save));
  }

  private labelOf({ lead, series }: Bundle): EndLabel {
    const names = series.map((index) => {
      const { fullName, dashed, run } = this.group.series[index];
      return fullName + (dashed ? ' (dashed)' : run > 0 ? ' (lighter)' : '');
    });
    return {
      name: lead.name,
      title: names.join('\n'),
      mark: lead.dashed ? 'dashed' : 'solid',
      weight: lead.zero ? 0 : rangeOf(lead.data),
    };
  }

  private listen(): void {
    const { player, window, crosshair, comparison } = this.context;
    new IntersectionObserver(
      ([entry]) => {
        this.inSight = entry.isIntersecting;
        this.refresh();
      },
      { rootMargin: '200px' },
    ).observe(this.root);
    new ResizeObserver(() => this.fit()).observe(this.place);
    player.onChange(() => this.followTime());
    window.onChange(() => this.refresh());
    crosshair.onChange(() => this.followCrosshair());
    comparison.onChange(() => this.applyShown());
    onAppearanceChange(() => {
      this.applyColors();
      this.remake();
    });
  }

  private get drawable(): boolean {
    return (this.inSight && !this.folded) || isPrinting();
  }

  /** Brings the plot up to date if anybody can see it. */
  private refresh(): void {
    if (!this.drawable || !this.root.isConnected) return;
    const { window } = this.context;
    if (!this.plot) this.make();
    else if (this.plot.scales.x.min !== window.min || this.plot.scales.x.max !== window.max) {
      this.plot.setScale('x', { min: window.min, max: window.max });
    }
    this.followTime();
    this.followCrosshair();
  }

  private remake(): void {
    this.plot?.destroy();
    this.plot = null;
    this.refresh();
  }

  private get fullHeight(): number {
    const { count, expanded } = this.labels;
    const named = expanded || isPrinting() ? count + 1 : Math.min(count, labelsUnasked);
    return Math.max(this.height, named * labelPitch + (count > labelsUnasked ? labelPitch : 0));
  }

  private make(): void {
    const width = this.place.clientWidth;
    if (width === 0) return;
    this.largest ||= Math.max(...this.group.series.map((series) => largestOf(series)));
    const data = [
      this.context.player.times,
      ...this.group.series.map((series) => withGaps(series.data)),
    ];
    this.plot = new uPlot(this.options(width), data as uPlot.AlignedData, this.place);
    this.plot.over.append(this.line, this.cross, this.dots, this.tip.root);
    this.context.onPlot(this.plot);
    const { over } = this.plot;
    over.addEventListener('pointermove', (event) => {
      this.pointerTop = event.clientY - over.getBoundingClientRect().top;
      this.followCrosshair();
    });
    this.writeValues();
  }

  private options(width: number): uPlot.Options {
    const theme = currentTheme();
    const { player, window, events } = this.context;
    const single = player.times.length === 1;
    return {
      width,
      height: this.fullHeight,
      padding: [topPadding, 22, 0, 0],
      legend: { show: false },
      cursor: { show: false },
      scales: {
        x: {
          time: false,
          min: window.min,
          max: window.max,
          range: (_, min, max) => [min, single ? min + 1 : max],
        },
        y: { range: (_, min, max) => paddedRange(min, max) },
      },
      axes: [timeAxis(theme), axis(theme, 'left')],
      series: [
        {},
        ...this.group.series.map((series, index) => ({
          stroke: curveColor(series.color, theme.dark),
          width: series.dashed || series.run > 0 ? 1.5 : 2,
          alpha: opacityOf(series),
          dash: series.dashed ? [6, 4] : undefined,
          show: this.isVisible(index),
          paths: smoothPaths,
          pxAlign: 0,
          points: { show: single },
        })),
      ],
      hooks: {
        drawAxes: [(plot) => drawEvents(plot, events, theme.soft)],
        draw: [(plot) => this.placeOverlays(plot)],
      },
    };
  }

  private fit(): void {
    const width = this.place.clientWidth;
    if (!this.plot) this.refresh();
    else if (width > 0 && (width !== this.plot.width || this.fullHeight !== this.plot.height)) {
      this.plot.setSize({ width, height: this.fullHeight });
    }
  }

  private placeOverlays(plot: uPlot): void {
    this.placeLine(plot);
    const row = nearestRow(this.context.player.times, this.context.window.max);
    const ends = this.bundles.map(({ lead }) => {
      const top = plot.valToPos(lead.data[row], 'y');
      return topPadding + (Number.isFinite(top) ? top : 0);
    });
    this.labels.place(
      ends,
      plot.height -
        (this.labels.count * labelPitch > plot.height - bottomSize ? 0 : bottomSize - 6),
    );
  }

  private placeLine(plot: uPlot): void {
    const { player, window } = this.context;
    this.line.hidden = player.time < window.min || player.time > window.max;
    this.line.style.transform = `translateX(${plot.valToPos(player.time, 'x')}px)`;
  }

  private followTime(): void {
    if (!this.plot || !this.drawable) return;
    this.placeLine(this.plot);
    if (this.context.crosshair.time !== null) return;
    const wait = this.valueTime + valuePause - performance.now();
    clearTimeout(this.valueTimer);
    if (wait <= 0) this.writeValues();
    else this.valueTimer = setTimeout(() => this.writeValues(), wait);
  }

  /** The line, the points on the curves and the values of the instant under the mouse. */
  private followCrosshair(): void {
    if (!this.plot || !this.drawable) return;
    const { crosshair, window } = this.context;
    const { time } = crosshair;
    const inside = time !== null && time >= window.min && time <= window.max;
    this.cross.hidden = !inside;
    this.dots.replaceChildren();
    this.tip.root.hidden = true;
    this.root.classList.toggle('hovered', inside);
    this.writeValues();
    if (!inside) return;
    const row = this.row();
    const left = this.plot.valToPos(this.context.player.times[row], 'x');
    this.cross.style.transform = `translateX(${left}px)`;
    for (const series of this.visibleSeries()) {
      const top = this.plot.valToPos(series.data[row], 'y');
      if (!Number.isFinite(top)) continue;
      const dot = element('i');
      dot.style.transform = `translate(${left}px, ${top}px)`;
      dot.style.background = curveColor(series.color, currentTheme().dark);
      if (series.dashed || series.run > 0) dot.className = 'small';
      this.dots.append(dot);
    }
    if (this.plot.over.matches(':hover')) this.fillTip(left, row);
  }

  /** Full names and values of the curves nearest to the mouse: a run's, its reference, others'. */
  private fillTip(left: number, row: number): void {
    const bundle = this.nearestBundle(row);
    if (!bundle) return;
    const { comparison, player } = this.context;
    const { unit } = this.group;
    const lines: TipLine[] = bundle.series
      .filter((index) => this.isVisible(index))
      .map((index) => {
        const series = this.group.series[index];
        return {
          name: series.run > 0 ? comparison.titles[series.run - 1] : series.fullName,
          value: `${formatBeside(series.data[row], this.largest)} ${unit}`,
          kind: series.dashed ? 'dashed' : series.run > 0 ? 'compared' : undefined,
        };
      });
    this.tip.fill(
      `${formatTime(player.times[row], player.duration)} s`,
      lines,
      curveColor(bundle.lead.color, currentTheme().dark),
    );
    this.tip.place(this.plot!.over, left, this.pointerTop, this.root.clientWidth);
  }

  private nearestBundle(row: number): Bundle | null {
    let nearest: Bundle | null = null;
    let least = Infinity;
    for (const bundle of this.bundles) {
      for (const index of bundle.series.filter((one) => this.isVisible(one))) {
        const top = this.plot!.valToPos(this.group.series[index].data[row], 'y');
        const distance = Math.abs(top - this.pointerTop);
        if (!(distance < least)) continue;
        least = distance;
        nearest = bundle;
      }
    }
    return nearest;
  }

  /** The recorded row that the values belong to. */
  private row(): number {
    const { player, crosshair } = this.context;
    return nearestRow(player.times, crosshair.time ?? player.time);
  }

  private writeValues(): void {
    this.valueTime = performance.now();
    const row = this.row();
    this.bundles.forEach(({ lead }, index) =>
      this.labels.setValue(index, formatBeside(lead.data[row], this.largest)),
    );
  }

  private applyColors(): void {
    const { dark } = currentTheme();
    this.labels.setColors((index) => curveColor(this.bundles[index].lead.color, dark));
  }

  private isVisible(index: number): boolean {
    const bundle = this.bundles.findIndex(({ series }) => series.includes(index));
    return (
      this.shown[bundle] !== false && this.context.comparison.isShown(this.group.series[index].run)
    );
  }

  private show(shown: boolean[]): void {
    this.shown = shown;
    this.applyShown();
  }

  private applyShown(): void {
    this.plot?.batch((plot: uPlot) =>
      this.group.series.forEach((_, index) => {
        const on = this.isVisible(index);
        if (plot.series[index + 1].show !== on) plot.setSeries(index + 1, { show: on });
      }),
    );
  }

  private emphasize(bundle: number | null): void {
    if (!this.plot || this.bundles.length < 2) return;
    this.group.series.forEach((series, index) => {
      const faded = bundle !== null && !this.bundles[bundle].series.includes(index);
      this.plot!.series[index + 1].alpha = opacityOf(series) * (faded ? fadedOpacity : 1);
    });
    this.plot.redraw(false);
  }
}

/** "Linear momentum" says what "linear_momentum" does. */
const says = (title: string, subject: string): boolean =>
  subject === '' || title.toLowerCase().includes(subject.toLowerCase().replaceAll('_', ' '));

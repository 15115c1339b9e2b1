// One plot over time. It is made when it comes into sight; it follows the replay and the window.
import uPlot from 'uplot';
import { element } from './dom';
import { formatBeside } from './format';
import { type Legend, legend } from './legend';
import { curveColor } from './palette';
import { axis, paddedRange, timeAxis } from './plot_style';
import type { Player } from './player';
import type { Group, TimedEvent } from './report';
import { currentTheme, isPrinting, onAppearanceChange } from './theme';
import type { TimeWindow } from './time_window';
import { nearestRow } from './timeline';

const plotHeight = 190;
const fadedOpacity = 0.15;
/** milliseconds between two updates of a legend's numbers while time runs */
const legendPause = 70;

export class TimePlot {
  readonly root: HTMLElement;
  private readonly place = element('div', { class: 'plot' });
  private readonly line = element('div', { class: 'now' });
  private readonly legend: Legend;
  /** the largest value of all series, beside which others are nothing */
  private readonly largest: number;
  private plot: uPlot | null = null;
  private inSight = false;
  private shown: boolean[];
  private legendTime = 0;
  private legendTimer: number | undefined;

  constructor(
    private readonly group: Group,
    private readonly player: Player,
    private readonly window: TimeWindow,
    private readonly events: TimedEvent[],
    private readonly onPlot: (plot: uPlot) => void,
  ) {
    this.shown = group.series.map(() => true);
    this.largest = Math.max(...group.series.map((series) => largestOf(series.data)));
    this.legend = legend(
      group.series.map((series) => ({
        name: series.name,
        mark: series.dashed ? 'dashed' : 'solid',
      })),
      { onShown: (shown) => this.show(shown), onEmphasis: (index) => this.emphasize(index) },
    );
    const unit = element('span', { class: 'unit', text: group.unit });
    const title = element('h3', { text: group.title }, group.unit ? unit : null);
    this.root = element('figure', { class: 'card plot-card' }, title, this.place, this.legend.root);
    this.applyColors();
    this.writeValues();
    this.listen();
  }

  private listen(): void {
    new IntersectionObserver(
      ([entry]) => {
        this.inSight = entry.isIntersecting;
        this.refresh();
      },
      { rootMargin: '200px' },
    ).observe(this.root);
    new ResizeObserver(() => this.fit()).observe(this.place);
    this.player.onChange(() => this.followTime());
    this.window.onChange(() => this.refresh());
    onAppearanceChange(() => {
      this.applyColors();
      this.remake();
    });
  }

  /** Brings the plot up to date if anybody can see it. */
  private refresh(): void {
    if (!this.inSight && !isPrinting()) return;
    if (!this.plot) this.make();
    else if (
      this.plot.scales.x.min !== this.window.min ||
      this.plot.scales.x.max !== this.window.max
    ) {
      this.plot.setScale('x', { min: this.window.min, max: this.window.max });
    }
    this.followTime();
  }

  private remake(): void {
    this.plot?.destroy();
    this.plot = null;
    this.refresh();
  }

  private make(): void {
    const width = this.place.clientWidth;
    if (width === 0) return;
    const { times } = this.player;
    const data = [times, ...this.group.series.map((series) => withGaps(series.data))];
    this.plot = new uPlot(this.options(width), data as uPlot.AlignedData, this.place);
    this.plot.over.append(this.line);
    this.onPlot(this.plot);
  }

  private options(width: number): uPlot.Options {
    const theme = currentTheme();
    const single = this.player.times.length === 1;
    return {
      width,
      height: plotHeight,
      padding: [8, 20, 0, 0],
      legend: { show: false },
      cursor: { show: false },
      scales: {
        x: {
          time: false,
          min: this.window.min,
          max: this.window.max,
          range: (_, min, max) => [min, single ? min + 1 : max],
        },
        y: { range: (_, min, max) => paddedRange(min, max) },
      },
      axes: [timeAxis(theme), axis(theme, 'left')],
      series: [
        {},
        ...this.group.series.map((series, index) => ({
          stroke: curveColor(series.color, theme.dark),
          width: series.dashed ? 1.25 : 1.75,
          dash: series.dashed ? [6, 4] : undefined,
          show: this.shown[index],
          points: { show: single },
        })),
      ],
      hooks: {
        drawAxes: [(plot) => drawEvents(plot, this.events, theme.soft)],
        draw: [(plot) => this.placeLine(plot)],
      },
    };
  }

  private fit(): void {
    const width = this.place.clientWidth;
    if (!this.plot) this.refresh();
    else if (width > 0 && width !== this.plot.width) {
      this.plot.setSize({ width, height: plotHeight });
    }
  }

  private placeLine(plot: uPlot): void {
    const { time } = this.player;
    this.line.hidden = time < this.window.min || time > this.window.max;
    this.line.style.transform = `translateX(${plot.valToPos(time, 'x')}px)`;
  }

  private followTime(): void {
    if (!this.plot || (!this.inSight && !isPrinting())) return;
    this.placeLine(this.plot);
    const wait = this.legendTime + legendPause - performance.now();
    clearTimeout(this.legendTimer);
    if (wait <= 0) this.writeValues();
    else this.legendTimer = setTimeout(() => this.writeValues(), wait);
  }

  private writeValues(): void {
    this.legendTime = performance.now();
    const row = nearestRow(this.player.times, this.player.time);
    this.group.series.forEach((series, index) =>
      this.legend.setValue(index, formatBeside(series.data[row], this.largest)),
    );
  }

  private applyColors(): void {
    const { dark } = currentTheme();
    this.legend.setColors((index) => curveColor(this.group.series[index].color, dark));
  }

  private show(shown: boolean[]): void {
    this.shown = shown;
    this.plot?.batch(() =>
      shown.forEach((on, index) => {
        if (this.plot!.series[index + 1].show !== on) this.plot!.setSeries(index + 1, { show: on });
      }),
    );
  }

  private emphasize(index: number | null): void {
    if (!this.plot || this.group.series.length < 2) return;
    this.plot.series.forEach((series, number) => {
      series.alpha = index === null || number === index + 1 ? 1 : fadedOpacity;
    });
    this.plot.redraw(false);
  }
}

function largestOf(data: Float32Array): number {
  let largest = 0;
  for (const value of data)
    if (Number.isFinite(value)) largest = Math.max(largest, Math.abs(value));
  return largest;
}

/** uPlot leaves a gap where a value is null; numbers that are not finite become gaps. */
function withGaps(data: Float32Array): Float32Array | (number | null)[] {
  if (data.every(Number.isFinite)) return data;
  return Array.from(data, (value) => (Number.isFinite(value) ? value : null));
}

function drawEvents(plot: uPlot, events: TimedEvent[], color: string): void {
  const { ctx, bbox } = plot;
  const pixels = uPlot.pxRatio;
  ctx.save();
  ctx.strokeStyle = ctx.fillStyle = color;
  ctx.lineWidth = pixels;
  ctx.setLineDash([2 * pixels, 3 * pixels]);
  for (const { time } of events) {
    const x = Math.round(plot.valToPos(time, 'x', true));
    if (x < bbox.left || x > bbox.left + bbox.width) continue;
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
    ctx.beginPath();
    ctx.moveTo(x - 4 * pixels, bbox.top - 5 * pixels);
    ctx.lineTo(x + 4 * pixels, bbox.top - 5 * pixels);
    ctx.lineTo(x, bbox.top + 2 * pixels);
    ctx.fill();
  }
  ctx.restore();
}

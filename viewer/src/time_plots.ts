// All plots over time in tabs, with what is common to them: the window, the crosshair, and what
// dragging does. A plot is made when its tab is first opened.
import type { Comparison } from './comparison';
import { Crosshair } from './crosshair';
import { button, element } from './dom';
import { formatTime } from './format';
import type { Player } from './player';
import { bottomSize } from './plot_style';
import { addPointer, type DragMode } from './plot_pointer';
import { savePlot } from './picture';
import type { Group, Report } from './report';
import { isPrinting, onAppearanceChange } from './theme';
import { type PlotContext, TimePlot } from './time_plot';
import { TimeWindow } from './time_window';

const everything = 'All';
const usualOrder = ['Motion', 'Forces', 'Drives', 'Control', 'Energy'];
/** what a plot's title takes beside its curves [pixels] */
const headHeight = 34;
const besideScene = matchMedia('(min-width: 1000px)');

export class TimePlots {
  readonly root: HTMLElement;
  readonly window: TimeWindow;
  section: string;
  private readonly made = new Map<Group, TimePlot>();
  private readonly panel = element('div', { class: 'plot-panel scroll', role: 'tabpanel' });
  private readonly tabs: HTMLButtonElement[];
  private readonly folded = new Set<string>();
  private readonly context: PlotContext;
  private readonly groups: Group[];
  private readonly zeros: Group[];
  private mode: DragMode = 'move';

  constructor(report: Report, player: Player, comparison: Comparison) {
    this.window = new TimeWindow(player.start, player.end);
    this.groups = report.groups.filter(({ zero }) => !zero);
    this.zeros = report.groups.filter(({ zero }) => zero);
    this.context = {
      player,
      comparison,
      window: this.window,
      crosshair: new Crosshair(),
      events: report.events,
      onPlot: (plot) => addPointer(plot, this.context, () => this.mode),
      onSave: (plot) => void savePlot(report.title, plot),
    };
    const found = new Set(report.groups.flatMap((group) => group.sections));
    const usual = usualOrder.filter((name) => found.delete(name));
    const names = [...usual, ...found, everything];
    this.section = names[0];
    this.tabs = names.map((name) => this.tab(name));
    const list = element('div', { class: 'tabs scroll', role: 'tablist' }, ...this.tabs);
    this.root = element(
      'section',
      { class: 'plots', 'aria-label': 'Plots over time' },
      element('header', {}, list, this.toolbar()),
      this.panel,
    );
    new ResizeObserver(() => this.shareHeight()).observe(this.panel);
    onAppearanceChange(() => this.fill());
    this.open(this.section);
  }

  /** Those of the chosen tab that are not folded. */
  shownPlots(): TimePlot[] {
    return this.inSection(this.section)
      .filter((group) => this.section !== everything || !this.folded.has(group.sections[0]))
      .map((group) => this.plotOf(group))
      .filter((plot) => !plot.isFolded);
  }

  open(section: string): void {
    const found = this.tabs.find((tab) => tab.textContent === section);
    if (!found) return;
    this.section = section;
    for (const tab of this.tabs) {
      tab.setAttribute('aria-selected', String(tab === found));
      tab.tabIndex = tab === found ? 0 : -1;
    }
    this.fill();
    this.panel.scrollTop = 0;
  }

  private tab(name: string): HTMLButtonElement {
    const made = button(name, `Plots: ${name.toLowerCase()}`, () => this.open(name), 'tab');
    made.setAttribute('role', 'tab');
    made.addEventListener('keydown', (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (step === undefined || event.shiftKey) return;
      event.stopPropagation();
      event.preventDefault();
      const next =
        this.tabs[(this.tabs.indexOf(made) + step + this.tabs.length) % this.tabs.length];
      next.focus();
      this.open(next.textContent ?? '');
    });
    return made;
  }

  private inSection(section: string): Group[] {
    return section === everything
      ? this.groups
      : this.groups.filter((group) => group.sections.includes(section));
  }

  private plotOf(group: Group): TimePlot {
    const plot = this.made.get(group) ?? new TimePlot(group, this.context);
    this.made.set(group, plot);
    return plot;
  }

  /** Print has all plots. */
  private fill(): void {
    const section = isPrinting() ? everything : this.section;
    const names = new Set(this.inSection(section).map((group) => group.sections[0]));
    const parts: HTMLElement[] =
      section === everything
        ? [...names].map((name) => this.foldable(name))
        : this.inSection(section).map((group) => this.plotOf(group).root);
    const left = this.zeros.filter(
      (group) => section === everything || group.sections.includes(section),
    );
    if (left.length > 0) parts.push(zeroNote(left));
    this.panel.replaceChildren(...parts);
    this.shareHeight();
  }

  private foldable(name: string): HTMLElement {
    const own = this.groups.filter((group) => group.sections[0] === name);
    const body = element('div', { class: 'section-plots' });
    const open = !this.folded.has(name) || isPrinting();
    const made = element(
      'details',
      { class: 'section', ...(open ? { open: '' } : {}) },
      element('summary', {}, element('h2', { text: name })),
      body,
    );
    const unfold = () => body.replaceChildren(...own.map((group) => this.plotOf(group).root));
    if (open) unfold();
    made.addEventListener('toggle', () => {
      // told late, when another tab may have taken the plots
      if (!made.isConnected) return;
      if (made.open) this.folded.delete(name);
      else this.folded.add(name);
      if (made.open && body.childElementCount === 0) unfold();
      this.shareHeight();
    });
    return made;
  }

  /** Beside the scene the plots share the height; up to four are seen at once. */
  private shareHeight(): void {
    const shown = this.inSection(this.section).length;
    const room = this.panel.clientHeight - (this.zeros.length > 0 ? 40 : 8);
    const share = room / Math.max(1, Math.min(4, shown)) - headHeight;
    const height =
      isPrinting() || !besideScene.matches || this.section === everything
        ? 150
        : Math.min(300, Math.max(104 + bottomSize, share));
    for (const plot of this.made.values()) plot.setHeight(Math.floor(height));
  }

  private toolbar(): HTMLElement {
    const { player } = this.context;
    const { window } = this;
    const drag = button(
      'Zoom',
      'Dragging in a plot zooms instead of moving the replay (shift does the other)',
      () => {
        this.mode = this.mode === 'zoom' ? 'move' : 'zoom';
        drag.setAttribute('aria-pressed', String(this.mode === 'zoom'));
      },
    );
    drag.setAttribute('aria-pressed', 'false');
    const nearer = button('+', "Show half as much, around the replay's time", () =>
      window.scale(0.5, player.time),
    );
    const farther = button('−', 'Show twice as much', () => window.scale(2, player.time));
    const whole = button('⤢', 'Whole run (double click in a plot)', () => window.showAll());
    whole.setAttribute('aria-label', 'Whole run');
    const update = () => (farther.disabled = whole.disabled = window.whole);
    window.onChange(update);
    update();
    return element(
      'div',
      { class: 'toolbar' },
      this.valuesAt(),
      element(
        'div',
        { class: 'segments', role: 'group', 'aria-label': 'Zoom' },
        drag,
        nearer,
        farther,
        whole,
      ),
    );
  }

  /** To which time the numbers at the curves belong. */
  private valuesAt(): HTMLElement {
    const { player, crosshair } = this.context;
    const note = element('span', { class: 'values-at number' });
    const update = () => {
      const time = crosshair.time ?? player.time;
      note.textContent = `at ${formatTime(time, player.duration)} s`;
      note.title = 'The numbers at the curves are those of this time';
      note.classList.toggle('pointed', crosshair.time !== null);
    };
    player.onChange(update);
    crosshair.onChange(update);
    update();
    return note;
  }
}

function zeroNote(groups: Group[]): HTMLElement {
  const names = groups.map(({ title, unit }) => (unit ? `${title} [${unit}]` : title));
  return element('p', {
    class: 'note zeros',
    text: `Zero throughout and not drawn: ${names.join(', ')}.`,
  });
}

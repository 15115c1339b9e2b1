// All plots over time, with what is common to them: the window, and what dragging does.
import { button, element } from './dom';
import { formatTime } from './format';
import type { Player } from './player';
import { addPointer, type DragMode } from './plot_pointer';
import type { Report } from './report';
import { TimePlot } from './time_plot';
import { TimeWindow } from './time_window';

export function timePlots(report: Report, player: Player): HTMLElement {
  const window = new TimeWindow(player.start, player.end);
  let mode: DragMode = 'move';
  const plots = report.groups.map(
    (group) =>
      new TimePlot(group, player, window, report.events, (plot) =>
        addPointer(plot, player, window, () => mode),
      ),
  );
  const toolbar = element(
    'div',
    { class: 'toolbar' },
    dragChoice((chosen) => (mode = chosen)),
    zoomButtons(player, window),
  );
  return element(
    'section',
    { class: 'plots' },
    element('header', {}, element('h2', { text: 'Over time' }), valuesAt(player), toolbar),
    element('div', { class: 'plot-grid' }, ...plots.map((plot) => plot.root)),
  );
}

/** To which time the numbers in the legends belong. */
function valuesAt(player: Player): HTMLElement {
  const note = element('span', { class: 'note number' });
  const update = () =>
    (note.textContent = `values at ${formatTime(player.time, player.duration)} s`);
  player.onChange(update);
  update();
  return note;
}

function dragChoice(onChange: (mode: DragMode) => void): HTMLElement {
  const choose = (mode: DragMode) => {
    move.setAttribute('aria-pressed', String(mode === 'move'));
    zoom.setAttribute('aria-pressed', String(mode === 'zoom'));
    onChange(mode);
  };
  const move = button(
    'Move time',
    'Dragging in a plot moves the replay (with shift it zooms)',
    () => choose('move'),
  );
  const zoom = button('Zoom', 'Dragging in a plot zooms (with shift it moves the replay)', () =>
    choose('zoom'),
  );
  choose('move');
  return element(
    'div',
    { class: 'segments', role: 'group', 'aria-label': 'What dragging in a plot does' },
    element('span', { text: 'Drag' }),
    move,
    zoom,
  );
}

function zoomButtons(player: Player, window: TimeWindow): HTMLElement {
  const nearer = button('+', "Show half as much, around the replay's time", () =>
    window.scale(0.5, player.time),
  );
  const farther = button('−', 'Show twice as much', () => window.scale(2, player.time));
  const all = button('Whole run', 'Show everything (double click in a plot)', () =>
    window.showAll(),
  );
  const update = () => (farther.disabled = all.disabled = window.whole);
  window.onChange(update);
  update();
  return element(
    'div',
    { class: 'segments', role: 'group', 'aria-label': 'Zoom' },
    nearer,
    farther,
    all,
  );
}

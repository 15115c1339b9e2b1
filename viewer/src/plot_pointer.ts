// The pointer in a time plot: it moves the crosshair; dragging moves the replay or zooms, a double
// click shows all.
import type uPlot from 'uplot';
import type { Crosshair } from './crosshair';
import type { Player } from './player';
import type { TimeWindow } from './time_window';

export type DragMode = 'move' | 'zoom';

const leastZoom = 6; // pixels

export function addPointer(
  plot: uPlot,
  { player, window, crosshair }: { player: Player; window: TimeWindow; crosshair: Crosshair },
  mode: () => DragMode,
): void {
  const area = plot.over;
  let from = 0;
  let drag: DragMode | null = null;
  const place = (event: PointerEvent) =>
    Math.min(area.clientWidth, Math.max(0, event.clientX - area.getBoundingClientRect().left));
  const select = (left: number, width: number) =>
    plot.setSelect({ left, width, top: 0, height: area.clientHeight }, false);

  area.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return;
    area.setPointerCapture(event.pointerId);
    from = place(event);
    // shift does what the chosen mode does not
    drag = (mode() === 'zoom') !== event.shiftKey ? 'zoom' : 'move';
    if (drag === 'move') player.seek(plot.posToVal(from, 'x'));
  });
  area.addEventListener('pointermove', (event) => {
    const at = place(event);
    crosshair.moveTo(plot.posToVal(at, 'x'));
    if (drag === 'move') player.seek(plot.posToVal(at, 'x'));
    if (drag === 'zoom') select(Math.min(from, at), Math.abs(at - from));
  });
  area.addEventListener('pointerleave', () => crosshair.moveTo(null));
  area.addEventListener('pointerup', (event) => {
    const at = place(event);
    if (drag === 'zoom') {
      select(0, 0);
      if (Math.abs(at - from) >= leastZoom)
        window.show(plot.posToVal(from, 'x'), plot.posToVal(at, 'x'));
      else player.seek(plot.posToVal(at, 'x'));
    }
    drag = null;
  });
  area.addEventListener('pointercancel', () => {
    select(0, 0);
    drag = null;
    crosshair.moveTo(null);
  });
  area.addEventListener('dblclick', () => window.showAll());
}

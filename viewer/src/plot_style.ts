// What time plots and diagrams have in common: axes, colours, ranges of values.
import type uPlot from 'uplot';
import { formatTicks } from './format';
import type { Theme } from './theme';

/** what an axis takes below the curves, and the air above them [pixels] */
export const bottomSize = 24;
export const topPadding = 8;

export const font = '12px system-ui, "Segoe UI", "Noto Sans", "DejaVu Sans", sans-serif';

/** wide enough for most labels, so that the time axes of plots above each other agree [pixels] */
const leastWidth = 54;

const longest = (texts: string[]): number => Math.max(0, ...texts.map((text) => text.length));

/** An axis; a vertical one is at least as wide as its longest label. */
export function axis(theme: Theme, side: 'bottom' | 'left', label?: string): uPlot.Axis {
  const bottom = side === 'bottom';
  return {
    stroke: theme.soft,
    font,
    label,
    labelFont: font,
    labelSize: 18,
    labelGap: 0,
    grid: { stroke: theme.grid, width: 1 },
    ticks: { show: false },
    gap: 5,
    space: bottom ? 70 : 30,
    size: bottom ? bottomSize : (_, labels) => Math.max(leastWidth, 14 + 7 * longest(labels ?? [])),
    values: (_, ticks) => formatTicks(ticks),
  };
}

/** The last label carries the unit. */
export function timeAxis(theme: Theme): uPlot.Axis {
  const values: uPlot.Axis['values'] = (plot, ticks) => {
    const { min = 0, max = Infinity } = plot.scales.x;
    const last = ticks.findLastIndex((tick) => tick <= max + 1e-3 * (max - min));
    return formatTicks(ticks).map((text, index) => (index === last ? `${text} s` : text));
  };
  return { ...axis(theme, 'bottom'), values };
}

/** A little more than the values take; a constant gets room instead of showing its rounding. */
export function paddedRange(min: number | null, max: number | null): [number, number] {
  if (min === null || max === null || !Number.isFinite(min) || !Number.isFinite(max))
    return [-1, 1];
  const size = Math.max(Math.abs(min), Math.abs(max));
  if (max - min <= 1e-6 * size) {
    const room = size > 0 ? 0.1 * size : 1;
    return [min - room, max + room];
  }
  const room = 0.05 * (max - min);
  return [min - room, max + room];
}

// What a plot over time is made of: curves that belong together, their paths, marks of events.
import uPlot from 'uplot';
import type { Series, TimedEvent } from './report';

const comparedOpacity = 0.42;

/** Curves of one colour, behind one name: a run's own, its reference, those of compared runs. */
export interface Bundle {
  lead: Series;
  series: number[];
}

export const opacityOf = (series: Series): number => (series.run > 0 ? comparedOpacity : 1);

export function bundlesOf(all: Series[]): Bundle[] {
  const bundles: Bundle[] = [];
  const byColor = new Map<number, Bundle>();
  const order = [...all.keys()].sort(
    (a, b) =>
      Number(all[a].dashed || all[a].run > 0) - Number(all[b].dashed || all[b].run > 0) || a - b,
  );
  for (const index of order) {
    const found = byColor.get(all[index].color);
    if (found) {
      found.series.push(index);
      continue;
    }
    const made = { lead: all[index], series: [index] };
    byColor.set(all[index].color, made);
    bundles.push(made);
  }
  return bundles;
}

const spline = uPlot.paths.spline!();
const straight = uPlot.paths.linear!();

/** Through few points a smooth curve without overshoot, through many straight lines. */
export const smoothPaths: uPlot.Series.PathBuilder = (plot, index, from, to) =>
  (to - from < plot.bbox.width / 2 ? spline : straight)(plot, index, from, to);

export function largestOf({ zero, data }: Series): number {
  if (zero) return 0;
  let largest = 0;
  for (const value of data)
    if (Number.isFinite(value)) largest = Math.max(largest, Math.abs(value));
  return largest;
}

export function rangeOf(data: Float32Array): number {
  let least = Infinity;
  let most = -Infinity;
  for (const value of data) {
    if (value < least) least = value;
    if (value > most) most = value;
  }
  return most - least;
}

/** uPlot leaves a gap where a value is null; numbers that are not finite become gaps. */
export function withGaps(data: Float32Array): Float32Array | (number | null)[] {
  if (data.every(Number.isFinite)) return data;
  return Array.from(data, (value) => (Number.isFinite(value) ? value : null));
}

export function drawEvents(plot: uPlot, events: TimedEvent[], color: string): void {
  const { ctx, bbox } = plot;
  const pixels = uPlot.pxRatio;
  ctx.save();
  ctx.strokeStyle = ctx.fillStyle = color;
  ctx.globalAlpha = 0.6;
  ctx.lineWidth = pixels;
  ctx.setLineDash([2 * pixels, 3 * pixels]);
  for (const { time } of events) {
    const x = Math.round(plot.valToPos(time, 'x', true));
    if (x < bbox.left || x > bbox.left + bbox.width) continue;
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
  }
  ctx.restore();
}

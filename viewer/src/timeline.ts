// Where an instant lies between the recorded ones.

/** Index of the last recorded instant not after `time` (0 before the first). */
export function rowAt(times: Float32Array, time: number): number {
  let low = 0;
  let high = times.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (times[middle] <= time) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The row before `time`, and how far it is on the way to the next row, from 0 to 1. */
export function between(times: Float32Array, time: number): { row: number; fraction: number } {
  const row = rowAt(times, time);
  const gap = row + 1 < times.length ? times[row + 1] - times[row] : 0;
  const fraction = gap > 0 ? Math.min(1, Math.max(0, (time - times[row]) / gap)) : 0;
  return { row, fraction };
}

/** The recorded row nearest to `time`. */
export function nearestRow(times: Float32Array, time: number): number {
  const { row, fraction } = between(times, time);
  return fraction > 0.5 ? row + 1 : row;
}

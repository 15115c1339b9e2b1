// What is shown, as numbers: one row for each recorded instant of the window.
import type { TimePlot } from './time_plot';
import type { TimeWindow } from './time_window';

export function csvOf(times: Float32Array, plots: TimePlot[], window: TimeWindow): string {
  const columns = plots.flatMap((plot) =>
    plot.visibleSeries().map((series) => ({
      head: plot.group.unit ? `${series.fullName} [${plot.group.unit}]` : series.fullName,
      data: series.data,
    })),
  );
  const lines = [['time [s]', ...columns.map(({ head }) => head)].map(quoted).join(',')];
  times.forEach((time, row) => {
    if (time < window.min || time > window.max) return;
    lines.push([time, ...columns.map(({ data }) => data[row])].map(shortest).join(','));
  });
  return `${lines.join('\n')}\n`;
}

/** A number of single precision has no more than nine digits. */
const shortest = (value: number): string => String(Number(value.toPrecision(9)));

/** A name that would be a formula in a spreadsheet begins with an apostrophe. */
function quoted(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

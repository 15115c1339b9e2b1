// Numbers as an engineer reads them: a true minus sign, few digits, powers of ten written out.

const superscripts = '⁰¹²³⁴⁵⁶⁷⁸⁹';

function scientific(value: number, decimals: number): string {
  const [mantissa, exponent] = value.toExponential(decimals).split('e');
  const raised = exponent.replace('+', '').replace('-', '⁻');
  return `${mantissa}×10${raised.replaceAll(/\d/g, (digit) => superscripts[Number(digit)])}`;
}

const trueMinus = (text: string): string => text.replace('-', '−');

/** A value with so many significant digits. */
export function formatNumber(value: number, digits = 4): string {
  if (Number.isNaN(value)) return 'not a number';
  if (!Number.isFinite(value)) return value > 0 ? '∞' : '−∞';
  if (value === 0) return '0';
  const size = Math.abs(value);
  if (size < 1e-3 || size >= 1e6) return trueMinus(scientific(value, digits - 1));
  const decimals = Math.max(0, digits - 1 - Math.floor(Math.log10(size)));
  return trueMinus(value.toFixed(decimals));
}

/** As `formatNumber`; rounding errors beside a far larger value of the same kind are told as such. */
export function formatBeside(value: number, largest: number): string {
  return value !== 0 && Math.abs(value) < 1e-9 * largest ? '≈ 0' : formatNumber(value);
}

/** As a table shows it: no zeros that say nothing at the end. */
export function formatCell(value: number): string {
  return formatNumber(value, 4)
    .replace(/(\.\d*?)0+(?=×|$)/, '$1')
    .replace(/\.(?=×|$)/, '');
}

export function formatVector(values: readonly number[], unit: string): string {
  const parts = values.map((value) =>
    Math.abs(value) < 1e5 ? trueMinus(value.toFixed(3)) : formatNumber(value),
  );
  return `(${parts.join(', ')}) ${unit}`;
}

/** Seconds, with as many decimals as a run of this duration deserves. */
export function formatTime(time: number, duration: number): string {
  const decimals = duration < 1 ? 4 : duration < 100 ? 3 : duration < 1000 ? 2 : 1;
  return trueMinus(time.toFixed(decimals));
}

/** The labels of an axis with equal steps: all with the same decimals or the same power of ten. */
export function formatTicks(ticks: readonly number[]): string[] {
  const step = ticks.length > 1 ? Math.abs(ticks[1] - ticks[0]) : Math.abs(ticks[0] ?? 0) || 1;
  const largest = Math.max(...ticks.map(Math.abs), step);
  if (largest < 1e6 && step >= 1e-5) {
    const decimals = [0, 1, 2, 3, 4, 5, 6].find((count) => isWhole(step * 10 ** count)) ?? 6;
    return ticks.map((tick) => trueMinus((Math.abs(tick) < step / 2 ? 0 : tick).toFixed(decimals)));
  }
  const magnitude = Math.floor(Math.log10(largest));
  const decimals = [0, 1, 2, 3, 4, 5, 6].find((count) =>
    isWhole((step / 10 ** magnitude) * 10 ** count),
  );
  return ticks.map((tick) =>
    Math.abs(tick) < step / 2 ? '0' : trueMinus(scientific(tick, decimals ?? 6)),
  );
}

const isWhole = (value: number): boolean =>
  Math.abs(value - Math.round(value)) < 1e-6 && value > 0.5;

// Small lengths and angles in thousandths: 0.07 mrad says more than 7e-5 rad.
import type { Group } from './report';

const finer: Record<string, string> = { rad: 'mrad', m: 'mm' };
const small = 0.1;

/** The group in mrad or mm, where all its values are small; else as it is. */
export function inReadableUnit(group: Group): Group {
  const unit = finer[group.unit];
  if (!unit || !group.series.every(({ zero, data }) => zero || data.every(isSmall))) return group;
  return {
    ...group,
    unit,
    series: group.series.map((series) => ({
      ...series,
      data: series.data.map((value) => 1000 * value),
    })),
  };
}

const isSmall = (value: number): boolean => Math.abs(value) < small;

// The part of the address that holds what is looked at: time, tab, camera.
import type { Player } from './player';
import type { Stage } from './stage';
import type { TimePlots } from './time_plots';

export interface Looked {
  player: Player;
  stage: Stage | null;
  plots: TimePlots | null;
}

export function linkOf({ player, stage, plots }: Looked): string {
  const parts = new URLSearchParams({ t: String(Number(player.time.toPrecision(9))) });
  if (plots) parts.set('tab', plots.section);
  const camera = stage?.camera.place();
  if (camera) parts.set('camera', camera.map((value) => Number(value.toPrecision(6))).join(','));
  return `${location.href.split('#')[0]}#${parts}`;
}

/** Takes up what the address holds; parts that make no sense are passed over. */
export function followLink({ player, stage, plots }: Looked): void {
  const parts = new URLSearchParams(location.hash.slice(1));
  const time = Number(parts.get('t') ?? NaN);
  if (Number.isFinite(time)) player.seek(time);
  const tab = parts.get('tab');
  if (tab) plots?.open(tab);
  const camera = (parts.get('camera') ?? '').split(',').map(Number);
  if (camera.length === 6 && camera.every(Number.isFinite)) {
    stage?.stopFollowing();
    stage?.camera.putAt(camera);
  }
}

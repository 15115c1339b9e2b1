// Files that the page hands to the browser.
import { element } from './dom';

export function download(name: string, blob: Blob): void {
  const address = URL.createObjectURL(blob);
  element('a', { href: address, download: name }).click();
  // the browser has taken it over by then
  setTimeout(() => URL.revokeObjectURL(address), 60000);
}

/** "PUMA 560 picks", "Joint forces" → puma_560_picks_joint_forces.png */
export function fileName(title: string, what: string, ending: string): string {
  const words = `${title} ${what}`.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? ['report'];
  return `${words.join('_').slice(0, 80)}.${ending}`;
}

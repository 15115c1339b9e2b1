// The keyboard: every key acts on the replay unless a control needs it.
import { element } from './dom';
import { menu } from './menu';
import type { Player } from './player';
import type { Stage } from './stage';

const turn = Math.PI / 24;

export const keyHelp: [string, string][] = [
  ['space', 'play, pause'],
  ['← →', 'recorded instant before, after'],
  ['Page ↑ ↓', 'a twentieth of the run'],
  ['Home End', 'start, end'],
  ['[ ]', 'slower, faster'],
  ['L', 'loop'],
  ['1 2 3 4', 'whole motion, front, side, top'],
  ['shift + arrows', 'turn the view'],
  ['+ −', 'nearer, farther'],
];

export function addKeys(player: Player, stage: Stage | null): void {
  const page = player.duration / 20;
  const actions: Record<string, () => void> = {
    ' ': () => player.toggle(),
    ArrowLeft: () => player.step(-1),
    ArrowRight: () => player.step(1),
    PageUp: () => player.seek(player.time - page),
    PageDown: () => player.seek(player.time + page),
    Home: () => player.seek(player.start),
    End: () => player.seek(player.end),
    '[': () => player.changeSpeed(-1),
    ']': () => player.changeSpeed(1),
    l: () => player.setLoop(!player.loop),
  };
  const viewActions: Record<string, () => void> = stage
    ? {
        '1': () => stage.look('home'),
        '2': () => stage.look('front'),
        '3': () => stage.look('side'),
        '4': () => stage.look('top'),
        '+': () => stage.camera.orbit(0, 0, 1 / 1.15),
        '-': () => stage.camera.orbit(0, 0, 1.15),
        'shift ArrowLeft': () => stage.camera.orbit(-turn, 0, 1),
        'shift ArrowRight': () => stage.camera.orbit(turn, 0, 1),
        'shift ArrowUp': () => stage.camera.orbit(0, turn, 1),
        'shift ArrowDown': () => stage.camera.orbit(0, -turn, 1),
      }
    : {};

  // a button that was clicked does not take the space key away, one that was reached by tab does
  let reachedByTab = false;
  addEventListener('pointerdown', () => (reachedByTab = false), { capture: true });
  addEventListener('keydown', (event) => {
    reachedByTab ||= event.key === 'Tab';
    if (event.ctrlKey || event.altKey || event.metaKey || keepsKey(event, reachedByTab)) return;
    const name = event.shiftKey && event.key.startsWith('Arrow') ? `shift ${event.key}` : event.key;
    const action = actions[name] ?? viewActions[name];
    if (!action) return;
    event.preventDefault();
    action();
  });
}

/** Lists and scrolling parts keep their keys, other controls the space key alone. */
function keepsKey(event: KeyboardEvent, reachedByTab: boolean): boolean {
  const target = event.target as HTMLElement;
  if (target.matches('select')) return true;
  if (target.matches('.scroll')) return event.key !== ' ';
  return event.key === ' ' && reachedByTab && target.matches('button, summary, [type=checkbox]');
}

export function keyList(): HTMLElement {
  const rows = keyHelp.flatMap(([keys, meaning]) => [
    element('dt', {}, element('kbd', { text: keys })),
    element('dd', { text: meaning }),
  ]);
  return menu('Keys', 'What the keyboard does', 'keys', element('dl', {}, ...rows));
}

// The keyboard. A control that was reached by the keyboard keeps its own keys.
import { element } from './dom';
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
        '1': () => stage.camera.look('home'),
        '2': () => stage.camera.look('front'),
        '3': () => stage.camera.look('side'),
        '4': () => stage.camera.look('top'),
        '+': () => stage.camera.orbit(0, 0, 1 / 1.15),
        '-': () => stage.camera.orbit(0, 0, 1.15),
        'shift ArrowLeft': () => stage.camera.orbit(-turn, 0, 1),
        'shift ArrowRight': () => stage.camera.orbit(turn, 0, 1),
        'shift ArrowUp': () => stage.camera.orbit(0, turn, 1),
        'shift ArrowDown': () => stage.camera.orbit(0, -turn, 1),
      }
    : {};

  addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || keepsKey(event)) return;
    const name = event.shiftKey && event.key.startsWith('Arrow') ? `shift ${event.key}` : event.key;
    const action = actions[name] ?? viewActions[name];
    if (!action) return;
    event.preventDefault();
    action();
  });
}

function keepsKey(event: KeyboardEvent): boolean {
  const target = event.target as HTMLElement;
  if (target.matches('select')) return true;
  if (target.matches('.scroll')) return event.key !== ' ';
  // after a click with the pointer, space is play again and not the button once more
  return event.key === ' ' && target.matches('button:focus-visible, summary:focus-visible, [type=checkbox]:focus-visible');
}

export function keyList(): HTMLElement {
  const rows = keyHelp.flatMap(([keys, meaning]) => [
    element('dt', {}, element('kbd', { text: keys })),
    element('dd', { text: meaning }),
  ]);
  return element(
    'details', { class: 'menu keys' },
    element('summary', { text: 'Keys', title: 'What the keyboard does' }),
    element('dl', { class: 'panel' }, ...rows),
  );
}

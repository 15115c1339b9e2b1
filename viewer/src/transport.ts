// The timeline: play, scrub bar with phases and events on it, time, speed, loop.
import { button, choice, element } from './dom';
import { eventMenu } from './events';
import { formatTime } from './format';
import { keyList } from './keys';
import { speeds, type Player } from './player';
import type { Phase, TimedEvent } from './report';

export function transport(player: Player, events: TimedEvent[], phases: Phase[]): HTMLElement {
  const play = button('', '', () => player.toggle(), 'play');
  const scrub = element('input', {
    type: 'range',
    class: 'scrub',
    'aria-label': 'Time of the replay',
    min: String(player.start),
    max: String(player.end),
    step: 'any',
  });
  scrub.addEventListener('input', () => player.seek(Number(scrub.value)));
  const clock = element('output', { class: 'clock' });
  const speed = choice(
    'Speed',
    'Speed of the replay (keys [ and ])',
    speeds.map((value) => ({ value: String(value), text: `${value} ×` })),
    '1',
    (value) => (player.speed = Number(value)),
  );
  const loop = loopBox(player);
  const marks = phaseBar(player, phases);

  const update = () => {
    play.textContent = player.playing ? '❚❚' : '▶';
    play.title = player.playing ? 'Pause (space)' : 'Play (space)';
    play.setAttribute('aria-label', player.playing ? 'Pause' : 'Play');
    scrub.value = String(player.time);
    const now = formatTime(player.time, player.duration);
    scrub.style.setProperty('--part', String(partOf(player, player.time)));
    scrub.setAttribute('aria-valuetext', `${now} seconds`);
    const whole = formatTime(player.end, player.duration);
    clock.replaceChildren(element('strong', { text: now }), ` / ${whole} s`);
    speed.querySelector('select')!.value = String(player.speed);
    loop.querySelector('input')!.checked = player.loop;
    marks?.update();
  };
  player.onChange(update);
  update();

  const track = element(
    'div',
    { class: 'track' },
    marks?.root ?? null,
    element('div', { class: 'bar' }, scrub, eventTicks(player, events)),
  );
  return element(
    'footer',
    { class: 'transport', 'aria-label': 'Timeline' },
    play,
    track,
    clock,
    speed,
    loop,
    events.length > 0 ? eventMenu(player, events) : null,
    keyList(),
  );
}

/** From 0 at the start to 1 at the end. */
function partOf(player: Player, time: number): number {
  const part = player.duration > 0 ? (time - player.start) / player.duration : 0;
  return Math.min(1, Math.max(0, part));
}

function loopBox(player: Player): HTMLElement {
  const input = element('input', { type: 'checkbox', 'aria-label': 'Loop' });
  input.addEventListener('change', () => player.setLoop(input.checked));
  const title = 'Start again at the end (key L)';
  return element('label', { class: 'loop', title }, input, element('span', { text: '↻' }));
}

/** The named parts of the run; a click goes to the start of one. */
function phaseBar(
  player: Player,
  phases: Phase[],
): { root: HTMLElement; update: () => void } | null {
  if (phases.length === 0) return null;
  const parts = phases.map((phase) => {
    const from = formatTime(phase.from, player.duration);
    const to = formatTime(phase.to, player.duration);
    const made = button(phase.name, `${phase.name}: ${from} s to ${to} s`, () =>
      player.seek(phase.from),
    );
    made.style.setProperty('--from', String(partOf(player, phase.from)));
    made.style.setProperty('--to', String(partOf(player, phase.to)));
    return made;
  });
  const update = () =>
    parts.forEach((made, index) => {
      const { from, to } = phases[index];
      made.classList.toggle('current', player.time >= from && player.time < to);
    });
  return { root: element('div', { class: 'phases' }, ...parts), update };
}

function eventTicks(player: Player, events: TimedEvent[]): HTMLElement {
  const ticks = events.map((event) => {
    const tick = element('i', {
      title: `${formatTime(event.time, player.duration)} s: ${event.text}`,
    });
    tick.style.setProperty('--part', String(partOf(player, event.time)));
    tick.addEventListener('click', () => player.seek(event.time));
    return tick;
  });
  return element('div', { class: 'ticks', 'aria-hidden': 'true' }, ...ticks);
}

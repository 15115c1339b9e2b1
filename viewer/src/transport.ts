// Play, scrub bar with the events on it, time, speed, loop.
import { button, checkBox, choice, element } from './dom';
import { formatTime } from './format';
import { speeds, type Player } from './player';
import type { TimedEvent } from './report';

export function transport(player: Player, events: TimedEvent[]): HTMLElement {
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
    speeds.map((value) => ({ value: String(value), text: `${value}×` })),
    '1',
    (value) => (player.speed = Number(value)),
  );
  const loop = checkBox(
    'Loop',
    'Start again at the end (key L)',
    player.loop,
    (on) => (player.loop = on),
  );

  const update = () => {
    play.textContent = player.playing ? '❚❚' : '▶';
    play.title = player.playing ? 'Pause (space)' : 'Play (space)';
    play.setAttribute('aria-label', player.playing ? 'Pause' : 'Play');
    scrub.value = String(player.time);
    const now = formatTime(player.time, player.duration);
    const part = player.duration > 0 ? (player.time - player.start) / player.duration : 0;
    scrub.style.setProperty('--part', String(part));
    scrub.setAttribute('aria-valuetext', `${now} seconds`);
    clock.textContent = `${now} / ${formatTime(player.end, player.duration)} s`;
    speed.querySelector('select')!.value = String(player.speed);
    loop.querySelector('input')!.checked = player.loop;
  };
  player.onChange(update);
  update();

  const track = element('div', { class: 'track' }, scrub, eventTicks(player, events));
  return element('div', { class: 'transport' }, play, track, clock, speed, loop);
}

function eventTicks(player: Player, events: TimedEvent[]): HTMLElement {
  const ticks = events.map((event) => {
    const tick = element('i', {
      title: `${formatTime(event.time, player.duration)} s: ${event.text}`,
    });
    const part = player.duration > 0 ? (event.time - player.start) / player.duration : 0;
    tick.style.setProperty('--part', String(Math.min(1, Math.max(0, part))));
    return tick;
  });
  return element('div', { class: 'ticks', 'aria-hidden': 'true' }, ...ticks);
}

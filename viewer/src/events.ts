// What happened during the run, as a list; a click goes there.
import { element } from './dom';
import { formatTime } from './format';
import { menu } from './menu';
import type { Player } from './player';
import type { TimedEvent } from './report';

const mostListed = 500;

export function eventMenu(player: Player, events: TimedEvent[]): HTMLElement {
  const entries = events.slice(0, mostListed).map((event) => {
    const time = element('span', {
      class: 'number',
      text: `${formatTime(event.time, player.duration)} s`,
    });
    const entry = element(
      'button',
      { type: 'button' },
      time,
      element('span', { text: event.text }),
    );
    entry.addEventListener('click', () => player.seek(event.time));
    return element('li', {}, entry);
  });
  if (events.length > mostListed) {
    entries.push(element('li', { class: 'note', text: `and ${events.length - mostListed} more` }));
  }
  const count = events.length === 1 ? '1 event' : `${events.length} events`;
  return menu(count, 'What happened during the run', 'events', element('ol', {}, ...entries));
}

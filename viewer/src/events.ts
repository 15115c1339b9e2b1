// What happened during the run, as a list; a click goes there.
import { element, section } from './dom';
import { formatTime } from './format';
import type { Player } from './player';
import type { TimedEvent } from './report';

const mostListed = 500;

export function eventList(player: Player, events: TimedEvent[]): HTMLElement {
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
  const list = element('ol', { class: 'scroll' }, ...entries);
  return section(`Events (${events.length})`, 'card events', list);
}

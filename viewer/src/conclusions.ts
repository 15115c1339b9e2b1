// What a design report has found, in large type, before anything else.
import { element, section } from './dom';
import type { Conclusion } from './report';

export function conclusionTiles(conclusions: Conclusion[]): HTMLElement {
  const tiles = conclusions.map(({ figure, text, state }) =>
    element(
      'div',
      { class: `tile ${state ?? ''}` },
      element('strong', { text: figure }),
      element('span', { text }),
    ),
  );
  return section('Conclusions', 'conclusions', element('div', { class: 'tiles' }, ...tiles));
}

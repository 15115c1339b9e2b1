// Entries below a plot: swatch, name, value. A click hides a curve, a double click shows it alone.
import { button, element } from './dom';

const manyEntries = 9;

export interface LegendEntry {
  name: string;
  /** how its swatch looks */
  mark: 'solid' | 'dashed' | 'points' | 'limit';
}

export interface Legend {
  root: HTMLElement;
  setValue(index: number, text: string): void;
  setColors(color: (index: number) => string): void;
}

export interface LegendActions {
  /** is told of every entry, when any has changed */
  onShown(shown: boolean[]): void;
  /** null when the pointer has left */
  onEmphasis(index: number | null): void;
}

export function legend(entries: LegendEntry[], actions: LegendActions): Legend {
  const shown = entries.map(() => true);
  const values = entries.map(() => element('span', { class: 'value number' }));
  const buttons = entries.map((entry, index) => {
    const made = element(
      'button',
      {
        type: 'button',
        class: 'entry',
        title: `${entry.name}: click to hide or show, double click to see it alone`,
      },
      element('i', { class: `swatch ${entry.mark}` }),
      element('span', { class: 'name', text: entry.name }),
      values[index],
    );
    made.addEventListener('click', () =>
      show(shown.map((on, other) => (other === index ? !on : on))),
    );
    made.addEventListener('dblclick', () => show(shown.map((_, other) => other === index)));
    for (const event of ['pointerenter', 'focus']) {
      made.addEventListener(event, () => actions.onEmphasis(shown[index] ? index : null));
    }
    for (const event of ['pointerleave', 'blur'])
      made.addEventListener(event, () => actions.onEmphasis(null));
    return made;
  });
  const show = (wanted: boolean[]) => {
    shown.splice(0, shown.length, ...wanted);
    buttons.forEach((made, index) => made.setAttribute('aria-pressed', String(shown[index])));
    actions.onShown([...shown]);
  };
  buttons.forEach((made) => made.setAttribute('aria-pressed', 'true'));

  const list = element('div', { class: 'entries scroll' }, ...buttons);
  const all = element(
    'div',
    { class: 'all' },
    element('span', { class: 'note', text: `${entries.length} curves` }),
    button('All', 'Show all curves', () => show(entries.map(() => true))),
    button('None', 'Hide all curves', () => show(entries.map(() => false))),
  );
  return {
    root: element('div', { class: 'legend' }, list, entries.length > manyEntries ? all : null),
    setValue: (index, text) => (values[index].textContent = text),
    setColors: (color) =>
      buttons.forEach((made, index) => made.style.setProperty('--curve', color(index))),
  };
}

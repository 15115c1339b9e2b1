// Names and values at the ends of curves, in the place of a legend. They never overlap: those that
// are too close move apart, and where there are too many the rest waits behind a button.
// A click on a name hides its curve, a double click shows it alone.
import { button, element } from './dom';

/** pixels from one label to the next */
export const labelPitch = 15;

export interface EndLabel {
  name: string;
  /** all that is drawn in this label's colour */
  title: string;
  /** how its mark looks; curves need none, their ends are beside the name */
  mark: 'solid' | 'dashed' | 'points' | 'limit';
  /** labels with the largest weight stay when there are too many */
  weight: number;
}

export interface LabelActions {
  /** is told of every label, when any has changed */
  onShown(shown: boolean[]): void;
  /** null when the pointer has left */
  onEmphasis(index: number | null): void;
  /** there is more to show than fits: all of it, or not any longer */
  onExpand(expanded: boolean): void;
}

export class EndLabels {
  readonly root = element('div', { class: 'ends' });
  readonly entries: HTMLButtonElement[];
  expanded = false;
  private readonly values: HTMLElement[];
  private readonly more: HTMLButtonElement;
  private shown: boolean[];

  constructor(
    private readonly labels: EndLabel[],
    private readonly actions: LabelActions,
  ) {
    this.shown = labels.map(() => true);
    this.values = labels.map(() => element('span', { class: 'value number' }));
    this.entries = labels.map((label, index) => this.entry(label, index));
    this.more = button('', 'Show the names of all curves, or of the largest alone', () => {
      this.expanded = !this.expanded;
      actions.onExpand(this.expanded);
    });
    this.more.className = 'more';
    this.root.append(...this.entries, this.more);
    this.show(this.shown);
  }

  get count(): number {
    return this.labels.length;
  }

  show(wanted: boolean[]): void {
    this.shown = wanted;
    this.entries.forEach((made, index) => made.setAttribute('aria-pressed', String(wanted[index])));
    this.actions.onShown([...wanted]);
  }

  setValue(index: number, text: string): void {
    this.values[index].textContent = text;
  }

  setColors(color: (index: number) => string): void {
    this.entries.forEach((made, index) => made.style.setProperty('--curve', color(index)));
  }

  /** Puts the labels beside the ends of their curves [pixels from the top], within a height. */
  place(wanted: number[], height: number): void {
    const room = Math.max(1, Math.floor(height / labelPitch));
    const all = this.labels.map((_, index) => index);
    const fits = this.labels.length <= room;
    const chosen = fits
      ? all
      : [...all]
          .sort((a, b) => this.labels[b].weight - this.labels[a].weight || a - b)
          .slice(0, room - 1);
    const kept = new Set(chosen);
    const order = all
      .filter((index) => kept.has(index))
      .sort((a, b) => wanted[a] - wanted[b] || a - b);
    const lowest = height - (fits ? 0 : labelPitch);
    const places = spread(
      order.map((index) => wanted[index]),
      lowest,
    );
    this.entries.forEach((made, index) => (made.hidden = !kept.has(index)));
    order.forEach((index, row) => (this.entries[index].style.top = `${places[row]}px`));
    this.more.hidden = fits && !this.expanded;
    this.more.textContent = this.expanded
      ? 'fewer'
      : `+ ${this.labels.length - chosen.length} more`;
    this.more.style.top = `${height - labelPitch}px`;
  }

  /** What is to be read, with its place, for a picture. */
  visible(): { name: string; value: string; color: string; top: number }[] {
    return this.entries.flatMap((made, index) =>
      made.hidden || !this.shown[index]
        ? []
        : [
            {
              name: this.labels[index].name,
              value: this.values[index].textContent ?? '',
              color: made.style.getPropertyValue('--curve'),
              top: parseFloat(made.style.top) || 0,
            },
          ],
    );
  }

  private entry(label: EndLabel, index: number): HTMLButtonElement {
    const made = element(
      'button',
      {
        type: 'button',
        class: `entry ${label.mark}`,
        title: `${label.title}\nClick to hide or show, double click to see it alone`,
      },
      element('i', { class: 'swatch' }),
      element('span', { class: 'name', text: label.name }),
      this.values[index],
    );
    made.addEventListener('click', () =>
      this.show(this.shown.map((on, other) => (other === index ? !on : on))),
    );
    made.addEventListener('dblclick', () =>
      this.show(this.shown.map((_, other) => other === index)),
    );
    for (const event of ['pointerenter', 'focus']) {
      made.addEventListener(event, () => this.actions.onEmphasis(this.shown[index] ? index : null));
    }
    for (const event of ['pointerleave', 'blur'])
      made.addEventListener(event, () => this.actions.onEmphasis(null));
    return made;
  }
}

/** Tops of labels in the order given, as near to their wishes as a pitch between them allows. */
export function spread(wishes: number[], height: number): number[] {
  // groups of labels that touch, each around the mean of its wishes
  const groups: { sum: number; count: number; top: number }[] = [];
  const settle = (group: { sum: number; count: number; top: number }) => {
    const size = group.count * labelPitch;
    const top = group.sum / group.count - size / 2;
    group.top = Math.max(0, Math.min(height - size, top));
  };
  for (const wish of wishes) {
    let group = { sum: wish, count: 1, top: 0 };
    settle(group);
    let last = groups[groups.length - 1];
    while (last && last.top + last.count * labelPitch > group.top) {
      groups.pop();
      group = { sum: last.sum + group.sum, count: last.count + group.count, top: 0 };
      settle(group);
      last = groups[groups.length - 1];
    }
    groups.push(group);
  }
  return groups.flatMap(({ top, count }) =>
    Array.from({ length: count }, (_, row) => Math.round(top + row * labelPitch)),
  );
}

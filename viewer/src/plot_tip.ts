// The tip at the mouse in a plot: an instant, and curves with their full names and values.
import { element } from './dom';

export interface TipLine {
  name: string;
  value: string;
  /** how its curve is drawn, if not as a plain line */
  kind: 'dashed' | 'compared' | undefined;
}

export class PlotTip {
  readonly root = element('div', { class: 'tip values', hidden: '' });

  fill(head: string, lines: TipLine[], color: string): void {
    const rows = lines.map(({ name, value, kind }) =>
      element(
        'li',
        { class: kind },
        element('span', { class: 'name', text: name, style: `color: ${color}` }),
        element('span', { class: 'number', text: value }),
      ),
    );
    this.root.replaceChildren(
      element('strong', { class: 'number', text: head }),
      element('ul', {}, ...rows),
    );
  }

  /** Beside the mouse, and within the width of the whole plot. */
  place(area: HTMLElement, left: number, top: number, width: number): void {
    this.root.hidden = false;
    const { offsetWidth, offsetHeight } = this.root;
    const fitsRight = left + 14 + offsetWidth < width - area.offsetLeft;
    const across = fitsRight ? left + 14 : Math.max(-area.offsetLeft, left - 14 - offsetWidth);
    const down = top > offsetHeight + 14 ? top - offsetHeight - 12 : top + 18;
    this.root.style.transform = `translate(${across}px, ${down}px)`;
  }
}

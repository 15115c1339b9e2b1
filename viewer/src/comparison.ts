// Which of the compared runs are shown, in plots and in the 3-D view.
import { checkBox, element } from './dom';
import { menu } from './menu';

export class Comparison {
  private readonly shown: boolean[];
  private readonly listeners: (() => void)[] = [];

  constructor(readonly titles: string[]) {
    this.shown = titles.map(() => true);
  }

  /** `run` 0 is the report's own. */
  isShown(run: number): boolean {
    return run === 0 || this.shown[run - 1];
  }

  show(run: number, shown: boolean): void {
    this.shown[run - 1] = shown;
    for (const listener of this.listeners) listener();
  }

  onChange(listener: () => void): void {
    this.listeners.push(listener);
  }
}

/** null where nothing is compared. */
export function compareMenu(comparison: Comparison): HTMLElement | null {
  if (comparison.titles.length === 0) return null;
  const boxes = comparison.titles.map((title, index) =>
    checkBox(title, `Draw '${title}' in lighter tones`, true, (on) =>
      comparison.show(index + 1, on),
    ),
  );
  const note = element('p', { class: 'note', text: 'Drawn in lighter tones of the same colours.' });
  return menu('Compare', 'Runs that are drawn beside this one', 'compare', ...boxes, note);
}

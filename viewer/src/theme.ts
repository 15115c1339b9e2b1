// Light or dark, and the colours of what is drawn on a canvas: taken from the style sheet, told when
// they change. The screen's preference counts until the button is used; printing is always light.

export interface Theme {
  dark: boolean;
  ink: string;
  soft: string;
  grid: string;
  line: string;
  accent: string;
  bad: string;
  sky: string;
  card: string;
}

const darkScreen = matchMedia('(prefers-color-scheme: dark)');
const print = matchMedia('print');
const listeners: (() => void)[] = [];
let chosen: boolean | null = null;

const root = document.documentElement;
const wantsDark = (): boolean => (chosen ?? darkScreen.matches) && !isPrinting();

export function currentTheme(): Theme {
  const style = getComputedStyle(root);
  const color = (name: string) => style.getPropertyValue(`--${name}`).trim();
  return {
    dark: wantsDark(),
    ink: color('ink'),
    soft: color('soft'),
    grid: color('grid'),
    line: color('line'),
    accent: color('accent'),
    bad: color('bad'),
    sky: color('sky'),
    card: color('card'),
  };
}

export const isPrinting = (): boolean => 'print' in root.dataset;

/** The other one of light and dark. */
export function toggleTheme(): void {
  chosen = !(chosen ?? darkScreen.matches);
  tellAll();
}

/** Called when colours change, and before and after printing, when sizes change as well. */
export function onAppearanceChange(listener: () => void): void {
  listeners.push(listener);
}

function setPrinting(printing: boolean): void {
  if (printing === isPrinting()) return;
  root.toggleAttribute('data-print', printing);
  tellAll();
}

function tellAll(): void {
  root.toggleAttribute('data-dark', wantsDark());
  for (const listener of listeners) listener();
}

root.toggleAttribute('data-dark', wantsDark());
darkScreen.addEventListener('change', tellAll);
print.addEventListener('change', () => setPrinting(print.matches));
addEventListener('beforeprint', () => setPrinting(true));
addEventListener('afterprint', () => setPrinting(false));

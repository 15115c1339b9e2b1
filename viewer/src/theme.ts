// Colours of what is drawn on a canvas: taken from the style sheet, told when they change.
// Printing uses the light colours, whatever the screen shows.

export interface Theme {
  dark: boolean;
  ink: string;
  soft: string;
  grid: string;
  line: string;
  accent: string;
  bad: string;
  sky: string;
}

const darkScreen = matchMedia('(prefers-color-scheme: dark)');
const print = matchMedia('print');
const listeners: (() => void)[] = [];

export function currentTheme(): Theme {
  const style = getComputedStyle(document.documentElement);
  const color = (name: string) => style.getPropertyValue(`--${name}`).trim();
  return {
    dark: darkScreen.matches && !isPrinting(),
    ink: color('ink'),
    soft: color('soft'),
    grid: color('grid'),
    line: color('line'),
    accent: color('accent'),
    bad: color('bad'),
    sky: color('sky'),
  };
}

export const isPrinting = (): boolean => 'print' in document.documentElement.dataset;

/** Called when colours change, and before and after printing, when sizes change as well. */
export function onAppearanceChange(listener: () => void): void {
  listeners.push(listener);
}

function setPrinting(printing: boolean): void {
  if (printing === isPrinting()) return;
  if (printing) document.documentElement.dataset.print = '';
  else delete document.documentElement.dataset.print;
  tellAll();
}

function tellAll(): void {
  for (const listener of listeners) listener();
}

darkScreen.addEventListener('change', tellAll);
print.addEventListener('change', () => setPrinting(print.matches));
addEventListener('beforeprint', () => setPrinting(true));
addEventListener('afterprint', () => setPrinting(false));

// A button that opens a panel; a click elsewhere or Escape closes it.
import { element } from './dom';

export function menu(
  text: string,
  title: string,
  className: string,
  ...children: (Node | null)[]
): HTMLDetailsElement {
  const head = element('summary', { text, title });
  const made = element(
    'details',
    { class: `menu ${className}` },
    head,
    element('div', { class: 'panel scroll' }, ...children),
  );
  made.addEventListener('toggle', () => keepInSight(made));
  return made;
}

/** A panel that would stick out at the right begins farther left. */
function keepInSight(made: HTMLDetailsElement): void {
  const panel = made.querySelector<HTMLElement>('.panel');
  if (!made.open || !panel) return;
  panel.style.translate = '';
  const { left, right } = panel.getBoundingClientRect();
  const room = document.documentElement.clientWidth - 8;
  const over = Math.max(0, right - room);
  panel.style.translate = `${left < 8 ? 8 - left : -Math.min(over, left - 8)}px`;
}

function closeAllBut(target: EventTarget | null): void {
  for (const open of document.querySelectorAll<HTMLDetailsElement>('details.menu[open]')) {
    if (!(target instanceof Node) || !open.contains(target)) open.open = false;
  }
}

addEventListener('pointerdown', (event) => closeAllBut(event.target), { capture: true });
addEventListener('keydown', (event) => {
  if (event.key === 'Escape') closeAllBut(null);
});

// Making elements. Text always goes in as text: names and titles come from users.

export interface Attributes {
  class?: string;
  text?: string;
  title?: string;
  [attribute: string]: string | undefined;
}

export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: (Node | null)[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined) continue;
    if (key === 'text') made.textContent = value;
    else made.setAttribute(key, value);
  }
  made.append(...children.filter((child) => child !== null));
  return made;
}

export function button(
  text: string,
  title: string,
  onClick: () => void,
  className?: string,
): HTMLButtonElement {
  const made = element('button', { type: 'button', text, title, class: className });
  made.addEventListener('click', onClick);
  return made;
}

/** A labelled check box; the listener hears every change. */
export function checkBox(
  text: string,
  title: string,
  checked: boolean,
  onChange: (checked: boolean) => void,
): HTMLLabelElement {
  const input = element('input', { type: 'checkbox' });
  input.checked = checked;
  input.addEventListener('change', () => onChange(input.checked));
  return element('label', { class: 'check', title }, input, element('span', { text }));
}

/** A labelled choice; the listener hears the chosen value. */
export function choice(
  text: string,
  title: string,
  options: { value: string; text: string }[],
  chosen: string,
  onChange: (value: string) => void,
): HTMLLabelElement {
  const select = element(
    'select',
    { 'aria-label': text },
    ...options.map((option) => element('option', option)),
  );
  select.value = chosen;
  select.addEventListener('change', () => onChange(select.value));
  return element('label', { class: 'choice', title }, element('span', { text }), select);
}

/** A titled part of the page. */
export function section(title: string, className: string, ...children: Node[]): HTMLElement {
  return element('section', { class: className }, element('h2', { text: title }), ...children);
}

// The top of the page: what was run, how it ended, the main numbers, the warnings.
import { element } from './dom';
import type { Report } from './report';

export function summary(report: Report): HTMLElement {
  const { status, ok, message, facts, warnings } = report.summary;
  const badge = element(
    'span',
    { class: `badge ${ok ? 'good' : 'bad'}` },
    element('span', { 'aria-hidden': 'true', text: ok ? '✓' : '✖' }),
    element('span', { text: status }),
  );
  const heading = element(
    'div',
    { class: 'heading' },
    element('h1', { text: report.title }),
    badge,
  );
  return element(
    'header',
    { class: 'summary' },
    report.robot ? element('p', { class: 'robot', text: report.robot }) : null,
    heading,
    message ? element('p', { class: ok ? 'message' : 'message bad', text: message }) : null,
    report.description ? element('p', { class: 'description', text: report.description }) : null,
    facts.length > 0 ? factList(facts) : null,
    warnings.length > 0 ? warningList(warnings) : null,
  );
}

function factList(facts: Report['summary']['facts']): HTMLElement {
  return element(
    'dl',
    { class: 'facts' },
    ...facts.map((fact) =>
      element('div', {}, element('dt', { text: fact.label }), element('dd', { text: fact.value })),
    ),
  );
}

function warningList(warnings: string[]): HTMLElement {
  return element(
    'section',
    { class: 'warnings' },
    element('h2', { text: warnings.length === 1 ? '1 warning' : `${warnings.length} warnings` }),
    element('ul', {}, ...warnings.map((text) => element('li', { text }))),
  );
}

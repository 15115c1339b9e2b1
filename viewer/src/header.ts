// The top of the page in one line: what was run, how it ended, the main numbers, the warnings.
import { element } from './dom';
import { menu } from './menu';
import type { Report, Summary } from './report';
import { isPrinting, onAppearanceChange } from './theme';

const mostBrief = 5;

/** How a status looks: only a run that finished without reserve is green. */
type Tone = 'good' | 'doubtful' | 'ended' | 'bad';
const signs: Record<Tone, string> = { good: '✓', doubtful: '≈', ended: '■', bad: '✖' };

function toneOf({ status, ok }: Summary): Tone {
  if (/inaccurate|limits passed/i.test(status)) return 'doubtful';
  if (!ok && !/^(stopped|interrupted)/i.test(status)) return 'bad';
  return ok && /^finished$/i.test(status) ? 'good' : 'ended';
}

export function header(report: Report, ...tools: (HTMLElement | null)[]): HTMLElement {
  const { summary } = report;
  const tone = toneOf(summary);
  const badge = element(
    'span',
    { class: `badge ${tone}`, title: summary.status },
    element('span', { 'aria-hidden': 'true', text: signs[tone] }),
    element('span', { text: summary.status }),
  );
  const line = element(
    'div',
    { class: 'headline' },
    element('h1', { text: report.title, title: report.title }),
    badge,
    summary.warnings.length > 0 ? warningMenu(summary.warnings) : null,
    briefFacts(summary.facts),
    about(report),
    ...tools,
  );
  const message = summary.message
    ? element('p', { class: `message ${tone}`, text: summary.message })
    : null;
  onAppearanceChange(() => {
    for (const folded of line.querySelectorAll<HTMLDetailsElement>('.warnings, .about'))
      folded.open = isPrinting();
  });
  return element('header', { class: 'top' }, line, message);
}

function warningMenu(warnings: string[]): HTMLElement {
  const count = warnings.length === 1 ? '1 warning' : `${warnings.length} warnings`;
  const list = element('ul', {}, ...warnings.map((text) => element('li', { text })));
  return menu(count, 'What deserves a look', 'warnings', list);
}

/** Those that the report marks as brief, else the first ones. */
function briefFacts(facts: Summary['facts']): HTMLElement {
  const marked = facts.flatMap(({ brief, label, value }) =>
    brief ? [{ ...brief, title: `${label}: ${value}` }] : [],
  );
  const chosen = marked.length > 0 ? marked : facts.map((fact) => ({ ...fact, title: '' }));
  const entries = chosen
    .slice(0, mostBrief)
    .map(({ label, value, title }) =>
      element(
        'div',
        { title },
        element('dd', { text: value }),
        element('dt', { text: marked.length > 0 ? label : label.toLowerCase() }),
      ),
    );
  return element('dl', { class: 'facts' }, ...entries);
}

/** The description, and all figures. */
function about(report: Report): HTMLElement | null {
  const { facts } = report.summary;
  if (!report.description && !report.robot && facts.length === 0) return null;
  const rows = facts.flatMap(({ label, value }) => [
    element('dt', { text: label }),
    element('dd', { text: value }),
  ]);
  const made = menu(
    'i',
    'What was run, and all figures of the run',
    'about',
    report.description ? element('p', { class: 'description', text: report.description }) : null,
    report.robot ? element('p', { class: 'robot note', text: `Robot: ${report.robot}` }) : null,
    element('dl', {}, ...rows),
  );
  made.querySelector('summary')!.setAttribute('aria-label', 'About this run');
  return made;
}

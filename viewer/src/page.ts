// Puts the page together from the report in it, or says why it cannot.
import 'uplot/dist/uPlot.min.css';
import './page.css';
import { diagramCard } from './diagram';
import { element, section } from './dom';
import { eventList } from './events';
import { ReportError } from './item';
import { addKeys } from './keys';
import { Player } from './player';
import { readReport } from './read_report';
import { replayView } from './replay';
import type { Report } from './report';
import { summary } from './summary';
import { tableCard } from './tables';
import { timePlots } from './time_plots';
import { transport } from './transport';

function show(report: Report): void {
  document.title = report.title;
  const parts: HTMLElement[] = [summary(report)];
  // a report with tables is about its figures; the motion that they come from follows
  if (report.tables.length > 0) {
    parts.push(section('Tables', 'tables', ...report.tables.map(tableCard)));
  }
  if (report.diagrams.length > 0) {
    const grid = element('div', { class: 'diagram-grid' }, ...report.diagrams.map(diagramCard));
    parts.push(section('Diagrams', 'diagrams', grid));
  }
  if (report.time.length > 0) parts.push(motionPart(report));
  document.body.append(element('main', {}, ...parts));
}

/** The replay beside the plots; both share one clock. */
function motionPart(report: Report): HTMLElement {
  const player = new Player(report.time);
  const replay = report.scene ? replayView(report, report.scene, player) : null;
  addKeys(player, replay?.stage ?? null);
  const card = element(
    'section',
    { class: 'card replay', 'aria-label': 'Replay' },
    replay?.view ?? null,
    transport(player, report.events),
    replay?.controls ?? null,
  );
  const left = element(
    'div',
    { class: 'left' },
    card,
    report.events.length > 0 ? eventList(player, report.events) : null,
  );
  const plots = report.groups.length > 0 ? timePlots(report, player) : null;
  return element('div', { class: replay && plots ? 'motion beside' : 'motion' }, left, plots);
}

function showProblem(problem: unknown): void {
  const known = problem instanceof ReportError;
  if (!known) console.error(problem);
  document.title = 'Unreadable report';
  document.body.replaceChildren(
    element(
      'main',
      { class: 'problem', role: 'alert' },
      element('h1', {
        text: known ? 'This report cannot be shown' : 'The page failed to draw this report',
      }),
      element('p', { text: problem instanceof Error ? problem.message : String(problem) }),
      element('p', {
        class: 'note',
        text:
          'The recordings beside this file are not affected. ' +
          'Running the scenario again writes a new report.',
      }),
    ),
  );
}

try {
  show(readReport(document.getElementById('report')?.textContent ?? ''));
} catch (problem) {
  showProblem(problem);
}

// Puts the page together from the report in it, or says why it cannot.
import 'uplot/dist/uPlot.min.css';
import './page.css';
import { Comparison, compareMenu } from './comparison';
import { conclusionTiles } from './conclusions';
import { diagramSections } from './diagram';
import { button, element, section } from './dom';
import { header } from './header';
import { ReportError } from './item';
import { addKeys } from './keys';
import { followLink, type Looked } from './link';
import { Player } from './player';
import { readReport } from './read_report';
import { replayView } from './replay';
import type { Report } from './report';
import { saveMenu } from './save';
import { tableCard } from './tables';
import { toggleTheme } from './theme';
import { TimePlots } from './time_plots';
import { transport } from './transport';

function show(report: Report): void {
  document.title = report.title;
  const comparison = new Comparison(report.compared);
  const motion = report.time.length > 0 ? motionPart(report, comparison) : null;
  const top = header(
    report,
    compareMenu(comparison),
    motion ? saveMenu(report.title, motion.looked) : null,
    button('◐', 'Light or dark', toggleTheme, 'theme'),
  );
  // a report with tables is about its figures, and the motion that they come from follows; diagrams
  // alone are about the motion, and follow it
  const findings = designParts(report);
  const isDesign = report.conclusions.length > 0 || report.tables.length > 0;
  const layout = findings.length > 0 ? 'design' : 'instrument';
  const moving = motion ? motion.parts : [];
  const parts = isDesign ? [...findings, ...moving] : [...moving, ...findings];
  document.body.append(element('main', { class: layout }, top, ...parts));
  if (!motion) return;
  followLink(motion.looked);
  addEventListener('hashchange', () => followLink(motion.looked));
}

function designParts(report: Report): HTMLElement[] {
  const parts: HTMLElement[] = [];
  if (report.conclusions.length > 0) parts.push(conclusionTiles(report.conclusions));
  if (report.tables.length > 0) {
    parts.push(section('Tables', 'tables', ...report.tables.map(tableCard)));
  }
  return [...parts, ...diagramSections(report.diagrams)];
}

/** The replay beside the plots, the timeline below both; all share one clock. */
function motionPart(
  report: Report,
  comparison: Comparison,
): { parts: HTMLElement[]; looked: Looked } {
  const player = new Player(report.time);
  const replay = report.scene ? replayView(report, report.scene, player) : null;
  const plots = report.groups.length > 0 ? new TimePlots(report, player, comparison) : null;
  const stage = replay?.stage ?? null;
  addKeys(player, stage);
  // a compared run and its ghost come and go together
  comparison.onChange(() => {
    for (const ghost of stage?.ghosts ?? [])
      ghost.group.visible = comparison.isShown(comparison.titles.indexOf(ghost.title) + 1);
    stage?.redraw();
  });
  const scene = replay
    ? element('section', { class: 'replay', 'aria-label': 'Replay' }, replay.view)
    : null;
  const work = element(
    'div',
    { class: replay && plots ? 'motion beside' : 'motion' },
    scene,
    plots?.root ?? null,
  );
  return {
    parts: [work, transport(player, report.events, report.phases)],
    looked: { player, stage, plots },
  };
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

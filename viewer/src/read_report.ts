// JSON → Report. Everything is checked here, so that the rest of the page can trust what it draws.
import { Item, ReportError } from './item';
import { shortNames } from './names';
import { readGhosts, readScene } from './read_scene';
import {
  curveKinds,
  rowStates,
  type Diagram,
  type Group,
  type Report,
  type Series,
  type Summary,
  type Table,
} from './report';

const newestFormat = 1;

export function readReport(text: string): Report {
  const root = new Item(parse(text), '');
  const format = root.at('format').number();
  if (format !== newestFormat) {
    throw new ReportError(
      `The data have format ${format}, and this page reads format ${newestFormat}. ` +
        'Write the report again with one version of Limber.',
    );
  }
  const time = readTime(root.at('time'));
  const poseTime = root.at('pose_time').missing ? time : readTime(root.at('pose_time'));
  const scene = root.at('scene').missing ? null : readScene(root.at('scene'), poseTime.length);
  if (time.length === 0 && (scene !== null || root.at('groups').list().length > 0)) {
    throw new ReportError('The report has a motion or plots over time, but no instants in "time".');
  }
  const center = root.at('center_of_mass');
  const compared = root
    .at('compared')
    .list()
    .map((run) => run.text());
  return {
    title: root.at('title').text(),
    robot: root.at('robot').text(''),
    description: root.at('description').text(''),
    summary: readSummary(root.at('summary')),
    scene,
    time,
    poseTime,
    poses: scene
      ? root.at('poses').floats(poseTime.length * scene.bodies.length * 7)
      : new Float32Array(),
    centerOfMass: center.missing ? null : center.floats(poseTime.length * 3),
    ghosts: scene ? readGhosts(root.at('ghosts'), scene, poseTime.length) : [],
    compared,
    groups: root
      .at('groups')
      .list()
      .map((group) => readGroup(group, time.length, compared)),
    conclusions: root
      .at('conclusions')
      .list()
      .map((one) => ({
        figure: one.at('figure').text(),
        text: one.at('text').text(),
        state: one.at('state').missing ? null : one.at('state').oneOf(rowStates),
      })),
    diagrams: root.at('diagrams').list().map(readDiagram),
    tables: root.at('tables').list().map(readTable),
    events: root
      .at('events')
      .list()
      .map((event) => ({
        time: event.at('time').number(),
        text: event.at('text').text(),
      })),
    phases: root
      .at('phases')
      .list()
      .map((phase) => ({
        name: phase.at('name').text(),
        from: phase.at('from').number(),
        to: phase.at('to').number(),
      })),
  };
}

function parse(text: string): unknown {
  if (text.trim() === '' || text.startsWith('/*')) {
    throw new ReportError(
      'This is the empty page that Limber fills with a report. ' +
        '`limber simulate` and `limber analyse` do so.',
    );
  }
  try {
    return JSON.parse(text);
  } catch (problem) {
    throw new ReportError(
      `The data in this file are not valid JSON (${(problem as Error).message}). ` +
        'The file may be cut off or edited: write the report again.',
    );
  }
}

function readTime(item: Item): Float32Array {
  if (item.missing) return new Float32Array();
  const time = item.floats();
  if (
    !time.every(
      (instant, row) => Number.isFinite(instant) && (row === 0 || instant >= time[row - 1]),
    )
  ) {
    throw new ReportError('"time" must hold finite instants that never fall.');
  }
  return time;
}

function readSummary(item: Item): Summary {
  return {
    status: item.at('status').text(),
    ok: item.at('ok').flag(false),
    message: item.at('message').text(''),
    facts: item
      .at('facts')
      .list()
      .map((fact) => ({
        label: fact.at('label').text(),
        value: fact.at('value').text(),
        brief: fact.at('brief').missing
          ? null
          : {
              value: fact.at('brief').at('value').text(),
              label: fact.at('brief').at('label').text(''),
            },
      })),
    warnings: item
      .at('warnings')
      .list()
      .map((warning) => warning.text()),
  };
}

function readGroup(item: Item, instants: number, compared: string[]): Group {
  const sections = item
    .at('sections')
    .list()
    .map((section) => section.text());
  const series = item
    .at('series')
    .list()
    .map((one, index) => readSeries(one, index, instants, compared));
  return {
    title: item.at('title').text(),
    subject: shorten(series),
    unit: item.at('unit').text('').replace('degC', '°C'),
    sections: sections.length > 0 ? sections : ['Motion'],
    zero: item.at('zero').flag(false) || series.every(({ zero }) => zero),
    series,
  };
}

/** Shortens the names, and returns what stood before all of them. A reference, and a curve of
 * another run, go by the name of the curve that they belong to. */
function shorten(all: Series[]): string {
  const own = all.filter((series) => !series.dashed && series.run === 0);
  const { names, front } = shortNames(own.map((series) => series.name));
  names.forEach((name, index) => (own[index].name = name));
  for (const series of all) {
    if (own.includes(series)) continue;
    series.name = own.find(({ color }) => color === series.color)?.name ?? series.name;
  }
  return front;
}

function readSeries(item: Item, index: number, instants: number, compared: string[]): Series {
  const name = item.at('name').text();
  const column = item.at('data').column(instants);
  const run = item.at('run').missing ? 0 : item.at('run').index(0, compared.length + 1);
  return {
    name,
    fullName: run > 0 ? `${compared[run - 1]}: ${name}` : name,
    get data() {
      return column.values();
    },
    zero: column.zero,
    dashed: item.at('dashed').flag(false),
    run,
    color: item.at('color').missing ? index : item.at('color').index(0, 1000),
  };
}

function readDiagram(item: Item): Diagram {
  const quantity = (axis: Item) => ({
    label: axis.at('label').text(),
    unit: axis.at('unit').text(''),
  });
  return {
    title: item.at('title').text(),
    section: item.at('section').text('Diagrams'),
    note: item.at('note').text(''),
    x: quantity(item.at('x')),
    y: quantity(item.at('y')),
    curves: item
      .at('curves')
      .list()
      .map((curve) => {
        const x = curve.at('x').floats();
        return {
          name: curve.at('name').text(),
          kind: curve.at('kind').oneOf(curveKinds),
          x,
          y: curve.at('y').floats(x.length),
        };
      }),
  };
}

function readTable(item: Item): Table {
  const columns = item
    .at('columns')
    .list()
    .map((column) => ({
      name: column.at('name').text(),
      unit: column.at('unit').text(''),
    }));
  return {
    title: item.at('title').text(),
    note: item.at('note').text(''),
    columns,
    rows: item
      .at('rows')
      .list()
      .map((row) => {
        const cells = row.at('cells').list();
        if (cells.length !== columns.length) throw row.at('cells').wrong(`${columns.length} cells`);
        return {
          cells: cells.map((cell) => cell.cell()),
          state: row.at('state').missing ? null : row.at('state').oneOf(rowStates),
        };
      }),
  };
}

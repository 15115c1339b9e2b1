// Tables; the state of a row is said by a word and a sign as well as by colour. A table with more
// columns than a page is wide is turned round.
import { element } from './dom';
import { formatCell } from './format';
import type { Table } from './report';

const stateWords = { ok: '✓ ok', warning: '▲ close', violation: '✖ violation' };
const mostColumns = 9;
const mostRowsTurned = 8;
/** more columns than this stand closer */
const dense = 7;

type Cell = Table['rows'][number]['cells'][number];

/** below this a number is what rounding has left of zero */
const noise = 1e-11;

function textOf(cell: Cell): string {
  if (cell === null || cell === '') return '–';
  if (typeof cell === 'string') return cell;
  return cell !== 0 && Math.abs(cell) < noise ? '≈ 0' : formatCell(cell);
}

export function tableCard(table: Table): HTMLElement {
  const turn = table.columns.length > mostColumns && table.rows.length <= mostRowsTurned;
  return element(
    'figure',
    { class: 'card table-card' },
    element('h3', { text: table.title }),
    element(
      'div',
      { class: 'wide scroll', tabindex: '0', role: 'region', 'aria-label': table.title },
      turn ? turned(table) : straight(table),
    ),
    table.note ? element('figcaption', { text: table.note }) : null,
  );
}

const headOf = ({ name, unit }: Table['columns'][number]): Node[] => [
  element('span', { text: name }),
  ...(unit ? [element('span', { class: 'unit', text: unit })] : []),
];

function straight(table: Table): HTMLElement {
  const hasStates = table.rows.some((row) => row.state !== null);
  const numeric = table.columns.map((_, column) =>
    table.rows.every((row) => typeof row.cells[column] !== 'string' || row.cells[column] === ''),
  );
  const heads = table.columns.map((column, index) =>
    element(
      'th',
      { scope: 'col', class: numeric[index] ? 'number' : undefined },
      ...headOf(column),
    ),
  );
  // first, where it is seen however narrow the screen
  if (hasStates) heads.unshift(element('th', { scope: 'col', text: 'State' }));
  const body = table.rows.map((row) => tableRow(row, numeric, hasStates));
  return element(
    'table',
    { class: heads.length > dense ? 'dense' : undefined },
    element('thead', {}, element('tr', {}, ...heads)),
    element('tbody', {}, ...body),
  );
}

function tableRow(row: Table['rows'][number], numeric: boolean[], hasStates: boolean): HTMLElement {
  const cells = row.cells.map((cell, column) =>
    element('td', {
      class: numeric[column] || typeof cell === 'number' ? 'number' : undefined,
      text: textOf(cell),
    }),
  );
  if (hasStates) {
    cells.unshift(element('td', { class: 'state', text: row.state ? stateWords[row.state] : '' }));
  }
  return element('tr', { class: row.state ?? undefined }, ...cells);
}

/** Rows as columns: one line for each figure. */
function turned(table: Table): HTMLElement {
  const [first, ...others] = table.columns;
  const stateOf = (row: Table['rows'][number]) => row.state ?? undefined;
  const heads = table.rows.map((row) =>
    element('th', { scope: 'col', class: `number ${row.state ?? ''}`, text: textOf(row.cells[0]) }),
  );
  const lines = others.map((column, index) =>
    element(
      'tr',
      {},
      element('th', { scope: 'row' }, ...headOf(column)),
      ...table.rows.map((row) =>
        element('td', {
          class: `number ${stateOf(row) ?? ''}`,
          text: textOf(row.cells[index + 1]),
        }),
      ),
    ),
  );
  if (table.rows.some((row) => row.state !== null)) {
    const states = table.rows.map((row) =>
      element('td', {
        class: `number state ${row.state ?? ''}`,
        text: row.state ? stateWords[row.state] : '',
      }),
    );
    lines.push(element('tr', {}, element('th', { scope: 'row', text: 'State' }), ...states));
  }
  return element(
    'table',
    { class: 'turned' },
    element(
      'thead',
      {},
      element('tr', {}, element('th', { scope: 'col', text: first.name }), ...heads),
    ),
    element('tbody', {}, ...lines),
  );
}

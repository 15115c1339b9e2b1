// Tables; the state of a row is said by a word and a sign as well as by colour.
import { element } from './dom';
import { formatCell } from './format';
import type { Table } from './report';

const stateWords = { ok: '✓ ok', warning: '▲ warning', violation: '✖ violation' };

export function tableCard(table: Table): HTMLElement {
  const hasStates = table.rows.some((row) => row.state !== null);
  const numeric = table.columns.map((_, column) =>
    table.rows.every((row) => typeof row.cells[column] !== 'string'),
  );
  const heads = table.columns.map((column, index) =>
    element(
      'th',
      { scope: 'col', class: numeric[index] ? 'number' : undefined },
      element('span', { text: column.name }),
      column.unit ? element('span', { class: 'unit', text: column.unit }) : null,
    ),
  );
  if (hasStates) heads.push(element('th', { scope: 'col', text: 'State' }));
  const body = table.rows.map((row) => tableRow(row, numeric, hasStates));
  const whole = element(
    'table',
    {},
    element('thead', {}, element('tr', {}, ...heads)),
    element('tbody', {}, ...body),
  );
  return element(
    'figure',
    { class: 'card table-card' },
    element('h3', { text: table.title }),
    element(
      'div',
      { class: 'wide scroll', tabindex: '0', role: 'region', 'aria-label': table.title },
      whole,
    ),
    table.note ? element('figcaption', { text: table.note }) : null,
  );
}

function tableRow(row: Table['rows'][number], numeric: boolean[], hasStates: boolean): HTMLElement {
  const cells = row.cells.map((cell, column) =>
    element('td', {
      class: numeric[column] || typeof cell === 'number' ? 'number' : undefined,
      text: cell === null ? '–' : typeof cell === 'number' ? formatCell(cell) : cell,
    }),
  );
  if (hasStates) {
    cells.push(element('td', { class: 'state', text: row.state ? stateWords[row.state] : '' }));
  }
  return element('tr', { class: row.state ?? undefined }, ...cells);
}

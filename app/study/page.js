// What stands on the page besides the plots, and the order in which all is drawn.

function drawFacts() {
  const cross = crossover('limber_by_mass_matrix', 'limber_articulated_bodies');
  const six = at('limber_inverse_dynamics', 6);
  const tiles = [
    [
      `${shortNumber(six)} operations`,
      `for inverse dynamics of six joints; ${shortNumber(at('rda_inverse_dynamics', 6))} in the table of 1987`,
    ],
    [
      `n = ${cross.operations}`,
      'joints from which articulated bodies need fewer operations than composite bodies',
    ],
  ];
  if (study.timed) {
    const ns = at('limber_inverse_dynamics', 6, 'time');
    tiles.splice(1, 0, [
      `${shortNumber(ns)} ns`,
      `for the same on this machine: ${shortNumber(+(11.48e6 / ns).toPrecision(2))} times faster than the 11.48 ms that [RDA] estimates for its own time`,
    ]);
    tiles.push([`n = ${cross.time}`, 'joints from which they also take less time on this machine']);
  }
  document.getElementById('facts').innerHTML = tiles
    .map(([fact, words]) => `<div class="tile"><b>${fact}</b><span>${words}</span></div>`)
    .join('');
}

function drawClaims() {
  const style = (c) =>
    c.verdict === 'holds'
      ? 'holds'
      : c.verdict === 'not measured'
        ? 'unknown'
        : c.verdict === 'fails in time' || c.in_time === true
          ? 'half'
          : 'fails';
  const rows = study.claims.map(
    (c) =>
      `<tr><td><span class="verdict ${style(c)}">${c.verdict}</span></td><td>${bound(c.claim)}</td><td>${bound(c.found)}</td><td class="where">${c.source}</td></tr>`,
  );
  document.getElementById('claims').innerHTML =
    `<tr><th>verdict</th><th>the book says</th><th>found here</th><th>where</th></tr>${rows.join('')}`;
  const held = study.claims.filter((c) => c.verdict === 'holds').length;
  document.getElementById('tally').innerHTML =
    `${held} of ${study.claims.length} claims hold as they stand. Each is put so that it can be tested, ` +
    `and judged by the program from this run: on counts and, where it is about speed, ${study.timed ? 'in time' : 'in time (nothing was timed)'}.`;
}

const shownLinks = [1, 2, 3, 6, 7, 10, 15, 20, 30];
function numberTable(title, rows) {
  const head = shownLinks.map((n) => `<th>n = ${n}</th>`).join('');
  const body = rows
    .map(
      ({ name, list, book }) =>
        `<tr${book ? ' class="book"' : ''}><td>${name}</td>` +
        shownLinks.map((n) => `<td>${list[n - 1] === null ? '–' : list[n - 1]}</td>`).join('') +
        '</tr>',
    )
    .join('');
  return `<details><summary>${title}</summary><table><tr><th></th>${head}</tr>${body}</table></details>`;
}

function drawNumbers() {
  const pair = (s) =>
    s.multiplications.map((m, k) => (m === null ? null : `${m} + ${s.additions[k]}`));
  let html = '';
  for (const [task, title] of Object.entries({ ...tasks, bias_forces: 'Bias forces' })) {
    const ours = study.formulations.filter((s) => s.task === task),
      books = study.published.filter((s) => s.task === task);
    html += numberTable(`${title}: multiplications + additions`, [
      ...ours.map((s) => ({ name: `${s.title} ${s.source}`, list: pair(s) })),
      ...books.map((s) => ({ name: `${s.title} ${s.source}`, list: pair(s), book: true })),
    ]);
    if (study.timed)
      html += numberTable(
        `${title}: nanoseconds`,
        ours.map((s) => ({
          name: s.title,
          list: s.nanoseconds.map((v) => (v === null ? null : shortNumber(v))),
        })),
      );
  }
  document.getElementById('numbers').innerHTML = html;
  addEventListener('beforeprint', () =>
    document.querySelectorAll('details').forEach((d) => {
      d.open = true;
    }),
  );
}

document.getElementById('rounds').textContent = study.rounds;
if (!study.timed) document.querySelectorAll('.timed').forEach((part) => part.remove());
drawFacts();
drawTasks();
drawRatios();
drawClaims();
drawNumbers();

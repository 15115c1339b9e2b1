// What stands on the integrators' page.

const study = JSON.parse(document.getElementById('study').textContent);
const colors = {
  euler: 'rival',
  semi_implicit_euler: 'stacked',
  implicit_euler: 'third',
  midpoint: 'handbook',
  rk4: 'limber2',
  dopri5: 'limber',
  pece_b1: 'mcmillan',
  pece_b2: 'mcmillan2',
  pece_b3: 'fourth',
  pece_b4: 'explicit',
  cvode_adams: 'absolute',
  cvode_bdf: 'absolute2',
};
const milliseconds = (s) => `${shortNumber(1e3 * s)} ms`;
const errorWords = (e) => `${e.toPrecision(2)} m`;

// the cheapest run that is good enough
function cheapest(method, error, cost) {
  const good = method.runs.filter((r) => r.error <= error);
  return good.sort((a, b) => a[cost] - b[cost])[0] ?? null;
}
function best(benchmark, error, cost) {
  const all = benchmark.methods
    .map((m) => ({ name: m.method, run: cheapest(m, error, cost) }))
    .filter((m) => m.run);
  return all.sort((a, b) => a.run[cost] - b.run[cost])[0] ?? null;
}

function chartOf(benchmark, cost, unit, words) {
  const curves = benchmark.methods.map((m) => ({
    name: m.method,
    color: colors[m.method] ?? 'book',
    kind: m.error_control ? 'main' : '',
    points: m.runs
      .filter((r) => r.error > 0)
      .map((r) => [
        r[cost],
        r.error,
        `${m.error_control ? 'tolerance' : 'step'} ${+r.setting.toPrecision(3)}, ${r.steps} steps, ` +
          `${r.evaluations} evaluations, ${milliseconds(r.seconds)}, error ${errorWords(r.error)}`,
      ]),
  }));
  const fine = best(benchmark, 1e-6, cost),
    finest = best(benchmark, 1e-9, cost);
  const say = (b) => (b ? `${b.name} (${cost === 'seconds' ? milliseconds(b.run.seconds) : b.run.evaluations})` : 'none');
  return {
    title: `${benchmark.title}: ${words}`,
    x: unit,
    curves,
    caption: `Cheapest for an error of 1 µm: ${say(fine)}; for 1 nm: ${say(finest)}.`,
  };
}

function drawFacts() {
  const [pendulum, arms] = study.benchmarks;
  const fine = best(arms, 1e-6, 'seconds'),
    easy = best(pendulum, 1e-6, 'seconds');
  const four = study.blocks[0].rows.find((r) => r.block === 4 && r.threads === 4);
  const tiles = [
    [easy.name, `reaches 1 µm first on the double pendulum: ${milliseconds(easy.run.seconds)}`],
    [fine.name, `reaches 1 µm first with four arms: ${milliseconds(fine.run.seconds)} for 1 s`],
    [
      `${four.S_p.toFixed(2)} times`,
      `as fast is B4PC5 on four threads as on one, with ${study.cores} cores; 3.78 times in the thesis`,
    ],
    [
      `${four.S_T.toFixed(2)} times`,
      'as fast as the serial method B1PC5, accuracy counted in; 1.83 times in the thesis',
    ],
  ];
  document.getElementById('facts').innerHTML = tiles
    .map(([fact, words]) => `<div class="tile"><b>${fact}</b><span>${words}</span></div>`)
    .join('');
}

function drawPlots() {
  const place = document.getElementById('plots');
  for (const benchmark of study.benchmarks) {
    drawCostChart(place, chartOf(benchmark, 'evaluations', 'evaluations of the derivative', 'evaluations'));
    drawCostChart(place, chartOf(benchmark, 'seconds', 'time on one thread [s]', 'time'));
  }
}

function table(head, rows) {
  const row = (cells, tag) => `<tr>${cells.map((c) => `<${tag}>${c}</${tag}>`).join('')}</tr>`;
  return `<table>${row(head, 'th')}${rows.map((r) => row(r, 'td')).join('')}</table>`;
}
const gains = (r) => (r ? [(1e3 * r.T).toPrecision(3), r.S_p, r.S_a, r.S_T].map((v) => (typeof v === 'number' ? v.toPrecision(3) : v)) : ['–', '–', '–', '–']);

const gainHeads = ['T [ms]', 'S<sub>p</sub>', 'S<sub>a</sub>', 'S<sub>T</sub>'];
function blockTable(blocks) {
  const known = blocks.required_error === 1e-6;
  const thesis = (r) =>
    study.thesis.find((t) => t.chain_parts === 1 && t.block === r.block && t.threads === r.threads);
  const rows = blocks.rows.map((r) => [
    `B${r.block}PC5`,
    r.threads,
    r.steps,
    r.error.toPrecision(2),
    ...gains(r),
    ...(known ? gains(thesis(r)) : []),
  ]);
  const theirs = known ? ['[McM] T [ms]', ...gainHeads.slice(1)] : [];
  const head = ['', 'threads', 'steps', 'error [m]', ...gainHeads, ...theirs];
  return `<details open><summary>Final error at most ${powerOfTen(blocks.required_error)} m</summary>${table(head, rows)}</details>`;
}

function drawBlocks() {
  const all = study.thesis.map((r) => [`B${r.block}PC5`, r.chain_parts, r.threads, ...gains(r)]);
  document.getElementById('blocks').innerHTML =
    study.blocks.map(blockTable).join('') +
    `<details><summary>All rows of the thesis's tables 5 and 6, on m~ times p~ processors</summary>${table(['', 'm~', 'p~', ...gainHeads], all)}</details>`;
  document.getElementById('blocks_words').innerHTML =
    `The sliding-block methods compute B instants at once, one on each thread. Four arms, as long a step as the required error ` +
    `of the hands allows: T is the time for 1 s of motion, S<sub>p</sub> the gain by threads, S<sub>a</sub> the price of ` +
    `the larger block on one thread, S<sub>T</sub> the gain in all against the serial B1PC5. One evaluation of the derivative takes ` +
    `${(1e6 * study.benchmarks[1].evaluation_seconds).toFixed(1)} µs here; threads meet three times for each block. The first four ` +
    `steps are Runge-Kutta steps, which the threads do not share. The thesis also shared the chains among processors (m~), which does not exist here.`;
}

const marked = (text) => bound(text).replace(/S_(.)/g, 'S<sub>$1</sub>');
function drawClaims() {
  const rows = study.claims.map(
    (c) =>
      `<tr><td><span class="verdict ${c.holds ? 'holds' : 'fails'}">${c.holds ? 'holds' : 'does not hold here'}</span></td>` +
      `<td>${marked(c.claim)}</td><td>${marked(c.found)}</td></tr>`,
  );
  document.getElementById('claims').innerHTML =
    `<tr><th>verdict</th><th>the thesis says</th><th>found here</th></tr>${rows.join('')}`;
}

drawFacts();
drawPlots();
drawBlocks();
drawClaims();

// Which charts the page has, and the words about them; every number comes from the study itself.

const study = JSON.parse(document.getElementById('study').textContent);
const tasks = { inverse_dynamics: 'Inverse dynamics', inertia_matrix: 'Inertia matrix', forward_dynamics: 'Forward dynamics' };
const colors = {
  limber_inverse_dynamics: 'limber', limber_inertia_matrix: 'limber', limber_articulated_bodies: 'limber',
  limber_by_inertia_matrix: 'limber2', mcmillan_inverse_dynamics: 'mcmillan', mcmillan_inertia_matrix: 'mcmillan',
  mcmillan_articulated_bodies: 'mcmillan', mcmillan_by_inertia_matrix: 'mcmillan2',
  absolute_inverse_dynamics: 'absolute', walker_orin_3: 'absolute', absolute_articulated_bodies: 'absolute',
  absolute_by_inertia_matrix: 'absolute2', walker_orin_2: 'third', walker_orin_1: 'fourth', walker_orin_4: 'fourth',
  absolute_articulated_bodies_without_sharing: 'third', explicit_form: 'explicit',
  handbook_inverse_dynamics: 'handbook', handbook_forward_dynamics: 'handbook',
  stacked_inverse_dynamics: 'stacked', stacked_forward_dynamics: 'stacked',
};
const hidden = ['absolute_inverse_dynamics_weights'];  // hardly differs from its neighbour

const series = Object.fromEntries([...study.formulations, ...study.published].map((s) => [s.key, s]));
const sum = (s) => s.multiplications.map((m, k) => (m === null ? null : m + s.additions[k] || null));
const measures = {
  multiplications: (s) => s.multiplications, additions: (s) => s.additions, operations: sum,
  time: (s) => s.nanoseconds,
};
const values = (key, measure) => measures[measure](series[key]);
const at = (key, n, measure = 'operations') => values(key, measure)[n - 1];
const ratio = (first, second, measure) =>
  values(first, measure).map((v, k) => {
    const w = values(second, measure)[k];
    return v && w ? v / w : null;
  });
const ofTask = (list, task) => list.filter((s) => s.task === task && !hidden.includes(s.key));
const main = (s) => s.key.startsWith('limber_');
const bookColor = (s) => (s.key.startsWith('mcm_') ? 'mcmillan' : s.key.startsWith('rda_') ? 'book' : 'rival');
const bookName = (s) => s.source.startsWith('[McM] §') ? s.title : `${s.source}${s.title.includes(',') ? s.title.replace(/^[^,]*/, '') : ''}`;
const from = (n) => (n === null ? 'nowhere up to n = 30' : `from n = ${n}`);
const crossover = (first, second) => study.crossovers.find((c) => c.first === first && c.second === second).from;

function formulationCurves(task, get = sum) {
  return ofTask(study.formulations, task).map((s) => ({ name: s.title, color: colors[s.key], kind: main(s) ? 'main' : '', values: get(s), key: s.key }));
}
function bookCurves(task, get) {
  return ofTask(study.published, task).map((s) => ({ name: bookName(s), color: bookColor(s), kind: 'dashed', values: get(s), key: s.key }));
}

// the power of n with which a cost grows at the end of the axis
function power(key, measure, n = 30) {
  return (Math.log(at(key, n, measure) / at(key, n / 2, measure)) / Math.log(2)).toFixed(1);
}

// --- operations and times ----------------------------------------------------------------------

const leaders = { inverse_dynamics: 'limber_inverse_dynamics', inertia_matrix: 'limber_inertia_matrix', forward_dynamics: 'limber_articulated_bodies' };
const tables = { inverse_dynamics: ['rda_inverse_dynamics', 'mcm_inverse_dynamics'], inertia_matrix: ['rda_inertia_matrix', 'mcm_inertia_matrix'], forward_dynamics: ['rda_articulated_bodies', 'mcm_articulated_bodies'] };

function countCaption(task) {
  const ours = leaders[task], [rda, mcm] = tables[task];
  const growth = formulationCurves(task).sort((a, b) => at(b.key, 30) - at(a.key, 30))[0];
  return `For six joints Limber needs ${shortNumber(at(ours, 6))} operations; the formulas of [RDA] and [McM] give ` +
    `${shortNumber(at(rda, 6))} and ${shortNumber(at(mcm, 6))}. Near n = 30 it grows as n<sup>${power(ours, 'operations')}</sup>, ` +
    `the dearest (${growth.name}) as n<sup>${power(growth.key, 'operations')}</sup>: ${shortNumber(at(growth.key, 30) / at(ours, 30))} times as much.`;
}

function perJointCaption(task) {
  const ours = leaders[task], step = at(ours, 30) - at(ours, 29);
  if (task === 'inertia_matrix')
    return `No level line here: H has n² entries, and the last of thirty joints alone adds ${shortNumber(step)} operations. ` +
      `In absolute coordinates the slope is smaller but the start is higher; the lines cross ${from(crossover('limber_inertia_matrix', 'walker_orin_3').operations)}.`;
  const also = task === 'forward_dynamics' ? ' By composite bodies the cost per joint keeps growing.' : '';
  return `Every further joint adds ${shortNumber(step)} operations; the first joints, next to the fixed base, are cheaper, so the lines rise to a level.${also}`;
}

function timeCaption(task) {
  const ours = leaders[task], timed = formulationCurves(task, (s) => s.nanoseconds).filter((c) => c.values[5]);
  const slowest = timed.sort((a, b) => b.values[5] - a.values[5])[0];
  const short = timed.filter((c) => c.values[29] === null).map((c) => `${c.name} (up to n = ${series[c.key].timed_up_to})`);
  return `Six joints: ${shortNumber(at(ours, 6, 'time'))} ns; thirty: ${shortNumber(at(ours, 30, 'time'))} ns, growing as n<sup>${power(ours, 'time')}</sup>. ` +
    `The slowest at six joints, ${slowest.name}, takes ${shortNumber(slowest.values[5] / at(ours, 6, 'time'))} times as long.` +
    (short.length ? ` Timed in part: ${short.join(', ')}.` : '');
}

function drawTasks() {
  for (const [task, title] of Object.entries(tasks)) {
    const wide = task === 'forward_dynamics';
    drawChart(document.getElementById('counts'), {
      title, wide, y: 'multiplications + additions', logX: true, logY: true, caption: countCaption(task),
      curves: [...formulationCurves(task, sum), ...bookCurves(task, sum)],
    });
    const each = (s) => sum(s).map((v, k) => (v === null ? null : v / (k + 1)));
    const most = 4 * at(leaders[task], 30) / 30;
    drawChart(document.getElementById('per_joint'), {
      title, wide, y: 'operations per joint', caption: perJointCaption(task),
      curves: [...formulationCurves(task, each), ...bookCurves(task, each)].filter((c) => (c.values[29] ?? Infinity) <= most),
    });
    if (study.timed)
      drawChart(document.getElementById('times'), {
        title, y: 'nanoseconds per call', logX: true, logY: true, caption: timeCaption(task),
        curves: formulationCurves(task, (s) => s.nanoseconds),
      });
  }
  if (study.timed) drawChart(document.getElementById('times'), nanosecondsPerOperation());
}

// --- ratios ------------------------------------------------------------------------------------

function ratioCurve(name, color, kind, first, second, measure) {
  return { name, color, kind, values: ratio(first, second, measure) };
}

function articulatedToComposite() {
  const pair = ['limber_articulated_bodies', 'limber_by_inertia_matrix'];
  const ours = crossover(pair[1], pair[0]), rda = crossover('rda_by_inertia_matrix', 'rda_articulated_bodies'), mcm = crossover('mcm_by_inertia_matrix', 'mcm_articulated_bodies');
  const curves = [
    ratioCurve('Limber, multiplications', 'limber2', '', ...pair, 'multiplications'),
    ratioCurve('Limber, additions', 'handbook', '', ...pair, 'additions'),
    ratioCurve('[RDA], multiplications', 'book', 'dashed', 'rda_articulated_bodies', 'rda_by_inertia_matrix', 'multiplications'),
    ratioCurve('[RDA], additions', 'rival', 'dashed', 'rda_articulated_bodies', 'rda_by_inertia_matrix', 'additions'),
    ratioCurve('[McM], operations', 'mcmillan', 'dashed', 'mcm_articulated_bodies', 'mcm_by_inertia_matrix', 'operations'),
  ];
  if (study.timed) curves.push(ratioCurve('Limber, time', 'limber', 'main', ...pair, 'time'));
  return {
    title: 'Articulated ÷ composite bodies, forward dynamics', y: 'cost ratio', wide: true, one: true, curves, top: 2,
    caption: `Below 1 articulated bodies win. Limber's need fewer operations ${from(ours.operations)}` +
      (study.timed ? ` and less time ${from(ours.time)}` : '') +
      `; the formulas of [RDA] cross ${from(rda.operations)}, those of [McM] ${from(mcm.operations)}. The book: only for n > 9.`,
  };
}

const linkPairs = [['inverse dynamics', 'inverse_dynamics', 'absolute_inverse_dynamics', 'limber'],
  ['inertia matrix', 'inertia_matrix', 'walker_orin_3', 'mcmillan'],
  ['articulated bodies', 'articulated_bodies', 'absolute_articulated_bodies', 'absolute']];

function absoluteToLink(measure, who, whose, words) {
  const curves = linkPairs.map(([name, key, absolute, color]) => ratioCurve(name, color, 'main', absolute, `${who}_${key}`, measure));
  const six = curves.map((c) => c.values[5].toFixed(1)), inertia = crossover(`${who}_inertia_matrix`, 'walker_orin_3')[measure];
  return {
    title: `Absolute ÷ link coordinates, ${words}`, y: 'cost ratio', one: true, curves,
    top: Math.max(...curves.flatMap((c) => c.values.slice(2))) * 1.25,
    caption: `${whose}. Above 1 link coordinates win: at six joints by factors ${six.join(', ')}. ` +
      `For the inertia matrix absolute coordinates win ${from(inertia)} (the book: for n > 16); of articulated bodies it says that link coordinates gain about 10 %.`,
  };
}

function nanosecondsPerOperation() {
  const shown = [['inverse dynamics', 'limber_inverse_dynamics', 'limber'], ['inertia matrix', 'limber_inertia_matrix', 'mcmillan'],
    ['articulated bodies', 'limber_articulated_bodies', 'absolute'], ['composite bodies', 'limber_by_inertia_matrix', 'limber2']];
  const curves = shown.map(([name, key, color]) => ({ name, color, kind: 'main', values: values(key, 'time').map((t, k) => (k < 2 || !sum(series[key])[k] ? null : t / sum(series[key])[k])) }));
  const late = curves.flatMap((c) => c.values.slice(5));
  return {
    title: 'Limber: time per counted operation', y: 'nanoseconds', curves,
    caption: `If counting told the whole truth, these were one level line. From six joints on an operation takes ${Math.min(...late).toFixed(2)} to ` +
      `${Math.max(...late).toFixed(2)} ns: a multiplication is no longer dearer than an addition, and order, memory and chains of dependent results count too.`,
  };
}

function drawRatios() {
  const place = document.getElementById('ratios');
  drawChart(place, articulatedToComposite());
  drawChart(place, absoluteToLink('operations', 'limber', 'Limber in link coordinates', 'operations'));
  if (!study.timed) return;
  drawChart(place, absoluteToLink('time', 'mcmillan', 'McMillan\u2019s algorithms in link coordinates, plain code on both sides', 'time'));
}

// --- words and tables --------------------------------------------------------------------------

function drawFacts() {
  const cross = crossover('limber_by_inertia_matrix', 'limber_articulated_bodies');
  const six = at('limber_inverse_dynamics', 6);
  const tiles = [[`${shortNumber(six)} operations`, `for inverse dynamics of six joints; ${shortNumber(at('rda_inverse_dynamics', 6))} in the table of 1987`],
    [`n = ${cross.operations}`, 'joints from which articulated bodies need fewer operations than composite bodies']];
  if (study.timed) {
    const ns = at('limber_inverse_dynamics', 6, 'time');
    tiles.splice(1, 0, [`${shortNumber(ns)} ns`, `for the same on this machine: ${shortNumber(+(11.48e6 / ns).toPrecision(2))} times faster than the 11.48 ms that [RDA] estimates for its own time`]);
    tiles.push([`n = ${cross.time}`, 'joints from which they also take less time on this machine']);
  }
  document.getElementById('facts').innerHTML = tiles.map(([fact, words]) => `<div class="tile"><b>${fact}</b><span>${words}</span></div>`).join('');
}

function drawClaims() {
  const style = (c) => c.verdict === 'holds' ? 'holds' : c.verdict === 'not measured' ? 'unknown' : c.verdict === 'fails in time' || c.in_time === true ? 'half' : 'fails';
  const rows = study.claims.map((c) => `<tr><td><span class="verdict ${style(c)}">${c.verdict}</span></td><td>${bound(c.claim)}</td><td>${bound(c.found)}</td><td class="where">${c.source}</td></tr>`);
  document.getElementById('claims').innerHTML = `<tr><th>verdict</th><th>the book says</th><th>found here</th><th>where</th></tr>${rows.join('')}`;
  const held = study.claims.filter((c) => c.verdict === 'holds').length;
  document.getElementById('tally').innerHTML = `${held} of ${study.claims.length} claims hold as they stand. Each is put so that it can be tested, ` +
    `and judged by the program from this run: on counts and, where it is about speed, ${study.timed ? 'in time' : 'in time (nothing was timed)'}.`;
}

const shownLinks = [1, 2, 3, 6, 7, 10, 15, 20, 30];
function numberTable(title, rows) {
  const head = shownLinks.map((n) => `<th>n = ${n}</th>`).join('');
  const body = rows.map(({ name, list, book }) => `<tr${book ? ' class="book"' : ''}><td>${name}</td>` +
    shownLinks.map((n) => `<td>${list[n - 1] === null ? '–' : list[n - 1]}</td>`).join('') + '</tr>').join('');
  return `<details><summary>${title}</summary><table><tr><th></th>${head}</tr>${body}</table></details>`;
}

function drawNumbers() {
  const pair = (s) => s.multiplications.map((m, k) => (m === null ? null : `${m} + ${s.additions[k]}`));
  let html = '';
  for (const [task, title] of Object.entries({ ...tasks, bias_forces: 'Bias forces' })) {
    const ours = study.formulations.filter((s) => s.task === task), books = study.published.filter((s) => s.task === task);
    html += numberTable(`${title}: multiplications + additions`, [...ours.map((s) => ({ name: `${s.title} ${s.source}`, list: pair(s) })),
      ...books.map((s) => ({ name: `${s.title} ${s.source}`, list: pair(s), book: true }))]);
    if (study.timed)
      html += numberTable(`${title}: nanoseconds`, ours.map((s) => ({ name: s.title, list: s.nanoseconds.map((v) => (v === null ? null : shortNumber(v))) })));
  }
  document.getElementById('numbers').innerHTML = html;
  addEventListener('beforeprint', () => document.querySelectorAll('details').forEach((d) => { d.open = true; }));
}

document.getElementById('rounds').textContent = study.rounds;
if (!study.timed) document.querySelectorAll('.timed').forEach((part) => part.remove());
drawFacts();
drawTasks();
drawRatios();
drawClaims();
drawNumbers();

// What stands on the arms' page.

const study = JSON.parse(document.getElementById('study').textContent);
const ways = [
  ['operational_space', 'operational space', 'limber'],
  ['articulated', 'articulated bodies', 'mcmillan'],
  ['augmented', 'dense system', 'explicit'],
  ['general', 'closed mechanism', 'absolute'],
];
const both = (cost) => cost.multiplications + cost.additions;

// values[n − 1] of a function of the sizes
function byJoints(f) {
  const values = new Array(links).fill(null);
  for (const size of study.sizes) values[size.joints - 1] = f(size) ?? null;
  return values;
}
const crossoverWords = (n) => (n === null ? 'at no number of joints up to 30' : `from ${n} joints on`);

function countsChart() {
  const counted = ways.filter(([key]) => study.sizes[0][key].multiplications !== undefined);
  const curves = counted.map(([key, name, color]) => ({
    name,
    color,
    kind: 'main',
    values: byJoints((s) => both(s[key]) / 1e3),
  }));
  curves.push(
    { name: '[McM] table 2', color: 'limber2', kind: 'dashed', values: byJoints((s) => both(s.thesis.operational_space) / 1e3) },
    { name: '[McM] Lilly, Orin', color: 'mcmillan2', kind: 'dashed', values: byJoints((s) => both(s.thesis.articulated) / 1e3) },
  );
  return {
    title: 'Operations',
    y: 'thousand multiplications and additions',
    logX: true,
    logY: true,
    curves,
    caption:
      `Articulated bodies need fewer operations ${crossoverWords(study.crossovers.counted)}; by the formulas of the ` +
      `thesis ${crossoverWords(study.crossovers.thesis)}. With fewer than six joints every arm is singular, which the thesis does not count.`,
  };
}

function timesChart() {
  const curves = ways.map(([key, name, color]) => ({
    name,
    color,
    kind: 'main',
    values: byJoints((s) => (s[key].nanoseconds === null ? null : s[key].nanoseconds / 1e3)),
  }));
  return {
    title: 'Times',
    y: 'time of one evaluation [µs]',
    logX: true,
    logY: true,
    curves,
    caption: `Articulated bodies are faster ${crossoverWords(study.crossovers.timed)}.`,
  };
}

function sweepChart() {
  const curve = (name, key, color, kind) => ({
    name,
    color,
    kind,
    points: study.sweep
      .filter((r) => r[key] > 0)
      .map((r) => [
        r.condition,
        r[key],
        `wrist bent by ${r.bend.toPrecision(2)} rad, condition ${r.condition.toPrecision(2)}, ` +
          `${r.inverted ? 'inverted' : 'taken as singular'}: ${r[key].toPrecision(2)}`,
      ]),
  });
  return {
    title: 'Accelerations on the way to the singular position',
    wide: true,
    x: 'condition of the mobility of the hand',
    y: 'relative difference',
    curves: [
      curve('from singular', 'from_singular', 'limber', 'main'),
      curve('from block system', 'from_block_system', 'rival', ''),
    ],
    caption: 'From singular: from the accelerations at the singular position itself. From block system: from those of all arms and the load in one dense system, [McM] (4.3).',
  };
}

function table(head, rows) {
  const row = (cells, tag) => `<tr>${cells.map((c) => `<${tag}>${c}</${tag}>`).join('')}</tr>`;
  return `<table>${row(head, 'th')}${rows.map((r) => row(r, 'td')).join('')}</table>`;
}

// "H^-1 J^T" with raised letters
const withPowers = (text) => text.replace(/\^(-?\w)/g, (all, power) => `<sup>${power.replace('-', '−')}</sup>`);

function drawCounts() {
  const cells = (name, ours, theirs) => [
    name,
    ours.multiplications,
    ours.additions,
    theirs.multiplications,
    theirs.additions,
  ];
  const sum = (key) =>
    study.parts.reduce(
      (s, p) => ({
        multiplications: s.multiplications + p[key].multiplications,
        additions: s.additions + p[key].additions,
      }),
      { multiplications: 0, additions: 0 },
    );
  const head = ['', 'mult', 'add', '[McM] mult', 'add'];
  const parts = study.parts.map((p) => cells(withPowers(p.title), p.counted, p.thesis));
  parts.push(cells('<b>sum</b>', sum('counted'), sum('thesis')));
  const dual = study.dual_arm;
  document.getElementById('counts').innerHTML =
    `<details open><summary>Four arms of six joints: table 2</summary>${table(head, parts)}</details>` +
    `<details open><summary>Two arms, forces of the hands and acceleration of the load: tables 8 and 9</summary>${table(head, [
      cells('method I', dual.method_1, dual.thesis_method_1),
      cells('method II', dual.method_2, dual.thesis_method_2),
    ])}</details>`;
}

const gainHeads = ['T [ms]', 'S<sub>p</sub>', 'S<sub>a</sub>', 'S<sub>T</sub>'];
const gains = (r) => (r ? [1e3 * r.T, r.S_p, r.S_a, r.S_T].map((v) => v.toPrecision(3)) : ['–', '–', '–', '–']);
const orDash = (v) => v ?? '–';

function drawThreads() {
  if (!study.timed) return document.getElementById('threads').remove();
  const runs = study.runs.map((r) => [
    `B${r.block}PC5`,
    r.arm_parts,
    r.time_parts,
    r.steps,
    r.error.toPrecision(2),
    ...gains(r),
    ...gains(r.thesis),
  ]);
  const meetings = study.meetings.map((r) => [
    `B${r.block}PC5`,
    r.arm_parts,
    r.time_parts,
    r.meetings,
    r.objects,
    orDash(r.thesis_meetings),
    orDash(r.thesis_objects),
  ]);
  document.getElementById('threads_words').innerHTML =
    `The arms are divided into m~ parts and the points of a block into p~ parts; m~ times p~ threads share them. The steps are as ` +
    `long as a final error of the load of ${powerOfTen(study.required_error)} m allows. T is the time for the lift, S<sub>p</sub> ` +
    `the gain by threads, S<sub>a</sub> the price of the larger block, S<sub>T</sub> the gain in all against B1PC5 on one thread. ` +
    `This machine has ${study.cores} cores: rows with more threads show what waiting costs.`;
  document.getElementById('runs').innerHTML =
    `<details open><summary>The lift, beside tables 4 to 6 (CRAY Y-MP8)</summary>${table(
      ['', 'm~', 'p~', 'steps', 'error [m]', ...gainHeads, '[McM] T [ms]', ...gainHeads.slice(1)],
      runs,
    )}</details>` +
    `<details><summary>Meetings of a thread and motions of the load that it computes, for one block: table 3</summary>${table(
      ['', 'm~', 'p~', 'meetings', 'objects', '[McM] meetings', 'objects'],
      meetings,
    )}</details>`;
}

function drawFacts() {
  const total = (key) => study.parts.reduce((s, p) => s + both(p[key]), 0);
  const six = study.sizes.find((s) => s.joints === 6);
  const dual = study.dual_arm;
  const saved = (one, two) => `${(100 * (1 - both(two) / both(one))).toFixed(0)} %`;
  const tiles = [
    [
      shortNumber(total('counted')),
      `operations for four arms of six joints; ${shortNumber(total('thesis'))} in the thesis`,
    ],
    [
      saved(dual.method_1, dual.method_2),
      `is what method II saves with two arms; ${saved(dual.thesis_method_1, dual.thesis_method_2)} by the thesis's own tables`,
    ],
  ];
  const worst = study.sweep.reduce((m, r) => Math.max(m, r.from_block_system), 0);
  tiles.push([worst.toPrecision(1), 'is the largest relative difference from the dense block system on the way to a singular position']);
  if (six && six.operational_space.nanoseconds !== null)
    tiles.push([
      `${(six.operational_space.nanoseconds / 1e3).toPrecision(3)} µs`,
      'for one evaluation of four arms of six joints in operational space',
    ]);
  document.getElementById('facts').innerHTML = tiles
    .map(([fact, words]) => `<div class="tile"><b>${fact}</b><span>${words}</span></div>`)
    .join('');
}

drawFacts();
drawChart(document.getElementById('plots'), countsChart());
if (study.timed) drawChart(document.getElementById('plots'), timesChart());
drawCostChart(document.getElementById('sweep'), sweepChart());
drawCounts();
drawThreads();

// Which charts the page has, and the words below them; every number comes from the study itself.

// --- operations and times ----------------------------------------------------------------------

const leaders = {
  inverse_dynamics: 'limber_inverse_dynamics',
  mass_matrix: 'limber_mass_matrix',
  forward_dynamics: 'limber_articulated_bodies',
};
const tables = {
  inverse_dynamics: ['rda_inverse_dynamics', 'mcm_inverse_dynamics'],
  mass_matrix: ['rda_mass_matrix', 'mcm_mass_matrix'],
  forward_dynamics: ['rda_articulated_bodies', 'mcm_articulated_bodies'],
};

function countCaption(task) {
  const ours = leaders[task],
    [rda, mcm] = tables[task];
  const growth = formulationCurves(task).sort((a, b) => at(b.key, 30) - at(a.key, 30))[0];
  return (
    `For six joints Limber needs ${shortNumber(at(ours, 6))} operations; the formulas of [RDA] and [McM] give ` +
    `${shortNumber(at(rda, 6))} and ${shortNumber(at(mcm, 6))}. Near n = 30 it grows as n<sup>${powerOfCount(ours)}</sup>, ` +
    `the dearest (${growth.name}) as n<sup>${powerOfCount(growth.key)}</sup>: ${shortNumber(at(growth.key, 30) / at(ours, 30))} times as much.`
  );
}

function perJointCaption(task) {
  const ours = leaders[task],
    step = at(ours, 30) - at(ours, 29);
  if (task === 'mass_matrix')
    return (
      `No level line here: H has n² entries, and the last of thirty joints alone adds ${shortNumber(step)} operations. ` +
      `In absolute coordinates the slope is smaller but the start is higher; the lines cross ${from(crossover('limber_mass_matrix', 'walker_orin_3').operations)}.`
    );
  const also =
    task === 'forward_dynamics' ? ' By composite bodies the cost per joint keeps growing.' : '';
  return `Every further joint adds ${shortNumber(step)} operations; the first joints, next to the fixed base, are cheaper, so the lines rise to a level.${also}`;
}

function timeCaption(task) {
  const ours = leaders[task],
    timed = formulationCurves(task, (s) => s.nanoseconds).filter((c) => c.values[5]);
  const slowest = timed.sort((a, b) => b.values[5] - a.values[5])[0];
  const short = timed
    .filter((c) => c.values[29] === null)
    .map((c) => `${c.name} (up to n = ${series[c.key].timed_up_to})`);
  return (
    `Six joints: ${shortNumber(at(ours, 6, 'time'))} ns; thirty: ${shortNumber(at(ours, 30, 'time'))} ns, growing as n<sup>${powerOfTime(ours)}</sup>. ` +
    `The slowest at six joints, ${slowest.name}, takes ${shortNumber(slowest.values[5] / at(ours, 6, 'time'))} times as long.` +
    (short.length ? ` Timed in part: ${short.join(', ')}.` : '')
  );
}

function drawTasks() {
  for (const [task, title] of Object.entries(tasks)) {
    const wide = task === 'forward_dynamics';
    drawChart(document.getElementById('counts'), {
      title,
      wide,
      y: 'multiplications + additions',
      logX: true,
      logY: true,
      caption: countCaption(task),
      curves: [...formulationCurves(task, sum), ...bookCurves(task, sum)],
    });
    const each = (s) => sum(s).map((v, k) => (v === null ? null : v / (k + 1)));
    const most = (4 * at(leaders[task], 30)) / 30;
    drawChart(document.getElementById('per_joint'), {
      title,
      wide,
      y: 'operations per joint',
      caption: perJointCaption(task),
      curves: [...formulationCurves(task, each), ...bookCurves(task, each)].filter(
        (c) => (c.values[29] ?? Infinity) <= most,
      ),
    });
    if (study.timed)
      drawChart(document.getElementById('times'), {
        title,
        y: 'nanoseconds per call',
        logX: true,
        logY: true,
        caption: timeCaption(task),
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
  const pair = ['limber_articulated_bodies', 'limber_by_mass_matrix'];
  const ours = crossover(pair[1], pair[0]),
    rda = crossover('rda_by_mass_matrix', 'rda_articulated_bodies'),
    mcm = crossover('mcm_by_mass_matrix', 'mcm_articulated_bodies');
  const curves = [
    ratioCurve('Limber, multiplications', 'limber2', '', ...pair, 'multiplications'),
    ratioCurve('Limber, additions', 'handbook', '', ...pair, 'additions'),
    ratioCurve(
      '[RDA], multiplications',
      'book',
      'dashed',
      'rda_articulated_bodies',
      'rda_by_mass_matrix',
      'multiplications',
    ),
    ratioCurve(
      '[RDA], additions',
      'rival',
      'dashed',
      'rda_articulated_bodies',
      'rda_by_mass_matrix',
      'additions',
    ),
    ratioCurve(
      '[McM], operations',
      'mcmillan',
      'dashed',
      'mcm_articulated_bodies',
      'mcm_by_mass_matrix',
      'operations',
    ),
  ];
  if (study.timed) curves.push(ratioCurve('Limber, time', 'limber', 'main', ...pair, 'time'));
  return {
    title: 'Articulated ÷ composite bodies, forward dynamics',
    y: 'cost ratio',
    wide: true,
    one: true,
    curves,
    top: 2,
    caption:
      `Below 1 articulated bodies win. Limber's need fewer operations ${from(ours.operations)}` +
      (study.timed ? ` and less time ${from(ours.time)}` : '') +
      `; the formulas of [RDA] cross ${from(rda.operations)}, those of [McM] ${from(mcm.operations)}. The book: only for n > 9.`,
  };
}

const linkPairs = [
  ['inverse dynamics', 'inverse_dynamics', 'absolute_inverse_dynamics', 'limber'],
  ['mass matrix', 'mass_matrix', 'walker_orin_3', 'mcmillan'],
  ['articulated bodies', 'articulated_bodies', 'absolute_articulated_bodies', 'absolute'],
];

function absoluteToLink(measure, who, whose, words) {
  const curves = linkPairs.map(([name, key, absolute, color]) =>
    ratioCurve(name, color, 'main', absolute, `${who}_${key}`, measure),
  );
  const six = curves.map((c) => c.values[5].toFixed(1)),
    inertia = crossover(`${who}_mass_matrix`, 'walker_orin_3')[measure];
  return {
    title: `Absolute ÷ link coordinates, ${words}`,
    y: 'cost ratio',
    one: true,
    curves,
    top: Math.max(...curves.flatMap((c) => c.values.slice(2))) * 1.25,
    caption:
      `${whose}. Above 1 link coordinates win: at six joints by factors ${six.join(', ')}. ` +
      `For the mass matrix absolute coordinates win ${from(inertia)} (the book: for n > 16); of articulated bodies it says that link coordinates gain about 10 %.`,
  };
}

function nanosecondsPerOperation() {
  const shown = [
    ['inverse dynamics', 'limber_inverse_dynamics', 'limber'],
    ['mass matrix', 'limber_mass_matrix', 'mcmillan'],
    ['articulated bodies', 'limber_articulated_bodies', 'absolute'],
    ['composite bodies', 'limber_by_mass_matrix', 'limber2'],
  ];
  const curves = shown.map(([name, key, color]) => ({
    name,
    color,
    kind: 'main',
    values: values(key, 'time').map((t, k) =>
      k < 2 || !sum(series[key])[k] ? null : t / sum(series[key])[k],
    ),
  }));
  const late = curves.flatMap((c) => c.values.slice(5));
  return {
    title: 'Limber: time per counted operation',
    y: 'nanoseconds',
    curves,
    caption:
      `If counting told the whole truth, these were one level line. From six joints on an operation takes ${Math.min(...late).toFixed(2)} to ` +
      `${Math.max(...late).toFixed(2)} ns: a multiplication is no longer dearer than an addition, and order, memory and chains of dependent results count too.`,
  };
}

function drawRatios() {
  const place = document.getElementById('ratios');
  drawChart(place, articulatedToComposite());
  drawChart(
    place,
    absoluteToLink('operations', 'limber', 'Limber in link coordinates', 'operations'),
  );
  if (!study.timed) return;
  drawChart(
    place,
    absoluteToLink(
      'time',
      'mcmillan',
      'McMillan\u2019s algorithms in link coordinates, plain code on both sides',
      'time',
    ),
  );
}

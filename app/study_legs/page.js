// What stands on the page of legged vehicles.

const study = JSON.parse(document.getElementById('study').textContent);
const most = 10;
const operations = (cost) => cost.multiplications + cost.additions;
const sizesOf = (legs) => study.sizes.filter((s) => s.legs === legs);
const fromJoints = (n) => (n === null ? `not up to n = ${most}` : `n = ${n}`);
const crossoverOf = (legs) => study.crossovers.find((c) => c.legs === legs);

function drawFacts() {
  const six = sizesOf(6).find((s) => s.joints === 3),
    at = crossoverOf(6);
  const tiles = [
    [shortNumber(operations(six.composite)), `operations of CRB/DTS for six legs of three joints; ${shortNumber(operations(six.thesis.composite))} in the thesis`],
    [shortNumber(operations(six.articulated)), `operations of AB/DTS; ${shortNumber(operations(six.thesis.articulated))} in the thesis`],
    [fromJoints(at.counted), `from there on AB/DTS takes fewer operations on six legs; ${fromJoints(at.thesis)} in the thesis`],
  ];
  if (study.timed) tiles.push([fromJoints(at.timed), 'from there on AB/DTS takes less time on six legs']);
  document.getElementById('facts').innerHTML = tiles
    .map(([fact, words]) => `<div class="tile"><b>${fact}</b><span>${words}</span></div>`)
    .join('');
}

function curve(name, color, kind, legs, value) {
  return { name, color, kind, values: sizesOf(legs).map(value) };
}

function drawPlots() {
  const place = document.getElementById('plots');
  drawChart(place, {
    title: 'Six legs: operations',
    links: most,
    y: 'multiplications and additions',
    curves: [
      curve('CRB/DTS', 'limber', 'main', 6, (s) => operations(s.composite)),
      curve('AB/DTS', 'absolute', 'main', 6, (s) => operations(s.articulated)),
      curve('CRB/DTS, thesis', 'limber2', 'dashed', 6, (s) => operations(s.thesis.composite)),
      curve('AB/DTS, thesis', 'absolute2', 'dashed', 6, (s) => operations(s.thesis.articulated)),
    ],
    caption: `Articulated bodies are cheaper from ${fromJoints(crossoverOf(6).counted)} on.`,
  });
  const colors = ['rival', 'handbook', 'mcmillan', 'limber', 'absolute'];
  const legs = [...new Set(study.sizes.map((s) => s.legs))];
  drawChart(place, {
    title: 'Operations of AB/DTS against CRB/DTS',
    links: most,
    y: 'ratio',
    one: true,
    curves: legs.map((m, k) =>
      curve(`m = ${m}`, colors[k], '', m, (s) => operations(s.articulated) / operations(s.composite)),
    ),
    caption: legs.map((m) => `m = ${m}: ${fromJoints(crossoverOf(m).counted)}`).join('; ') + '.',
  });
  if (!study.timed) return;
  drawChart(place, {
    title: 'Six legs: time',
    links: most,
    y: 'time of one forward dynamics [µs]',
    curves: [
      curve('CRB/DTS', 'limber', 'main', 6, (s) => s.composite.nanoseconds / 1000),
      curve('AB/DTS', 'absolute', 'main', 6, (s) => s.articulated.nanoseconds / 1000),
      curve('any tree', 'rival', 'dashed', 6, (s) => s.general.nanoseconds / 1000),
    ],
    caption: `In time articulated bodies are cheaper from ${fromJoints(crossoverOf(6).timed)} on.`,
  });
  drawChart(place, {
    title: 'Time of AB/DTS against CRB/DTS',
    links: most,
    y: 'ratio',
    one: true,
    curves: legs.map((m, k) =>
      curve(`m = ${m}`, colors[k], '', m, (s) => s.articulated.nanoseconds / s.composite.nanoseconds),
    ),
    caption: legs.map((m) => `m = ${m}: ${fromJoints(crossoverOf(m).timed)}`).join('; ') + '.',
  });
}

function drawTeam() {
  const us = (ns) => (ns / 1000).toFixed(2);
  const rows = study.team.map(
    (r) =>
      `<tr><td>${r.joints}</td><td>${r.threads}</td><td>${us(r.composite_nanoseconds)}</td><td>${us(r.articulated_nanoseconds)}</td></tr>`,
  );
  document.getElementById('team').innerHTML = study.timed
    ? `<details open><summary>${study.team_legs} legs, ${study.cores} cores</summary><table><tr><th>n</th><th>threads</th><th>CRB/DTS [µs]</th><th>AB/DTS [µs]</th></tr>${rows.join('')}</table></details>`
    : '<p>Nothing was timed.</p>';
}

drawFacts();
drawPlots();
drawTeam();

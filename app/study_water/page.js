// What stands on the page about water.

const study = JSON.parse(document.getElementById('study').textContent);
const most = 10;
const operations = (cost) => cost.multiplications + cost.additions;
const sizesOf = (legs) => study.sizes.filter((s) => s.legs === legs);
const curve = (name, color, kind, legs, value) => ({ name, color, kind, values: sizesOf(legs).map(value) });
const range2 = (values) => `${Math.min(...values).toFixed(2)} to ${Math.max(...values).toFixed(2)}`;
const wetDry = (s) => operations(s.water.articulated) / operations(s.land.articulated);

function drawFacts() {
  const six = sizesOf(6).find((s) => s.joints === 3),
    arm = study.arms.find((a) => a.joints === 6);
  const tiles = [
    [shortNumber(operations(six.water.articulated)), `operations for six legs of three joints in water; ${shortNumber(operations(six.water.thesis))} in the thesis`],
    [wetDry(six).toFixed(2), `times as many as on land; ${(operations(six.water.thesis) / operations(six.land.thesis)).toFixed(2)} in the thesis`],
    [shortNumber(operations(arm.full)), `operations for a vehicle with an arm of six joints; ${shortNumber(operations(arm.thesis_full))} in the thesis`],
    [shortNumber(operations(arm.decoupled)), `with the vehicle's acceleration known; ${shortNumber(operations(arm.thesis_decoupled))} in the thesis`],
  ];
  document.getElementById('facts').innerHTML = tiles
    .map(([fact, words]) => `<div class="tile"><b>${fact}</b><span>${words}</span></div>`)
    .join('');
}

function drawCounts(place) {
  drawChart(place, {
    title: 'Six legs: operations of articulated bodies',
    links: most,
    y: 'multiplications and additions',
    curves: [
      curve('water', 'limber', 'main', 6, (s) => operations(s.water.articulated)),
      curve('land', 'absolute', 'main', 6, (s) => operations(s.land.articulated)),
      curve('water, thesis', 'limber2', 'dashed', 6, (s) => operations(s.water.thesis)),
      curve('land, thesis', 'absolute2', 'dashed', 6, (s) => operations(s.land.thesis)),
    ],
    caption: `Wet against dry: ${range2(sizesOf(6).map(wetDry))}.`,
  });
  const ratio = (at) => (s) => operations(s[at].articulated) / operations(s[at].composite);
  drawChart(place, {
    title: 'Articulated against composite bodies, six legs',
    links: most,
    y: 'ratio of operations',
    one: true,
    curves: [
      curve('in water', 'limber', 'main', 6, ratio('water')),
      curve('on land', 'absolute', 'main', 6, ratio('land')),
    ],
    caption: 'Added mass takes from composite bodies the form of rigid ones: in water articulated bodies win for every n.',
  });
  const arms = (name, color, kind, key) => ({ name, color, kind, values: study.arms.map((a) => operations(a[key])) });
  drawChart(place, {
    title: 'A vehicle with an arm: operations',
    links: most,
    y: 'multiplications and additions',
    curves: [
      arms('whole', 'limber', 'main', 'full'),
      arms('apart', 'absolute', 'main', 'decoupled'),
      arms('whole, thesis', 'limber2', 'dashed', 'thesis_full'),
      arms('apart, thesis', 'absolute2', 'dashed', 'thesis_decoupled'),
    ],
    caption: 'Apart: the vehicle’s acceleration is known.',
  });
}

function drawTimes(place) {
  if (!study.timed) return;
  const ratio = (way) => (s) => s.water[way].nanoseconds / s.land[way].nanoseconds;
  drawChart(place, {
    title: 'Six legs: time in water against time on land',
    links: most,
    y: 'ratio',
    curves: [
      curve('CRB/DTS', 'limber', '', 6, ratio('composite')),
      curve('AB/DTS', 'absolute', 'main', 6, ratio('articulated')),
      curve('any tree', 'rival', 'main', 6, ratio('general')),
      curve('operations', 'handbook', 'dashed', 6, wetDry),
    ],
    caption: `Any tree: ${range2(sizesOf(6).map(ratio('general')))}; operations: ${range2(sizesOf(6).map(wetDry))}.`,
  });
}

function drawDecoupled() {
  const points = (key) =>
    study.decoupled.map((r) => [
      r.mass_ratio,
      100 * r[key],
      `vehicle ${shortNumber(r.mass_ratio)} times the arm, error ${(100 * r[key]).toPrecision(2)} %`,
    ]);
  drawCostChart(document.getElementById('decoupled'), {
    title: 'Error of the decoupled form',
    x: 'mass of the vehicle / mass of the arm',
    y: 'error [%]',
    curves: [
      { name: 'joints', color: 'limber', kind: 'main', points: points('joints_error') },
      { name: 'vehicle', color: 'absolute', kind: 'main', points: points('vehicle_error') },
    ],
    caption: 'The error is of first order in the mass of the arm over that of the vehicle.',
  });
}

drawFacts();
drawCounts(document.getElementById('plots'));
drawTimes(document.getElementById('plots'));
drawDecoupled();

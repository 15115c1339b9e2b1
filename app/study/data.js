// The study that is embedded in the page, and how to ask it for curves.

const study = JSON.parse(document.getElementById('study').textContent);
const tasks = {
  inverse_dynamics: 'Inverse dynamics',
  mass_matrix: 'Mass matrix',
  forward_dynamics: 'Forward dynamics',
};
const colors = {
  limber_inverse_dynamics: 'limber',
  limber_mass_matrix: 'limber',
  limber_articulated_bodies: 'limber',
  limber_by_mass_matrix: 'limber2',
  mcmillan_inverse_dynamics: 'mcmillan',
  mcmillan_mass_matrix: 'mcmillan',
  mcmillan_articulated_bodies: 'mcmillan',
  mcmillan_by_mass_matrix: 'mcmillan2',
  absolute_inverse_dynamics: 'absolute',
  walker_orin_3: 'absolute',
  absolute_articulated_bodies: 'absolute',
  absolute_by_mass_matrix: 'absolute2',
  walker_orin_2: 'third',
  walker_orin_1: 'fourth',
  walker_orin_4: 'fourth',
  absolute_articulated_bodies_without_sharing: 'third',
  explicit_form: 'explicit',
  handbook_inverse_dynamics: 'handbook',
  handbook_forward_dynamics: 'handbook',
  stacked_inverse_dynamics: 'stacked',
  stacked_forward_dynamics: 'stacked',
};
const hidden = ['absolute_inverse_dynamics_weights']; // hardly differs from its neighbour

const series = Object.fromEntries(
  [...study.formulations, ...study.published].map((s) => [s.key, s]),
);
const sum = (s) =>
  s.multiplications.map((m, k) => (m === null ? null : m + s.additions[k] || null));
const measures = {
  multiplications: (s) => s.multiplications,
  additions: (s) => s.additions,
  operations: sum,
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
const bookColor = (s) =>
  s.key.startsWith('mcm_') ? 'mcmillan' : s.key.startsWith('rda_') ? 'book' : 'rival';
const bookName = (s) =>
  s.source.startsWith('[McM] §')
    ? s.title
    : `${s.source}${s.title.includes(',') ? s.title.replace(/^[^,]*/, '') : ''}`;
const from = (n) => (n === null ? 'nowhere up to n = 30' : `from n = ${n}`);
const crossover = (first, second) =>
  study.crossovers.find((c) => c.first === first && c.second === second).from;

function formulationCurves(task, get = sum) {
  return ofTask(study.formulations, task).map((s) => ({
    name: s.title,
    color: colors[s.key] ?? 'rival',
    kind: main(s) ? 'main' : '',
    values: get(s),
    key: s.key,
  }));
}
function bookCurves(task, get) {
  return ofTask(study.published, task).map((s) => ({
    name: bookName(s),
    color: bookColor(s),
    kind: 'dashed',
    values: get(s),
    key: s.key,
  }));
}

// the power of n with which a count grows at the end of the axis, from what single joints add
function powerOfCount(key) {
  const added = (n) => at(key, n) - at(key, n - 1);
  return (1 + Math.log2(added(links) / added(links / 2))).toFixed(1);
}
// the same for a time, from the doubled chain: differences of times are too rough
function powerOfTime(key) {
  return Math.log2(at(key, links, 'time') / at(key, links / 2, 'time')).toFixed(1);
}

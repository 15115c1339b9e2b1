// MuJoCo's equality constraints, made stiffer and stiffer, as one line of JSON: node mujoco_loops.mjs
// PACKAGE FILE. PACKAGE is the folder of the npm package @mujoco/mujoco; in FILE, SOLREF and SOLIMP
// stand where the softness goes. `accelerations`: at rest, for impedances that approach 1; `ends`:
// positions after 0.3 s, for time constants that approach 0.
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const [folder, file] = process.argv.slice(2);
const { default: load } = await import(pathToFileURL(`${folder}/mujoco.js`).href);
const mujoco = await load();
const text = readFileSync(file, 'utf8');

function withModel(solref, solimp, f) {
  const m = mujoco.MjModel.from_xml_string(text.replaceAll('SOLREF', solref).replaceAll('SOLIMP', solimp));
  const d = new mujoco.MjData(m);
  const result = f(m, d);
  d.delete();
  m.delete();
  return result;
}

const impedances = [0.9, 0.99, 0.999, 0.9999];
const accelerations = impedances.map((x) =>
  withModel('0.01 1', `${x} ${x}`, (m, d) => {
    mujoco.mj_forward(m, d);
    return Array.from(d.qacc);
  }),
);
const constants = [0.016, 0.008, 0.004, 0.002];
const ends = constants.map((x) =>
  withModel(`${x} 1`, '0.9999 0.9999', (m, d) => {
    const steps = Math.round(0.3 / m.opt.timestep);
    for (let k = 0; k < steps; ++k) mujoco.mj_step(m, d);
    return Array.from(d.qpos);
  }),
);
console.log(JSON.stringify({ impedances, accelerations, constants, ends }));

// Steps of MuJoCo's npm package, which is WebAssembly:
//   node mujoco_step.mjs PACKAGE SCENE.xml QPOS SETTLING ROUNDS STEPS
// QPOS: numbers with commas between, or '' for those of the scene. SETTLING: steps before it is timed. Prints
// the contacts after the last step and the seconds of a step, the fastest of ROUNDS rounds of STEPS steps.
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const [folder, scene, qpos, settling, rounds, steps] = process.argv.slice(2);
const { default: load } = await import(pathToFileURL(`${folder}/mujoco.js`).href);
const mujoco = await load();
const model = mujoco.MjModel.from_xml_string(readFileSync(scene, 'utf8'));
const data = new mujoco.MjData(model);
if (qpos) data.qpos.set(qpos.split(',').map(Number));
for (let k = 0; k < Number(settling); ++k) mujoco.mj_step(model, data);
let fastest = Infinity;
for (let r = 0; r < Number(rounds); ++r) {
  const begin = performance.now();
  for (let k = 0; k < Number(steps); ++k) mujoco.mj_step(model, data);
  fastest = Math.min(fastest, (performance.now() - begin) / 1e3 / Number(steps));
}
console.log(data.ncon, fastest);

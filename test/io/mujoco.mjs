// What MuJoCo makes of MJCF files, as one line of JSON each: node mujoco.mjs PACKAGE FILE...
// PACKAGE is the folder of the npm package @mujoco/mujoco. Mesh files are not there: geoms that show
// them are taken out of the text, and so are the assets; meshes that the text itself has stay. `xml`
// is the text that MuJoCo has read. A file that attaches others is read from its folder.
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { pathToFileURL } from 'node:url';

const [folder, ...files] = process.argv.slice(2);
const { default: load } = await import(pathToFileURL(`${folder}/mujoco.js`).href);
const mujoco = await load();

const states = 20;
const products = 2; // of the mass matrix with a random vector, per state

let seed = 1;
function random() {
  // between -1 and 1, the same on every machine
  seed = (seed * 48271) % 2147483647;
  return (2 * seed) / 2147483647 - 1;
}
const randoms = (n) => Array.from({ length: n }, random);
const all = (x) => Array.from(x);
const rows = (x, n) => {
  const list = all(x);
  return Array.from({ length: list.length / n }, (_, i) => list.slice(n * i, n * i + n));
};

function withoutMeshes(text) {
  const inside = new Set(
    [...text.matchAll(/<mesh\b[^>]*\bname="([^"]*)"[^>]*\bvertex="/g)].map((found) => found[1]),
  );
  return text
    .replace(/<!--[\s\S]*?-->/g, '')
    .replace(/<geom\b[^>]*\bmesh="([^"]*)"[^>]*\/>/g, (geom, mesh) =>
      inside.has(mesh) ? geom : '',
    )
    .replace(/<(mesh|texture)\b[^>]*\bfile="[^>]*\/>/g, '')
    .replace(/(<material\b[^>]*?)\btexture="[^"]*"/g, '$1');
}

// a position in which every joint has turned or moved
function position(m) {
  const q = all(m.qpos0);
  const kinds = all(m.jnt_type); // free, ball, slide, hinge
  all(m.jnt_qposadr).forEach((start, j) => {
    if (kinds[j] >= 2) q[start] = random();
    else {
      const turn = start + (kinds[j] === 0 ? 3 : 0);
      if (kinds[j] === 0) for (let k = 0; k < 3; ++k) q[start + k] = random();
      const quaternion = randoms(4);
      const length = Math.hypot(...quaternion);
      for (let k = 0; k < 4; ++k) q[turn + k] = quaternion[k] / length;
    }
  });
  return q;
}

function stateOf(m, d) {
  const qpos = position(m);
  const qvel = randoms(m.nv);
  const applied = randoms(m.nv);
  d.qpos.set(qpos);
  d.qvel.set(qvel);
  d.qfrc_applied.set(applied);
  mujoco.mj_forward(m, d);
  const vectors = Array.from({ length: products }, () => randoms(m.nv));
  return {
    qpos,
    qvel,
    applied,
    bias: all(d.qfrc_bias),
    acceleration: all(d.qacc_smooth),
    products: vectors.map((x) => {
      const result = new mujoco.DoubleBuffer(m.nv);
      mujoco.mj_mulM(m, d, result, x);
      const y = all(result.GetView());
      result.delete();
      return { x, y };
    }),
    sites: rows(d.site_xpos, 3),
    site_axes: rows(d.site_xmat, 9),
    bodies: rows(d.xpos, 3),
  };
}

// the folder of a file, in MuJoCo's own file system
function copyFolder(from, to) {
  if (!mujoco.FS.analyzePath(to).exists) mujoco.FS.mkdir(to);
  for (const name of readdirSync(from)) {
    if (statSync(`${from}/${name}`).isDirectory()) copyFolder(`${from}/${name}`, `${to}/${name}`);
    else mujoco.FS.writeFile(`${to}/${name}`, readFileSync(`${from}/${name}`));
  }
}

function compiled(file, xml) {
  if (!xml.includes('<attach')) return mujoco.MjModel.from_xml_string(xml);
  copyFolder(dirname(file), '/robot');
  return mujoco.MjModel.from_xml_path(`/robot/${basename(file)}`);
}

const named = (count, get) => Array.from({ length: count }, (_, i) => get(i).name);

function describe(file) {
  const xml = withoutMeshes(readFileSync(file, 'utf8'));
  const m = compiled(file, xml);
  // no contacts, constraints and actuators: what is compared is the tree
  for (const flag of ['CONSTRAINT', 'CONTACT', 'ACTUATION'])
    m.opt.disableflags |= mujoco.mjtDisableBit[`mjDSBL_${flag}`].value;
  const d = new mujoco.MjData(m);
  const result = {
    file,
    xml,
    nq: m.nq,
    nv: m.nv,
    gravity: all(m.opt.gravity),
    timestep: m.opt.timestep,
    wind: all(m.opt.wind),
    bodies: named(m.nbody, (i) => m.body(i)),
    mass: all(m.body_mass),
    com: rows(m.body_ipos, 3),
    inertia: rows(m.body_inertia, 3),
    inertia_quaternion: rows(m.body_iquat, 4),
    joints: named(m.njnt, (i) => m.jnt(i)),
    joint_type: all(m.jnt_type),
    joint_range: rows(m.jnt_range, 2),
    joint_limited: Array.from({ length: m.njnt }, (_, i) => Boolean(m.jnt(i).limited)),
    damping: all(m.dof_damping),
    armature: all(m.dof_armature),
    friction: all(m.dof_frictionloss),
    qpos0: all(m.qpos0),
    sites: named(m.nsite, (i) => m.site(i)),
    equality_type: all(m.eq_type),
    equality_of_sites: all(m.eq_objtype).map((x) => x === mujoco.mjtObj.mjOBJ_SITE.value),
    equality: rows(m.eq_data, 11),
    actuators: named(m.nu, (i) => m.actuator(i)),
    gear: rows(m.actuator_gear, 6),
    gain: rows(m.actuator_gainprm, 10).map((x) => x.slice(0, 3)),
    bias: rows(m.actuator_biasprm, 10).map((x) => x.slice(0, 3)),
    has_bias: all(m.actuator_biastype).map((x) => x === 1),
    control_range: rows(m.actuator_ctrlrange, 2),
    force_range: rows(m.actuator_forcerange, 2),
    keys: named(m.nkey, (i) => m.key(i)),
    key_qpos: m.nkey ? rows(m.key_qpos, m.nq) : [],
    key_ctrl: m.nkey && m.nu ? rows(m.key_ctrl, m.nu) : [],
    sensors: named(m.nsensor, (i) => m.sensor(i)),
    exclusions: m.nexclude,
    geom_friction: rows(m.geom_friction, 3),
    states: Array.from({ length: states }, () => stateOf(m, d)),
  };
  d.delete();
  m.delete();
  return result;
}

for (const file of files) console.log(JSON.stringify(describe(file)));

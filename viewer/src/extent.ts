// The room that a robot takes over its whole motion.
import { Box3, Sphere, Vector3 } from 'three';
import { type Motion, newPose } from './motion';
import type { Scene } from './report';
import { shapeMesh } from './shapes';

const mostSamples = 400;
/** an instant this many times farther away than nearly all others is a run that blew up */
const farAway = 3;
/** what nearly all means */
const nearlyAll = 0.98;

export interface Extent {
  box: Box3;
  /** half the diagonal of the robot alone at the start [m] */
  robotRadius: number;
}

export function motionExtent(scene: Scene, motion: Motion): Extent {
  const spheres = scene.bodies.map((body) => bodySphere(body.shapes));
  const rows = sampledRows(motion.times.length);
  const boxes = rows.map((row) => boxAt(row, spheres, motion)).filter((box) => !box.isEmpty());
  const box = new Box3();
  if (scene.links.some((link) => link.parent < 0) || boxes.length === 0) {
    box.expandByPoint(new Vector3());
  }
  for (const marker of scene.markers) box.expandByPoint(new Vector3().fromArray(marker.position));
  for (const near of withoutBlowUp(boxes)) box.union(near);
  const first = boxes[0]?.clone() ?? box.clone();
  // a lone point still has some room around it
  if (radiusOf(box) < 1e-9) box.expandByScalar(0.5);
  return { box, robotRadius: radiusOf(first) || radiusOf(box) };
}

const radiusOf = (box: Box3): number => box.getSize(new Vector3()).length() / 2;

function sampledRows(count: number): number[] {
  const samples = Math.min(count, mostSamples);
  return Array.from({ length: samples }, (_, index) =>
    samples > 1 ? Math.round((index * (count - 1)) / (samples - 1)) : 0,
  );
}

/** In the body's frame; a point at its origin when it has no shape. */
function bodySphere(shapes: Scene['bodies'][number]['shapes']): Sphere {
  const box = new Box3();
  for (const shape of shapes) box.expandByObject(shapeMesh(shape));
  return box.isEmpty() ? new Sphere(new Vector3(), 0) : box.getBoundingSphere(new Sphere());
}

function boxAt(row: number, spheres: Sphere[], motion: Motion): Box3 {
  const box = new Box3();
  const pose = newPose();
  const center = new Vector3();
  spheres.forEach((sphere, body) => {
    motion.recorded(row, body, pose);
    center.copy(sphere.center).applyQuaternion(pose.quaternion).add(pose.position);
    if (!Number.isFinite(center.lengthSq())) return;
    box.expandByPoint(center.clone().addScalar(sphere.radius));
    box.expandByPoint(center.clone().addScalar(-sphere.radius));
  });
  return box;
}

function withoutBlowUp(boxes: Box3[]): Box3[] {
  if (boxes.length === 0) return [];
  const origin = boxes[0].getCenter(new Vector3());
  const reach = boxes.map((box) =>
    Math.max(origin.distanceTo(box.min), origin.distanceTo(box.max)),
  );
  const usual = [...reach].sort((a, b) => a - b)[Math.floor((boxes.length - 1) * nearlyAll)];
  return boxes.filter((_, index) => reach[index] <= farAway * usual);
}

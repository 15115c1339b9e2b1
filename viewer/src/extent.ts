// The room that a robot takes over its whole motion.
import { Box3, Quaternion, Vector3 } from 'three';
import { type Motion, newPose } from './motion';
import { drawnSource, isDrawn, type Body, type Link, type Marker, type Scene } from './report';
import { halfSize } from './shapes';

const mostSamples = 400;
/** an instant this many times farther away than nearly all others is a run that blew up */
const farAway = 3;
/** a way across the ground is long from so many times the robot's radius on */
const longWay = 10;
/** what nearly all means */
const nearlyAll = 0.9;

export interface Extent {
  box: Box3;
  /** half the diagonal of the robot alone at the start [m] */
  robotRadius: number;
  /** the same of what moves, without scenery [m] */
  movingRadius: number;
  /** it goes so far across the ground that it would be a dot in the whole motion */
  isLongWay: boolean;
}

export function motionExtent(scene: Scene, motion: Motion): Extent {
  const corners = scene.bodies.map((body, index) =>
    isDrawn(scene, index) ? bodyCorners(body) : [],
  );
  const rows = sampledRows(motion.times.length);
  const boxes = rows.map((row) => boxAt(row, corners, motion)).filter((box) => !box.isEmpty());
  const box = new Box3();
  const fixed = ({ child, parent }: Link) => parent < 0 && motion.staysInPlace(child);
  // the place where an arm stands; a vehicle that happens to stay where it is has none
  const isNear = boxes.length > 0 && boxes[0].distanceToPoint(new Vector3()) <= radiusOf(boxes[0]);
  if ((isNear && scene.links.some(fixed)) || boxes.length === 0) {
    box.expandByPoint(new Vector3());
  }
  for (const corner of scene.markers.flatMap(markerCorners)) box.expandByPoint(corner);
  for (const near of withoutBlowUp(boxes)) box.union(near);
  const first = boxes[0]?.clone() ?? box.clone();
  // a lone point still has some room around it
  if (radiusOf(box) < 1e-9) box.expandByScalar(0.5);
  const robotRadius = radiusOf(first) || radiusOf(box);
  const { x, y } = box.getSize(new Vector3());
  const moving = boxAt(0, corners.map((own, body) => (motion.staysStill(body) ? [] : own)), motion);
  const movingRadius = (!moving.isEmpty() && radiusOf(moving)) || robotRadius;
  const isLongWay = Math.hypot(x, y) / 2 > longWay * movingRadius;
  return { box, robotRadius, movingRadius, isLongWay };
}

const radiusOf = (box: Box3): number => box.getSize(new Vector3()).length() / 2;

function sampledRows(count: number): number[] {
  const samples = Math.min(count, mostSamples);
  return Array.from({ length: samples }, (_, index) =>
    samples > 1 ? Math.round((index * (count - 1)) / (samples - 1)) : 0,
  );
}

/** Corners of the box around what is drawn of it, in the body's frame; else its origin alone. */
function bodyCorners(body: Body): Vector3[] {
  const source = drawnSource(body);
  const box = new Box3();
  const quaternion = new Quaternion();
  for (const shape of body.shapes) {
    if (shape.from !== source) continue;
    const half = new Vector3().fromArray(halfSize(shape));
    quaternion.fromArray(shape.quaternion).normalize();
    for (const corner of cornersOf(new Box3(half.clone().negate(), half))) {
      box.expandByPoint(
        corner.applyQuaternion(quaternion).add(new Vector3().fromArray(shape.position)),
      );
    }
  }
  return box.isEmpty() ? [new Vector3()] : cornersOf(box);
}

function markerCorners({ position, size }: Marker): Vector3[] {
  const at = new Vector3().fromArray(position);
  // however it is turned
  const side = Math.hypot(size[0], size[1]) / 2;
  const low = at.clone().sub(new Vector3(side, side, 0));
  return cornersOf(new Box3(low, at.add(new Vector3(side, side, size[2]))));
}

export function cornersOf({ min, max }: Box3): Vector3[] {
  const ends = [min, max];
  return ends.flatMap(({ x }) =>
    ends.flatMap(({ y }) => ends.map(({ z }) => new Vector3(x, y, z))),
  );
}

function boxAt(row: number, corners: Vector3[][], motion: Motion): Box3 {
  const box = new Box3();
  const pose = newPose();
  const point = new Vector3();
  corners.forEach((ofBody, body) => {
    motion.recorded(row, body, pose);
    for (const corner of ofBody) {
      point.copy(corner).applyQuaternion(pose.quaternion).add(pose.position);
      if (Number.isFinite(point.lengthSq())) box.expandByPoint(point);
    }
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

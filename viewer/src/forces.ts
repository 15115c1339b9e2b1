// Forces from outside, of contacts and between frames as arrows: the largest of a run is as long as a good part
// of the robot. Buoyancy, which is large beside them, has a scale of its own, half as long, and begins where it
// acts. Springs and dampers are lines between their ends.
import { ConeGeometry, CylinderGeometry, Group, Mesh, MeshStandardMaterial, Vector3 } from 'three';
import { type ForceLine, forceKinds, type OutsideForce, type Scene } from './report';
import type { Robot } from './robot';
import { stretchBetween, up } from './shapes';
import { between } from './timeline';

const colors = { force: 0xd6336c, buoyancy: 0x1c7ed6 };
const reach = { force: 1, buoyancy: 0.5 }; // of the arrow of the largest force, in lengths
const least = 0.02; // of the largest force, below which there is no arrow

export class ForceArrows {
  readonly group = new Group();
  /** Those of buoyancy, within the group. */
  readonly buoyancy = new Group();
  private readonly arrows: Group[];
  private readonly largest: Record<OutsideForce['kind'], number>;
  private readonly forces: OutsideForce[];
  private readonly lines: { line: ForceLine; mesh: Mesh }[];

  constructor(
    { forces, lines }: Scene,
    private readonly times: Float32Array,
    private readonly robot: Robot,
    private readonly length: number,
  ) {
    this.forces = forces;
    this.lines = lines.map((line) => ({ line, mesh: rod(0.012 * length, line.name) }));
    this.largest = { force: 0, buoyancy: 0 };
    for (const kind of forceKinds)
      this.largest[kind] = largestOf(forces.filter((force) => force.kind === kind));
    this.arrows = forces.map(({ name, kind }) => arrow(length, name, colors[kind]));
    this.arrows.forEach((each, index) =>
      (forces[index].kind === 'buoyancy' ? this.buoyancy : this.group).add(each),
    );
    this.group.add(this.buoyancy, ...this.lines.map(({ mesh }) => mesh));
  }

  moveTo(time: number): void {
    const { row, fraction } = between(this.times, time);
    this.forces.forEach(({ force, kind, body, position, points }, index) => {
      const value = new Vector3().fromArray(force, row * 3);
      if (fraction > 0) value.lerp(new Vector3().fromArray(force, row * 3 + 3), fraction);
      const size = value.length();
      const arrow = this.arrows[index];
      arrow.visible = size > least * this.largest[kind];
      if (!arrow.visible) return;
      if (points) arrow.position.fromArray(points, nearest(force, row, fraction) * 3);
      else arrow.position.copy(this.inWorld(body, position));
      // a push points at what it pushes, buoyancy away from what it carries
      const share = (reach[kind] * size) / this.largest[kind];
      const direction = value.divideScalar(size);
      arrow.quaternion.setFromUnitVectors(up, direction);
      if (kind === 'buoyancy') arrow.position.addScaledVector(direction, share * this.length);
      arrow.scale.set(1, share, 1);
      const head = arrow.children[0];
      head.scale.set(1, 1 / share, 1);
    });
    for (const { line, mesh } of this.lines) {
      const [from, to] = line.ends.map(({ body, position }) => this.inWorld(body, position));
      stretchBetween(mesh, from, to);
    }
  }

  /** Where a point of a body is now. */
  private inWorld(body: number, position: number[]): Vector3 {
    const carrier = this.robot.carrier(body);
    return new Vector3()
      .fromArray(position)
      .applyQuaternion(carrier.quaternion)
      .add(carrier.position);
  }

  /** So long is the arrow of so large a force. */
  get scale(): { length: number; force: number } {
    return { length: this.length, force: this.largest.force };
  }
}

/** The size of the largest force of all instants. */
function largestOf(forces: OutsideForce[]): number {
  let most = 0;
  for (const { force } of forces)
    for (let at = 0; at < force.length; at += 3) {
      const size = Math.hypot(force[at], force[at + 1], force[at + 2]);
      if (Number.isFinite(size)) most = Math.max(most, size);
    }
  return most;
}

/** The row whose point is shown: the nearer one of the two where the force acts. */
function nearest(force: Float32Array, row: number, fraction: number): number {
  const acts = (at: number) => Math.hypot(...force.slice(at * 3, at * 3 + 3)) > 0;
  const wanted = fraction < 0.5 ? row : row + 1;
  return acts(wanted) ? wanted : 2 * row + 1 - wanted;
}

/** Of length 1, about its middle. */
function rod(radius: number, name: string): Mesh {
  const material = new MeshStandardMaterial({ color: 0x2f9e44, roughness: 0.5 });
  const mesh = new Mesh(new CylinderGeometry(radius, radius, 1, 12), material);
  mesh.name = name;
  return mesh;
}

/** It ends at its origin and points up; its head is its first child. */
export function arrow(length: number, name: string, color: number): Group {
  const material = new MeshStandardMaterial({ color, roughness: 0.5 });
  const head = new Mesh(
    new ConeGeometry(0.07 * length, 0.2 * length, 24).translate(0, -0.1 * length, 0),
    material,
  );
  const shaft = new Mesh(
    new CylinderGeometry(0.024 * length, 0.024 * length, 0.9 * length, 16).translate(
      0,
      -0.55 * length,
      0,
    ),
    material,
  );
  head.name = shaft.name = name;
  return new Group().add(head, shaft);
}

// Water: its surface, which waves move, the sea bed, and arrows for the current.
import {
  type Box3,
  type BufferGeometry,
  DoubleSide,
  Group,
  Mesh,
  MeshStandardMaterial,
  PlaneGeometry,
  Sphere,
  Vector3,
} from 'three';
import { arrow } from './forces';
import type { Water } from './report';
import { up } from './shapes';
import { between } from './timeline';

const cells = 56; // across the surface
const reach = 2.4; // of the surface, in radii of the room
const deepest = 6; // radii below the room where a sea bed is still drawn
const slowest = 0.02; // of the fastest current, below which there is no arrow
const places = [-1, 0, 1]; // of the arrows along x and y, in radii of the room

export class WaterView {
  readonly group = new Group();
  /** Arrows that show how the water flows. */
  readonly arrows = new Group();
  private readonly surface: Mesh<BufferGeometry> | null;
  private readonly currents: { mesh: Group; velocity: Vector3 }[] = [];
  private readonly fastest: number;

  constructor(
    private readonly water: Water,
    private readonly times: Float32Array,
    room: Box3,
  ) {
    const { center, radius } = room.getBoundingSphere(new Sphere());
    const half = reach * radius;
    this.surface = water.level === null ? null : surfaceMesh(half, water.waves.length > 0);
    if (this.surface) {
      this.surface.position.set(center.x, center.y, 0);
      this.group.add(this.surface);
    }
    if (water.bed !== null && water.bed > room.min.z - deepest * radius)
      this.group.add(bedMesh(half, center, water.bed - 2e-3 * radius));
    const heights = water.profile.length > 0 ? [room.min.z, center.z, room.max.z] : [center.z];
    this.fastest = 0;
    for (let at = 0; at < water.current.length; at += 3)
      this.fastest = Math.max(this.fastest, Math.hypot(...water.current.slice(at, at + 3)));
    for (const { velocity } of water.profile)
      this.fastest = Math.max(this.fastest, Math.hypot(...velocity));
    for (const x of places)
      for (const y of places)
        for (const z of heights) {
          if (x === 0 && y === 0) continue; // where the robot is
          const height = water.level === null ? z : Math.min(z, water.level - 0.1 * radius);
          const mesh = arrow(0.3 * radius, 'current', 0x0b7285);
          mesh.position.set(center.x + x * radius, center.y + y * radius, height);
          this.currents.push({ mesh, velocity: atDepth(water, height) });
          this.arrows.add(mesh);
        }
    this.group.add(this.arrows);
  }

  get hasCurrent(): boolean {
    return this.fastest > 0;
  }

  moveTo(time: number): void {
    if (this.surface && this.water.waves.length > 0) this.raise(this.surface, time);
    else if (this.surface) this.surface.position.z = this.water.level ?? 0;
    const { row, fraction } = between(this.times, time);
    const uniform = new Vector3().fromArray(this.water.current, row * 3);
    if (fraction > 0)
      uniform.lerp(new Vector3().fromArray(this.water.current, row * 3 + 3), fraction);
    for (const { mesh, velocity } of this.currents) {
      const flow = uniform.clone().add(velocity);
      const speed = flow.length();
      mesh.visible = speed > slowest * this.fastest;
      if (!mesh.visible) continue;
      mesh.quaternion.setFromUnitVectors(up, flow.divideScalar(speed));
      const share = Math.min(1, speed / this.fastest);
      mesh.scale.set(1, share, 1);
      mesh.children[0].scale.set(1, 1 / share, 1);
    }
  }

  /** The surface as the waves have it now. */
  private raise(surface: Mesh<BufferGeometry>, time: number): void {
    const at = surface.geometry.getAttribute('position');
    const { x: x0, y: y0 } = surface.position;
    for (let k = 0; k < at.count; ++k) {
      let z = this.water.level ?? 0;
      for (const { amplitude, frequency, number, direction, phase } of this.water.waves) {
        const along =
          (at.getX(k) + x0) * Math.cos(direction) + (at.getY(k) + y0) * Math.sin(direction);
        z += amplitude * Math.cos(number * along - frequency * time + phase);
      }
      at.setZ(k, z);
    }
    at.needsUpdate = true;
    surface.geometry.computeVertexNormals();
  }
}

/** The current of the profile at a height: straight between its depths. */
function atDepth({ profile, level }: Water, z: number): Vector3 {
  const depth = (level ?? 0) - z;
  const below = profile.findIndex((entry) => entry.depth >= depth);
  const velocity = (index: number) => new Vector3().fromArray(profile[index].velocity);
  if (profile.length === 0) return new Vector3();
  if (below < 0) return velocity(profile.length - 1);
  if (below === 0) return velocity(0);
  const { depth: from } = profile[below - 1];
  const share = (depth - from) / (profile[below].depth - from);
  return velocity(below - 1).lerp(velocity(below), share);
}

function surfaceMesh(half: number, waves: boolean): Mesh<BufferGeometry> {
  const parts = waves ? cells : 1;
  const mesh = new Mesh<BufferGeometry>(
    new PlaneGeometry(2 * half, 2 * half, parts, parts),
    new MeshStandardMaterial({
      color: 0x3a8fc4,
      roughness: 0.25,
      transparent: true,
      opacity: 0.4,
      side: DoubleSide,
      depthWrite: false,
    }),
  );
  mesh.renderOrder = 2; // after what is seen through it
  mesh.name = 'surface';
  return mesh;
}

function bedMesh(half: number, center: Vector3, height: number): Mesh {
  const mesh = new Mesh(
    new PlaneGeometry(2 * half, 2 * half),
    new MeshStandardMaterial({ color: 0xb7a47a, roughness: 1, side: DoubleSide }),
  );
  mesh.position.set(center.x, center.y, height);
  mesh.receiveShadow = true;
  mesh.name = 'sea bed';
  return mesh;
}

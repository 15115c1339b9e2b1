// The robot: one group of meshes per body, moved by the recorded poses.
import {
  type BufferGeometry,
  Color,
  CylinderGeometry,
  Group,
  Mesh,
  type Object3D,
  SphereGeometry,
} from 'three';
import { type Motion, newPose } from './motion';
import { drawnSource, isDrawn, type Body, type Scene, type ShapeSource } from './report';
import { paint, shapeMesh, type Solid, stretchBetween } from './shapes';

const seeThrough = 0.35;
const highlightColor = new Color(0x2f7de0);

/** What is drawn: as the file has it, or for all bodies that have it the chosen kind. */
export type ChosenSource = 'described' | 'skeleton' | 'inertia';

interface Part {
  mesh: Solid;
  body: number;
  from: ShapeSource | 'stick';
  opacity: number;
  color: Color;
}

interface Stick {
  mesh: Solid;
  child: number;
  parent: number;
}

/** One group for each body. */
export function bodyGroups(bodies: Body[]): Group[] {
  return bodies.map(() => new Group());
}

/** Moves the groups to where the bodies are; where a run blew up the last shown pose stays. */
export function moveGroups(groups: Group[], motion: Motion, time: number): void {
  const pose = newPose();
  groups.forEach((group, body) => {
    motion.at(time, body, pose);
    if (!Number.isFinite(pose.position.lengthSq() + pose.quaternion.lengthSq())) return;
    group.position.copy(pose.position);
    group.quaternion.copy(pose.quaternion).normalize();
  });
}

export class Robot {
  readonly group = new Group();
  /** moves with its body: what is fixed to a body (axes, frames) is added here */
  readonly bodies: Group[];
  /** what there is to choose from */
  readonly sources: ChosenSource[];
  private readonly parts: Part[] = [];
  private readonly sticks: Stick[] = [];
  private readonly world = new Group();
  private source: ChosenSource = 'described';
  private transparent = false;
  private highlighted: number | null = null;

  constructor(
    private readonly scene: Scene,
    private readonly motion: Motion,
    private readonly radius: number,
  ) {
    this.bodies = bodyGroups(scene.bodies);
    this.group.add(this.world, ...this.bodies);
    scene.bodies.forEach((body, index) => {
      for (const shape of body.shapes) {
        this.addPart(this.bodies[index], shapeMesh(shape), index, shape.from);
      }
    });
    this.addSticks();
    const described = new Set(scene.bodies.map(drawnSource));
    const all = new Set(scene.bodies.flatMap((body) => body.shapes.map((shape) => shape.from)));
    // where the skeleton is all there is, it is no choice
    const hasShapes = described.has('visual') || described.has('collision');
    const hasSkeleton = all.has('skeleton') && hasShapes;
    this.sources = [
      'described',
      ...(hasSkeleton ? (['skeleton'] as const) : []),
      ...(all.has('inertia') ? (['inertia'] as const) : []),
    ];
    this.showChosen();
  }

  /** −1 is the world. */
  carrier(body: number): Object3D {
    return body < 0 ? this.world : this.bodies[body];
  }

  moveTo(time: number): void {
    moveGroups(this.bodies, this.motion, time);
    for (const { mesh, child, parent } of this.sticks)
      stretchBetween(mesh, this.carrier(parent).position, this.bodies[child].position);
  }

  setSource(source: ChosenSource): void {
    this.source = source;
    this.showChosen();
  }

  setTransparent(transparent: boolean): void {
    this.transparent = transparent;
    this.showChosen();
  }

  highlight(body: number | null): void {
    this.highlighted = body;
    this.showChosen();
  }

  /** What a pointer can hit. */
  visibleMeshes(): Object3D[] {
    return this.parts.filter((part) => part.mesh.visible).map((part) => part.mesh);
  }

  bodyOf(mesh: Object3D): number | null {
    return this.parts.find((part) => part.mesh === mesh)?.body ?? null;
  }

  private addPart(parent: Object3D, mesh: Solid, body: number, from: Part['from']): void {
    parent.add(mesh);
    this.parts.push({
      mesh,
      body,
      from,
      opacity: mesh.material.opacity,
      color: mesh.material.color.clone(),
    });
  }

  /** Sticks between joint origins, and knots on these, stand for bodies without a shape. */
  private addSticks(): void {
    const thickness = this.radius * 0.018;
    for (const { child, parent } of this.scene.links) {
      const bare = this.isBare(child) || (parent >= 0 && this.isBare(parent));
      // what moves freely is not tied to the world
      const free = parent < 0 && !this.motion.staysInPlace(child);
      if (!bare || free || this.hasSkeleton()) continue;
      const mesh = stickMesh(new CylinderGeometry(thickness, thickness, 1, 16));
      this.addPart(this.group, mesh, parent < 0 ? child : parent, 'stick');
      this.sticks.push({ mesh, child, parent });
    }
    this.scene.bodies.forEach((_, body) => {
      if (!this.isBare(body) || !isDrawn(this.scene, body) || this.hasSkeleton()) return;
      this.addPart(
        this.bodies[body],
        stickMesh(new SphereGeometry(thickness * 1.8, 20, 14)),
        body,
        'stick',
      );
    });
  }

  /** Where others have a skeleton, a body without one has no extent. */
  private hasSkeleton(): boolean {
    return this.scene.bodies.some(({ shapes }) => shapes.some(({ from }) => from === 'skeleton'));
  }

  private isBare(body: number): boolean {
    return drawnSource(this.scene.bodies[body]) === null;
  }

  /** A body without the chosen kind of shape keeps what its file has. */
  private shownOf(body: Body): ShapeSource | null {
    const { source } = this;
    const hasChosen = source !== 'described' && body.shapes.some(({ from }) => from === source);
    return hasChosen ? (source as ShapeSource) : drawnSource(body);
  }

  private showChosen(): void {
    const shown = this.scene.bodies.map((body) => this.shownOf(body));
    for (const { mesh, body, from, opacity, color } of this.parts) {
      mesh.visible = from === 'stick' || from === shown[body];
      mesh.material.opacity = this.transparent ? Math.min(opacity, seeThrough) : opacity;
      mesh.material.transparent = mesh.material.opacity < 1;
      mesh.material.depthWrite = mesh.material.opacity === 1;
      mesh.material.color.copy(color);
      if (body === this.highlighted) mesh.material.color.lerp(highlightColor, 0.75);
    }
  }
}

function stickMesh(geometry: BufferGeometry): Solid {
  const mesh = new Mesh(geometry, paint(new Color(0x8a94a3), 1));
  mesh.castShadow = true;
  return mesh;
}

// Paths that grow with time, and the centre of mass with its own.
import { Color, Group, Mesh, MeshBasicMaterial, SphereGeometry } from 'three';
import { Line2 } from 'three/addons/lines/Line2.js';
import { LineGeometry } from 'three/addons/lines/LineGeometry.js';
import { LineMaterial } from 'three/addons/lines/LineMaterial.js';
import type { Motion } from './motion';
import { curveColor, handPicked } from './palette';
import type { Frame } from './report';
import { rowAt } from './timeline';
import type { Theme } from './theme';

const mostPoints = 20000;

/** A path of which the part up to now is drawn. */
class Trail {
  readonly line: Line2;
  private readonly stride: number;

  constructor(
    path: Float32Array,
    private readonly times: Float32Array,
    private readonly colorIndex: number,
  ) {
    this.stride = Math.max(1, Math.ceil(times.length / mostPoints));
    this.line = new Line2(lineThrough(path, this.stride), new LineMaterial({ linewidth: 2.5 }));
    this.line.frustumCulled = false;
  }

  moveTo(time: number): void {
    const segments = Math.floor(rowAt(this.times, time) / this.stride);
    this.line.geometry.instanceCount = segments;
    this.line.visible = segments > 0;
  }

  applyTheme(theme: Theme): void {
    this.line.material.color = new Color(curveColor(this.colorIndex % handPicked, theme.dark));
  }
}

/** Points that are not finite are replaced by the last finite one. */
function lineThrough(path: Float32Array, stride: number): LineGeometry {
  const points: number[] = [];
  let last = [0, 0, 0];
  for (let row = 0; row * 3 < path.length; row += stride) {
    const point = [...path.subarray(row * 3, row * 3 + 3)];
    if (point.every(Number.isFinite)) last = point;
    points.push(...last);
  }
  // a line needs two points
  if (points.length === 3) points.push(...points);
  return new LineGeometry().setPositions(points);
}

/** The trails of the chosen frames; a path is computed when it is first shown. */
export class FrameTrails {
  readonly group = new Group();
  private readonly made = new Map<number, Trail>();
  private readonly shown = new Set<number>();

  constructor(
    private readonly frames: Frame[],
    private readonly motion: Motion,
    private theme: Theme,
  ) {}

  isShown(frame: number): boolean {
    return this.shown.has(frame);
  }

  show(frame: number, shown: boolean, time: number): void {
    if (shown) this.shown.add(frame);
    else this.shown.delete(frame);
    if (shown && !this.made.has(frame)) this.make(frame);
    this.moveTo(time);
  }

  moveTo(time: number): void {
    for (const [frame, trail] of this.made) {
      trail.moveTo(time);
      trail.line.visible &&= this.shown.has(frame);
    }
  }

  applyTheme(theme: Theme): void {
    this.theme = theme;
    for (const trail of this.made.values()) trail.applyTheme(theme);
  }

  private make(frame: number): void {
    const trail = new Trail(this.motion.path(this.frames[frame]), this.motion.times, frame + 1);
    trail.applyTheme(this.theme);
    this.made.set(frame, trail);
    this.group.add(trail.line);
  }
}

/** A ball that is seen through the bodies around it, and where it has been. */
export class CenterOfMass {
  readonly group = new Group();
  private readonly ball: Mesh;
  private readonly trail: Trail;

  constructor(
    path: Float32Array,
    private readonly motion: Motion,
    radius: number,
  ) {
    const material = new MeshBasicMaterial({
      color: 0xd6336c,
      depthTest: false,
      transparent: true,
      opacity: 0.9,
    });
    this.ball = new Mesh(new SphereGeometry(radius, 24, 16), material);
    this.ball.renderOrder = 2;
    this.trail = new Trail(path, motion.times, 7);
    this.group.add(this.ball, this.trail.line);
    this.group.visible = false;
  }

  moveTo(time: number): void {
    this.motion.centerAt(time, this.ball.position);
    this.ball.visible = Number.isFinite(this.ball.position.lengthSq());
    this.trail.moveTo(time);
  }

  applyTheme(theme: Theme): void {
    this.trail.applyTheme(theme);
  }
}

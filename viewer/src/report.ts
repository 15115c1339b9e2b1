// What a report contains. All in SI units, right-handed, z up; quaternions are (x, y, z, w).

export interface Report {
  title: string;
  robot: string;
  description: string;
  summary: Summary;
  scene: Scene | null;
  /** instants [s], never falling; empty when the report has no motion */
  time: Float32Array;
  /** instants × bodies × 7: position and quaternion of each body in the world; else empty */
  poses: Float32Array;
  /** instants × 3 [m], or null */
  centerOfMass: Float32Array | null;
  groups: Group[];
  diagrams: Diagram[];
  tables: Table[];
  events: TimedEvent[];
}

export interface Summary {
  status: string;
  ok: boolean;
  message: string;
  facts: { label: string; value: string }[];
  warnings: string[];
}

export interface Scene {
  bodies: Body[];
  links: Link[];
  frames: Frame[];
  /** indices of the frames whose path is drawn from the start */
  trails: number[];
  markers: { name: string; position: number[] }[];
}

/** A body and its parent; parent −1 is the world. */
export interface Link {
  child: number;
  parent: number;
}

/** A body with neither a shape nor a neighbour (the world itself, mostly) is not shown. */
export function isDrawn(scene: Scene, body: number): boolean {
  const isPart = ({ child, parent }: Link) => child === body || parent === body;
  return scene.bodies[body].shapes.length > 0 || scene.links.some(isPart);
}

export interface Body {
  name: string;
  /** [kg] */
  mass: number;
  shapes: Shape[];
}

export const shapeSizes = { box: 3, sphere: 1, cylinder: 2, capsule: 2, ellipsoid: 3 } as const;
export type ShapeKind = keyof typeof shapeSizes;
export type ShapeSource = 'visual' | 'inertia';

export interface Shape {
  kind: ShapeKind;
  /** box: edges; sphere: radius; cylinder, capsule: radius, length along z (without caps);
   * ellipsoid: semi-axes [m] */
  size: number[];
  /** pose in the body's frame */
  position: number[];
  quaternion: number[];
  /** red, green, blue, opacity, from 0 to 1 */
  color: number[];
  from: ShapeSource;
}

export interface Frame {
  name: string;
  /** the body that carries it; −1 is the world */
  body: number;
  position: number[];
  quaternion: number[];
}

/** One plot over time. */
export interface Group {
  title: string;
  unit: string;
  series: Series[];
}

export interface Series {
  name: string;
  data: Float32Array;
  dashed: boolean;
  /** number of its colour: curves that belong together share one */
  color: number;
}

/** One plot of something over something else. */
export interface Diagram {
  title: string;
  note: string;
  x: Quantity;
  y: Quantity;
  curves: Curve[];
}

export interface Quantity {
  label: string;
  unit: string;
}

export const curveKinds = ['line', 'points', 'limit'] as const;

export interface Curve {
  name: string;
  kind: (typeof curveKinds)[number];
  x: Float32Array;
  y: Float32Array;
}

export const rowStates = ['ok', 'warning', 'violation'] as const;

export interface Table {
  title: string;
  note: string;
  columns: { name: string; unit: string }[];
  rows: { cells: (string | number | null)[]; state: (typeof rowStates)[number] | null }[];
}

export interface TimedEvent {
  time: number;
  text: string;
}

// What a report contains. All in SI units, right-handed, z up; quaternions are (x, y, z, w).

export interface Report {
  title: string;
  robot: string;
  description: string;
  summary: Summary;
  scene: Scene | null;
  /** instants [s], never falling; empty when the report has no motion */
  time: Float32Array;
  /** instants of the replay, a part of the others in long runs [s] */
  poseTime: Float32Array;
  /** its instants × bodies × 7: position and quaternion of each body in the world; else empty */
  poses: Float32Array;
  /** its instants × 3 [m], or null */
  centerOfMass: Float32Array | null;
  /** compared runs in the replay */
  ghosts: Ghost[];
  /** titles of the runs that are drawn beside this one */
  compared: string[];
  groups: Group[];
  /** what a design report has found, most important first */
  conclusions: Conclusion[];
  diagrams: Diagram[];
  tables: Table[];
  events: TimedEvent[];
  phases: Phase[];
}

export interface Summary {
  status: string;
  ok: boolean;
  message: string;
  /** `brief`: as the page's first line has it, a number and what it is */
  facts: { label: string; value: string; brief: { value: string; label: string } | null }[];
  warnings: string[];
}

export interface Scene {
  bodies: Body[];
  /** each once, whatever bodies show it */
  meshes: TriangleMesh[];
  links: Link[];
  frames: Frame[];
  /** indices of the frames whose path is drawn from the start */
  trails: number[];
  markers: Marker[];
  payloads: { body: number; label: string }[];
  forces: OutsideForce[];
  lines: ForceLine[];
  /** height [m]; automatic: 0, or lower where the motion goes below */
  ground: number | 'automatic' | 'none';
  water: Water | null;
  /** what is drawn of the robot, and why; may be empty */
  drawn: string;
}

/** Another run: what moves in it, and how, at the instants of the replay. */
export interface Ghost {
  title: string;
  bodies: Body[];
  poses: Float32Array;
}

export const markerKinds = ['point', 'area', 'box', 'bin'] as const;

/** A thing in the world, which stands on its position. */
export interface Marker {
  name: string;
  kind: (typeof markerKinds)[number];
  position: number[];
  /** about the vertical [rad] */
  yaw: number;
  /** edges; not of a point [m] */
  size: number[];
  color: number[];
}

/** Water around the robots; heights in the world [m], null where there is no surface or no bed. */
export interface Water {
  level: number | null;
  bed: number | null;
  /** linear waves: phase = number (x cos direction + y sin direction) − frequency t + phase */
  waves: Wave[];
  /** the same everywhere, instants of the replay × 3 [m/s] */
  current: Float32Array;
  /** added to it, below the surface or below z = 0; depths rise */
  profile: { depth: number; velocity: number[] }[];
}

export interface Wave {
  amplitude: number;
  frequency: number;
  number: number;
  direction: number;
  phase: number;
}

export const forceKinds = ['force', 'buoyancy'] as const;

/** A force that acts on a point of a body. */
export interface OutsideForce {
  name: string;
  kind: (typeof forceKinds)[number];
  body: number;
  /** in the body's frame */
  position: number[];
  /** instants of the replay × 3, world axes [N] */
  force: Float32Array;
  /** where it acts, instants × 3, in the world; null: at `position` of the body */
  points: Float32Array | null;
}

/** A spring, a damper or the like between two points of bodies. */
export interface ForceLine {
  name: string;
  ends: { body: number; position: number[] }[];
}

/** A body and its parent; parent −1 is the world. */
export interface Link {
  child: number;
  parent: number;
}

/** A body with neither a shape nor a neighbour (the world itself, mostly) is not shown. */
export function isDrawn(scene: Scene, body: number): boolean {
  const isPart = ({ child, parent }: Link) => child === body || parent === body;
  return drawnSource(scene.bodies[body]) !== null || scene.links.some(isPart);
}

/** What is drawn of a body unless another kind is chosen. */
export function drawnSource({ shapes }: Body): ShapeSource | null {
  const has = (source: ShapeSource) => shapes.some(({ from }) => from === source);
  return shapeSources.find((source) => source !== 'inertia' && has(source)) ?? null;
}

export interface Body {
  name: string;
  /** [kg] */
  mass: number;
  /** centre of mass in the body's frame [m] */
  com: number[];
  shapes: Shape[];
}

export const shapeSizes = {
  box: 3,
  sphere: 1,
  cylinder: 2,
  capsule: 2,
  ellipsoid: 3,
  mesh: 3,
} as const;
export type ShapeKind = keyof typeof shapeSizes;
/** From what a shape was made, the first that a body has is drawn; that of inertia only by choice. */
export const shapeSources = ['visual', 'collision', 'skeleton', 'inertia'] as const;
export type ShapeSource = (typeof shapeSources)[number];

export interface Shape {
  kind: ShapeKind;
  /** box: edges; sphere: radius; cylinder, capsule: radius, length along z (without caps);
   * ellipsoid: semi-axes [m]; mesh: scale factors */
  size: number[];
  /** pose in the body's frame */
  position: number[];
  quaternion: number[];
  /** red, green, blue, opacity, from 0 to 1 */
  color: number[];
  from: ShapeSource;
  mesh: TriangleMesh | null;
}

/** Shapes that look the same share it. */
export interface TriangleMesh {
  /** x, y, z of each [m] */
  vertices: Float32Array;
  /** three vertices of each, counter-clockwise seen from outside */
  triangles: Uint32Array;
  /** the farthest from the origin along x, y, z [m] */
  reach: number[];
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
  /** what all series belong to, e.g. a frame; else empty */
  subject: string;
  unit: string;
  /** the tabs that show it; the first is its own */
  sections: string[];
  /** nothing but zeros and what rounding has left of them */
  zero: boolean;
  series: Series[];
}

export interface Series {
  /** without what all series of the plot have in common */
  name: string;
  fullName: string;
  /** unpacked when it is first asked for: most plots of a long report are never looked at */
  readonly data: Float32Array;
  /** 0 throughout; known without unpacking */
  zero: boolean;
  /** a reference */
  dashed: boolean;
  /** 0: this run; else the number of a compared one, from 1 */
  run: number;
  /** number of its colour: curves that belong together share one */
  color: number;
}

/** A figure in large type, and what it says. */
export interface Conclusion {
  figure: string;
  text: string;
  state: (typeof rowStates)[number] | null;
}

/** One plot of something over something else. */
export interface Diagram {
  title: string;
  /** diagrams of one section stand together under its name */
  section: string;
  note: string;
  x: Quantity;
  y: Quantity;
  curves: Curve[];
}

export interface Quantity {
  label: string;
  unit: string;
}

export const curveKinds = ['line', 'points', 'limit', 'bar'] as const;

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

/** A part of the run with a name. */
export interface Phase {
  name: string;
  from: number;
  to: number;
}

export interface TimedEvent {
  time: number;
  text: string;
}

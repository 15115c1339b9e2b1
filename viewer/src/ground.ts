// The grid below the robot, with the shadow that falls on it.
import {
  type Box3,
  BufferGeometry,
  Color,
  Float32BufferAttribute,
  Group,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  PlaneGeometry,
  ShadowMaterial,
  Vector3,
} from 'three';
import { formatCell } from './format';
import type { Scene } from './report';
import type { Theme } from './theme';

const cellsAcross = 24;
/** of the finer grid that a robot on a long way is seen against */
const mostCells = 400;
/** what may be below the plane z = 0, as a part of the whole height */
const dippingPart = 0.3;

/** 1, 2 or 5 times a power of ten, not above the wish. */
function niceSize(wish: number): number {
  const power = 10 ** Math.floor(Math.log10(wish));
  return power * ([5, 2].find((factor) => factor * power <= wish) ?? 1);
}

export class Ground {
  readonly group = new Group();
  /** what a cell measures and how high the grid lies; empty without a ground */
  readonly caption: string;
  /** null: there is none */
  readonly height: number | null;
  private readonly lines: LineSegments<BufferGeometry, LineBasicMaterial>;

  /** robotRadius: of one that is seen from near [m] */
  constructor(room: Box3, wanted: Scene['ground'], robotRadius: number | null) {
    const size = room.getSize(new Vector3());
    const coarse = niceSize(size.length() / 8);
    const half = (cellsAcross / 2) * coarse;
    const cell =
      robotRadius === null
        ? coarse
        : Math.min(coarse, niceSize(Math.max(1.5 * robotRadius, (2 * half) / mostCells)));
    // the ground is the plane z = 0 unless a good part of the motion is below it
    const lowest = room.min.z > -dippingPart * size.z ? 0 : room.min.z;
    const height = typeof wanted === 'number' ? wanted : lowest;
    this.height = wanted === 'none' ? null : height;
    const center = room.getCenter(new Vector3());
    const toGrid = (value: number) => Math.round(value / cell) * cell;

    this.lines = gridLines(half, cell);
    const shadow = new Mesh(
      new PlaneGeometry(2 * half, 2 * half),
      new ShadowMaterial({ opacity: 0.16 }),
    );
    shadow.receiveShadow = true;
    shadow.position.z = -1e-3 * coarse;
    this.group.add(this.lines, shadow);
    this.group.position.set(toGrid(center.x), toGrid(center.y), height);
    this.group.visible = this.height !== null;
    this.caption =
      this.height === null
        ? ''
        : `grid ${formatCell(cell)} m` +
          (height === 0 ? '' : ` at z = ${formatCell(Number(height.toPrecision(3)))} m`);
  }

  applyTheme(theme: Theme): void {
    this.lines.material.color = new Color(theme.line);
  }
}

function gridLines(half: number, cell: number): LineSegments<BufferGeometry, LineBasicMaterial> {
  const points: number[] = [];
  // in pieces: lines that are far longer than what is seen of them are not drawn everywhere
  const piece = (2 * half) / cellsAcross;
  for (let at = -half; at <= half + cell / 2; at += cell) {
    for (let from = -half; from < half - piece / 2; from += piece) {
      const to = from + piece;
      points.push(at, from, 0, at, to, 0, from, at, 0, to, at, 0);
    }
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new Float32BufferAttribute(points, 3));
  return new LineSegments(geometry, new LineBasicMaterial({ transparent: true, opacity: 0.75 }));
}

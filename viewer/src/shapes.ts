// Primitive shapes and triangle meshes, with the look of painted metal.
import {
  BufferAttribute,
  BufferGeometry,
  CapsuleGeometry,
  Color,
  CylinderGeometry,
  EdgesGeometry,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  MeshStandardMaterial,
  SphereGeometry,
  Vector3,
} from 'three';
import { RoundedBoxGeometry } from 'three/addons/geometries/RoundedBoxGeometry.js';
import type { Shape, TriangleMesh } from './report';

const sharpEdge = 30; // degrees between two faces from which their edge is drawn
const rounding = 0.08; // of a box's edges, as a part of the shortest one

/** the axis of three.js's cylinders and cones */
export const up = new Vector3(0, 1, 0);

export type Solid = Mesh<BufferGeometry, MeshStandardMaterial>;

/** Limbs come in pairs, and links in rows: equal shapes share their geometry. */
const shared = new Map<unknown, Map<string, BufferGeometry>>();

function sharedGeometry(shape: Shape): BufferGeometry {
  const kind = shape.mesh ?? shape.kind;
  const sizes = shared.get(kind) ?? new Map<string, BufferGeometry>();
  shared.set(kind, sizes);
  const key = shape.size.join(' ');
  const geometry = sizes.get(key) ?? geometryOf(shape);
  sizes.set(key, geometry);
  return geometry;
}

/** The geometry in the shape's own frame; three.js's cylinders lie along y and are turned to z. */
function geometryOf({ kind, size, mesh }: Shape): BufferGeometry {
  switch (kind) {
    case 'box':
      return new RoundedBoxGeometry(size[0], size[1], size[2], 3, rounding * Math.min(...size));
    case 'sphere':
      return new SphereGeometry(size[0], 40, 24);
    case 'cylinder':
      return new CylinderGeometry(size[0], size[0], size[1], 48).rotateX(Math.PI / 2);
    case 'capsule':
      return new CapsuleGeometry(size[0], size[1], 10, 32).rotateX(Math.PI / 2);
    case 'ellipsoid':
      return new SphereGeometry(1, 40, 24).scale(size[0], size[1], size[2]);
    case 'mesh':
      return meshGeometry(mesh!, size);
  }
}

/** Smooth where the surface bends a little, flat at sharp edges. */
function meshGeometry({ vertices, triangles }: TriangleMesh, size: number[]): BufferGeometry {
  // seen from outside a mirrored triangle runs the other way round
  const order = size[0] * size[1] * size[2] < 0 ? [0, 2, 1] : [0, 1, 2];
  const places = new Float32Array(3 * triangles.length);
  for (let corner = 0; corner < triangles.length; ++corner) {
    const from = 3 * triangles[corner - (corner % 3) + order[corner % 3]];
    for (let axis = 0; axis < 3; ++axis)
      places[3 * corner + axis] = vertices[from + axis] * size[axis];
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(places, 3));
  const vertexOf = (corner: number) => triangles[corner - (corner % 3) + order[corner % 3]];
  const normals = smoothNormals(places, vertexOf, vertices.length / 3);
  geometry.setAttribute('normal', new BufferAttribute(normals, 3));
  return geometry;
}

/** Each corner has the mean normal of its vertex, unless its face bends away from it. */
function smoothNormals(
  places: Float32Array,
  vertexOf: (corner: number) => number,
  vertices: number,
): Float32Array {
  const means = new Float32Array(3 * vertices);
  const normals = new Float32Array(places.length);
  const [a, b, c] = [new Vector3(), new Vector3(), new Vector3()];
  for (let at = 0; at < places.length; at += 9) {
    a.fromArray(places, at);
    b.fromArray(places, at + 3).sub(a);
    c.fromArray(places, at + 6).sub(a);
    // twice as long as the face is large: larger faces count for more
    b.cross(c);
    for (let corner = at / 3; corner < at / 3 + 3; ++corner) {
      const mean = 3 * vertexOf(corner);
      means[mean] += b.x;
      means[mean + 1] += b.y;
      means[mean + 2] += b.z;
      b.toArray(normals, 3 * corner);
    }
  }
  const leastAlong = Math.cos((sharpEdge * Math.PI) / 180);
  for (let corner = 0; 3 * corner < normals.length; ++corner) {
    a.fromArray(normals, 3 * corner).normalize();
    b.fromArray(means, 3 * vertexOf(corner)).normalize();
    (a.dot(b) < leastAlong ? a : b).toArray(normals, 3 * corner);
  }
  return normals;
}

export function paint(color: Color, opacity: number): MeshStandardMaterial {
  return new MeshStandardMaterial({
    color,
    opacity,
    transparent: opacity < 1,
    roughness: 0.48,
    metalness: 0.08,
  });
}

/** A mesh in the body's frame, with its edges as a child. */
export function shapeMesh(shape: Shape): Solid {
  const [red, green, blue, opacity] = shape.color;
  const color = new Color().setRGB(red, green, blue, 'srgb');
  const geometry = sharedGeometry(shape);
  const mesh = new Mesh(geometry, paint(color, opacity));
  mesh.castShadow = true;
  mesh.receiveShadow = true;
  mesh.position.fromArray(shape.position);
  mesh.quaternion.fromArray(shape.quaternion).normalize();
  if (shape.kind === 'cylinder') mesh.add(edgesOf(geometry, color));
  return mesh;
}

function edgesOf(geometry: BufferGeometry, color: Color): LineSegments {
  const dark = new LineBasicMaterial({
    color: color.clone().multiplyScalar(0.4),
    opacity: 0.5,
    transparent: true,
  });
  return new LineSegments(new EdgesGeometry(geometry, sharpEdge), dark);
}

/** Lays a cylinder of length 1 between two points. */
export function stretchBetween(mesh: Mesh, from: Vector3, to: Vector3): void {
  const along = to.clone().sub(from);
  const length = along.length();
  mesh.position.copy(from).addScaledVector(along, 0.5);
  mesh.scale.set(1, Math.max(length, 1e-9), 1);
  if (length > 0) mesh.quaternion.setFromUnitVectors(up, along.divideScalar(length));
}

/** Half the edges of the box around a shape in its own frame. */
export function halfSize({ kind, size, mesh }: Shape): number[] {
  switch (kind) {
    case 'box':
      return size.map((edge) => edge / 2);
    case 'sphere':
      return [size[0], size[0], size[0]];
    case 'cylinder':
      return [size[0], size[0], size[1] / 2];
    case 'capsule':
      return [size[0], size[0], size[1] / 2 + size[0]];
    case 'ellipsoid':
      return size;
    case 'mesh':
      return mesh!.reach.map((reach, axis) => reach * Math.abs(size[axis]));
  }
}

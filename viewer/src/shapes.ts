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
  const index = triangles.slice();
  // seen from outside a mirrored triangle runs the other way round
  if (size[0] * size[1] * size[2] < 0) {
    for (let at = 0; at < index.length; at += 3)
      [index[at + 1], index[at + 2]] = [index[at + 2], index[at + 1]];
  }
  // at sharp edges corners have vertices of their own, behind the others
  const places = new Float32Array(vertices.length + 3 * index.length);
  const normals = new Float32Array(places.length);
  for (let at = 0; at < vertices.length; ++at) places[at] = vertices[at] * size[at % 3];
  const faces = faceNormals(places, index);
  for (let corner = 0; corner < index.length; ++corner) {
    const face = corner - (corner % 3);
    for (let axis = 0; axis < 3; ++axis) normals[3 * index[corner] + axis] += faces[face + axis];
  }
  const [ofFace, ofVertex] = [new Vector3(), new Vector3()];
  for (let at = 0; at < vertices.length; at += 3)
    ofVertex.fromArray(normals, at).normalize().toArray(normals, at);
  const leastAlong = Math.cos((sharpEdge * Math.PI) / 180);
  let used = vertices.length / 3;
  for (let corner = 0; corner < index.length; ++corner) {
    ofFace.fromArray(faces, corner - (corner % 3)).normalize();
    ofVertex.fromArray(normals, 3 * index[corner]);
    if (ofFace.dot(ofVertex) >= leastAlong) continue;
    places.copyWithin(3 * used, 3 * index[corner], 3 * index[corner] + 3);
    ofFace.toArray(normals, 3 * used);
    index[corner] = used++;
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(places.slice(0, 3 * used), 3));
  geometry.setAttribute('normal', new BufferAttribute(normals.slice(0, 3 * used), 3));
  geometry.setIndex(new BufferAttribute(index, 1));
  return geometry;
}

/** One for each triangle, twice as long as the triangle is large: larger ones count for more. */
function faceNormals(places: Float32Array, index: Uint32Array): Float32Array {
  const normals = new Float32Array(index.length);
  const [a, b, c] = [new Vector3(), new Vector3(), new Vector3()];
  for (let at = 0; at < index.length; at += 3) {
    a.fromArray(places, 3 * index[at]);
    b.fromArray(places, 3 * index[at + 1]).sub(a);
    c.fromArray(places, 3 * index[at + 2]).sub(a);
    b.cross(c).toArray(normals, at);
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

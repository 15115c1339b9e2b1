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
import type { Shape } from './report';

const sharpEdge = 30; // degrees between two faces from which their edge is drawn
const rounding = 0.08; // of a box's edges, as a part of the shortest one

/** the axis of three.js's cylinders and cones */
export const up = new Vector3(0, 1, 0);

export type Solid = Mesh<BufferGeometry, MeshStandardMaterial>;

/** Limbs come in pairs, and links in rows: equal shapes share their geometry. */
const shared = new Map<string, BufferGeometry>();

function sharedGeometry(shape: Shape): BufferGeometry {
  if (shape.kind === 'mesh') return geometryOf(shape);
  const key = `${shape.kind} ${shape.size.join(' ')}`;
  const geometry = shared.get(key) ?? geometryOf(shape);
  shared.set(key, geometry);
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
      return meshGeometry(mesh!.vertices, mesh!.triangles).scale(size[0], size[1], size[2]);
  }
}

function meshGeometry(vertices: Float32Array, triangles: Uint32Array): BufferGeometry {
  const geometry = new BufferGeometry();
  // scaling must not change the report's own numbers
  geometry.setAttribute('position', new BufferAttribute(vertices.slice(), 3));
  geometry.setIndex(new BufferAttribute(triangles, 1));
  // flat faces, as most meshes of robots have shared vertices at their edges
  const flat = geometry.toNonIndexed();
  flat.computeVertexNormals();
  return flat;
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
      return [0, 1, 2].map((axis) => {
        let most = 0;
        for (let at = axis; at < mesh!.vertices.length; at += 3)
          most = Math.max(most, Math.abs(mesh!.vertices[at] * size[axis]));
        return most;
      });
  }
}

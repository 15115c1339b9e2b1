// Primitive shapes as meshes with thin edges.
import {
  BoxGeometry,
  type BufferGeometry,
  CapsuleGeometry,
  Color,
  CylinderGeometry,
  EdgesGeometry,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  MeshStandardMaterial,
  SphereGeometry,
} from 'three';
import type { Shape } from './report';

const sharpEdge = 30; // degrees between two faces from which their edge is drawn

/** The geometry in the shape's own frame; three.js's cylinders lie along y and are turned to z. */
function geometryOf({ kind, size }: Shape): BufferGeometry {
  switch (kind) {
    case 'box':
      return new BoxGeometry(size[0], size[1], size[2]);
    case 'sphere':
      return new SphereGeometry(size[0], 40, 24);
    case 'cylinder':
      return new CylinderGeometry(size[0], size[0], size[1], 48).rotateX(Math.PI / 2);
    case 'capsule':
      return new CapsuleGeometry(size[0], size[1], 10, 32).rotateX(Math.PI / 2);
    case 'ellipsoid':
      return new SphereGeometry(1, 40, 24).scale(size[0], size[1], size[2]);
  }
}

/** A mesh in the body's frame, with its edges as a child. */
export function shapeMesh(shape: Shape): Mesh<BufferGeometry, MeshStandardMaterial> {
  const [red, green, blue, opacity] = shape.color;
  const color = new Color().setRGB(red, green, blue, 'srgb');
  const material = new MeshStandardMaterial({
    color,
    opacity,
    transparent: opacity < 1,
    roughness: 0.62,
    metalness: 0.05,
  });
  const geometry = geometryOf(shape);
  const mesh = new Mesh(geometry, material);
  mesh.castShadow = true;
  mesh.receiveShadow = true;
  mesh.position.fromArray(shape.position);
  mesh.quaternion.fromArray(shape.quaternion).normalize();
  if (shape.kind === 'box' || shape.kind === 'cylinder') {
    const dark = new LineBasicMaterial({
      color: color.clone().multiplyScalar(0.35),
      opacity: 0.55,
      transparent: true,
    });
    mesh.add(new LineSegments(new EdgesGeometry(geometry, sharpEdge), dark));
  }
  return mesh;
}

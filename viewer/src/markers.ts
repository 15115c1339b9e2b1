// Places and things in the world: points, areas, boxes, bins.
import {
  type BufferGeometry,
  BoxGeometry,
  Color,
  DoubleSide,
  Group,
  Mesh,
  MeshBasicMaterial,
  OctahedronGeometry,
  PlaneGeometry,
} from 'three';
import { RoundedBoxGeometry } from 'three/addons/geometries/RoundedBoxGeometry.js';
import type { Labels } from './labels';
import type { Marker } from './report';
import { paint } from './shapes';

/** All markers with their names; `size` is that of a point. */
export function markerGroup(markers: Marker[], size: number, labels: Labels): Group {
  const group = new Group();
  for (const marker of markers) {
    const made = makers[marker.kind](marker, size);
    made.position.add({ x: marker.position[0], y: marker.position[1], z: marker.position[2] });
    made.rotation.z = marker.yaw;
    made.traverse((part) => (part.name = marker.name));
    group.add(made);
    const [x, y, z] = marker.position;
    if (marker.name === '') continue;
    // below things, so that what is put into them keeps its own label
    if (marker.kind === 'point') labels.add(marker.name, group, [x, y, z + size], 'above');
    else labels.add(marker.name, group, [x, y, z], 'below');
  }
  return group;
}

const colorOf = ({ color }: Marker): Color =>
  new Color().setRGB(color[0], color[1], color[2], 'srgb');

function solid(geometry: BufferGeometry, marker: Marker): Mesh {
  const mesh = new Mesh(geometry, paint(colorOf(marker), marker.color[3]));
  mesh.castShadow = mesh.receiveShadow = true;
  return mesh;
}

const makers: Record<Marker['kind'], (marker: Marker, point: number) => Mesh | Group> = {
  point: (marker, point) =>
    new Mesh(new OctahedronGeometry(point), new MeshBasicMaterial({ color: colorOf(marker) })),
  area: (marker) => {
    const material = new MeshBasicMaterial({
      color: colorOf(marker),
      opacity: 0.4 * marker.color[3],
      transparent: true,
      side: DoubleSide,
      depthWrite: false,
    });
    const mesh = new Mesh(new PlaneGeometry(marker.size[0], marker.size[1]), material);
    // above the ground, with which it would flicker
    mesh.position.z = 1e-3 * Math.max(marker.size[0], marker.size[1]);
    return mesh;
  },
  box: (marker) => {
    const [x, y, z] = marker.size;
    const mesh = solid(new RoundedBoxGeometry(x, y, z, 3, 0.06 * Math.min(x, y, z)), marker);
    mesh.position.z = z / 2;
    return mesh;
  },
  bin: (marker) => {
    const [x, y, z] = marker.size;
    const wall = Math.min(0.04 * Math.min(x, y), 0.3 * z);
    const part = (edges: number[], place: number[]) => {
      const mesh = solid(new BoxGeometry(edges[0], edges[1], edges[2]), marker);
      mesh.position.fromArray(place);
      return mesh;
    };
    return new Group().add(
      part([x, y, wall], [0, 0, wall / 2]),
      part([wall, y, z], [(x - wall) / 2, 0, z / 2]),
      part([wall, y, z], [(wall - x) / 2, 0, z / 2]),
      part([x, wall, z], [0, (y - wall) / 2, z / 2]),
      part([x, wall, z], [0, (wall - y) / 2, z / 2]),
    );
  },
};

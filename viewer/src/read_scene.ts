// The part of the JSON that the replay is drawn from.
import type { Item } from './item';
import {
  forceKinds,
  markerKinds,
  shapeSizes,
  shapeSources,
  type Body,
  type Frame,
  type Ghost,
  type Marker,
  type Scene,
  type Shape,
  type ShapeKind,
  type TriangleMesh,
  type Water,
} from './report';

export function readScene(item: Item, instants: number): Scene {
  const meshes = item.at('meshes').list().map(readMesh);
  const bodies = item
    .at('bodies')
    .list()
    .map((body) => readBody(body, meshes));
  const frames = item
    .at('frames')
    .list()
    .map((frame) => readFrame(frame, bodies.length));
  return {
    bodies,
    meshes,
    frames,
    links: item
      .at('links')
      .list()
      .map((link) => {
        const [child, parent] = link.list();
        if (parent === undefined) throw link.wrong('a body and its parent');
        return { child: child.index(0, bodies.length), parent: parent.index(-1, bodies.length) };
      }),
    trails: item
      .at('trails')
      .list()
      .map((trail) => {
        const found = frames.findIndex((frame) => frame.name === trail.text());
        if (found < 0) throw trail.wrong('the name of one of the frames');
        return found;
      }),
    markers: item.at('markers').list().map(readMarker),
    payloads: item
      .at('payloads')
      .list()
      .map((payload) => ({
        body: payload.at('body').index(0, bodies.length),
        label: payload.at('label').text(),
      })),
    forces: item
      .at('forces')
      .list()
      .map((force) => ({
        name: force.at('name').text(),
        kind: force.at('kind').missing ? 'force' : force.at('kind').oneOf(forceKinds),
        body: force.at('body').index(0, bodies.length),
        position: force.at('position').vector(3),
        force: force.at('force').floats(instants * 3),
        points: force.at('points').missing ? null : force.at('points').floats(instants * 3),
      })),
    lines: item
      .at('lines')
      .list()
      .map((line) => ({
        name: line.at('name').text(),
        ends: [0, 1].map((index) => {
          const end = line.at('ends').list()[index];
          return {
            body: end.at('body').index(0, bodies.length),
            position: end.at('position').vector(3),
          };
        }),
      })),
    ground: readGround(item.at('ground')),
    water: item.at('water').missing ? null : readWater(item.at('water'), instants),
    drawn: item.at('drawn').text(''),
  };
}

/** Runs whose bodies are those of the scene do not repeat them. */
export function readGhosts(item: Item, scene: Scene, instants: number): Ghost[] {
  return item.list().map((ghost) => {
    const given = ghost.at('bodies');
    const bodies = given.missing ? scene.bodies : given.list().map((body) => readBody(body, scene.meshes));
    return {
      title: ghost.at('title').text(),
      bodies,
      poses: ghost.at('poses').floats(instants * bodies.length * 7),
    };
  });
}

function readGround(item: Item): Scene['ground'] {
  if (item.missing) return 'automatic';
  return item.isNumber ? item.number() : item.oneOf(['automatic', 'none'] as const);
}

function readWater(item: Item, instants: number): Water {
  const height = (key: string) => (item.at(key).missing ? null : item.at(key).number());
  return {
    level: height('level'),
    bed: height('bed'),
    waves: item
      .at('waves')
      .list()
      .map((wave) => ({
        amplitude: wave.at('amplitude').number(),
        frequency: wave.at('frequency').number(),
        number: wave.at('number').number(),
        direction: wave.at('direction').number(),
        phase: wave.at('phase').number(),
      })),
    current: item.at('current').floats(instants * 3),
    profile: item
      .at('profile')
      .list()
      .map((entry) => ({
        depth: entry.at('depth').number(),
        velocity: entry.at('velocity').vector(3),
      })),
  };
}

function readMarker(item: Item): Marker {
  return {
    name: item.at('name').text(''),
    kind: item.at('kind').missing ? 'point' : item.at('kind').oneOf(markerKinds),
    position: item.at('position').vector(3),
    yaw: item.at('yaw').number(0),
    size: item.at('size').vector(3, [0, 0, 0]),
    color: item.at('color').vector(4, [0.88, 0.54, 0.04, 1]),
  };
}

function readBody(item: Item, meshes: TriangleMesh[]): Body {
  return {
    name: item.at('name').text(),
    mass: item.at('mass').number(0),
    com: item.at('com').vector(3, [0, 0, 0]),
    shapes: item
      .at('shapes')
      .list()
      .map((shape) => readShape(shape, meshes)),
  };
}

function readShape(item: Item, meshes: TriangleMesh[]): Shape {
  const kind = item.at('kind').oneOf(Object.keys(shapeSizes) as ShapeKind[]);
  return {
    kind,
    size: item.at('size').vector(shapeSizes[kind], kind === 'mesh' ? [1, 1, 1] : undefined),
    ...readPlacement(item),
    color: item.at('color').vector(4, [0.6, 0.64, 0.7, 1]),
    from: item.at('from').oneOf(shapeSources),
    mesh: kind === 'mesh' ? meshes[item.at('mesh').index(0, meshes.length)] : null,
  };
}

function readMesh(item: Item): TriangleMesh {
  const places = item.at('vertices').shorts();
  if (places.length === 0 || places.length % 3 !== 0) {
    throw item.at('vertices').wrong('three numbers for each vertex');
  }
  const low = item.at('low').vector(3);
  const step = item.at('step').vector(3);
  const vertices = Float32Array.from(places, (place, at) => low[at % 3] + step[at % 3] * place);
  const triangles = item.at('triangles').corners(vertices.length / 3);
  if (triangles.length % 3 !== 0) throw item.at('triangles').wrong('three vertices each');
  const reach = low.map((least, axis) =>
    Math.max(Math.abs(least), Math.abs(least + 65535 * step[axis])),
  );
  return { vertices, triangles, reach };
}

function readFrame(item: Item, bodies: number): Frame {
  return {
    name: item.at('name').text(),
    body: item.at('body').index(-1, bodies),
    ...readPlacement(item),
  };
}

function readPlacement(item: Item): { position: number[]; quaternion: number[] } {
  return {
    position: item.at('position').vector(3, [0, 0, 0]),
    quaternion: item.at('quaternion').vector(4, [0, 0, 0, 1]),
  };
}

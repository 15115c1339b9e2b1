// Axes of frames and of bodies: x red, y green, z blue.
import {
  type BufferGeometry,
  CylinderGeometry,
  Group,
  Mesh,
  MeshBasicMaterial,
} from 'three';
import type { Scene } from './report';
import type { Robot } from './robot';

// seen through the bodies, inside which most origins lie
const materials = [0xd0342c, 0x2e9e44, 0x2f6fde].map(
  (color) => new MeshBasicMaterial({ color, depthTest: false, transparent: true }),
);

/** The three sticks of one frame, from its origin. */
function axesGroup(stick: BufferGeometry): Group {
  const sticks = materials.map((material) => new Mesh(stick, material));
  for (const mesh of sticks) mesh.renderOrder = 1;
  sticks[0].rotation.z = -Math.PI / 2;
  sticks[2].rotation.x = Math.PI / 2;
  return new Group().add(...sticks);
}

function stickOf(length: number): BufferGeometry {
  return new CylinderGeometry(length * 0.025, length * 0.025, length, 10).translate(
    0,
    length / 2,
    0,
  );
}

/** All axes of one kind, shown and hidden together. */
export class AxesSet {
  private constructor(private readonly groups: Group[]) {
    this.show(false);
  }

  static ofFrames(scene: Scene, robot: Robot, length: number): AxesSet {
    const stick = stickOf(length);
    return new AxesSet(
      scene.frames.map((frame) => {
        const group = axesGroup(stick);
        group.position.fromArray(frame.position);
        group.quaternion.fromArray(frame.quaternion).normalize();
        robot.carrier(frame.body).add(group);
        return group;
      }),
    );
  }

  static ofBodies(robot: Robot, length: number): AxesSet {
    const stick = stickOf(length);
    return new AxesSet(
      robot.bodies.map((body) => {
        const group = axesGroup(stick);
        body.add(group);
        return group;
      }),
    );
  }

  show(visible: boolean): void {
    for (const group of this.groups) group.visible = visible;
  }
}

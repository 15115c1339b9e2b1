// A compared run in the replay: the same bodies, seen through, without shadows.
import { Color, Group } from 'three';
import type { Motion } from './motion';
import { drawnSource, type Ghost } from './report';
import { bodyGroups, moveGroups } from './robot';
import { shapeMesh } from './shapes';
import type { Theme } from './theme';

const opacity = 0.2;

export class GhostRun {
  readonly group = new Group();
  readonly title: string;
  private readonly bodies: Group[];
  private readonly color = new Color();

  constructor(
    ghost: Ghost,
    private readonly motion: Motion,
  ) {
    this.title = ghost.title;
    this.bodies = bodyGroups(ghost.bodies);
    this.group.add(...this.bodies);
    ghost.bodies.forEach((body, index) => {
      const source = drawnSource(body);
      // what does not move would only hide what it covers
      if (motion.staysStill(index)) return;
      for (const shape of body.shapes) {
        if (shape.from !== source) continue;
        const mesh = shapeMesh(shape);
        mesh.clear();
        mesh.castShadow = mesh.receiveShadow = false;
        Object.assign(mesh.material, {
          transparent: true,
          opacity,
          depthWrite: false,
          // where both runs agree only the robot is seen
          polygonOffset: true,
          polygonOffsetFactor: 2,
          polygonOffsetUnits: 8,
        });
        mesh.material.color = this.color;
        mesh.renderOrder = 1;
        this.bodies[index].add(mesh);
      }
    });
  }

  moveTo(time: number): void {
    moveGroups(this.bodies, this.motion, time);
  }

  applyTheme(theme: Theme): void {
    this.color.set(theme.accent);
  }
}

// Poses of bodies and frames at any time, from the recorded ones.
import { Quaternion, Vector3 } from 'three';
import type { Frame, Report, Scene } from './report';
import { between } from './timeline';

export interface Pose {
  position: Vector3;
  quaternion: Quaternion;
}

export const newPose = (): Pose => ({ position: new Vector3(), quaternion: new Quaternion() });

export class Motion {
  readonly times: Float32Array;
  readonly centerOfMass: Float32Array | null;
  private readonly poses: Float32Array;
  private readonly bodies: number;
  private readonly next = newPose();

  constructor(
    times: Float32Array,
    poses: Float32Array,
    bodies: number,
    centerOfMass: Float32Array | null,
  ) {
    this.times = times;
    this.poses = poses;
    this.bodies = bodies;
    this.centerOfMass = centerOfMass;
  }

  static of(report: Report, scene: Scene): Motion {
    return new Motion(report.poseTime, report.poses, scene.bodies.length, report.centerOfMass);
  }

  /** The recorded pose of a body in the world. */
  recorded(row: number, body: number, pose: Pose): Pose {
    const start = (row * this.bodies + body) * 7;
    pose.position.fromArray(this.poses, start);
    pose.quaternion.fromArray(this.poses, start + 3);
    return pose;
  }

  /** Between two rows positions run straight and rotations along the shortest arc. */
  at(time: number, body: number, pose: Pose): Pose {
    const { row, fraction } = between(this.times, time);
    this.recorded(row, body, pose);
    if (fraction > 0) {
      this.recorded(row + 1, body, this.next);
      pose.position.lerp(this.next.position, fraction);
      pose.quaternion.slerp(this.next.quaternion, fraction);
    }
    return pose;
  }

  /** Its origin never moves: the body is fixed to the world, or turns about a point of it. */
  staysInPlace(body: number): boolean {
    const [first, other] = [newPose(), newPose()];
    this.recorded(0, body, first);
    for (let row = 1; row < this.times.length; ++row) {
      this.recorded(row, body, other);
      const moved = other.position.distanceTo(first.position);
      if (moved > 1e-5 * (1 + first.position.length())) return false;
    }
    return true;
  }

  /** Neither moves nor turns. */
  staysStill(body: number): boolean {
    const [first, other] = [newPose(), newPose()];
    this.recorded(0, body, first);
    for (let row = 1; row < this.times.length; ++row) {
      this.recorded(row, body, other);
      const moved = other.position.distanceTo(first.position);
      const turned = first.quaternion.angleTo(other.quaternion);
      if (moved > 1e-6 || turned > 1e-3 || Number.isNaN(moved)) return false;
    }
    return true;
  }

  centerAt(time: number, center: Vector3): Vector3 {
    const values = this.centerOfMass;
    if (!values) return center;
    const { row, fraction } = between(this.times, time);
    center.fromArray(values, row * 3);
    if (fraction > 0) center.lerp(new Vector3().fromArray(values, row * 3 + 3), fraction);
    return center;
  }

  /** Positions of a frame's origin in the world: x, y, z of every row. */
  path(frame: Frame): Float32Array {
    const path = new Float32Array(this.times.length * 3);
    const pose = newPose();
    const point = new Vector3();
    for (let row = 0; row < this.times.length; ++row) {
      point.fromArray(frame.position);
      if (frame.body >= 0) {
        this.recorded(row, frame.body, pose);
        point.applyQuaternion(pose.quaternion).add(pose.position);
      }
      point.toArray(path, row * 3);
    }
    return path;
  }
}

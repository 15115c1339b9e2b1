// The camera: framed on the whole motion or on the robot, turned by pointer and keys, z always up.
import { type Box3, PerspectiveCamera, Sphere, Spherical, Vector3 } from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { cornersOf } from './extent';

export type View = 'home' | 'front' | 'side' | 'top';

/** from where each view looks; never exactly along z, where up would be undefined */
const directions: Record<View, Vector3> = {
  home: new Vector3(1.0, -1.15, 0.62),
  front: new Vector3(1, 0, 0),
  side: new Vector3(0, -1, 0),
  top: new Vector3(0, -1e-4, 1),
};
const fieldOfView = 32;
const margin = 1.1;
/** of a robot that is followed, in its radii */
const roomAround = 2.2;

export class Camera {
  readonly camera = new PerspectiveCamera(fieldOfView, 1, 0.01, 100);
  private readonly controls: OrbitControls;
  private readonly room: Sphere;
  /** of the box around the motion, seen from its centre */
  private readonly corners: Vector3[];
  /** the person has not turned the camera yet, so a new window size frames anew */
  private view: View | null = 'home';
  private readonly followed = new Vector3();

  constructor(canvas: HTMLElement, box: Box3, onChange: () => void) {
    this.room = box.getBoundingSphere(new Sphere());
    this.corners = cornersOf(box).map((corner) => corner.sub(this.room.center));
    this.camera.up.set(0, 0, 1);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.maxPolarAngle = Math.PI * 0.98;
    this.controls.minDistance = this.room.radius * 0.02;
    this.controls.maxDistance = this.room.radius * 40;
    this.controls.addEventListener('change', onChange);
    this.controls.addEventListener('start', () => (this.view = null));
    this.look('home');
  }

  resize(width: number, height: number): void {
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    if (this.view) this.look(this.view);
  }

  look(view: View): void {
    this.view = view;
    this.controls.target.copy(this.room.center);
    this.camera.position.copy(directions[view]).setLength(this.distance(directions[view]));
    this.camera.position.add(this.room.center);
    this.camera.near = this.room.radius / 200;
    this.camera.far = this.room.radius * 120;
    this.camera.updateProjectionMatrix();
    this.controls.update();
  }

  /** Where the camera is and where it looks: six numbers, as a link holds them. */
  place(): number[] {
    return [...this.camera.position.toArray(), ...this.controls.target.toArray()];
  }

  putAt(place: number[]): void {
    this.view = null;
    this.camera.position.fromArray(place);
    this.controls.target.fromArray(place, 3);
    this.controls.update();
  }

  /** of half the angle that the picture spans from top to bottom */
  readonly tangent = Math.tan((fieldOfView * Math.PI) / 360);

  /** From where every corner of the motion's box is in the picture. */
  private distance(direction: Vector3): number {
    const towards = direction.clone().normalize();
    const right = new Vector3().crossVectors(this.camera.up, towards).normalize();
    const upwards = new Vector3().crossVectors(towards, right);
    const { tangent } = this;
    const needed = this.corners.map((corner) => {
      const across = Math.abs(corner.dot(right)) / (tangent * this.camera.aspect);
      return corner.dot(towards) + Math.max(across, Math.abs(corner.dot(upwards)) / tangent);
    });
    return margin * Math.max(...needed);
  }

  /** Turns about the target by angles [rad], and moves nearer or farther by a factor. */
  orbit(around: number, up: number, factor: number): void {
    this.view = null;
    // spherical coordinates of three.js have y up
    const offset = this.camera.position.clone().sub(this.controls.target);
    const place = new Spherical().setFromCartesianCoords(offset.x, offset.z, -offset.y);
    place.theta += around;
    place.phi = Math.min(Math.PI * 0.98, Math.max(1e-4, place.phi - up));
    place.radius *= factor;
    const turned = new Vector3().setFromSpherical(place);
    this.camera.position.set(turned.x, -turned.z, turned.y).add(this.controls.target);
    this.controls.update();
  }

  /** Frames a ball around a point, with room around it, and follows it. */
  lookNear(point: Vector3, radius: number, view: View): void {
    this.view = null;
    this.followed.copy(point);
    this.controls.target.copy(point);
    const distance = (roomAround * radius) / (this.tangent * Math.min(1, this.camera.aspect));
    this.camera.position.copy(directions[view]).setLength(distance).add(point);
    this.controls.minDistance = Math.min(this.controls.minDistance, radius / 2);
    this.camera.near = Math.min(this.camera.near, radius / 5);
    this.camera.updateProjectionMatrix();
    this.controls.update();
  }

  /** Starts following a point: the camera keeps its place relative to it. */
  follow(point: Vector3): void {
    this.followed.copy(point);
    this.view = null;
    this.camera.position.add(point).sub(this.controls.target);
    this.controls.target.copy(point);
    this.controls.update();
  }

  followTo(point: Vector3): void {
    const moved = point.clone().sub(this.followed);
    this.followed.copy(point);
    this.camera.position.add(moved);
    this.controls.target.add(moved);
    this.controls.update();
  }
}

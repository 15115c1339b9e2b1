// The camera: framed on the whole motion, turned by pointer and keys, z always up.
import { type Box3, PerspectiveCamera, Sphere, Spherical, Vector3 } from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';

export type View = 'home' | 'front' | 'side' | 'top';

/** from where each view looks; never exactly along z, where up would be undefined */
const directions: Record<View, Vector3> = {
  home: new Vector3(1.0, -1.15, 0.62),
  front: new Vector3(1, 0, 0),
  side: new Vector3(0, -1, 0),
  top: new Vector3(0, -1e-4, 1),
};
const fieldOfView = 32;

export class Camera {
  readonly camera = new PerspectiveCamera(fieldOfView, 1, 0.01, 100);
  private readonly controls: OrbitControls;
  private readonly room: Sphere;
  /** the person has not turned the camera yet, so a new window size frames anew */
  private view: View | null = 'home';
  private readonly followed = new Vector3();

  constructor(canvas: HTMLElement, box: Box3, onChange: () => void) {
    this.room = box.getBoundingSphere(new Sphere());
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
    const { aspect } = this.camera;
    // the narrower of the two angles must hold the sphere around the motion
    const half = Math.atan(Math.tan((fieldOfView * Math.PI) / 360) * Math.min(1, aspect));
    const distance = this.room.radius / Math.sin(half);
    this.controls.target.copy(this.room.center);
    this.camera.position.copy(directions[view]).setLength(distance).add(this.room.center);
    this.camera.near = this.room.radius / 200;
    this.camera.far = this.room.radius * 120;
    this.camera.updateProjectionMatrix();
    this.controls.update();
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

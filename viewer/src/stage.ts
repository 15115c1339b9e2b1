// The 3-D picture: robot, ground, light and everything that can be shown or hidden in it.
// It is drawn only when something has changed.
import {
  Color,
  DirectionalLight,
  type Group,
  HemisphereLight,
  PCFShadowMap,
  Scene as ThreeScene,
  Sphere,
  Vector3,
  WebGLRenderer,
} from 'three';
import { AxesSet, markerGroup } from './axes';
import { Camera } from './camera';
import { motionExtent } from './extent';
import { Ground } from './ground';
import { Motion } from './motion';
import type { Report, Scene } from './report';
import { Robot } from './robot';
import { currentTheme } from './theme';
import { CenterOfMass, FrameTrails } from './trails';

export class Stage {
  readonly robot: Robot;
  readonly camera: Camera;
  readonly trails: FrameTrails;
  readonly center: CenterOfMass | null;
  readonly frameAxes: AxesSet;
  readonly bodyAxes: AxesSet;
  readonly ground: Ground;
  readonly markers: Group;
  private readonly motion: Motion;
  private readonly scene = new ThreeScene();
  private readonly sky = new HemisphereLight(0xffffff, 0xa9adb5, 1.9);
  private readonly room: Sphere;
  private following = false;
  private drawing = false;
  private time = 0;

  constructor(
    private readonly renderer: WebGLRenderer,
    report: Report,
    scene: Scene,
  ) {
    this.motion = new Motion(report, scene);
    const { box, robotRadius } = motionExtent(scene, this.motion);
    this.room = box.getBoundingSphere(new Sphere());
    this.robot = new Robot(scene, this.motion, robotRadius);
    this.ground = new Ground(box);
    this.camera = new Camera(renderer.domElement, box, this.redraw);
    this.trails = new FrameTrails(scene.frames, this.motion, currentTheme());
    this.frameAxes = AxesSet.ofFrames(scene, this.robot, robotRadius * 0.22);
    this.bodyAxes = AxesSet.ofBodies(this.robot, robotRadius * 0.16);
    this.center = report.centerOfMass
      ? new CenterOfMass(report.centerOfMass, this.motion, robotRadius * 0.035)
      : null;
    this.markers = markerGroup(scene, robotRadius * 0.03);
    this.scene.add(this.robot.group, this.ground.group, this.trails.group, this.markers);
    if (this.center) this.scene.add(this.center.group);
    this.addLights();
    this.applyTheme();
  }

  get canvas(): HTMLCanvasElement {
    return this.renderer.domElement;
  }

  moveTo(time: number): void {
    this.time = time;
    this.robot.moveTo(time);
    this.trails.moveTo(time);
    this.center?.moveTo(time);
    if (this.following) this.camera.followTo(this.middle());
    this.redraw();
  }

  showTrail(frame: number, shown: boolean): void {
    this.trails.show(frame, shown, this.time);
    this.redraw();
  }

  setFollowing(following: boolean): void {
    this.following = following;
    if (following) this.camera.follow(this.middle());
    else this.camera.look('home');
    this.redraw();
  }

  resize(width: number, height: number): void {
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.renderer.setSize(width, height, false);
    this.camera.resize(width, height);
    this.drawNow();
  }

  applyTheme(): void {
    const theme = currentTheme();
    this.scene.background = new Color(theme.sky);
    this.ground.applyTheme(theme);
    this.trails.applyTheme(theme);
    this.center?.applyTheme(theme);
    this.redraw();
  }

  /** Draws before the next frame, however often it is called until then. */
  readonly redraw = (): void => {
    if (this.drawing) return;
    this.drawing = true;
    requestAnimationFrame(() => this.drawNow());
  };

  drawNow(): void {
    this.drawing = false;
    this.renderer.render(this.scene, this.camera.camera);
  }

  /** The centre of mass, or else the mean of the bodies' origins. */
  private middle(): Vector3 {
    if (this.motion.centerOfMass) return this.motion.centerAt(this.time, new Vector3());
    const sum = new Vector3();
    for (const body of this.robot.bodies) sum.add(body.position);
    return sum.divideScalar(Math.max(1, this.robot.bodies.length));
  }

  private addLights(): void {
    const { center, radius } = this.room;
    const sun = new DirectionalLight(0xffffff, 2.1);
    sun.position.copy(center).add(new Vector3(0.55, -0.4, 1.3).setLength(3 * radius));
    sun.target.position.copy(center);
    sun.castShadow = true;
    sun.shadow.mapSize.set(1024, 1024);
    Object.assign(sun.shadow.camera, {
      left: -1.3 * radius,
      right: 1.3 * radius,
      bottom: -1.3 * radius,
      top: 1.3 * radius,
      near: radius,
      far: 6 * radius,
    });
    sun.shadow.normalBias = radius * 0.004;
    sun.shadow.radius = 3;
    this.sky.position.set(0, 0, 1);
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = PCFShadowMap;
    this.scene.add(this.sky, sun, sun.target);
  }
}

/** null where the browser has no WebGL. */
export function makeRenderer(): WebGLRenderer | null {
  // asked first on a canvas of its own: three.js would write an error to the console
  if (!document.createElement('canvas').getContext('webgl2')) return null;
  // what was drawn last must stay readable for printing
  return new WebGLRenderer({ antialias: true, preserveDrawingBuffer: true });
}

// The 3-D picture: robot, ground, light and everything that can be shown or hidden in it.
// It is drawn only when something has changed.
import {
  DirectionalLight,
  type Group,
  HemisphereLight,
  type Object3D,
  PCFShadowMap,
  Scene as ThreeScene,
  Sphere,
  Vector3,
  WebGLRenderer,
} from 'three';
import { AxesSet } from './axes';
import { Camera, type View } from './camera';
import { motionExtent } from './extent';
import { ForceArrows } from './forces';
import { GhostRun } from './ghost';
import { Ground } from './ground';
import { Labels } from './labels';
import { markerGroup } from './markers';
import { Motion } from './motion';
import { isDrawn, type Report, type Scene } from './report';
import { Robot } from './robot';
import { skyTexture } from './sky';
import { currentTheme } from './theme';
import { CenterOfMass, FrameTrails } from './trails';
import { WaterView } from './water';

export class Stage {
  readonly robot: Robot;
  readonly ghosts: GhostRun[];
  readonly camera: Camera;
  readonly trails: FrameTrails;
  readonly center: CenterOfMass | null;
  readonly frameAxes: AxesSet;
  readonly bodyAxes: AxesSet;
  readonly ground: Ground;
  readonly markers: Group;
  readonly forces: ForceArrows;
  readonly water: WaterView | null;
  readonly labels = new Labels();
  private readonly motion: Motion;
  private readonly scene = new ThreeScene();
  private readonly sky = new HemisphereLight(0xffffff, 0x9ea4ae, 1.5);
  private readonly room: Sphere;
  private readonly movingRadius: number;
  private readonly isLongWay: boolean;
  private movers: Group[] | null = null;
  private following = false;
  private readonly followers: ((following: boolean) => void)[] = [];
  private drawing = false;
  private time = 0;

  constructor(
    private readonly renderer: WebGLRenderer,
    report: Report,
    private readonly data: Scene,
  ) {
    this.motion = Motion.of(report, data);
    const { box, robotRadius, movingRadius, isLongWay } = motionExtent(data, this.motion);
    this.room = box.getBoundingSphere(new Sphere());
    this.movingRadius = movingRadius;
    this.isLongWay = this.following = isLongWay;
    this.robot = new Robot(data, this.motion, robotRadius);
    this.ghosts = report.ghosts.map(
      (ghost) =>
        new GhostRun(ghost, new Motion(report.poseTime, ghost.poses, ghost.bodies.length, null)),
    );
    this.ground = new Ground(box, data.ground, isLongWay ? movingRadius : null);
    this.camera = new Camera(renderer.domElement, box, this.redraw);
    this.trails = new FrameTrails(data.frames, this.motion, currentTheme());
    this.frameAxes = AxesSet.ofFrames(data, this.robot, robotRadius * 0.22);
    this.bodyAxes = AxesSet.ofBodies(this.robot, robotRadius * 0.16);
    this.center = report.centerOfMass
      ? new CenterOfMass(report.centerOfMass, this.motion, robotRadius * 0.035)
      : null;
    this.markers = markerGroup(data.markers, robotRadius * 0.03, this.labels);
    this.forces = new ForceArrows(data, report.poseTime, this.robot, robotRadius * 0.6);
    this.water = data.water ? new WaterView(data.water, report.poseTime, box) : null;
    for (const { body, label } of data.payloads) {
      this.labels.add(label, this.robot.bodies[body], data.bodies[body].com, 'beside');
    }
    this.scene.add(this.robot.group, this.ground.group, this.trails.group, this.markers);
    this.scene.add(this.forces.group, ...this.ghosts.map((ghost) => ghost.group));
    if (this.center) this.scene.add(this.center.group);
    if (this.water) this.scene.add(this.water.group);
    this.addLights();
    this.applyTheme();
  }

  get canvas(): HTMLCanvasElement {
    return this.renderer.domElement;
  }

  moveTo(time: number): void {
    this.time = time;
    this.robot.moveTo(time);
    for (const ghost of this.ghosts) ghost.moveTo(time);
    this.forces.moveTo(time);
    this.water?.moveTo(time);
    this.trails.moveTo(time);
    this.center?.moveTo(time);
    if (this.following) this.camera.followTo(this.middle());
    this.redraw();
  }

  /** The view that a page opens with: the whole motion, or the robot where it would be a dot. */
  open(): void {
    if (this.following) this.camera.lookNear(this.middle(), this.movingRadius, 'home');
  }

  /** The whole motion; front, side and top of it, or of the robot that the camera follows. */
  look(view: View): void {
    if (view === 'home') this.stopFollowing();
    if (this.following) this.camera.lookNear(this.middle(), this.movingRadius, view);
    else this.camera.look(view);
    this.redraw();
  }

  get isFollowing(): boolean {
    return this.following;
  }

  onFollowing(act: (following: boolean) => void): void {
    this.followers.push(act);
  }

  stopFollowing(): void {
    this.following = false;
    for (const act of this.followers) act(false);
  }

  showTrail(frame: number, shown: boolean): void {
    this.trails.show(frame, shown, this.time);
    this.redraw();
  }

  /** Markers and arrows that are seen; their meshes have their names. */
  namedThings(): Object3D[] {
    return [this.markers, this.forces.group].filter((group) => group.visible);
  }

  showMarkers(shown: boolean): void {
    this.markers.visible = shown;
  }

  showPayloads(shown: boolean): void {
    for (const { body } of this.data.payloads) this.robot.bodies[body].visible = shown;
  }

  setFollowing(following: boolean): void {
    this.following = following;
    if (!following) this.camera.look('home');
    else if (this.isLongWay)
      this.camera.lookNear(this.middle(), this.movingRadius, 'home');
    else this.camera.follow(this.middle());
    this.redraw();
  }

  resize(width: number, height: number): void {
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.renderer.setSize(width, height, false);
    this.camera.resize(width, height);
    this.labels.resize(height, this.camera.tangent);
    this.drawNow();
  }

  applyTheme(): void {
    const theme = currentTheme();
    this.scene.background = skyTexture(theme);
    this.ground.applyTheme(theme);
    this.trails.applyTheme(theme);
    this.center?.applyTheme(theme);
    this.labels.applyTheme(theme);
    for (const ghost of this.ghosts) ghost.applyTheme(theme);
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

  /** The centre of mass, or else the mean of the origins of the bodies that are seen and move. */
  private middle(): Vector3 {
    if (this.motion.centerOfMass) return this.motion.centerAt(this.time, new Vector3());
    this.movers ??= this.robot.bodies.filter(
      (_, index) => isDrawn(this.data, index) && !this.motion.staysStill(index),
    );
    const sum = new Vector3();
    for (const body of this.movers) sum.add(body.position);
    return sum.divideScalar(Math.max(1, this.movers.length));
  }

  /** Sky from everywhere, a sun that casts shadows, and a weak light that opens them up. */
  private addLights(): void {
    const { center, radius } = this.room;
    const sun = new DirectionalLight(0xfff6e8, 2.2);
    sun.position.copy(center).add(new Vector3(0.75, -0.35, 1.45).setLength(3 * radius));
    sun.target.position.copy(center);
    sun.castShadow = true;
    sun.shadow.mapSize.set(2048, 2048);
    Object.assign(sun.shadow.camera, {
      left: -1.3 * radius,
      right: 1.3 * radius,
      bottom: -1.3 * radius,
      top: 1.3 * radius,
      near: radius,
      far: 6 * radius,
    });
    sun.shadow.normalBias = radius * 0.004;
    sun.shadow.radius = 4;
    const fill = new DirectionalLight(0xdfeaff, 0.55);
    fill.position.copy(center).add(new Vector3(-0.6, -0.9, 0.35));
    fill.target.position.copy(center);
    this.sky.position.set(0, 0, 1);
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = PCFShadowMap;
    this.scene.add(this.sky, sun, sun.target, fill, fill.target);
  }
}

/** null where the browser has no WebGL. */
export function makeRenderer(): WebGLRenderer | null {
  // asked first on a canvas of its own: three.js would write an error to the console
  if (!document.createElement('canvas').getContext('webgl2')) return null;
  // what was drawn last must stay readable for printing
  return new WebGLRenderer({ antialias: true, preserveDrawingBuffer: true });
}

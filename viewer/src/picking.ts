// Which body the pointer is on: its name on hover, its highlight on a click.
import { type Object3D, Raycaster, Vector2 } from 'three';
import { element } from './dom';
import type { Scene } from './report';
import type { Stage } from './stage';

const clickTolerance = 5; // pixels between pressing and releasing, beyond which it was a drag

export function addPicking(
  view: HTMLElement,
  canvas: HTMLCanvasElement,
  stage: Stage,
  scene: Scene,
  onPick: (body: number | null) => void,
): void {
  const tip = element('div', { class: 'tip', hidden: '' });
  view.append(tip);
  const raycaster = new Raycaster();
  let pressed: { x: number; y: number } | null = null;

  const objectUnder = (event: PointerEvent): Object3D | null => {
    const place = canvas.getBoundingClientRect();
    const x = ((event.clientX - place.left) / place.width) * 2 - 1;
    const y = 1 - ((event.clientY - place.top) / place.height) * 2;
    raycaster.setFromCamera(new Vector2(x, y), stage.camera.camera);
    const things = [...stage.robot.visibleMeshes(), ...stage.namedThings()];
    const hits = raycaster.intersectObjects(things, true);
    return hits.find(({ object }) => object.type === 'Mesh')?.object ?? null;
  };
  const bodyOf = (object: Object3D | null): number | null => object && stage.robot.bodyOf(object);

  canvas.addEventListener('pointermove', (event) => {
    const object = event.buttons === 0 ? objectUnder(event) : null;
    const body = bodyOf(object);
    tip.textContent = body === null ? (object?.name ?? '') : scene.bodies[body].name;
    tip.hidden = tip.textContent === '';
    tip.style.left = `${Math.min(event.offsetX + 14, view.clientWidth - tip.offsetWidth - 6)}px`;
    tip.style.top = `${Math.max(event.offsetY - 30, 6)}px`;
  });
  canvas.addEventListener('pointerleave', () => (tip.hidden = true));
  canvas.addEventListener(
    'pointerdown',
    (event) => (pressed = { x: event.clientX, y: event.clientY }),
  );
  canvas.addEventListener('pointerup', (event) => {
    if (!pressed || event.button !== 0) return;
    const moved = Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y);
    if (moved < clickTolerance) onPick(bodyOf(objectUnder(event)));
  });
}

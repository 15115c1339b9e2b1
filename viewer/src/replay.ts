// The card with the 3-D view and what can be chosen in it.
import { button, choice, element } from './dom';
import { formatCell, formatVector } from './format';
import { layersMenu } from './layers';
import { addPicking } from './picking';
import type { Player } from './player';
import { isDrawn, type Report, type Scene } from './report';
import { makeRenderer, Stage } from './stage';
import { onAppearanceChange } from './theme';

/** The view with its buttons; without WebGL a notice in its place, and no stage. */
export function replayView(
  report: Report,
  scene: Scene,
  player: Player,
): { view: HTMLElement; stage: Stage | null } {
  const renderer = makeRenderer();
  if (!renderer) return { view: noWebGl(), stage: null };
  const stage = new Stage(renderer, report, scene);
  const canvas = renderer.domElement;
  canvas.setAttribute('role', 'img');
  canvas.setAttribute('aria-label', `3-D replay of ${report.robot || 'the robot'}`);
  const readout = element('div', { class: 'readout', 'aria-live': 'off' });
  const view = element(
    'div',
    { class: 'view' },
    canvas,
    readout,
    element('div', { class: 'caption drawn', text: drawnText(scene, stage) }),
    element('div', { class: 'caption', text: stage.ground.caption }),
  );

  const { list, pick, update } = bodyPicker(scene, stage, readout);
  addPicking(view, canvas, stage, scene, pick);
  player.onChange(() => {
    stage.moveTo(player.time);
    update();
  });
  stage.moveTo(player.time);
  stage.open();
  for (const frame of scene.trails) stage.showTrail(frame, true);
  view.append(viewButtons(stage, layersMenu(scene, stage, list)));
  keepSize(view, stage);
  return { view, stage };
}

/** What is seen, and why it looks so. */
function drawnText(scene: Scene, stage: Stage): string {
  const ghosts = stage.ghosts.map((ghost) => `ghost: ${ghost.title}`);
  return [scene.drawn, ...ghosts].filter((text) => text !== '').join(' · ');
}

function noWebGl(): HTMLElement {
  return element(
    'div',
    { class: 'view notice', role: 'note' },
    element('strong', { text: 'No 3-D replay here' }),
    element('p', {
      text:
        'This browser offers no WebGL, which the replay is drawn with. Switch on hardware ' +
        'acceleration or open the report in another browser. The plots follow the time all the same.',
    }),
  );
}

function viewButtons(stage: Stage, layerMenu: HTMLElement): HTMLElement {
  return element(
    'div',
    { class: 'views', role: 'group', 'aria-label': 'View' },
    button('Whole', 'The whole motion (key 1)', () => stage.look('home')),
    button('Front', 'Along the x axis (key 2)', () => stage.look('front')),
    button('Side', 'Along the y axis (key 3)', () => stage.look('side')),
    button('Top', 'From above (key 4)', () => stage.look('top')),
    layerMenu,
  );
}

/** The highlighted body: chosen by a click or from a list; its name, mass and place are shown. */
function bodyPicker(scene: Scene, stage: Stage, readout: HTMLElement) {
  let picked: number | null = null;
  const options = [
    { value: '', text: 'none' },
    ...scene.bodies
      .map((body, index) => ({ value: String(index), text: body.name }))
      .filter((_, index) => isDrawn(scene, index)),
  ];
  const pick = (body: number | null) => {
    picked = body;
    stage.robot.highlight(body);
    list.querySelector('select')!.value = body === null ? '' : String(body);
    stage.redraw();
    update();
  };
  const list = choice('Body', 'Highlight a body and show where it is', options, '', (value) =>
    pick(value === '' ? null : Number(value)),
  );
  const update = () => {
    readout.hidden = picked === null;
    if (picked === null) return;
    const { name, mass } = scene.bodies[picked];
    const place = formatVector(stage.robot.bodies[picked].position.toArray(), 'm');
    readout.replaceChildren(
      element('strong', { text: name }),
      ...(mass > 0 ? [element('span', { text: `${formatCell(mass)} kg` })] : []),
      element('span', { class: 'number', text: `origin ${place}` }),
    );
  };
  update();
  return { list, pick, update };
}

function keepSize(view: HTMLElement, stage: Stage): void {
  const fit = () => {
    if (view.clientWidth > 0 && view.clientHeight > 0)
      stage.resize(view.clientWidth, view.clientHeight);
  };
  new ResizeObserver(fit).observe(view);
  onAppearanceChange(() => {
    stage.applyTheme();
    fit();
  });
}

// The menu of what is drawn.
import { checkBox, choice, element } from './dom';
import { menu } from './menu';
import type { Scene } from './report';
import type { ChosenSource } from './robot';
import type { Stage } from './stage';

export function layersMenu(scene: Scene, stage: Stage, bodyList: HTMLElement): HTMLElement {
  const toggle = (text: string, title: string, on: boolean, act: (on: boolean) => void) =>
    checkBox(text, title, on, (checked) => {
      act(checked);
      stage.redraw();
    });
  const { center, ground, water } = stage;
  const when = (there: boolean, made: () => HTMLElement): HTMLElement | null =>
    there ? made() : null;
  return menu(
    'Layers',
    'What is drawn',
    'layers',
    ...stage.ghosts.map((ghost) =>
      toggle(
        `Ghost: ${ghost.title}`,
        'The compared run, seen through',
        true,
        (on) => (ghost.group.visible = on),
      ),
    ),
    when(scene.markers.length > 0, () =>
      toggle('Markers', 'Places in the world', true, (on) => stage.showMarkers(on)),
    ),
    when(scene.payloads.length > 0, () =>
      toggle('Payloads', 'What the robot carries', true, (on) => stage.showPayloads(on)),
    ),
    when(scene.forces.length + scene.lines.length > 0, () =>
      toggle(
        'Forces',
        'Forces from outside and between frames, as arrows',
        true,
        (on) => (stage.forces.group.visible = on),
      ),
    ),
    when(
      scene.forces.some(({ kind }) => kind === 'buoyancy'),
      () =>
        toggle(
          'Buoyancy',
          'How the water carries each link, as arrows',
          true,
          (on) => (stage.forces.buoyancy.visible = on),
        ),
    ),
    water && toggle('Water', 'Surface and sea bed', true, (on) => (water.group.visible = on)),
    water?.hasCurrent
      ? toggle('Current', 'How the water flows, as arrows', true, (on) => (water.arrows.visible = on))
      : null,
    when(stage.labels.any, () =>
      toggle('Labels', 'Names of markers and payloads', true, (on) => stage.labels.show(on)),
    ),
    when(ground.height !== null, () =>
      toggle('Ground', 'Grid and shadow', true, (on) => (ground.group.visible = on)),
    ),
    when(scene.frames.length > 0, () =>
      toggle('Frames', 'Axes of all named frames', false, (on) => stage.frameAxes.show(on)),
    ),
    toggle('Body axes', 'Axes of all bodies', false, (on) => stage.bodyAxes.show(on)),
    center &&
      toggle(
        'Centre of mass',
        'The centre of mass and its path',
        false,
        (on) => (center.group.visible = on),
      ),
    toggle('See through', 'Transparent bodies', false, (on) => stage.robot.setTransparent(on)),
    followToggle(stage),
    when(stage.robot.sources.length > 1, () => sourceChoice(stage)),
    bodyList,
    when(scene.frames.length > 0, () => trailMenu(scene, stage)),
  );
}

/** Also unchecked by what shows the whole motion. */
function followToggle(stage: Stage): HTMLElement {
  const toggle = checkBox('Follow', 'The camera moves with the robot', stage.isFollowing, (on) =>
    stage.setFollowing(on),
  );
  stage.onFollowing((on) => (toggle.querySelector('input')!.checked = on));
  return toggle;
}

const sourceNames: Record<ChosenSource, string> = {
  described: 'as described',
  skeleton: 'skeleton from the joints',
  inertia: 'boxes of equal inertia',
};

function sourceChoice(stage: Stage): HTMLElement {
  return choice(
    'Shapes',
    "Those of the robot's file (else a skeleton from its joints), or boxes of equal inertia",
    stage.robot.sources.map((value) => ({ value, text: sourceNames[value] })),
    'described',
    (value) => {
      stage.robot.setSource(value as ChosenSource);
      stage.redraw();
    },
  );
}

function trailMenu(scene: Scene, stage: Stage): HTMLElement {
  const boxes = scene.frames.map((frame, index) =>
    checkBox(frame.name, `Path of ${frame.name}`, scene.trails.includes(index), (on) =>
      stage.showTrail(index, on),
    ),
  );
  return element(
    'details',
    { class: 'inner' },
    element('summary', { text: 'Trails', title: 'Paths of frames' }),
    element('div', { class: 'rows' }, ...boxes),
  );
}

// What the replay draws of a scene: sources of shapes, meshes, ghosts, markers, payloads, forces.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { asText, Browser, countColor, countDifferent, inLayers, scrubTo } from './browser.mjs';
import { pack } from './reports.mjs';

let browser;
before(async () => (browser = await Browser.start()));
after(async () => browser.close());

const withReport = (report, steps) => browser.check(asText(report), steps);
const picture = (page) => browser.picture(page.locator('.view canvas'));
const settle = (page) => page.waitForTimeout(150);

// colours that light changes least: one channel full, the others empty
const paints = { red: [1, 0, 0, 1], green: [0, 1, 0, 1], blue: [0, 0, 1, 1] };
/** Pixels that are mostly of one channel. */
const countPaint = (pixels, paint) =>
  pixels.evaluate(({ data }, channel) => {
    let count = 0;
    for (let at = 0; at < data.length; at += 4) {
      const others = [0, 1, 2].filter((one) => one !== channel).map((one) => data[at + one]);
      if (data[at + channel] > 60 + 1.6 * Math.max(...others)) ++count;
    }
    return count;
  }, Object.keys(paints).indexOf(paint));

const box = (from, paint, position = [0, 0, 0.5]) => ({
  kind: 'box',
  size: [0.4, 0.4, 0.4],
  position,
  quaternion: [0, 0, 0, 1],
  color: paints[paint],
  from,
});

const still = [0, 0, 0, 0, 0, 0, 1];

/** One body that rests, with these shapes; `more` goes into the scene. */
function sceneReport(shapes, more = {}, top = {}) {
  return {
    format: 1,
    title: 'A scene',
    summary: { status: 'finished', ok: true, message: '', facts: [], warnings: [] },
    scene: {
      bodies: [{ name: 'body', mass: 1, com: [0, 0, 0.5], shapes }],
      links: [],
      frames: [],
      trails: [],
      ...more,
    },
    time: pack([0, 1, 2]),
    poses: pack([still, still, still].flat()),
    groups: [{ title: 'Positions', unit: 'm', series: [{ name: 'x', data: pack([0, 1, 2]) }] }],
    ...top,
  };
}

test('a body is drawn by its own shapes, others come by choice', () =>
  withReport(
    sceneReport([box('visual', 'red'), box('skeleton', 'green'), box('inertia', 'blue')]),
    async (page) => {
      const seen = async () => {
        await settle(page);
        const pixels = await picture(page);
        const counts = {};
        for (const paint of Object.keys(paints))
          counts[paint] = (await countPaint(pixels, paint)) > 2000;
        return counts;
      };
      assert.deepEqual(await seen(), { red: true, green: false, blue: false });
      await inLayers(page, () => page.getByLabel('Shapes').selectOption('skeleton'));
      assert.deepEqual(await seen(), { red: false, green: true, blue: false });
      await inLayers(page, () => page.getByLabel('Shapes').selectOption('inertia'));
      assert.deepEqual(await seen(), { red: false, green: false, blue: true });
      await inLayers(page, () => page.getByLabel('Shapes').selectOption('described'));
      assert.deepEqual(await seen(), { red: true, green: false, blue: false });
    },
  ));

test('without visual shapes: those of collision, then the skeleton, never inertia', async () => {
  const drawn = async (shapes) => {
    let found;
    await withReport(sceneReport(shapes), async (page) => {
      await settle(page);
      const pixels = await picture(page);
      found = [];
      for (const paint of Object.keys(paints))
        if ((await countPaint(pixels, paint)) > 2000) found.push(paint);
    });
    return found;
  };
  assert.deepEqual(await drawn([box('inertia', 'red'), box('skeleton', 'green')]), ['green']);
  assert.deepEqual(await drawn([box('skeleton', 'green'), box('collision', 'blue')]), ['blue']);
  assert.deepEqual(await drawn([box('inertia', 'red')]), []);
});

const base64 = (start, array) => `${start}${Buffer.from(array.buffer).toString('base64')}`;
// vertices (0, 0, 0), (0, 1, 0), (1, 0, 0), (0, 0, 1); triangles 012, 023, 031, 132, the corners
// counted back from the first vertex that has not been used
const corner = {
  low: [0, 0, 0],
  step: [1 / 65535, 1 / 65535, 1 / 65535],
  vertices: base64('u16:', Uint16Array.from([0, 0, 0, 0, 65535, 0, 65535, 0, 0, 0, 0, 65535])),
  triangles: base64('var:', Uint8Array.from([0, 0, 0, 3, 1, 0, 4, 1, 3, 3, 1, 2])),
};
const tetrahedron = { kind: 'mesh', mesh: 0, color: paints.red, from: 'visual' };

test('a triangle mesh is drawn, scaled by its factors', async () => {
  const pixelsOf = async (shape) => {
    let count = 0;
    // a marker far away holds the camera where it is
    const markers = [{ name: '', position: [1.5, 1.5, 1.5] }];
    await withReport(sceneReport([shape], { markers, meshes: [corner] }), async (page) => {
      await settle(page);
      count = await countPaint(await picture(page), 'red');
    });
    return count;
  };
  const whole = await pixelsOf(tetrahedron);
  const half = await pixelsOf({ ...tetrahedron, size: [0.5, 0.5, 0.5] });
  assert.ok(whole > 3000, `${whole} pixels`);
  assert.ok(half > 0.1 * whole && half < 0.6 * whole, `${half} of ${whole} pixels`);
  // a mirrored one is not inside out
  const mirrored = await pixelsOf({ ...tetrahedron, size: [1, 1, -1], position: [0, 0, 1] });
  assert.ok(mirrored > 0.3 * whole, `${mirrored} of ${whole} pixels`);
});

test('a mesh whose triangles name vertices that do not exist is refused', () =>
  withReport(
    sceneReport([tetrahedron], {
      meshes: [{ ...corner, triangles: base64('var:', Uint8Array.from([0, 9, 0])) }],
    }),
    async (page) => {
      assert.match(
        await page.locator('main').textContent(),
        /scene\.meshes\[0\]\.triangles must hold whole numbers from 0 to 3/,
      );
    },
  ));

test('a compared run is a ghost that can be hidden, and is named', () => {
  const away = (x) => [x, 0, 0, 0, 0, 0, 1];
  const ghosts = [{ title: 'the other', poses: pack([away(0), away(0.6), away(0.6)].flat()) }];
  const drawn = 'shapes of body.urdf';
  return withReport(sceneReport([box('visual', 'red')], { drawn }, { ghosts }), async (page) => {
    assert.equal(
      await page.locator('.caption.drawn').textContent(),
      'shapes of body.urdf · ghost: the other',
    );
    await scrubTo(page, 1);
    const both = await picture(page);
    await inLayers(page, () => page.getByLabel('Ghost: the other').uncheck());
    await settle(page);
    const alone = await picture(page);
    assert.ok((await countDifferent(both, alone)) > 1000, 'the ghost was there');
    assert.ok((await countPaint(alone, 'red')) > 2000, 'the robot stays');
  });
});

test('markers, payloads and labels are layers', () => {
  const markers = [
    { name: 'bin', kind: 'bin', position: [1, 0, 0], size: [0.6, 0.6, 0.3], color: paints.green },
    { name: 'pad', kind: 'area', position: [0, 1, 0], size: [0.6, 0.6, 0], color: paints.green },
    { name: 'goal', position: [0, 0, 1.2] },
  ];
  const payloads = [{ body: 0, label: 'part, 1 kg' }];
  return withReport(sceneReport([box('visual', 'red')], { markers, payloads }), async (page) => {
    await settle(page);
    const all = await picture(page);
    assert.ok((await countPaint(all, 'green')) > 2000, 'the bin is there');
    await inLayers(page, () => page.getByLabel('Labels').uncheck());
    await settle(page);
    const quiet = await picture(page);
    const letters = await countDifferent(all, quiet);
    assert.ok(letters > 100 && letters < 10000, `${letters} pixels of labels`);
    await inLayers(page, () => page.getByLabel('Markers').uncheck());
    await settle(page);
    assert.equal(await countPaint(await picture(page), 'green'), 0);
    await inLayers(page, () => page.getByLabel('Payloads').uncheck());
    await settle(page);
    assert.equal(await countPaint(await picture(page), 'red'), 0);
  });
});

test('a force is an arrow as long as it acts', () => {
  const forces = [
    { name: 'push', body: 0, position: [0, 0, 0.5], force: pack([0, 0, 0, 0, 0, 40, 0, 0, 0]) },
  ];
  return withReport(sceneReport([], { forces }), async (page) => {
    const arrow = async () => countColor(await picture(page), [214, 51, 108], 60);
    await settle(page);
    assert.equal(await arrow(), 0);
    await scrubTo(page, 1);
    assert.ok((await arrow()) > 100);
    await inLayers(page, () => page.getByLabel('Forces').uncheck());
    await settle(page);
    assert.equal(await arrow(), 0);
  });
});

test('a spring is a line between the points that it pulls at', () => {
  const lines = [
    {
      name: 'spring',
      ends: [
        { body: 0, position: [0, 0, 0] },
        { body: 0, position: [0, 0, 0.8] },
      ],
    },
  ];
  return withReport(sceneReport([], { lines }), async (page) => {
    const line = async () => countColor(await picture(page), [47, 158, 68], 60);
    await settle(page);
    const shown = await line();
    await inLayers(page, () => page.getByLabel('Forces').uncheck());
    await settle(page);
    assert.ok(shown > (await line()) + 50);
  });
});

test('the ground lies where it is wanted, or is not there', async () => {
  const captionOf = async (ground) => {
    let text;
    await withReport(sceneReport([box('visual', 'red')], { ground }), async (page) => {
      text = await page.locator('.caption:not(.drawn)').textContent();
    });
    return text;
  };
  assert.match(await captionOf('automatic'), /^grid [\d.]+ m$/);
  assert.match(await captionOf(-0.25), /^grid [\d.]+ m at z = −0.25 m$/);
  assert.equal(await captionOf('none'), '');
});

test('the replay may have fewer instants than the plots', () => {
  const poses = pack([still, [2, 0, 0, 0, 0, 0, 1]].flat());
  const report = sceneReport([box('visual', 'red')], {}, { pose_time: pack([0, 2]), poses });
  return withReport(report, async (page) => {
    await inLayers(page, () =>
      page.getByLabel('Body', { exact: true }).selectOption({ label: 'body' }),
    );
    await scrubTo(page, 1);
    const place = await page.locator('.readout .number').textContent();
    assert.match(place, /\(1\.000, 0\.000, 0\.000\)/);
  });
});

test('water has a surface that waves move, and arrows for current and buoyancy', () => {
  const water = {
    level: 0.7,
    bed: -0.5,
    waves: [{ amplitude: 0.1, frequency: 3, number: 2, direction: 0, phase: 0 }],
    current: pack([0.5, 0, 0, 0.5, 0, 0, 0.5, 0, 0]),
    profile: [],
  };
  const buoyancy = {
    name: 'buoyancy of body',
    kind: 'buoyancy',
    body: 0,
    position: [0, 0, 0],
    force: pack([0, 0, 9, 0, 0, 9, 0, 0, 9]),
    points: pack([0.3, -0.3, 0.5, 0.3, -0.3, 0.5, 0.3, -0.3, 0.5]),
  };
  return withReport(
    sceneReport([box('visual', 'red')], { water, forces: [buoyancy] }),
    async (page) => {
      await settle(page);
      const whole = await picture(page);
      await scrubTo(page, 0.5);
      await settle(page);
      assert.ok((await countDifferent(whole, await picture(page))) > 500, 'waves move');
      for (const layer of ['Buoyancy', 'Current', 'Water']) {
        const shown = await picture(page);
        await inLayers(page, () => page.getByLabel(layer, { exact: true }).uncheck());
        await settle(page);
        assert.ok((await countDifferent(shown, await picture(page))) > 20, layer);
      }
    },
  );
});

// The 3-D replay: it draws, plays, and shows the bodies where the data say.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  asText,
  Browser,
  countColor,
  countDifferent,
  findColor,
  inLayers,
  read,
  scrubTo,
} from './browser.mjs';
import {
  arm,
  armReport,
  designReport,
  divergedReport,
  elbowAt,
  manySeriesReport,
  travellingReport,
} from './reports.mjs';

let browser;
before(async () => (browser = await Browser.start()));
after(async () => browser.close());

const withReport = (report, steps) => browser.check(asText(report), steps);

const orange = [215, 145, 40];
const picture = (page) => browser.picture(page.locator('.view canvas'));

test('the robot is drawn in its colours', () =>
  withReport(armReport(), async (page) => {
    const pixels = await picture(page);
    assert.ok(
      (await countColor(pixels, orange, 50)) > 2000,
      'the orange arm covers a part of the view',
    );
    assert.ok((await countColor(pixels, [238, 241, 244], 3)) > 20000, 'the sky is the light one');
  }));

test('scrubbing moves the bodies as the data say, also between recorded instants', () =>
  withReport(armReport(), async (page) => {
    await inLayers(page, () =>
      page.getByLabel('Body', { exact: true }).selectOption({ label: 'lower_arm' }),
    );
    const before = await picture(page);
    for (const time of [0, 1.234, 2.5, 3.3337, arm.duration]) {
      await scrubTo(page, time);
      const found = await read.origin(page);
      // rounded to millimetres; the chord between rows 10 ms apart is off by less than 0.05 mm
      elbowAt(time).forEach((value, axis) =>
        assert.ok(Math.abs(found[axis] - value) < 5.6e-4, `${time}: ${found}`),
      );
    }
    assert.ok(
      (await countDifferent(before, await picture(page))) > 2000,
      'the picture has changed',
    );
  }));

test('play advances time, pause holds it, the end stops it, loop goes on', () =>
  withReport(armReport(), async (page) => {
    await page.getByRole('button', { name: 'Play' }).click();
    await page.waitForFunction(
      () => parseFloat(document.querySelector('.clock').textContent) > 0.2,
    );
    await page.getByRole('button', { name: 'Pause' }).click();
    const held = await read.time(page);
    await page.waitForTimeout(200);
    assert.equal(await read.time(page), held);

    await page.getByLabel('Speed').selectOption('10');
    await page.getByRole('button', { name: 'Play' }).click();
    await page.getByRole('button', { name: 'Play' }).waitFor();
    assert.equal(await read.time(page), arm.duration);

    // a slow machine advances by a tenth of a second of playing in each frame
    await page.getByLabel('Speed').selectOption('5');
    await page.getByLabel('Loop').check();
    await page.getByRole('button', { name: 'Play' }).click();
    await page.waitForFunction(() => parseFloat(document.querySelector('.clock').textContent) > 3);
    await page.waitForFunction(() => parseFloat(document.querySelector('.clock').textContent) < 2);
    assert.equal(await page.getByRole('button', { name: 'Pause' }).count(), 1);
  }));

test('the keyboard plays, steps, jumps, changes speed and view', () =>
  withReport(armReport(), async (page) => {
    const row = arm.duration / (arm.rows - 1);
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowLeft');
    assert.equal(await read.time(page), 2 * row);
    await page.keyboard.press('PageDown');
    assert.equal(await read.time(page), 2 * row + arm.duration / 20);
    await page.keyboard.press('End');
    assert.equal(await read.time(page), arm.duration);
    await page.keyboard.press('Home');
    assert.equal(await read.time(page), 0);
    await page.keyboard.press(']');
    assert.equal(await page.getByLabel('Speed').inputValue(), '2');
    await page.keyboard.press('[');
    await page.keyboard.press('[');
    assert.equal(await page.getByLabel('Speed').inputValue(), '0.5');
    await page.keyboard.press('l');
    assert.ok(await page.getByLabel('Loop').isChecked());

    await page.keyboard.press('Space');
    await page.waitForFunction(
      () => parseFloat(document.querySelector('.clock').textContent) > 0.05,
    );
    await page.keyboard.press('Space');
    assert.equal(await page.getByRole('button', { name: 'Play' }).count(), 1);

    // a box that was clicked does not take the space key away
    await page.locator('.layers > summary').click();
    await page.getByLabel('See through').click();
    await page.keyboard.press('Space');
    assert.equal(await page.getByRole('button', { name: 'Pause' }).count(), 1);
    assert.ok(await page.getByLabel('See through').isChecked());
    await page.keyboard.press('Space');
    await page.keyboard.press('Escape');
    assert.ok(await page.getByLabel('See through').isHidden(), 'Escape closes a menu');

    let last = await picture(page);
    for (const key of ['2', '3', '4', '1', 'Shift+ArrowLeft', 'Shift+ArrowUp', '+', '-']) {
      await page.keyboard.press(key);
      await page.waitForTimeout(120);
      const now = await picture(page);
      assert.ok((await countDifferent(last, now)) > 200, `key ${key} changes the view`);
      last = now;
    }
  }));

test('the scrub bar has the same keys', () =>
  withReport(armReport(), async (page) => {
    await page.locator('.scrub').focus();
    await page.keyboard.press('ArrowRight');
    assert.equal(await read.time(page), 0.01);
    await page.keyboard.press('Space');
    assert.equal(await page.getByRole('button', { name: 'Pause' }).count(), 1);
  }));

test('everything that can be shown or hidden changes the picture, and back', () =>
  withReport(armReport(), async (page) => {
    await scrubTo(page, 2);
    const plain = await picture(page);
    const differsFrom = async (what) => {
      await page.waitForTimeout(120);
      assert.ok((await countDifferent(plain, await picture(page))) > 60, what);
    };
    for (const label of ['Frames', 'Body axes', 'Centre of mass', 'See through']) {
      await inLayers(page, () => page.getByLabel(label).check());
      await differsFrom(label);
      await inLayers(page, () => page.getByLabel(label).uncheck());
    }
    await inLayers(page, () => page.getByLabel('Shapes').selectOption('inertia'));
    await differsFrom('shapes from inertia');
    await inLayers(page, async () => {
      await page.getByLabel('Shapes').selectOption('described');
      await page.getByText('Trails').click();
      await page.getByLabel('tool', { exact: true }).uncheck();
    });
    await differsFrom('no trail');
    await inLayers(page, () => page.getByLabel('tool', { exact: true }).check());
    await page.waitForTimeout(120);
    assert.equal(await countDifferent(plain, await picture(page)), 0, 'all is as before');
  }));

test('the pointer names a body, a click highlights it, dragging turns the view', () =>
  withReport(armReport(), async (page) => {
    const box = await page.locator('.view canvas').boundingBox();
    const plain = await picture(page);
    const place = await findColor(plain, orange, 50);
    const x = Math.floor(box.x) + place.x;
    const y = Math.floor(box.y) + place.y;
    await page.mouse.move(x, y);
    const name = await page.locator('.view .tip').textContent();
    assert.ok(['base', 'upper_arm', 'lower_arm'].includes(name), name);
    await page.mouse.click(x, y);
    assert.equal(await page.locator('.readout strong').textContent(), name);
    await page.waitForTimeout(120);
    assert.ok((await countDifferent(plain, await picture(page))) > 500, 'it is highlighted');

    const before = await picture(page);
    await page.mouse.move(box.x + 60, box.y + 60);
    await page.mouse.down();
    await page.mouse.move(box.x + 160, box.y + 90, { steps: 4 });
    await page.mouse.up();
    await page.waitForTimeout(120);
    assert.ok((await countDifferent(before, await picture(page))) > 2000);
    assert.equal(
      await page.locator('.readout strong').textContent(),
      name,
      'a drag is not a click',
    );
  }));

test('bodies without shapes are sticks', () =>
  withReport(manySeriesReport({ rows: 201, joints: 3 }), async (page) => {
    assert.ok((await countColor(await picture(page), [110, 118, 130], 40)) > 1000);
  }));

test('the camera follows a robot that asks for it', () =>
  withReport(manySeriesReport({ rows: 201, joints: 3 }), async (page) => {
    await inLayers(page, () => page.getByLabel('Follow').check());
    const before = await picture(page);
    await scrubTo(page, 3);
    assert.ok((await countDifferent(before, await picture(page))) > 200);
  }));

test('a robot that would be a dot in its whole motion is followed from the start', () =>
  withReport(travellingReport(), async (page) => {
    const seen = async () => countColor(await picture(page), orange, 50);
    const follow = page.getByLabel('Follow');
    assert.ok((await seen()) > 2000, 'where it begins');
    await scrubTo(page, 3);
    assert.ok((await seen()) > 2000, '150 m on');
    await page.getByRole('button', { name: 'Side' }).click();
    assert.ok((await seen()) > 2000, 'from the side');
    await page.getByRole('button', { name: 'Whole', exact: true }).click();
    await page.waitForTimeout(150);
    const left = await seen();
    assert.ok(left < 200, `the whole motion: ${left}`);
    await inLayers(page, async () => {
      assert.equal(await follow.isChecked(), false);
      await follow.check();
    });
    assert.ok((await seen()) > 2000, 'followed again');
  }));

test('what moves comes first where nothing but diagrams comes with it', () => {
  const report = { ...armReport(), diagrams: designReport().diagrams };
  return withReport(report, async (page) => {
    const top = async (what) => (await page.locator(what).first().boundingBox()).y;
    assert.ok((await top('.view')) < (await top('.diagrams')));
  });
});

test('a run that blew up is framed on its sound part', () =>
  withReport(divergedReport(), async (page) => {
    assert.ok((await countColor(await picture(page), orange, 50)) > 2000);
    await page.keyboard.press('End');
    await page.waitForTimeout(150);
    assert.equal((await read.legend(page, 0)).elbow, 'not a number');
  }));

test('without WebGL there is a notice, and the plots still follow the time', async () => {
  const plain = await Browser.start({ webgl: false });
  try {
    await plain.check(asText(armReport()), async (page) => {
      assert.match(await page.locator('.view.notice').textContent(), /no WebGL/);
      await scrubTo(page, 2);
      assert.equal((await read.legend(page, 4)).bus, '48.00');
      assert.equal(
        Number((await read.legend(page, 0)).waist),
        Number((0.8 * Math.sin(2.4)).toFixed(4)),
      );
    });
  } finally {
    await plain.close();
  }
});

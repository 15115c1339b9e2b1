// Plots over time and diagrams: they draw, follow the replay and move it.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { asText, Browser, countColor, read, scrubTo } from './browser.mjs';
import { arm, armAngles, armReport, designReport, manySeriesReport, pack } from './reports.mjs';

let browser;
// plots need no 3-D view, and software WebGL is slow
before(async () => (browser = await Browser.start({ webgl: false })));
after(async () => browser.close());

/** a report whose first plot is drawn */
const withReport = (report, steps) =>
  browser.check(asText(report), async (page) => {
    await page.locator('.u-over').first().waitFor();
    await steps(page);
  });

const blue = [31, 95, 191];
const area = (page, plot) => page.locator('.plot-card').nth(plot).locator('.u-over');
const whole = (page, plot) =>
  browser.picture(page.locator('.plot-card').nth(plot).locator('.uplot'));
/** where a plot's time line stands, from 0 (left) to 1 (right) */
const linePlace = (page, plot) =>
  area(page, plot).evaluate((over) => {
    const line = over.querySelector('.now').getBoundingClientRect();
    const place = over.getBoundingClientRect();
    return (line.left + line.width / 2 - place.left) / place.width;
  });
const near = (found, expected, tolerance, what) =>
  assert.ok(Math.abs(found - expected) <= tolerance, `${what}: ${found} instead of ${expected}`);

test('curves are drawn and follow the replay', () =>
  withReport(armReport(), async (page) => {
    assert.ok((await countColor(await whole(page, 0), blue, 40)) > 300);
    for (const time of [0.7, 3.1]) {
      await scrubTo(page, time);
      for (const plot of [0, 1, 2])
        near(await linePlace(page, plot), time / arm.duration, 4e-3, 'the time line');
      const values = await read.legend(page, 0);
      for (const [joint, angle] of Object.entries(armAngles(time))) {
        // four digits are shown
        near(
          Number(values[joint].replace('−', '-')),
          angle,
          6e-4 * Math.max(1, Math.abs(angle)),
          joint,
        );
      }
    }
  }));

test('a plot that comes into sight later shows the time of now', () =>
  withReport(armReport(), async (page) => {
    await scrubTo(page, 2);
    await page.locator('.plot-card').nth(4).scrollIntoViewIfNeeded();
    await page.waitForTimeout(250);
    near(await linePlace(page, 4), 0.5, 4e-3, 'the time line');
    near(
      parseFloat((await read.legend(page, 3)).total.replace('−', '-')),
      6 * Math.sin(40),
      0.01,
      'in 10⁻⁹ J',
    );
  }));

test('a click and a drag in a plot move the replay', () =>
  withReport(armReport(), async (page) => {
    const box = await area(page, 1).boundingBox();
    await page.mouse.click(box.x + box.width * 0.25, box.y + 40);
    near(await read.time(page), 1, 0.02, 'time after a click');
    await page.mouse.move(box.x + box.width * 0.3, box.y + 40);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.75, box.y + 50, { steps: 5 });
    await page.mouse.up();
    near(await read.time(page), 3, 0.02, 'time after a drag');
    near(await linePlace(page, 0), 0.75, 5e-3, 'the line in another plot');
  }));

test('zoom is common to all plots, a double click ends it', () =>
  withReport(armReport(), async (page) => {
    await scrubTo(page, 2);
    const box = await area(page, 0).boundingBox();
    const dragAcross = async (from, to) => {
      await page.mouse.move(box.x + box.width * from, box.y + 30);
      await page.mouse.down();
      await page.mouse.move(box.x + box.width * to, box.y + 30, { steps: 4 });
      await page.mouse.up();
      await page.waitForTimeout(150);
    };
    const wholeRun = page.getByRole('button', { name: 'Whole run' });
    assert.ok(await wholeRun.isDisabled());
    await page.keyboard.down('Shift');
    await dragAcross(0.25, 0.75);
    await page.keyboard.up('Shift');
    // 1 s to 3 s are shown
    await scrubTo(page, 1.5);
    for (const plot of [0, 1, 2]) near(await linePlace(page, plot), 0.25, 0.01, `plot ${plot}`);
    await scrubTo(page, 0.5);
    assert.ok(await area(page, 0).locator('.now').isHidden());
    await page.mouse.dblclick(box.x + box.width / 2, box.y + 30);
    await scrubTo(page, 1);
    near(await linePlace(page, 1), 0.25, 5e-3, 'whole run');

    await page.getByRole('button', { name: 'Zoom', exact: true }).click();
    await dragAcross(0.5, 1);
    await scrubTo(page, 3);
    near(await linePlace(page, 2), 0.5, 0.01, 'by the zoom button');
    await wholeRun.click();
    await page.getByRole('button', { name: '+', exact: true }).click();
    await page.waitForTimeout(150);
    // the half of the run that ends at its end, with 3 s in its middle
    near(await linePlace(page, 0), 0.5, 0.01, 'by the + button');
  }));

test('a legend entry hides its curve, a double click shows it alone', () =>
  withReport(armReport(), async (page) => {
    const entry = page.locator('.plot-card').nth(1).getByRole('button', { name: 'waist' });
    const before = await countColor(await whole(page, 1), blue, 40);
    await entry.click();
    await page.mouse.move(5, 5);
    await page.waitForTimeout(150);
    assert.equal(await entry.getAttribute('aria-pressed'), 'false');
    assert.ok((await countColor(await whole(page, 1), blue, 40)) < before / 4);
    await entry.dblclick();
    const pressed = await page
      .locator('.plot-card')
      .nth(1)
      .locator('.entry')
      .evaluateAll((all) => all.map((one) => one.getAttribute('aria-pressed')));
    assert.deepEqual(pressed, ['true', 'false', 'false']);
  }));

test('a reference is dashed in the colour of its partner', () =>
  withReport(armReport(), async (page) => {
    // one name for both, whose title says which is dashed
    const entries = page.locator('.plot-card').nth(0).locator('.entry');
    assert.equal(await entries.count(), 3);
    assert.match(await entries.first().getAttribute('title'), /^waist\nwaist reference \(dashed\)/);
    // both are drawn in blue, and hidden together
    const both = await countColor(await whole(page, 0), blue, 40);
    await entries.first().click();
    await page.mouse.move(5, 5);
    await page.waitForTimeout(150);
    assert.ok((await countColor(await whole(page, 0), blue, 40)) < both / 4);
  }));

test('rounding errors beside large values are told as such', () => {
  const report = armReport();
  const constant = (name, value) => ({ name, data: pack(Array(arm.rows).fill(value)) });
  report.groups = [
    { title: 'Mixed', unit: 'm', series: [constant('large', 2), constant('noise', -3e-19)] },
    { title: 'Small', unit: 'J', series: [constant('tiny', -3e-19)] },
  ];
  return withReport(report, async (page) => {
    assert.deepEqual(await read.legend(page, 0), { large: '2.000', noise: '≈ 0' });
    assert.deepEqual(await read.legend(page, 1), { tiny: '−3.000×10⁻¹⁹' });
  });
});

test('an event is marked in plots and bar, and can be gone to', () =>
  withReport(armReport(), async (page) => {
    assert.equal(await page.locator('.ticks i').count(), 2);
    await page.getByText('2 events').click();
    await page.getByRole('button', { name: 'gripper closed' }).click();
    assert.equal(await read.time(page), 2.9);
  }));

test('forty series stay usable', () =>
  withReport(manySeriesReport(), async (page) => {
    const colors = await page
      .locator('.plot-card')
      .nth(1)
      .locator('.entry')
      .evaluateAll((entries) => entries.map((entry) => entry.style.getPropertyValue('--curve')));
    assert.equal(new Set(colors).size, 40);
    // names that fit are shown, the others on demand; none covers another
    const card = page.locator('.plot-card').nth(1);
    const tops = () =>
      card
        .locator('.entry:not([hidden])')
        .evaluateAll((entries) =>
          entries.map((entry) => entry.getBoundingClientRect().top).sort((a, b) => a - b),
        );
    const apart = (places) =>
      places.every((top, index) => index === 0 || top - places[index - 1] >= 14.5);
    const few = await tops();
    assert.ok(few.length < 40 && few.length > 5 && apart(few), `${few}`);
    await card.getByRole('button', { name: `+ ${40 - few.length} more` }).click();
    await page.waitForTimeout(200);
    const all = await tops();
    assert.equal(all.length, 40);
    assert.ok(apart(all), `${all}`);
    await page.locator('.plot-card').nth(1).getByRole('button', { name: 'None' }).click();
    await page.waitForTimeout(150);
    await page
      .locator('.plot-card')
      .nth(1)
      .getByRole('button', { name: 'joint_1', exact: false })
      .first()
      .click();
    await page.mouse.move(5, 5);
    await page.waitForTimeout(150);
    assert.ok((await countColor(await whole(page, 1), blue, 40)) > 300, 'the first one alone');
  }));

test('a hundred thousand rows are drawn and played', () =>
  withReport(manySeriesReport({ rows: 100001, joints: 4, bodies: 2 }), async (page) => {
    assert.ok((await countColor(await whole(page, 0), blue, 40)) > 100);
    await page.keyboard.press('Space');
    await page.waitForFunction(
      () => parseFloat(document.querySelector('.clock').textContent) > 0.2,
    );
    await page.keyboard.press('Space');
    const time = await read.time(page);
    await page.waitForTimeout(150);
    near(parseFloat((await read.legend(page, 0)).joint_1), Math.sin(time / 2), 1e-3, 'joint_1');
  }));

test('diagrams draw lines, points and limits, and name the nearest point', () =>
  withReport(designReport(), async (page) => {
    assert.equal(await page.locator('.replay').count(), 0, 'no replay without a motion');
    const pixels = await whole(page, 0);
    assert.ok((await countColor(pixels, blue, 40)) > 300, 'the task');
    assert.ok((await countColor(pixels, [209, 97, 10], 30)) > 30, 'the points');
    assert.ok((await countColor(pixels, [179, 38, 30], 40)) > 200, 'the limits');
    // the point (1.7, −6) in the padded ranges −3.3 … 3.3 and −30.8 … 30.8
    const box = await area(page, 0).boundingBox();
    const place = {
      x: box.x + (box.width * (1.7 + 3.3)) / 6.6,
      y: box.y + (box.height * (30.8 + 6)) / 61.6,
    };
    await page.mouse.move(place.x, place.y);
    assert.equal(
      await page.locator('.plot-card').nth(0).locator('.tip').textContent(),
      'operating points: 1.700 rad/s, −6.000 N m',
    );
  }));

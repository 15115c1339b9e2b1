// The page as an instrument: one screen, crosshair, tabs, comparison, what can be saved, phones.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { asText, Browser, countColor, countDifferent, read, savedBy, scrubTo } from './browser.mjs';
import { arm, armAngles, armReport, designReport, pack } from './reports.mjs';

let browser;
before(async () => (browser = await Browser.start()));
after(async () => browser.close());

const desk = { viewport: { width: 1400, height: 900 } };
const zeros = pack(Array(arm.rows).fill(0));
const over = (value) =>
  pack(Array.from({ length: arm.rows }, (_, row) => value((row * arm.duration) / (arm.rows - 1))));

/** An arm with drives and energies, compared with another run, in phases. */
function fullReport() {
  const report = armReport();
  const [positions, velocities, torques, error, supply] = report.groups;
  const of = (joint, what) => `${joint}.${what}`;
  positions.sections = velocities.sections = ['Motion'];
  torques.sections = ['Forces'];
  error.sections = ['Energy'];
  supply.sections = ['Drives'];
  report.compared = ['PD only'];
  velocities.series.forEach((series) => (series.name = of(series.name, 'velocity')));
  velocities.series.push(
    ...['waist', 'shoulder'].map((joint, index) => ({
      name: of(joint, 'velocity'),
      run: 1,
      color: index,
      data: over((time) => armAngles(time)[joint] - 2),
    })),
  );
  const tracking = {
    title: 'Tracking error',
    unit: 'rad',
    sections: ['Motion', 'Control'],
    series: ['waist', 'elbow'].map((joint, index) => ({
      name: of(joint, 'error'),
      data: over((time) => 5e-5 * Math.sin(3 * time + index)),
    })),
  };
  const sticking = {
    title: 'Sticking',
    unit: '',
    sections: ['Drives'],
    series: [
      { name: of('waist', 'sticks'), data: zeros },
      { name: of('elbow', 'sticks'), data: 0 },
    ],
  };
  report.groups = [positions, velocities, tracking, torques, error, supply, sticking];
  report.phases = [
    { name: 'reach', from: 0, to: 1.5 },
    { name: 'hold', from: 1.5, to: 2.5 },
    { name: 'return', from: 2.5, to: 4 },
  ];
  return report;
}

const check = (report, steps, options = desk) => browser.check(asText(report), steps, options);
const openTab = (page, name) => page.getByRole('tab', { name }).click();
const titles = (page) => page.locator('.plot-panel .fold').allTextContents();
const number = (text) => Number(text.replace('−', '-'));

test('the first screen holds the replay, plots and the timeline, without scrolling', () =>
  check(fullReport(), async (page) => {
    const height = await page.evaluate(() => document.documentElement.scrollHeight);
    assert.ok(height <= 900, `the page is ${height} pixels high`);
    const boxes = {};
    for (const part of ['.top', '.view canvas', '.transport'])
      boxes[part] = await page.locator(part).boundingBox();
    await page.locator('.u-over').nth(2).waitFor();
    for (const plot of [0, 1, 2])
      boxes[`plot ${plot}`] = await page.locator('.plot-card').nth(plot).boundingBox();
    for (const [part, box] of Object.entries(boxes)) {
      assert.ok(box.y >= 0 && box.y + box.height <= 900, `${part}: ${JSON.stringify(box)}`);
      assert.ok(box.x >= 0 && box.x + box.width <= 1400, `${part}: ${JSON.stringify(box)}`);
    }
    assert.ok(boxes['.top'].height < 60, 'title and figures in one line');
    assert.ok(boxes['.view canvas'].width > 650 && boxes['.view canvas'].height > 650);
    assert.ok(boxes['plot 0'].x >= boxes['.view canvas'].x + boxes['.view canvas'].width);
  }));

test('the mouse on one plot shows the values of its instant on all', () =>
  check(fullReport(), async (page) => {
    await page.locator('.u-over').nth(2).waitFor();
    const box = await page.locator('.u-over').nth(0).boundingBox();
    await page.mouse.move(box.x + box.width * 0.6, box.y + 50);
    const time = 0.6 * arm.duration;
    for (const plot of [0, 1, 2]) {
      const card = page.locator('.plot-card').nth(plot);
      const line = await card.locator('.cross').boundingBox();
      assert.ok(Math.abs(line.x - (box.x + box.width * 0.6)) < 2, `the line of plot ${plot}`);
      assert.ok((await card.locator('.dots i').count()) >= 2, `the points of plot ${plot}`);
    }
    // the recorded instant nearest to the mouse is at most half a row, 5 ms, away
    const waist = number((await read.legend(page, 0)).waist);
    assert.ok(Math.abs(waist - armAngles(time).waist) < 6e-3, `${waist}`);
    const error = number((await read.legend(page, 2)).elbow);
    assert.ok(Math.abs(error - 0.05 * Math.sin(3 * time + 1)) < 1e-3, `${error} mrad`);
    // the curve nearest to the mouse by its full name, with its reference
    const tip = page.locator('.plot-card').nth(0).locator('.tip');
    assert.match(
      await tip.textContent(),
      /2\.(395|400|405)0? s(waist|shoulder|elbow).* rad\2 reference.* rad/s,
    );
    const others = page.locator('.tip:not([hidden])');
    assert.equal(await others.count(), 1, 'on the plot under the mouse alone');
    assert.equal(await read.time(page), 0, 'the replay stays where it is');
    await page.mouse.move(400, 500);
    assert.ok(await tip.isHidden());
    assert.equal(number((await read.legend(page, 0)).waist), 0);
  }));

test('tabs hold their plots; what is zero throughout is named, not drawn', () =>
  check(fullReport(), async (page) => {
    assert.deepEqual(await page.getByRole('tab').allTextContents(), [
      'Motion',
      'Forces',
      'Drives',
      'Control',
      'Energy',
      'All',
    ]);
    assert.deepEqual(await titles(page), ['Positions', 'Velocities', 'Tracking error']);
    await openTab(page, 'Control');
    assert.deepEqual(await titles(page), ['Tracking error']);
    await openTab(page, 'Drives');
    assert.deepEqual(await titles(page), ['Supply voltage']);
    assert.match(await page.locator('.zeros').textContent(), /Zero throughout.*: Sticking\./);
    await openTab(page, 'All');
    assert.equal((await titles(page)).length, 6);
    await page.locator('.section > summary').first().click();
    assert.equal(await page.locator('.plot-card:visible').count(), 3, 'sections fold');
    await openTab(page, 'Forces');
    await page.locator('.fold').click();
    assert.ok(await page.locator('.plot-row').isHidden(), 'plots fold');
  }));

test('names go without the ending that all share; small angles are in mrad', () =>
  check(fullReport(), async (page) => {
    assert.deepEqual(Object.keys(await read.legend(page, 1)), ['waist', 'shoulder', 'elbow']);
    const entry = page.locator('.plot-card').nth(1).locator('.entry').first();
    assert.match(
      await entry.getAttribute('title'),
      /^waist\.velocity\nPD only: waist\.velocity \(lighter\)/,
    );
    assert.match(await page.locator('.plot-card').nth(2).locator('h3').textContent(), /mrad/);
  }));

test('labels stand at the ends of their curves', () =>
  check(fullReport(), async (page) => {
    await page.locator('.u-over').nth(0).waitFor();
    const { waist, shoulder, elbow } = armAngles(arm.duration);
    const order = { waist, shoulder, elbow };
    const places = await page
      .locator('.plot-card')
      .nth(0)
      .locator('.entry')
      .evaluateAll((entries) =>
        entries.map((entry) => [
          entry.querySelector('.name').textContent,
          entry.getBoundingClientRect().top,
        ]),
      );
    const byPlace = places.sort((a, b) => a[1] - b[1]).map(([name]) => name);
    const byValue = Object.keys(order).sort((a, b) => order[b] - order[a]);
    assert.deepEqual(byPlace, byValue);
    for (const [index, [, top]] of places.entries())
      assert.ok(index === 0 || top - places[index - 1][1] >= 14.5, 'none covers another');
  }));

test('a compared run is drawn in a lighter tone and can be hidden', () =>
  check(fullReport(), async (page) => {
    const plot = page.locator('.plot-card').nth(1).locator('.uplot');
    await plot.waitFor();
    await page.waitForTimeout(200);
    // blue at 42 % on white
    const lighter = async () => countColor(await browser.picture(plot), [161, 188, 228], 14);
    const drawn = await lighter();
    assert.ok(drawn > 150, `${drawn} pixels`);
    await page.getByText('Compare').click();
    await page.getByLabel('PD only').uncheck();
    await page.keyboard.press('Escape');
    await page.mouse.move(400, 500);
    await page.waitForTimeout(200);
    assert.ok((await lighter()) < drawn / 3);
  }));

test('the ghost of a compared run comes and goes with its curves', () => {
  const report = fullReport();
  // the ghost's motion is one second ahead
  const rows = Array.from({ length: arm.rows }, (_, row) => Math.min(arm.rows - 1, row + 100));
  const poses = new Float32Array(
    Uint8Array.from(Buffer.from(report.poses.slice(4), 'base64')).buffer,
  );
  const size = poses.length / arm.rows;
  report.ghosts = [
    {
      title: 'PD only',
      poses: pack(rows.flatMap((row) => [...poses.subarray(row * size, (row + 1) * size)])),
    },
  ];
  return check(report, async (page) => {
    await page.waitForTimeout(200);
    const view = () => browser.picture(page.locator('.view canvas'));
    const shown = await view();
    await page.locator('.compare > summary').click();
    await page.getByLabel('PD only', { exact: true }).uncheck();
    await page.keyboard.press('Escape');
    await page.mouse.move(0, 0);
    await page.waitForTimeout(200);
    assert.ok((await countDifferent(shown, await view())) > 300);
  });
});

test('phases and events stand on the timeline, and a click goes there', () =>
  check(fullReport(), async (page) => {
    assert.deepEqual(await page.locator('.phases button').allTextContents(), [
      'reach',
      'hold',
      'return',
    ]);
    const hold = page.locator('.phases button').nth(1);
    const bar = await page.locator('.phases').boundingBox();
    const box = await hold.boundingBox();
    assert.ok(Math.abs((box.x - bar.x) / bar.width - 1.5 / 4) < 0.01);
    assert.ok(Math.abs(box.width / bar.width - 1 / 4) < 0.01);
    await hold.click();
    assert.equal(await read.time(page), 1.5);
    assert.match(await hold.getAttribute('class'), /current/);
    await page.locator('.ticks i').nth(1).click();
    assert.equal(await read.time(page), 2.9);
  }));

const png = [0x89, 0x50, 0x4e, 0x47];
/** Width and height of a PNG file, from its header. */
const pngSize = (bytes) => [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];

test('scene and plots are saved as pictures', () =>
  check(fullReport(), async (page) => {
    await page.locator('.u-over').nth(2).waitFor();
    const save = async (what) => {
      await page.locator('.save-menu > summary').click();
      const file = await savedBy(page, () => page.getByRole('button', { name: what }).click());
      await page.keyboard.press('Escape');
      return file;
    };
    const scene = await save('Scene as PNG');
    assert.deepEqual([...scene.bytes.subarray(0, 4)], png);
    const canvas = await page.locator('.view canvas').boundingBox();
    assert.ok(Math.abs(pngSize(scene.bytes)[0] - canvas.width) <= 1);
    assert.ok(scene.bytes.length > 10000, `${scene.bytes.length} bytes`);
    const plots = await save('Plots as PNG');
    assert.deepEqual([...plots.bytes.subarray(0, 4)], png);
    assert.ok(pngSize(plots.bytes)[1] > 400, 'three plots below each other');
    assert.ok(plots.bytes.length > 10000);
    const card = page.locator('.plot-card').nth(1);
    await card.hover();
    const one = await savedBy(page, () =>
      card.getByRole('button', { name: 'Save Velocities as PNG' }).click(),
    );
    assert.match(one.name, /velocities\.png$/);
    assert.ok(pngSize(one.bytes)[1] < pngSize(plots.bytes)[1]);
    assert.ok(one.bytes.length > 4000);
  }));

test('the curves that are shown are saved as CSV', () =>
  check(fullReport(), async (page) => {
    await page.locator('.u-over').nth(2).waitFor();
    await page.locator('.plot-card').nth(0).getByRole('button', { name: 'shoulder' }).click();
    await page.locator('.save-menu > summary').click();
    const file = await savedBy(page, () =>
      page.getByRole('button', { name: 'Curves as CSV' }).click(),
    );
    const [head, ...rows] = file.bytes.toString().trim().split('\n');
    assert.deepEqual(head.split(','), [
      'time [s]',
      'waist [rad]',
      'elbow [rad]',
      'waist reference [rad]',
      'elbow reference [rad]',
      'waist.velocity [rad/s]',
      'shoulder.velocity [rad/s]',
      'elbow.velocity [rad/s]',
      'PD only: waist.velocity [rad/s]',
      'PD only: shoulder.velocity [rad/s]',
      'waist.error [mrad]',
      'elbow.error [mrad]',
    ]);
    assert.equal(rows.length, arm.rows);
    const [time, waist, elbow] = rows[250].split(',').map(Number);
    assert.ok(Math.abs(time - 2.5) < 1e-6);
    assert.ok(Math.abs(waist - armAngles(2.5).waist) < 1e-6);
    assert.ok(Math.abs(elbow - armAngles(2.5).elbow) < 1e-6);
  }));

test('the replay is saved as a film', () =>
  check(fullReport(), async (page) => {
    await page.getByLabel('Speed').selectOption('10');
    await page.locator('.save-menu > summary').click();
    const film = await savedBy(page, () =>
      page.getByRole('button', { name: 'Replay as WebM' }).click(),
    );
    assert.match(film.name, /\.webm$/);
    assert.deepEqual([...film.bytes.subarray(0, 4)], [0x1a, 0x45, 0xdf, 0xa3]);
    assert.ok(film.bytes.length > 5000, `${film.bytes.length} bytes`);
    assert.equal(await read.time(page), arm.duration);
    await page.getByText('The film is saved.').waitFor();
  }));

test('a link holds time, tab and camera', () =>
  check(fullReport(), async (page) => {
    const canvas = page.locator('.view canvas');
    await scrubTo(page, 1.75);
    await openTab(page, 'Forces');
    await page.keyboard.press('Shift+ArrowLeft');
    await page.keyboard.press('+');
    await page.locator('.save-menu > summary').click();
    await page.getByRole('button', { name: 'Link to this view' }).click();
    await page.keyboard.press('Escape');
    await page.waitForTimeout(200);
    const before = await browser.picture(canvas);
    const link = page.url();
    assert.match(link, /#t=1\.75&tab=Forces&camera=/);
    await page.goto('about:blank');
    await page.goto(link);
    await page.locator('.u-over').first().waitFor();
    await page.waitForTimeout(300);
    assert.equal(await read.time(page), 1.75);
    assert.deepEqual(await titles(page), ['Torques']);
    const different = await countDifferent(before, await browser.picture(canvas));
    assert.ok(different < 100, `${different} pixels differ`);
  }));

test('only a run that finished without reserve is green', async () => {
  const green = ({ r, g, b }) => g > r + 20 && g > b + 10;
  const colorOf = (page) =>
    page.locator('.badge').evaluate((badge) => {
      const parse = (text) => text.match(/[\d.]+/g).map(Number);
      const [r, g, b] = parse(getComputedStyle(badge).backgroundColor);
      const [tr, tg, tb] = parse(getComputedStyle(badge).color);
      return { back: { r, g, b }, text: { r: tr, g: tg, b: tb } };
    });
  const cases = {
    finished: [true, true],
    'finished, inaccurate': [true, false],
    'finished, joint limits passed': [true, false],
    'stopped by an event': [true, false],
    interrupted: [false, false],
    diverged: [false, false],
    failed: [false, false],
    '2 limits violated': [false, false],
  };
  for (const [status, [ok, isGreen]] of Object.entries(cases)) {
    const report = armReport();
    report.summary = { ...report.summary, status, ok };
    await check(
      report,
      async (page) => {
        const { back, text } = await colorOf(page);
        assert.equal(green(text) || green(back), isGreen, `${status}: ${JSON.stringify(text)}`);
        assert.match(await page.locator('.badge').textContent(), new RegExp(status));
      },
      undefined,
    );
  }
});

test('warnings are folded behind their count', () => {
  const report = armReport();
  report.summary.warnings = ['first', 'second', 'third'];
  return check(report, async (page) => {
    const head = page.getByText('3 warnings');
    assert.ok(await page.getByText('second').isHidden());
    await head.click();
    assert.ok(await page.getByText('second').isVisible());
    await page.mouse.click(300, 600);
    assert.ok(await page.getByText('second').isHidden(), 'a click elsewhere closes it');
  });
});

test('on a phone everything is stacked and nothing sticks out', () =>
  check(
    fullReport(),
    async (page) => {
      await page.locator('.u-over').first().waitFor();
      for (const tab of ['Motion', 'All']) {
        await openTab(page, tab);
        await page.waitForTimeout(150);
        const width = await page.evaluate(() => document.documentElement.scrollWidth);
        assert.ok(width <= 390, `${width} pixels`);
      }
      const view = await page.locator('.view').boundingBox();
      const plots = await page.locator('.plots').boundingBox();
      assert.ok(plots.y >= view.y + view.height - 1, 'the plots stand below the scene');
      for (const menu of ['.save-menu', '.layers', '.about']) {
        await page.locator(`${menu} > summary`).click();
        const panel = await page.locator(`${menu} > .panel`).boundingBox();
        assert.ok(panel.x >= 0 && panel.x + panel.width <= 390, `${menu}: ${panel.x}`);
        await page.keyboard.press('Escape');
      }
    },
    { viewport: { width: 390, height: 844 }, hasTouch: true },
  ));

test('the button chooses light or dark, whatever the screen prefers', () =>
  check(fullReport(), async (page) => {
    const back = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    assert.equal(await back(), 'rgb(255, 255, 255)');
    await page.getByRole('button', { name: '◐' }).click();
    assert.equal(await back(), 'rgb(21, 24, 29)');
  }));

test('a design report begins with its conclusions; wide tables are turned and fit', () => {
  const report = designReport();
  report.conclusions = [
    { figure: '1 of 8', text: 'limits are violated', state: 'violation' },
    { figure: '158 °C', text: 'hottest winding: that of shoulder', state: 'violation' },
  ];
  report.diagrams[2].section = 'Scan';
  const columns = Array.from({ length: 12 }, (_, index) => ({
    name: index === 0 ? 'joint' : `figure ${index}`,
    unit: index === 0 ? '' : 'N m',
  }));
  report.tables.push({
    title: 'Wide',
    columns,
    rows: ['waist', 'elbow'].map((name, row) => ({
      cells: [name, ...Array.from({ length: 11 }, (_, index) => 10 * row + index + 0.25)],
    })),
  });
  return check(report, async (page) => {
    const first = await page.locator('main > section h2').first().textContent();
    assert.equal(first, 'Conclusions');
    assert.equal(await page.locator('.tile.violation strong').first().textContent(), '1 of 8');
    assert.deepEqual(await page.locator('.diagrams > h2').allTextContents(), ['Diagrams', 'Scan']);
    const wide = page.locator('.table-card').nth(2);
    assert.equal(await wide.locator('tbody tr').count(), 11);
    assert.deepEqual(await wide.locator('tbody tr').nth(2).locator('td').allTextContents(), [
      '2.25',
      '12.25',
    ]);
    const fits = await page
      .locator('.table-card .wide')
      .evaluateAll((boxes) => boxes.every((box) => box.scrollWidth <= box.clientWidth));
    assert.ok(fits, 'no table needs scrolling');
  });
});

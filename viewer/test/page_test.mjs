// The page as a whole: summary, tables, hostile names, bad data, print, sizes.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { asText, Browser, countColor, fill } from './browser.mjs';
import { armReport, designReport, divergedReport, pack, wrongReport } from './reports.mjs';

let browser;
before(async () => (browser = await Browser.start()));
after(async () => browser.close());

test('the template is small, complete and asks nobody', async () => {
  const page = await fill('/* REPORT */');
  assert.equal(page.split('/* REPORT */').length, 2);
  assert.ok(page.length < 1.2e6, `${page.length} characters`);
  assert.doesNotMatch(page, /(src|href)=["']?https?:/);
});

test('the summary says what was run and how it ended', () =>
  browser.check(asText(armReport()), async (page) => {
    assert.equal(await page.title(), armReport().title);
    assert.equal(await page.locator('h1').textContent(), armReport().title);
    assert.match(await page.locator('.badge.good').textContent(), /finished/);
    assert.equal(await page.locator('.facts dd').count(), 5);
    assert.equal(await page.locator('.warnings').count(), 0);
  }));

test('a failed run shows its message and every warning', () =>
  browser.check(asText(divergedReport()), async (page) => {
    assert.match(await page.locator('.badge.bad').textContent(), /diverged/);
    assert.match(await page.locator('.message').textContent(), /passed 10⁶ rad\/s/);
    const { warnings } = divergedReport().summary;
    assert.deepEqual(await page.locator('.warnings li').allTextContents(), warnings);
  }));

test('a violation in a table is said in words', () =>
  browser.check(asText(designReport()), async (page) => {
    assert.deepEqual(
      await page.locator('.table-card').nth(0).locator('td.state').allTextContents(),
      ['✓ ok', '✖ violation', '▲ close', '✓ ok'],
    );
    assert.deepEqual(
      await page
        .locator('.table-card')
        .nth(0)
        .locator('tbody tr')
        .nth(3)
        .locator('td.number')
        .allTextContents(),
      ['3.12×10⁻⁴', '1.5×10⁻⁷', '5', '40', '–'],
    );
    assert.equal(await page.locator('.table-card').nth(1).locator('td.state').count(), 0);
  }));

test('names from users are never taken for markup', () => {
  const hostile = '</script><!--<script><img src=x onerror="document.title=1"><b>x</b>';
  const report = armReport();
  report.title = report.robot = report.description = hostile;
  report.summary = {
    status: hostile,
    ok: true,
    facts: [{ label: hostile, value: hostile }],
    warnings: [hostile],
  };
  for (const body of report.scene.bodies) body.name = hostile;
  report.scene.frames[1].name = hostile;
  report.groups[0].title = report.groups[0].unit = report.groups[0].series[0].name = hostile;
  report.events[0].text = hostile;
  const design = designReport();
  report.diagrams = [{ ...design.diagrams[0], title: hostile, note: hostile }];
  report.tables = [
    { title: hostile, columns: [{ name: hostile, unit: hostile }], rows: [{ cells: [hostile] }] },
  ];
  return browser.check(asText(report), async (page) => {
    assert.equal(await page.title(), hostile);
    assert.equal(await page.locator('img, b').count(), 0);
    assert.equal(await page.locator('td').first().textContent(), hostile);
  });
});

const wrongData = {
  'the empty template': ['/* REPORT */', /empty page/],
  'no data at all': ['', /empty page/],
  'data that are cut off': [asText(armReport()).slice(0, 5000), /not valid JSON/],
  'a list where an object belongs': ['[1, 2]', /expected is an object/],
  'a later format': [asText({ ...armReport(), format: 2 }), /format 2.*reads format 1/],
  'a series that is too short': [
    asText(wrongReport()),
    /groups\[1\]\.series\[0\]\.data holds 400 numbers where 401/,
  ],
  'no title': [
    asText({ ...armReport(), title: undefined }),
    /title is missing; expected is a text/,
  ],
  'no instants': [asText({ ...armReport(), time: undefined }), /no instants/],
  'time that falls': [asText({ ...armReport(), time: pack([1, 0]) }), /never fall/],
  'poses that are no base64': [
    asText({ ...armReport(), poses: 'f32:%%%' }),
    /poses is "f32:%%%"; expected is base64/,
  ],
};
test('bad data give a readable message', async () => {
  for (const [what, [text, message]] of Object.entries(wrongData)) {
    await browser.check(text, async (page) => {
      assert.equal(await page.locator('h1').textContent(), 'This report cannot be shown', what);
      assert.match(await page.locator('.problem p').first().textContent(), message, what);
    });
  }
});

test('a report of one instant is shown', () => {
  const still = armReport();
  still.time = pack([0]);
  still.poses = pack(Array.from({ length: 3 }, () => [0, 0, 0.2, 0, 0, 0, 1]).flat());
  still.center_of_mass = undefined;
  still.groups = [
    { title: 'Positions', unit: 'rad', series: [{ name: 'waist', data: pack([0.5]) }] },
  ];
  return browser.check(asText(still), async (page) => {
    await page.locator('.u-over').waitFor();
    await page.keyboard.press('Space');
    assert.equal(await page.locator('.clock').textContent(), '0.0000 / 0.0000 s');
    assert.equal(await page.locator('.entry .value').textContent(), '0.5000');
  });
});

test('dark screens get dark colours, and follow a change', () =>
  browser.check(
    asText(armReport()),
    async (page) => {
      const view = page.locator('.view canvas');
      await page.waitForTimeout(200);
      assert.ok(
        (await countColor(await browser.picture(view), [31, 36, 44], 4)) > 20000,
        'dark sky',
      );
      await page.emulateMedia({ colorScheme: 'light' });
      await page.waitForTimeout(200);
      assert.ok(
        (await countColor(await browser.picture(view), [238, 241, 244], 4)) > 20000,
        'light sky',
      );
    },
    { colorScheme: 'dark' },
  ));

test('print has the summary, a still, all plots and tables in light colours, no controls', () =>
  browser.check(
    asText({ ...armReport(), tables: designReport().tables }),
    async (page) => {
      await page.emulateMedia({ media: 'print' });
      await page.locator('html[data-print]').waitFor();
      await page.waitForTimeout(200);
      assert.equal(await page.locator('.u-over').count(), 5);
      assert.equal(await page.locator('.table-card').count(), 2);
      for (const hidden of ['.transport', '.views', '.toolbar', '.save-menu']) {
        assert.ok(await page.locator(hidden).first().isHidden(), hidden);
      }
      const still = await browser.picture(page.locator('.view canvas'));
      assert.ok((await countColor(still, [215, 145, 40], 50)) > 800, 'the robot');
      assert.ok((await countColor(still, [238, 241, 244], 4)) > 10000, 'light sky');
      assert.ok((await page.pdf()).length > 20000);
      await page.emulateMedia({ media: 'screen' });
      await page.locator('.toolbar').waitFor();
      await page.waitForTimeout(300);
      assert.ok(await page.locator('.plot-card').first().isVisible(), 'the plots are back');
    },
    { colorScheme: 'dark' },
  ));

test('nothing sticks out on a phone or on a wide screen', () => {
  const { diagrams, tables } = designReport();
  return browser.check(
    asText({ ...armReport(), diagrams, tables }),
    async (page) => {
      for (const width of [390, 1000, 1440, 2500]) {
        await page.setViewportSize({ width, height: 900 });
        await page.waitForTimeout(150);
        const needed = await page.evaluate(() => document.documentElement.scrollWidth);
        assert.ok(needed <= width, `${needed} pixels at a width of ${width}`);
      }
    },
    {},
  );
});

// Opens reports in headless Chromium, from a file and with every message and request noted.
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
const template = process.env.REPORT_TEMPLATE ?? new URL('../dist/report.html', import.meta.url);
const softwareWebGl = ['--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'];

/** `text` is what stands in the page for the report. */
export async function fill(text) {
  const page = await readFile(template, 'utf8');
  return page.replace('/* REPORT */', () => text);
}

export const asText = (report) => JSON.stringify(report).replaceAll('<', '\\u003c');

export class Browser {
  static async start({ webgl = true } = {}) {
    const graphics = webgl ? softwareWebGl : ['--disable-3d-apis'];
    const browser = await chromium.launch({
      executablePath,
      args: ['--no-sandbox', '--disable-dev-shm-usage', ...graphics],
    });
    return new Browser(browser, await mkdtemp(join(tmpdir(), 'limber-viewer-')));
  }

  constructor(browser, folder) {
    this.browser = browser;
    this.folder = folder;
    this.count = 0;
  }

  /**
   * Opens a page with the given data, runs the steps on it, and asserts that there was no warning,
   * no error and no request that leaves the file. Pages without options share a tab: quicker.
   */
  async check(text, steps, options) {
    const page = options ? await this.newPage(options) : (this.shared ??= await this.newPage({}));
    const file = join(this.folder, `report${this.count++}.html`);
    await writeFile(file, await fill(text));
    page.messages = [];
    await page.mouse.move(0, 0);
    await page.goto(pathToFileURL(file).href);
    await page.locator('main').waitFor();
    await steps(page);
    assert.deepEqual(page.messages, []);
    if (options) await page.context().close();
  }

  async newPage(options) {
    const context = await this.browser.newContext({
      viewport: { width: 1200, height: 1050 },
      ...options,
    });
    const page = await context.newPage();
    page.setDefaultTimeout(120000); // a busy machine is slow, not wrong
    page.on('console', (message) => {
      if (['warning', 'error'].includes(message.type()))
        page.messages.push(`${message.type()}: ${message.text()}`);
    });
    page.on('pageerror', (error) => page.messages.push(`exception: ${error.message}`));
    page.on('request', (request) => {
      const inFile =
        request.url().startsWith(pathToFileURL(this.folder).href) ||
        /^(data|blob):/.test(request.url());
      if (!inFile) page.messages.push(`request: ${request.url()}`);
    });
    return page;
  }

  /** The picture of an element, kept in a page of its own, where its pixels are counted. */
  async picture(locator) {
    const picture = (await locator.screenshot()).toString('base64');
    this.reader ??= await this.browser.newPage();
    return this.reader.evaluateHandle(async (base64) => {
      const image = new Image();
      image.src = `data:image/png;base64,${base64}`;
      await image.decode();
      const context = new OffscreenCanvas(image.width, image.height).getContext('2d');
      context.drawImage(image, 0, 0);
      return context.getImageData(0, 0, image.width, image.height);
    }, picture);
  }

  async close() {
    await this.browser.close();
    await rm(this.folder, { recursive: true });
  }
}

/** How many pixels are within `tolerance` of a colour, in each channel. */
export function countColor(picture, color, tolerance = 24) {
  return picture.evaluate(
    ({ data }, [[red, green, blue], most]) => {
      let count = 0;
      for (let at = 0; at < data.length; at += 4) {
        const off = Math.max(
          Math.abs(data[at] - red),
          Math.abs(data[at + 1] - green),
          Math.abs(data[at + 2] - blue),
        );
        if (off <= most) ++count;
      }
      return count;
    },
    [color, tolerance],
  );
}

/** In how many pixels two pictures of the same size differ clearly. */
export function countDifferent(left, right) {
  return left.evaluate(({ data }, other) => {
    let count = 0;
    for (let at = 0; at < data.length; at += 4) {
      const change = [0, 1, 2].map((channel) =>
        Math.abs(data[at + channel] - other.data[at + channel]),
      );
      if (Math.max(...change) > 24) ++count;
    }
    return count;
  }, right);
}

/** The middle of the longest row of pixels of a colour. */
export function findColor(picture, color, tolerance) {
  return picture.evaluate(
    ({ data, width, height }, [wanted, most]) => {
      let best = { run: 0, x: 0, y: 0 };
      for (let y = 0; y < height; ++y) {
        for (let x = 0, run = 0; x < width; ++x) {
          const at = 4 * (y * width + x);
          run = wanted.every((value, channel) => Math.abs(data[at + channel] - value) <= most)
            ? run + 1
            : 0;
          if (run > best.run) best = { run, x: x - Math.floor(run / 2), y };
        }
      }
      return best;
    },
    [color, tolerance],
  );
}

/** What a person does on the page, and what he reads there. */
export const read = {
  time: async (page) => Number((await page.locator('.clock').textContent()).split(' ')[0]),
  /** the numbers of a legend, by name */
  legend: async (page, plot) =>
    Object.fromEntries(
      await page
        .locator('.plot-card')
        .nth(plot)
        .locator('.entry')
        .evaluateAll((entries) =>
          entries.map((entry) => [
            entry.querySelector('.name').textContent,
            entry.querySelector('.value').textContent,
          ]),
        ),
    ),
  /** place of the highlighted body's origin [m] */
  origin: async (page) => {
    const text = await page.locator('.readout .number').textContent();
    return text
      .match(/\((.*)\)/)[1]
      .replaceAll('−', '-')
      .split(',')
      .map(Number);
  },
};

/** Acts in the menu of what the 3-D view draws, which is closed before and after. */
export async function inLayers(page, act) {
  await page.locator('.layers > summary').click();
  await act();
  await page.locator('.layers > summary').click();
  await page.mouse.move(0, 0);
}

/** What the page hands to the browser as a file. */
export async function savedBy(page, act) {
  const [file] = await Promise.all([page.waitForEvent('download'), act()]);
  return { name: file.suggestedFilename(), bytes: await readFile(await file.path()) };
}

export async function scrubTo(page, time) {
  await page.locator('.scrub').evaluate((scrub, value) => {
    scrub.value = value;
    scrub.dispatchEvent(new Event('input', { bubbles: true }));
  }, String(time));
  // one frame to draw, and the legends' pause
  await page.waitForTimeout(150);
}

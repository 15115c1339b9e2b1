// Opens reports in headless Chromium, from a file and with every message and request noted.
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
    const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage', ...graphics] });
    return new Browser(browser, await mkdtemp(join(tmpdir(), 'limber-viewer-')));
  }

  constructor(browser, folder) {
    this.browser = browser;
    this.folder = folder;
    this.count = 0;
  }

  /** A page with the given data; `messages` collects warnings, errors and requests that leave the file. */
  async open(text, options = {}) {
    const context = await this.browser.newContext({ viewport: { width: 1440, height: 900 }, ...options });
    const page = await context.newPage();
    const messages = [];
    page.on('console', (message) => {
      if (['warning', 'error'].includes(message.type())) messages.push(`${message.type()}: ${message.text()}`);
    });
    page.on('pageerror', (error) => messages.push(`exception: ${error.message}`));
    const file = join(this.folder, `report${this.count++}.html`);
    const address = pathToFileURL(file).href;
    page.on('request', (request) => {
      if (request.url() !== address && !/^(data|blob):/.test(request.url())) messages.push(`request: ${request.url()}`);
    });
    await writeFile(file, await fill(text));
    await page.goto(address);
    await page.waitForSelector('main');
    return { page, messages };
  }

  async close() {
    await this.browser.close();
    await rm(this.folder, { recursive: true });
  }
}

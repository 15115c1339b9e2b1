// Bundles the page to one file: node build.mjs [OUTPUT], by default dist/report.html.
// What remains to be filled in is the text /* REPORT */ (see README.md).
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const folder = dirname(fileURLToPath(import.meta.url));
const output = resolve(process.argv[2] ?? join(folder, 'dist', 'report.html'));

const bundle = await build({
  entryPoints: [join(folder, 'src', 'page.ts')],
  bundle: true,
  minify: true,
  write: false,
  outdir: 'unused',
  format: 'iife',
  target: 'es2022',
  charset: 'ascii',
  legalComments: 'eof',
  logLevel: 'warning',
});
const text = (ending) => bundle.outputFiles.find((file) => file.path.endsWith(ending)).text;

// Inside an HTML element the closing tag would end script or style wherever it stands; in JavaScript and
// CSS strings a backslash before the slash changes nothing.
function inline(code) {
  if (code.includes('<!--'))
    throw new Error('"<!--" in the bundle would start a comment in the page');
  return code.replaceAll(/<\/(script|style)/gi, '<\\/$1');
}

const template = await readFile(join(folder, 'template.html'), 'utf8');
const page = template
  .replace('/* STYLE */', () => inline(text('.css')))
  .replace('/* SCRIPT */', () => inline(text('.js')));
if (page.split('/* REPORT */').length !== 2) {
  throw new Error('the page must contain the text /* REPORT */ exactly once');
}
await mkdir(dirname(output), { recursive: true });
await writeFile(output, page);
console.log(`${output}: ${Math.round(page.length / 1024)} KiB`);

// Packs everything into one file that works from a disk and loads nothing: the page, whose script and styles are inline,
// allowed by their hashes in a content security policy, with the program embedded as text; and the element, as a script.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { build } from 'esbuild';

import { addresses, bundleStyle, element, glue } from './bundle.mjs';
import { references } from './pages.mjs';

/** The module in the place of web/program/files.mjs. `home` and `packed(id)`, gzip in base64, are JavaScript. */
const filesSource = (home, packed) => `
  import factory from './attention-live.mjs';
  export const home = ${home};
  const packed = ${packed};
  export const codeAddress = () => new URL('about:blank#attention-live-code');
  export const importScript = async () => ({ default: factory });
  export const importAgain = () => Promise.reject(); // nothing is loaded
  export const weightsAddress = () => null; // it would be three times as large
  export const tokenizerAddress = () => new URL('about:blank#attention-live-tokenizer');
  export const posterAddress = () => null;
  export async function requestCode({ hash }) {
    const code = packed(hash.slice(1));
    if (!code || typeof DecompressionStream !== 'function') return new Response(null, { status: 501 });
    const bytes = Uint8Array.from(atob(code), (letter) => letter.charCodeAt(0));
    return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip')));
  }
`;

const hash = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Escapes text that could end the element around it. */
function enclosed(text, tag) {
  const end = new RegExp(`</(?=${tag})`, 'gi');
  if (tag === 'style' && end.test(text)) throw new Error('A style sheet holds </style.');
  return text.replace(end, '<\\/').replaceAll('<!--', '<\\!--');
}

/** A module with everything that it imports, as one script. */
async function bundled(site, entry, format, files) {
  const bundle = await build({
    absWorkingDir: site, entryPoints: [entry], bundle: true, minify: true, format, write: false,
    target: ['es2022', 'chrome94', 'firefox113', 'safari16.4'], charset: 'utf8', legalComments: 'none',
    logLevel: 'silent', plugins: [glue, addresses(site, files)],
  });
  return enclosed(bundle.outputFiles[0].text.replaceAll('@attention-live-root@', '.'), 'script');
}

/** A part of the compiled program, gzip in base64. */
const packed = (site, name) =>
  gzipSync(readFileSync(join(site, 'program', name)), { level: 9, memLevel: 9 }).toString('base64');
const parts = { 'attention-live-code': 'attention-live.wasm', 'attention-live-tokenizer': 'tokenizer.wasm' };

/**
 * The element with everything in it: a classic script, which a page may include from a disk, or have inline.
 * @returns {Promise<Buffer>} attention-live-whole.js
 */
export async function wholeElement(site) {
  const all = Object.fromEntries(Object.entries(parts).map(([id, name]) => [id, packed(site, name)]));
  return Buffer.from(await bundled(site, element, 'iife', filesSource("''", `(id) => (${JSON.stringify(all)})[id]`)));
}

/** @returns {Promise<Buffer>} attention-live.html */
export async function singleFile(site) {
  const page = readFileSync(join(site, 'index.html'), 'utf8');
  const asked = references(page);
  const named = (kind) => asked.filter((each) => each.kind === kind).map(({ name }) => name);
  const [entry, ...more] = named('module');
  if (!entry || more.length > 0) throw new Error('index.html must have one script, which imports the others.');
  const script = await bundled(site, entry, 'esm', filesSource(
    "location.protocol === 'about:' ? '' : location.href.replace(/#.*/s, '')",
    '(id) => document.getElementById(id)?.textContent',
  ));
  const styles = await Promise.all(named('style').map((name) => bundleStyle(site, name)));
  const style = enclosed(styles.join('\n'), 'style');
  const embedded = ([id, name]) => `  <script type="text/plain" id="${id}">${packed(site, name)}</script>\n`;
  const icon = readFileSync(join(site, 'icon.svg')).toString('base64');
  const policy = `default-src 'none'; script-src ${hash(script)} 'wasm-unsafe-eval'; style-src ${hash(style)}; ` +
    "img-src data: blob:; base-uri 'none'; form-action 'none'";
  const html = page
    .replace(/content="default-src[^"]*"/, () => `content="${policy}"`)
    .replace(/^[ \t]*<(?:link rel="(?:icon|stylesheet|modulepreload|alternate)"|script type="module")[^\n]*\n/gm, '')
    .replace(/^[ \t]*<p class="late">.*?<\/p>\n/ms, '') // which names this file
    .replace(/^[ \t]*<nav id="site".*?<\/nav>\n/ms, '') // the other pages are not in it
    .replace('</head>', () => `  <link rel="icon" href="data:image/svg+xml;base64,${icon}">
    <style>${style}</style>\n  </head>`)
    .replace('</body>', () => Object.entries(parts).map(embedded).join('') +
      `    <script type="module">${script}</script>\n  </body>`);
  if (!html.includes(policy)) throw new Error('index.html has no policy to replace.');
  return Buffer.from(html);
}

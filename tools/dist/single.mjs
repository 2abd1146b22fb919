// Packs everything into one HTML file that works from a disk and loads nothing. Script and styles are inline, allowed by
// their hashes in a content security policy; the program is embedded as text.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { build } from 'esbuild';

import { addresses, bundleStyle, glue } from './bundle.mjs';
import { references } from './pages.mjs';

const filesSource = `
  import factory from './attention-live.mjs';
  export const home = location.protocol === 'about:' ? '' : location.href.replace(/#.*/s, '');
  export const codeAddress = () => new URL('about:blank#attention-live-code');
  export const importScript = async () => ({ default: factory });
  export const weightsAddress = () => null; // it would be three times as large
  export const tokenizerAddress = () => new URL('about:blank#attention-live-tokenizer');
  export const posterAddress = () => null;
  export async function requestCode({ hash }) {
    const code = document.getElementById(hash.slice(1));
    if (!code || typeof DecompressionStream !== 'function') return new Response(null, { status: 501 });
    const text = atob(code.textContent);
    const bytes = Uint8Array.from(text, (letter) => letter.charCodeAt(0));
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

/** @returns {Promise<Buffer>} attention-live.html */
export async function singleFile(site) {
  const page = readFileSync(join(site, 'index.html'), 'utf8');
  const asked = references(page);
  const named = (kind) => asked.filter((each) => each.kind === kind).map(({ name }) => name);
  const [entry, ...more] = named('module');
  if (!entry || more.length > 0) throw new Error('index.html must have one script, which imports the others.');
  const bundle = await build({
    absWorkingDir: site, entryPoints: [entry], bundle: true, minify: true, format: 'esm', write: false,
    target: ['es2022', 'chrome94', 'firefox113', 'safari16.4'], charset: 'utf8', legalComments: 'none',
    logLevel: 'silent', plugins: [glue, addresses(site, filesSource)],
  });
  const script = enclosed(bundle.outputFiles[0].text.replaceAll('@attention-live-root@', '.'), 'script');
  const styles = await Promise.all(named('style').map((name) => bundleStyle(site, name)));
  const style = enclosed(styles.join('\n'), 'style');
  const packed = (name) => gzipSync(readFileSync(join(site, 'program', name)), { level: 9, memLevel: 9 }).toString('base64');
  const embedded = (id, name) => `  <script type="text/plain" id="${id}">${packed(name)}</script>\n`;
  const icon = readFileSync(join(site, 'icon.svg')).toString('base64');
  const policy = `default-src 'none'; script-src ${hash(script)} 'wasm-unsafe-eval'; style-src ${hash(style)}; ` +
    "img-src data: blob:; base-uri 'none'; form-action 'none'";
  const html = page
    .replace(/content="default-src[^"]*"/, () => `content="${policy}"`)
    .replace(/^[ \t]*<(?:link rel="(?:icon|stylesheet|modulepreload|alternate)"|script type="module")[^\n]*\n/gm, '')
    .replace(/^[ \t]*<nav id="site".*?<\/nav>\n/ms, '') // the other pages are not in it
    .replace('</head>', () => `  <link rel="icon" href="data:image/svg+xml;base64,${icon}">
    <style>${style}</style>\n  </head>`)
    .replace('</body>', () => embedded('attention-live-code', 'attention-live.wasm') +
      embedded('attention-live-tokenizer', 'tokenizer.wasm') +
      `    <script type="module">${script}</script>\n  </body>`);
  if (!html.includes(policy)) throw new Error('index.html has no policy to replace.');
  return Buffer.from(html);
}

#!/usr/bin/env node
// posters.mjs SITE OUT [NAME...]: pictures of every example at every step, light and dark, for figures that have not
// started yet; or those alone that are named, without their ending.
//
// EXAMPLE-STEP-THEME.webp shows exactly that state as the built element draws it, and nothing around it, in Chromium
// (CHROMIUM names another). Pictures that are there already are kept as long as the element is the same.

import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, extname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

import { chromium } from 'playwright-core';

import { digest } from './bundle.mjs';
import { list } from './site.mjs';

export const examples = [
  'pool-beats-badminton', 'you-are-welcome', 'anthony-hopkins', 'counting',
  'lazy-dog', 'image-patches', 'gender-and-number', 'your-sentence', 'reverse', 'agree', 'look-back',
];
export const steps = [
  'sentence', 'input', 'project', 'split', 'transpose', 'scores',
  'scale', 'mask', 'softmax', 'reweight', 'merge', 'output', 'overview',
];
export const themes = ['light', 'dark'];

const size = { width: 960, height: 600 };
const qualities = [0.8, 0.7, 0.6, 0.5, 0.4, 0.3]; // the first that makes a picture small enough
const largest = 40_000; // bytes
const origin = 'http://attention-live.invalid'; // answered from the folder; nothing leaves the machine
const types = {
  '.html': 'text/html', '.css': 'text/css', '.mjs': 'text/javascript', '.js': 'text/javascript',
  '.svg': 'image/svg+xml', '.wasm': 'application/wasm',
};

export function findChromium() {
  if (process.env.CHROMIUM) return process.env.CHROMIUM;
  for (const name of ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome']) {
    for (const folder of process.env.PATH.split(delimiter)) {
      if (existsSync(join(folder, name))) return join(folder, name);
    }
  }
  throw new Error('Chromium is missing: install the package chromium, or set CHROMIUM to its path.');
}

/** A hash of everything that the pictures depend on. */
function stamp(site, names) {
  const drawn = list(site).filter((name) => /^(program|element|frame)\/|^embed\.html$/.test(name));
  const own = readFileSync(fileURLToPath(import.meta.url));
  const parts = drawn.map((name) => `${name} ${digest(readFileSync(join(site, name)))}`);
  return digest([digest(own), ...names, ...parts].join('\n'));
}

/** A browser page that can load the site's files and nothing else. */
async function newPage(browser, site) {
  const page = await browser.newPage({ viewport: size, deviceScaleFactor: 1, reducedMotion: 'reduce' });
  await page.addInitScript(() => {
    window.addEventListener('error', ({ detail }) => { if (detail) window.problem ??= detail.message; }, true);
  });
  await page.route('**', (route) => {
    const name = new URL(route.request().url()).pathname.slice(1);
    const path = join(site, name);
    if (!route.request().url().startsWith(`${origin}/`) || !existsSync(path)) return route.abort();
    return route.fulfill({ body: readFileSync(path), contentType: types[extname(name)] });
  });
  return page;
}

/** The picture of one state as WebP, taken of a figure that has just started and fills its frame. */
async function picture(page, encoder, address) {
  await page.goto('about:blank');
  await page.goto(`${origin}/${address}`);
  const problem = await page.evaluate(async () => {
    await document.querySelector('attention-live').ready;
    return window.problem;
  });
  if (problem) throw new Error(`${address}: ${problem}`);
  const png = await page.screenshot();
  const webp = await encoder.evaluate(async ([text, tried, enough]) => {
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
    canvas.getContext('2d').drawImage(bitmap, 0, 0);
    let blob;
    for (const quality of tried) {
      blob = await canvas.convertToBlob({ type: 'image/webp', quality });
      if (blob.size <= enough) break;
    }
    return btoa(Array.from(new Uint8Array(await blob.arrayBuffer()), (byte) => String.fromCharCode(byte)).join(''));
  }, [png.toString('base64'), qualities, largest]);
  return Buffer.from(webp, 'base64');
}

const all = new Map(themes.flatMap((theme) => examples.flatMap((example) => steps.map((step) => (
  [`${example}-${step}-${theme}`, `embed.html?example=${example}&step=${step}&theme=${theme}&poster=off&load=eager`]
)))));

async function main() {
  const [site, out] = process.argv.slice(2, 4).map((folder) => resolve(folder));
  if (!out) throw new Error('Give the folder of the built site and the folder of the pictures.');
  const names = process.argv.length > 4 ? process.argv.slice(4) : [...all.keys()];
  const unknown = names.find((name) => !all.has(name));
  if (unknown) {
    throw new Error(`There is no picture ${unknown}; one is named EXAMPLE-STEP-THEME, as counting-split-dark.`);
  }
  const made = join(out, 'made-of');
  const wanted = stamp(site, names);
  if (existsSync(made) && readFileSync(made, 'utf8') === wanted) return;
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  const browser = await chromium.launch({
    executablePath: findChromium(),
    args: ['--no-sandbox', '--disable-background-networking', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
  });
  const left = [...names];
  let bytes = 0;
  async function work() {
    const [page, encoder] = [await newPage(browser, site), await browser.newPage()];
    for (let name = left.shift(); name; name = left.shift()) {
      const webp = await picture(page, encoder, all.get(name));
      writeFileSync(join(out, `${name}.webp`), webp);
      bytes += webp.length;
    }
  }
  try {
    await Promise.all([work(), work()]);
  } finally {
    await browser.close();
  }
  writeFileSync(made, wanted);
  console.log(`${process.argv[3]}: ${names.length} pictures, ${Math.round(bytes / 1000)} kB`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  main().catch((cause) => {
    console.error(`attention-live: ${cause.message}`);
    process.exitCode = 1;
  });
}

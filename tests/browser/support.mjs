// What the browser tests share: a static server as strict as a careful host, Chromium, and a page whose every
// complaint and request is written down.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { delimiter, extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';

import { chromium } from 'playwright-core';

import { patience } from '../support/until.mjs';

const repository = fileURLToPath(new URL('../..', import.meta.url));
export const site = process.env.ATTENTION_LIVE_SITE ?? join(repository, 'build', 'web', 'site');
const executablePath = process.env.CHROMIUM ?? findChromium();

function findChromium() {
  // The shell first: without the windows of a desktop around it, a page opens in half the time.
  for (const name of ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome']) {
    for (const folder of process.env.PATH.split(delimiter)) {
      if (existsSync(join(folder, name))) return join(folder, name);
    }
  }
  throw new Error('Chromium is missing: install the package chromium, or set CHROMIUM to its path.');
}

const launchArguments = [
  '--no-sandbox',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
const softwareGraphics = ['--use-angle=swiftshader', '--enable-unsafe-swiftshader'];

/** Ending of a file → its type. */
export const types = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
  '.json': 'application/json',
  '.webp': 'image/webp',
};

export const strictPolicy =
  "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; object-src 'none'; " +
  "base-uri 'none'; form-action 'none'";

/**
 * Serves the built site with a strict content security policy.
 * @param {{extra?: Record<string, string>, intercept?: (path: string, response: object) => boolean,
 *   headers?: Record<string, string>}} options
 *   extra: more pages, path → HTML; intercept: answers a request itself and says so; headers: of every file
 */
export async function serve({ extra = {}, intercept = () => false, headers = {} } = {}) {
  const server = createServer(async (request, response) => {
    const path = new URL(request.url, 'http://localhost').pathname;
    if (intercept(path, response)) return;
    const name = normalize(path === '/' ? '/index.html' : path);
    try {
      const body = path in extra ? extra[path] : await readFile(join(site, name));
      response.writeHead(200, {
        'Content-Type': types[extname(name)] ?? 'text/html; charset=utf-8',
        'Content-Length': Buffer.byteLength(body),
        'Content-Security-Policy': strictPolicy,
        'X-Content-Type-Options': 'nosniff',
        ...headers,
      });
      response.end(body);
    } catch {
      response.writeHead(404, { 'Content-Type': 'text/plain' });
      response.end('not found');
    }
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${server.address().port}`,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}

const limits = new WeakMap(); // browser → what begins its limit of seconds again

/**
 * @param {{args?: string[], graphics?: boolean, seconds?: number | null}} options
 *   seconds: after which it is closed if no test has begun in it since (inUse()), so that a page that hangs fails its
 *   test and does not hold up all others; null for never
 */
export async function launch({ args = [], graphics = true, seconds = 300 } = {}) {
  const browser = await chromium.launch({
    executablePath,
    headless: true,
    args: [...launchArguments, ...(graphics ? softwareGraphics : []), ...args],
  });
  if (seconds) {
    const watch = setTimeout(() => browser.close(), seconds * 1000);
    limits.set(browser, () => watch.refresh());
    browser.on('disconnected', () => {
      limits.delete(browser);
      clearTimeout(watch);
    });
  }
  return browser;
}

/** Begins the browser's limit again: each test may take that long, however many there are in a file. */
export function inUse(browser) {
  limits.get(browser)?.();
}

/** Runs in a page before anything else: WebGL takes everything but paints nothing. */
function paintNothing() {
  for (const name of ['clear', 'drawArraysInstanced', 'drawElements']) WebGL2RenderingContext.prototype[name] = () => {};
}

/** Runs in a page before anything else: its reader wants few bytes to be loaded. */
function saveData() {
  Object.defineProperty(navigator, 'connection', { value: { saveData: true } });
}

/**
 * A new page in a profile of its own, with everything it says and asks for written down. Its reader asks for reduced
 * motion: the start page plays for six seconds, in which software that draws has nothing left for other tests; and to save
 * data: else the start page loads the translator and goes over to it, at a time that no other test can know.
 * @param {{origin: string, init?: Function | null, pixels?: boolean, saves?: boolean}} options init: runs in the page
 *   before its scripts; pixels: whether the canvas is painted. Painting by software takes most of the time of a test, so
 *   only those that look at pixels ask for it; saves: whether data is to be saved.
 */
export async function newPage(browser, { origin, init = null, pixels = false, saves = true, ...context } = {}) {
  inUse(browser);
  const profile = await browser.newContext({
    viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce', ...context,
  });
  profile.setDefaultTimeout(patience);
  const page = await profile.newPage();
  const heard = { console: [], errors: [], requests: [], failed: [] };
  page.on('console', (message) => heard.console.push(`${message.type()}: ${message.text()}`));
  page.on('pageerror', (error) => heard.errors.push(String(error)));
  page.on('request', (request) => heard.requests.push(request.url()));
  page.on('requestfailed', (request) => heard.failed.push(request.url()));
  page.on('response', (response) => {
    if (response.status() >= 400) heard.failed.push(`${response.status()} ${response.url()}`);
  });
  if (!pixels) await page.addInitScript(paintNothing);
  if (saves) await page.addInitScript(saveData);
  if (init) await page.addInitScript(init);
  return Object.assign(page, { heard, origin });
}

/** Opens a path of the site and waits until attention-live has drawn its first frames. */
export async function open(page, path = '/') {
  await page.goto(page.origin + path);
  await page.evaluate(() => window.attentionLive.ready.then(() => {}));
  await settled(page);
}

/** Waits until everything that was asked for has been drawn. */
export function settled(page) {
  return page.evaluate(() => window.attentionLive.settled());
}

/** Calls a method of attentionLive in the page and gives its result; its errors arrive as errors. */
export function api(page, method, ...values) {
  return page.evaluate(([name, list]) => window.attentionLive[name](...list), [method, values]);
}

export function frames(page) {
  return page.evaluate(() => window.attentionLive.frames);
}

/** The driver's remark that reading pixels back, as a test or a saved picture does, takes a while. */
const slowReading = /GL Driver Message .* GPU stall due to ReadPixels/;

/** Asserts that nothing went wrong so far that the test did not provoke. */
export function assertQuiet(page, allowed = []) {
  const loud = page.heard.console
    .filter((line) => /^(error|warning|assert)/.test(line))
    .filter((line) => ![...allowed, slowReading].some((pattern) => pattern.test(line)));
  assert.deepEqual(loud, [], 'the console stays free of errors and warnings');
  assert.deepEqual(page.heard.errors, [], 'no exception is left uncaught');
}

/** The sentence that stands in the page in place of the program. */
export function sentence(page) {
  return page.locator('.attention-live-sentence').textContent();
}

/** attentionLive.tensor, with its numbers as an array. */
export async function tensor(page, name) {
  const { packed, ...rest } = await page.evaluate((wanted) => {
    const { data, ...others } = window.attentionLive.tensor(wanted);
    // As one text: number by number, a wide matrix takes a second on its way out of the page.
    const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
    let text = '';
    for (let start = 0; start < bytes.length; start += 0x4000) {
      text += String.fromCharCode(...bytes.subarray(start, start + 0x4000));
    }
    return { ...others, packed: btoa(text) };
  }, name);
  const bytes = Uint8Array.from(Buffer.from(packed, 'base64'));
  return { ...rest, data: [...new Float32Array(bytes.buffer)] };
}

/** What checkCells asks a page. */
export const asked = (page) => ({
  blocks: () => api(page, 'blocks'),
  probes: (places) => page.evaluate((list) => list.map(({ x, y }) => window.attentionLive.probe(x, y)), places),
  tensor: (name) => tensor(page, name),
  state: () => api(page, 'state'),
});

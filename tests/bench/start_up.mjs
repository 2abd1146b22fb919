// From navigation to the first result: a browser with nothing in its caches for each time, and every byte on the wire.

import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { distribution } from '../../tools/dist/site.mjs';
import { launch } from '../browser/support.mjs';
import { startingPage } from './bundle.mjs';
import { serve } from './serve.mjs';
import { median } from './statistics.mjs';

/**
 * Put into our page before anything of it runs: it tells when the first tensors and the first frame are there. A frame
 * is there when its pixels can be read, and not when the graphics card has been told of it.
 */
function watchOurs() {
  const noted = {};
  window.addEventListener('attention-live-start', () => {
    window.attentionLive.tensor('output');
    noted.trace = performance.now();
  }, true);
  window.addEventListener('attention-live-frame', () => {
    if (noted.frame) return;
    const gl = document.querySelector('.attention-live-canvas').getContext('webgl2');
    gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));
    noted.frame = performance.now();
    if (noted.trace) window.benchStart ??= noted;
  }, true);
}

/** One visit: what the page noted, in milliseconds, and the bytes of what it had fetched by then. */
async function visit(server, init) {
  const browser = await launch({ seconds: null });
  try {
    const page = await browser.newPage();
    const complaints = [];
    page.on('pageerror', (error) => complaints.push(String(error)));
    if (init) await page.addInitScript(init);
    server.sent.length = 0;
    await page.goto(`${server.origin}/`, { waitUntil: 'commit' });
    await page.waitForFunction(() => window.benchStart, null, { timeout: 30_000 }).catch((cause) => {
      throw new Error(complaints[0] ?? cause.message);
    });
    const { noted, last } = await page.evaluate(() => ({
      noted: window.benchStart, last: Math.max(...Object.values(window.benchStart)),
    }));
    const fetched = await page.evaluate((until) => performance.getEntriesByType('resource')
      .filter(({ responseEnd }) => responseEnd <= until).map(({ name }) => new URL(name).pathname.slice(1)), last);
    const counted = new Set(['index.html', ...fetched]);
    const bytes = [...counted].reduce((sum, path) => sum + (server.sent.find((each) => each.path === path)?.bytes ?? 0), 0);
    return { ...noted, bytes };
  } finally {
    await browser.close();
  }
}

/**
 * @param {{site: string, cache: string, rounds: number, tell: (text: string) => void}} options site: our built page
 * @returns {Promise<Record<string, {bytes: number, trace?: number, frame?: number, result?: number, visits: object[]}>>}
 *   medians, in milliseconds, and each visit
 */
export async function measureStartUp({ site, cache, rounds, tell }) {
  const pages = { onnxruntime: await startingPage('onnxruntime'), tfjs: await startingPage('tfjs') };
  if (existsSync(join(site, 'index.html'))) pages.ours = (await distribution(site, new Map())).files;
  tell('  packing what is sent');
  const servers = {};
  for (const [name, files] of Object.entries(pages)) servers[name] = await serve(files, { brotli: cache });
  const visits = Object.fromEntries(Object.keys(servers).map((name) => [name, []]));
  try {
    for (let round = 0; round < rounds; round += 1) {
      for (const [name, server] of Object.entries(servers)) {
        visits[name].push(await visit(server, name === 'ours' ? watchOurs : null));
      }
      tell(`  start-up, round ${round + 1} of ${rounds}`);
    }
  } finally {
    for (const server of Object.values(servers)) await server.close();
  }
  return Object.fromEntries(Object.entries(visits).map(([name, all]) => [name, {
    ...Object.fromEntries(Object.keys(all[0]).map((key) => [key, median(all.map((each) => each[key]))])), visits: all,
  }]));
}

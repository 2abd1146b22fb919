// Visits without a network: web/offline.mjs and web/service-worker.js as `make dist` packs them.

import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';

import { assertQuiet } from '../browser/support.mjs';
import { Firefox } from '../support/firefox.mjs';
import { until } from '../support/until.mjs';
import { dist, host, inChromium, programState, sizes, withHost } from './support.mjs';

/** Once the service worker has all it wants. A worker that could not be installed would never be ready: say so. */
async function kept(page, seconds = 60) {
  const end = Date.now() + seconds * 1000;
  for (let state; state !== 'activated';) {
    state = await page.evaluate(async () => {
      const found = await navigator.serviceWorker.getRegistration();
      return (found?.active ?? found?.waiting ?? found?.installing)?.state ?? (found ? 'no worker' : 'not registered');
    });
    assert.ok(Date.now() < end, `the worker is not active within ${seconds} s: ${state}`);
    await new Promise((resolve) => { setTimeout(resolve, 50); });
  }
}
const registrations = (page) => page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length);
/** Every address that is kept: cache → addresses. */
const caches = (page) => page.evaluate(async () => {
  const names = await window.caches.keys();
  const lists = await Promise.all(names.map(async (name) => (await (await window.caches.open(name)).keys())));
  return Object.fromEntries(names.map((name, index) => [name, lists[index].map(({ url }) => url).sort()]));
});
/** Waits until an async function that runs in the page gives something true. */
const inPage = (page, work) => until(() => page.evaluate(work), String(work));
/** Longer than a page takes to register a worker. */
const aWhile = (page) => page.evaluate(() => new Promise((resolve) => { setTimeout(resolve, 1500); }));

/** A later version of the distribution: another page, and another name for its script. */
function later(folder) {
  cpSync(dist, folder, { recursive: true });
  const { version, first } = sizes();
  const script = first['index.html'].files.find((name) => /^files\/page-/.test(name));
  const renamed = script.replace(/-\w+\.js$/, '-0123456789.js');
  cpSync(join(folder, script), join(folder, renamed));
  for (const name of ['index.html', 'service-worker.js']) {
    const text = readFileSync(join(folder, name), 'utf8').replaceAll(script, renamed)
      .replaceAll(version, 'ffffffffff').replace(/<title>/, '<title>later ');
    writeFileSync(join(folder, name), text);
  }
  for (const name of [script, 'index.html', 'service-worker.js', renamed]) {
    for (const ending of ['', '.br', '.gz']) {
      if (ending || name === script) rmSync(join(folder, name + ending), { force: true });
    }
  }
  return { renamed };
}

describe('without a network', () => {
  test('the translator is there once it has been shown', async () => {
    const server = await host(dist);
    let open = true;
    try {
      await inChromium(async (page) => {
        await page.goto(server.origin);
        await programState(page);
        await kept(page);
        await page.reload(); // the worker answers from the second visit on
        await programState(page);
        assert.ok(!Object.values(await caches(page)).flat().some((address) => /\.safetensors/.test(address)));
        await page.evaluate(() => window.attentionLive.addTranslator());
        await inPage(page, async () => {
          const [name] = await window.caches.keys();
          return (await (await window.caches.open(name)).keys()).some(({ url }) => /\.safetensors/.test(url));
        });
        await server.close();
        open = false;
        await page.goto('about:blank');
        await page.goto(`${server.origin}/#example=translator&sentence=Thank%20you.`);
        const { example, sentence } = await programState(page);
        assert.deepEqual([example, sentence], ['translator', 'Thank you.']);
        assertQuiet(page, [/ERR_CONNECTION_REFUSED|service worker script|service-worker/i]);
      });
    } finally {
      if (open) await server.close();
    }
  });

  test('after one visit every page opens, whatever its address says', async () => {
    const server = await host(dist);
    let open = true;
    try {
      await inChromium(async (page) => {
        await page.goto(server.origin);
        await programState(page);
        await kept(page);
        await server.close();
        open = false;
        await assert.rejects(fetch(server.origin));
        await page.reload();
        await programState(page);
        assert.ok(await page.evaluate(() => window.attentionLive.frames > 0));
        for (const name of sizes().pages) {
          await page.goto(`${server.origin}/${name}?example=counting#step=split`);
          assert.equal(await page.evaluate(() => document.querySelector('title') !== null), true, name);
        }
        await page.goto(`${server.origin}/index.html?from=here#example=counting&step=split`);
        assert.equal((await programState(page)).step, 'split');
        // It looks for a newer worker, and the server is away: that alone may be said.
        assertQuiet(page, [/ERR_CONNECTION_REFUSED|service worker script|service-worker/i]);
      });
    } finally {
      if (open) await server.close();
    }
  });

  test('in Firefox as well', async () => {
    const server = await host(dist);
    let open = true;
    const firefox = await Firefox.launch();
    try {
      const { page } = firefox;
      await page.goto(server.origin);
      const example = async () => {
        await window.attentionLive.ready;
        return [window.attentionLive.state().example, window.attentionLive.frames > 0];
      };
      await page.evaluate(example);
      await page.evaluate(() => navigator.serviceWorker.ready.then(() => true));
      await server.close();
      open = false;
      await page.goto(`${server.origin}/index.html?again#example=counting`);
      assert.deepEqual(await page.evaluate(example), ['counting', true]);
      assert.deepEqual(page.heard.errors, []);
    } finally {
      await firefox.close();
      if (open) await server.close();
    }
  });

  test('what is kept is what the index says, of this origin alone', async () => {
    const other = createServer((_, response) => {
      response.writeHead(200, { 'Access-Control-Allow-Origin': '*', 'Cache-Control': 'max-age=1000' });
      response.end('of another origin');
    });
    await new Promise((resolve) => other.listen(0, '127.0.0.1', resolve));
    const elsewhere = `http://127.0.0.1:${other.address().port}/figure.txt`;
    try {
      await withHost(dist, { policy: null }, (server) => inChromium(async (page) => {
        await page.goto(server.origin);
        await programState(page);
        await kept(page);
        await page.reload(); // from here on the worker sees what is asked
        await programState(page);
        // The page's own policy allows no other origin; a page without one is what the worker has to be safe in.
        await page.evaluate((url) => new Promise((resolve) => {
          const image = new Image();
          image.onload = image.onerror = resolve;
          image.src = url;
        }), elsewhere);
        const [[name, addresses], ...more] = Object.entries(await caches(page));
        assert.deepEqual(more, []);
        const { version, needed } = sizes();
        assert.equal(name, `attention-live-${server.origin}/ ${version}`);
        assert.ok(needed.some((file) => file.endsWith('.wasm')));
        const wanted = needed.map((file) => `${server.origin}/${file === 'index.html' ? '' : file}`);
        assert.deepEqual(addresses, wanted.sort());
      }));
    } finally {
      other.closeAllConnections();
      await new Promise((resolve) => other.close(resolve));
    }
  });

  test('a connection that breaks once loses no version', async () => {
    await withHost(dist, {}, (server) => inChromium(async (page) => {
      let broken = 0;
      // The page itself never asks for the other pages: it is the worker's download that breaks.
      server.breaks = (path) => path === '/lesson.html' && broken++ === 0;
      await page.goto(server.origin);
      await programState(page);
      await kept(page);
      assert.equal(broken, 2);
    }));
  });

  test('the reader opts out, and all is forgotten', async () => {
    await withHost(dist, {}, (server) => inChromium(async (page) => {
      await page.goto(`${server.origin}/?offline=no`);
      await programState(page);
      await aWhile(page);
      assert.equal(await registrations(page), 0);
      await page.goto(`${server.origin}/`);
      await programState(page);
      await kept(page);
      assert.equal(Object.keys(await caches(page)).length, 1);
      await page.goto(`${server.origin}/?offline=no`);
      await inPage(page, async () => (await navigator.serviceWorker.getRegistrations()).length === 0);
      await inPage(page, async () => (await window.caches.keys()).length === 0);
    }));
  });

  test('a page opts out, and a page in a frame keeps nothing', async () => {
    const html = readFileSync(join(dist, 'index.html'), 'utf8');
    const extra = {
      '/own.html': html.replace('<head>', '<head><meta name="attention-live-offline" content="no">'),
      '/frame.html': `<!doctype html><title>x</title><link rel="icon" href="icon.svg">
        <iframe src="index.html"></iframe>`,
    };
    await withHost(dist, { extra }, (server) => inChromium(async (page) => {
      await page.goto(`${server.origin}/own.html`);
      await programState(page);
      await aWhile(page);
      assert.equal(await registrations(page), 0);
      await page.goto(`${server.origin}/frame.html`);
      await programState(page.frames()[1]);
      await aWhile(page);
      assert.equal(await registrations(page), 0);
    }));
  });
});

describe('a new version', () => {
  test('shows at once, works offline next, and the old one goes when no page of it is open', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'attention-live-later-'));
    try {
      const { renamed } = later(folder);
      await withHost(dist, {}, (server) => inChromium(async (page, browser) => {
        await page.goto(server.origin);
        await programState(page);
        await kept(page);
        const before = Object.keys(await caches(page));
        server.folder = folder;
        await page.goto(`${server.origin}/index.html`);
        await programState(page);
        assert.match(await page.evaluate(() => document.querySelector(`script[src]`).src), new RegExp(renamed));
        await inPage(page, async () => (await navigator.serviceWorker.getRegistration()).waiting !== null);
        const both = Object.keys(await caches(page));
        assert.equal(both.length, 2, 'a page of the old version may still need its files');
        assert.ok(before.every((name) => both.includes(name)));
        const context = page.context();
        const next = await context.newPage();
        await page.close();
        await next.goto('about:blank');
        await new Promise((resolve) => { setTimeout(resolve, 500); });
        await next.goto(server.origin);
        await inPage(next, async () => {
          const names = await window.caches.keys();
          return names.length === 1 && names[0].endsWith(' ffffffffff');
        });
        await programState(next);
        assert.ok(browser.isConnected());
      }));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test('that is not whole is not taken', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'attention-live-torn-'));
    try {
      later(folder);
      const style = sizes().needed.find((name) => name.endsWith('.css'));
      const missing = style.replace(/-\w+\.css$/, '-aaaaaaaaaa.css');
      const worker = readFileSync(join(folder, 'service-worker.js'), 'utf8').replace(style, missing);
      writeFileSync(join(folder, 'service-worker.js'), worker);
      await withHost(dist, {}, (server) => inChromium(async (page) => {
        await page.goto(server.origin);
        await programState(page);
        await kept(page);
        const before = await caches(page);
        server.folder = folder;
        const failed = await page.evaluate(async () => {
          const registration = await navigator.serviceWorker.getRegistration();
          await registration.update().catch(() => {});
          const worker = registration.installing;
          while (worker && worker.state === 'installing') {
            await new Promise((resolve) => { worker.onstatechange = resolve; });
          }
          return worker?.state ?? 'redundant';
        });
        assert.equal(failed, 'redundant');
        await server.close();
        await page.reload();
        await programState(page);
        const now = await caches(page);
        for (const [name, addresses] of Object.entries(before)) assert.deepEqual(now[name], addresses);
      }));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

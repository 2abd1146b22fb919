// Figures, frames and pages in Debian's Firefox: what the tests of the same names show in Chromium.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, afterEach, before, describe, test } from 'node:test';

import { Firefox } from '../support/firefox.mjs';
import { until } from '../support/until.mjs';
import { violations } from './axe.mjs';
import {
  alive, downAndUp, keysAreThePages, long, made, makeAndRemove, many, movedAndRemoved, noteWhatIsMade, restsAndGoesOn, wheelAfterTab, wheelIsThePages,
} from './both.mjs';
import { article, authorFiles, openArticle, stateOf, told } from './figures.mjs';
import {
  askFrame, frameReady, frameState, heardOf, hostPage, hostScript, refusesMistakes, sayAnything,
} from './frame_host.mjs';
import { assertQuiet, serve, site } from './support.mjs';
import { zoomFiles, zoomsWell } from './zoomed.mjs';

let server; // figures, and where the frame comes from
let author; // whose page the frame stands in
let firefox;
let page;
before(async () => {
  server = await serve({
    headers: { 'Access-Control-Allow-Origin': '*' },
    extra: {
      ...authorFiles,
      ...zoomFiles,
      '/one.html': article(`<attention-live id="one" example="you-are-welcome" step="softmax" head="1" query="2">
        </attention-live>`),
      '/long.html': long,
      '/many.html': many,
      '/rounds.html': article('<p id="place"></p>'),
      '/refused.html': `<!doctype html><title>refused</title><link rel="icon" href="data:,">
        <p style="color: red">red</p>`,
    },
  });
  author = await serve({
    headers: { 'Content-Security-Policy': 'default-src \'self\' data:; frame-src *' },
    extra: {
      '/host.js': hostScript,
      '/sandbox.html': hostPage(`sandbox="allow-scripts"
        src="${server.origin}/embed.html?example=you-are-welcome&step=softmax&query=2&controls=steps"`),
      '/refused.html': hostPage(`sandbox="allow-scripts" src="${server.origin}/refused.html"`),
    },
  });
  firefox = await Firefox.launch();
});
after(async () => {
  await firefox?.close();
  await server?.close();
  await author?.close();
});
afterEach(() => page?.close());

function quiet() {
  assertQuiet(page);
  assert.deepEqual(page.heard.failed, []);
}

async function openOne(path, viewport = { width: 900, height: 700 }) {
  page = await firefox.newPage({ origin: server.origin, viewport });
  await openArticle(page, path, 'one');
}

describe('the element', () => {
  test('its attributes are its state, and nothing is asked of others', async () => {
    await openOne('/one.html');
    const { example, step, head, query } = await stateOf(page, 'one');
    assert.deepEqual({ example, step, head, query }, { example: 'you-are-welcome', step: 'softmax', head: 1, query: 2 });
    assert.equal((await told(page, 'start')).length, 1);
    assert.deepEqual(await told(page, 'error'), []);
    assert.ok(page.heard.requests.every((url) => url.startsWith(`${server.origin}/`)));
    quiet();
  });

  test('stopped and started again it is where it was, and shows its last picture meanwhile', async () => {
    await openOne('/one.html');
    await restsAndGoesOn(page);
    quiet();
  });

  test('moved it lives on, removed it ends, and put back it starts anew', async () => {
    await openOne('/one.html');
    await movedAndRemoved(page);
    quiet();
  });

  test('twenty-four of them: each is what it was, six at most run, and the code came once', async () => {
    page = await firefox.newPage({ origin: server.origin, viewport: { width: 900, height: 1100 } });
    await openArticle(page, '/many.html', 'f0');
    await downAndUp(page);
    quiet();
  });
});

test('fifty rounds of making and removing leave no memory, context or figure behind', async () => {
  page = await firefox.newPage({ origin: server.origin, viewport: { width: 900, height: 700 } });
  await page.goto(`${server.origin}/rounds.html`);
  await noteWhatIsMade(page);
  await makeAndRemove(page, 50);
  assert.deepEqual(await made(page), { memories: 50, contexts: 50, figures: 50 }, 'all were seen');
  // Nothing tells Firefox to collect its garbage; a page that fills the memory makes it.
  let left = await alive(page);
  for (let i = 0; i < 40 && Object.values(left).some((number) => number > 2); i += 1) {
    await page.evaluate(async () => {
      for (let n = 0; n < 20; n += 1) new Uint8Array(2e7).fill(1);
      await new Promise((resolve) => { setTimeout(resolve, 100); });
    });
    left = await alive(page);
  }
  assert.ok(Object.values(left).every((number) => number <= 2), JSON.stringify(left));
  quiet();
});

test('CSS zoom of 0.6, 1 and 1.5 around figures', async () => {
  page = await firefox.newPage({ origin: server.origin, viewport: { width: 1280, height: 800 } });
  await zoomsWell(page);
  quiet();
});

describe('manners', () => {
  const narrow = { width: 700, height: 600 };

  test('the wheel scrolls the page, with a hint; with Ctrl it is the figure’s, also after a click', async () => {
    await openOne('/long.html', narrow);
    await wheelIsThePages(page);
    quiet();
  });

  test('who comes by Tab still scrolls', async () => {
    await openOne('/long.html', narrow);
    await wheelAfterTab(page);
  });

  test('keys reach it only with the focus; Esc and Tab leave', async () => {
    await openOne('/long.html', narrow);
    await keysAreThePages(page);
    quiet();
  });
});

describe('the frame, with sandbox="allow-scripts"', () => {
  async function openHost(path) {
    page = await firefox.newPage({ origin: author.origin, viewport: { width: 900, height: 700 } });
    await page.goto(author.origin + path);
  }

  test('stands there, says so, and is talked to', async () => {
    await openHost('/sandbox.html');
    await frameReady(page);
    const now = await frameState(page);
    assert.deepEqual([now.example, now.step, now.query], ['you-are-welcome', 'softmax', 2]);
    const { result } = await askFrame(page, { type: 'set', state: { step: 'scores', query: 1 } });
    assert.deepEqual([result.step, result.query], ['scores', 1]);
    await page.waitForFunction(() => window.heard.some(({ type }) => type === 'stepchange'));
    assert.equal((await heardOf(page, 'stepchange')).at(-1).step, 'scores');
    assert.deepEqual((await heardOf(page, 'height')).map(({ height }) => height), [500]);
    const messages = await page.evaluate(() => window.heard);
    assert.ok(messages.every((each) => each.version === 1 && each.own && each.origin === 'null'));
    const own = [server.origin, author.origin, 'data:,'];
    assert.ok(page.heard.requests.every((url) => own.some((start) => url.startsWith(start))));
    quiet();
  });

  test('mistakes get their sentences, messages of anything nothing, and its state is what it was', async () => {
    await openHost('/sandbox.html');
    await frameReady(page);
    const before = await frameState(page);
    await refusesMistakes(page);
    await sayAnything(page, 1000);
    assert.deepEqual(await frameState(page), before);
    assert.equal((await askFrame(page, { type: 'set', state: { step: 'mask' } })).result.step, 'mask');
    quiet();
  });

  test('what its policy refused would be seen here', async () => {
    await openHost('/refused.html');
    await until(() => page.heard.errors.length > 0, 'an error');
    assert.match(page.heard.errors.join('\n'), /style-src/);
  });
});

describe('a page that is left while its program comes', () => {
  test('says nothing of its code, which breaks off', async () => {
    const code = await readFile(`${site}/program/attention-live.wasm`);
    let half = null;
    const slow = await serve({
      intercept: (path, response) => {
        if (half || path !== '/program/attention-live.wasm') return false;
        response.writeHead(200, { 'Content-Type': 'application/wasm', 'Content-Length': code.length });
        response.write(code.subarray(0, code.length / 2), () => { half = response; });
        return true;
      },
    });
    try {
      page = await firefox.newPage({ origin: slow.origin });
      await page.goto(slow.origin);
      await until(() => half, 'half of it is sent');
      await page.waitForTimeout(200); // for the half to get there
      await page.goto(`${slow.origin}/?again`);
      await page.waitForFunction(() => window.attentionLive?.ready.then(() => window.attentionLive.frames > 0));
      assertQuiet(page);
    } finally {
      await slow.close();
    }
  });
});

describe('axe finds nothing', () => {
  const opened = {
    '/#step=overview': () => page.evaluate(() => window.attentionLive.ready.then(() => window.attentionLive.settled())),
    '/lesson.html': async () => {
      await page.waitForFunction(() => document.querySelector('[data-code] pre')?.textContent);
      await page.evaluate(() => document.querySelector('attention-live').scrollIntoView());
      await page.waitForFunction(() => document.querySelector('attention-live').running);
    },
  };
  for (const [path, ready] of Object.entries(opened)) {
    test(`on ${path}`, async () => {
      page = await firefox.newPage({ origin: server.origin });
      await page.goto(server.origin + path);
      await ready();
      assert.deepEqual(await violations(page), []);
      await page.evaluate(() => document.documentElement.removeAttribute('lang'));
      assert.deepEqual((await violations(page)).map(({ id }) => id), ['html-has-lang'], 'it does look');
      quiet();
    });
  }
});

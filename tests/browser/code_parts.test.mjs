// The program's code comes in two parts: what the first can do alone, and how the rest gets there.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, test } from 'node:test';

import { small } from './pages.mjs';
import { assertQuiet, open, sentence, site, withPage } from './support.mjs';

const failed = (page) => page.waitForSelector('.attention-live-failed', { timeout: 20000 });
const reason = (page) => page.evaluate(() => window.attentionLive.ready.then(() => 'ready', (cause) => cause.message));

describe('the code comes in two parts', () => {
  const isRest = (path) => path.endsWith('-rest.wasm');
  const refused = (path, response) => {
    if (!isRest(path)) return false;
    response.writeHead(503);
    response.end();
    return true;
  };
  const openWithFirst = async (page, path = '') => {
    await page.goto(`${page.origin}/${path}`);
    await page.waitForFunction(() => window.attentionLive);
    assert.equal(await reason(page), 'ready');
  };
  const broken = async (page) => (await page.locator('.attention-live-failed').count()) > 0;

  for (const [name, options, pointer] of [
    ['a mouse', { viewport: { width: 1280, height: 800 } }, 'mouse'],
    ['a finger', { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }, 'finger'],
  ]) {
    test(`the first is enough to look, point, drag, zoom and walk through the steps, with ${name}`, async () => {
      await withPage({ server: { intercept: refused }, ...options }, async (page) => {
        await openWithFirst(page);
        const { width, height } = options.viewport;
        for (let i = 0; i < 12; i += 1) {
          const [x, y] = [width * (0.1 + 0.07 * i), height * (0.15 + 0.06 * i)];
          if (pointer === 'mouse') await page.mouse.move(x, y);
          else await page.touchscreen.tap(x, y);
        }
        if (pointer === 'mouse') {
          await page.mouse.move(width / 2, height / 2);
          await page.mouse.wheel(0, 200);
          await page.mouse.down();
          await page.mouse.move(width / 2 + 60, height / 2 + 30, { steps: 5 });
          await page.mouse.up();
        }
        await page.locator('.attention-live-canvas').focus();
        for (let step = 1; step < 12; step += 1) {
          await page.keyboard.press('ArrowRight');
          await page.waitForTimeout(60);
        }
        assert.equal(await broken(page), false);
        assert.deepEqual(page.heard.errors, []);
        assert.ok(page.heard.requests.some(isRest), 'the rest was asked for');
      });
    });
  }

  test('the first opens a link to any example, step and head by itself, and shows it', async () => {
    let offered;
    await withPage({}, async (page) => {
      await open(page);
      offered = await page.evaluate(() => window.attentionLive.choices());
    });
    await withPage({ server: { intercept: refused }, viewport: small, reducedMotion: 'reduce' }, async (page) => {
      await openWithFirst(page, '#v=1&example=counting&step=split&head=3&theme=dark');
      const { step, head } = await page.evaluate(() => window.attentionLive.state());
      assert.deepEqual([step, head], ['split', 3]);
      for (const { id: example } of offered.examples) {
        const shown = await page.evaluate(async ([name, steps]) => {
          const seen = [];
          for (const { id } of steps) {
            window.attentionLive.open(`#v=1&example=${name}&step=${id}&all_heads=false&head=1&query=1`);
            await window.attentionLive.settled();
            seen.push(window.attentionLive.state().step);
          }
          return seen;
        }, [example, offered.steps]);
        assert.deepEqual(shown, offered.steps.map(({ id }) => id), example);
      }
      assert.equal(await broken(page), false);
      assert.deepEqual(page.heard.errors, []);
    });
  });

  test('with a link to more than that it begins when both are there', async () => {
    let rest;
    const intercept = (path, response) => {
      if (!isRest(path)) return false;
      rest = response;
      return true;
    };
    await withPage({ server: { intercept } }, async (page) => {
      await page.goto(`${page.origin}/#v=1&example=pool-beats-badminton&edits=query_input:0,0,0=7`);
      await page.waitForTimeout(1000);
      assert.match(await sentence(page), /^Loading attention-live/);
      rest.writeHead(200, { 'Content-Type': 'application/wasm' });
      rest.end(await readFile(`${site}/attention-live-simd-rest.wasm`));
      assert.equal(await reason(page), 'ready');
      assert.equal(await page.evaluate(() => window.attentionLive.tensor('query_input').data[0]), 7);
      assertQuiet(page);
    });
  });

  // And does not hang: a browser's cache would hold a second request for the same address back for 20 s.
  test('what the rest is needed for before it has come waits for it', { timeout: 15_000 }, async () => {
    const asked = [];
    const intercept = (path, { req: request }) => {
      if (!isRest(path)) return false;
      asked.push(request.url);
      return request.url === path; // the one that nobody waits for is never answered
    };
    await withPage({ server: { intercept } }, async (page) => {
      await openWithFirst(page);
      const { link, problems } = await page.evaluate(() => {
        const opened = window.attentionLive.open('#v=1&example=pool-beats-badminton&edits=query_input:0,0,0=7&mistake=no-scale');
        return { link: window.attentionLive.link(), problems: opened.problems };
      });
      assert.deepEqual(problems, []);
      assert.match(link, /edits=attention\.query_input:0,0,0=7/);
      while (asked.length < 2) await page.waitForTimeout(20); // which of the two arrives first is the browser's affair
      assert.deepEqual(asked.map((address) => address.includes('?')).sort(), [false, true]);
      assert.deepEqual(page.heard.errors, []);
    });
  });

  test('where it does not come, the page says so, and tries again', async () => {
    let away = true;
    const intercept = (path, response) => away && refused(path, response);
    await withPage({ server: { intercept } }, async (page) => {
      await openWithFirst(page);
      const message = await page.evaluate(() => {
        try {
          return window.attentionLive.open('#v=1&edits=query_input:0,0,0=7&mistake=no-scale&sentence=a+b') && 'opened';
        } catch (cause) {
          return cause.message;
        }
      });
      assert.match(message, /^A part of the program could not be downloaded.*answered 503/);
      await failed(page);
      assert.equal(await sentence(page), message);
      away = false;
      await page.click('.attention-live-again');
      await page.waitForFunction(() => window.attentionLive.frames > 0);
      assert.equal(await reason(page), 'ready');
    });
  });

  test('a browser that does not compile while a page waits gets both before it begins', async () => {
    const init = () => {
      const { Module } = WebAssembly;
      WebAssembly.Module = function limited(bytes) {
        if (bytes.byteLength > 4096) throw new RangeError('WebAssembly.Compile is disallowed on the main thread');
        return new Module(bytes);
      };
    };
    await withPage({ init, server: { intercept: refused } }, async (page) => {
      await page.goto(page.origin);
      await failed(page);
      assert.match(await sentence(page), /answered 503 for \/attention-live-simd-rest\.wasm/);
    });
    await withPage({ init }, async (page) => {
      await open(page);
      assertQuiet(page);
    });
  });
});

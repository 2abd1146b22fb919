// When frames are drawn and on what: none when nothing changes, the right size, and a context that comes back.

import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';

import { checkCells } from '../support/cells.mjs';
import { coloursIn, decodePng } from '../support/png.mjs';
import { api, asked, assertQuiet, frames, launch, newPage, open, serve, settled, tensor } from './support.mjs';

let server;
let browser;
let page;
before(async () => {
  server = await serve({ extra: {
    '/article.html': `<!doctype html><meta charset="utf-8"><title>article</title><link rel="icon" href="icon.svg">
      <link rel="stylesheet" href="style.css"><link rel="stylesheet" href="article.css">
      <input id="own" value="own"><div id="attention-live"></div><p id="below">text</p>
      <script type="module" src="page.mjs"></script>`,
    '/article.css': `html, body { height: auto; overflow: visible; } body { height: 4000px; }
      #attention-live { position: relative; width: 720px; height: 480px; }`,
  } });
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await server?.close();
});

async function openPage(options = {}, path = '/') {
  await page?.context().close();
  page = await newPage(browser, { origin: server.origin, pixels: true, ...options });
  await open(page, path);
}

/** The observers of sizes have been told, however long the browser takes for a frame. */
const laidOut = () => page.evaluate(() => new Promise((resolve) => {
  requestAnimationFrame(() => requestAnimationFrame(resolve));
}));

const canvasSize = () => page.evaluate(() => {
  const { width, height } = document.querySelector('canvas');
  return [width, height];
});

describe('frames', () => {
  beforeEach(() => openPage());

  async function framesDuring(milliseconds, action = async () => {}) {
    const before = await frames(page);
    await action();
    await page.waitForTimeout(milliseconds);
    return (await frames(page)) - before;
  }

  test('none is drawn with the pointer resting on a cell, a cell chosen or a field open', async () => {
    await api(page, 'set', { example: 'pool-beats-badminton', step: 'input' });
    await settled(page);
    const [{ rect: [x, y] }] = await api(page, 'blocks');
    await page.mouse.move(x + 4, y + 4);
    await settled(page);
    assert.equal(await framesDuring(1000), 0, 'pointing');
    await page.mouse.click(x + 4, y + 4);
    await settled(page);
    assert.equal(await framesDuring(1000), 0, 'chosen');
    await page.keyboard.press('Enter');
    await settled(page);
    assert.equal(await page.evaluate(() => document.activeElement.tagName), 'TEXTAREA');
    assert.equal(await framesDuring(1000), 0, 'a caret that does not blink');
  });

  test('asking draws none, changing draws some', async () => {
    assert.equal(await framesDuring(200, async () => {
      await api(page, 'state');
      await tensor(page, 'q');
      await api(page, 'probe', 600, 400);
      await api(page, 'blocks');
    }), 0);
    const drawn = await framesDuring(500, () => api(page, 'set', { step: 'softmax' }));
    assert.ok(drawn > 0 && drawn < 10, `${drawn} frames`);
  });

  test('motion runs to its end, unless the reader asked for none', async () => {
    const still = await framesDuring(1500, () => api(page, 'set', { step: 'scores' }));
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    const moving = await framesDuring(1500, () => api(page, 'set', { step: 'softmax' }));
    assert.ok(moving > still, `${moving} frames with motion, ${still} without`);
    assert.equal(await framesDuring(500), 0);
  });

  test('dark when the system is', async () => {
    const paper = async () => decodePng(await page.screenshot()).at(640, 70);
    assert.ok((await paper()).every((channel) => channel > 200));
    await page.emulateMedia({ colorScheme: 'dark' });
    await settled(page);
    assert.ok((await paper()).every((channel) => channel < 80));
  });
});

describe('the graphics card', () => {
  test('is never waited for while frames are drawn', async () => {
    const init = () => {
      // Whatever is answered has to wait until all that was asked before is done.
      const context = WebGL2RenderingContext.prototype;
      window.asked = {};
      for (const name of Object.getOwnPropertyNames(context)) {
        const { value } = Object.getOwnPropertyDescriptor(context, name);
        if (typeof value !== 'function' || !/^(get|is|check|read|finish|clientWait)/.test(name)) continue;
        context[name] = function counted(...values) {
          window.asked[name] = (window.asked[name] ?? 0) + 1;
          return value.apply(this, values);
        };
      }
    };
    await openPage({ init });
    const first = await page.evaluate(() => window.asked);
    assert.ok(first.getProgramParameter >= 2, 'how the shaders went is asked at the start');
    const before = await frames(page);
    await page.evaluate(() => { window.asked = {}; });
    await api(page, 'set', { example: 'counting', step: 'softmax', query: 2 });
    await settled(page);
    await api(page, 'set', { theme: 'dark' });
    await settled(page);
    assert.ok(await frames(page) > before);
    assert.deepEqual(await page.evaluate(() => window.asked), {});
  });
});

const line = 30; // the height of what stands under the canvas, see style.css

describe('size', () => {
  test('the canvas has the window’s device pixels', async () => {
    await openPage({ deviceScaleFactor: 2, viewport: { width: 390, height: 844 } });
    assert.deepEqual(await canvasSize(), [780, 1688 - 2 * line]);
    await checkCells(asked(page), { width: 390, height: 844 - line });
  });

  test('it follows its window', async () => {
    await openPage();
    for (const [width, height] of [[720, 480], [390, 844], [1601, 901], [1280, 800]]) {
      await page.setViewportSize({ width, height });
      await page.waitForFunction(([w, h]) => {
        const canvas = document.querySelector('canvas');
        return canvas.width === w && canvas.height === h;
      }, [width, height - line]);
      await settled(page);
      await checkCells(asked(page), { width, height: height - line });
      assert.ok(coloursIn(decodePng(await page.screenshot())) > 8, 'it is drawn');
    }
    assertQuiet(page);
  });

  test('and its pixel ratio, as when the reader zooms the page', async () => {
    await openPage();
    const cdp = await page.context().newCDPSession(page);
    for (const [ratio, width, height] of [[1.5, 800, 600], [3, 400, 300], [0.75, 1600, 1200], [1, 1200, 900]]) {
      await cdp.send('Emulation.setDeviceMetricsOverride', {
        width, height, deviceScaleFactor: ratio, mobile: false,
      });
      await page.waitForFunction((wanted) => devicePixelRatio === wanted, ratio);
      await laidOut();
      await settled(page);
      assert.deepEqual(await canvasSize(), [1200, Math.round(900 - line * ratio)]);
      // What is hit must follow even where the number of device pixels has hardly changed.
      await checkCells(asked(page), { width, height: height - line });
    }
    assertQuiet(page);
  });

  test('hidden and shown again', async () => {
    await openPage({}, '/article.html');
    const display = (value) => page.evaluate((shown) => {
      document.querySelector('#attention-live').style.display = shown;
    }, value);
    await display('none');
    await laidOut();
    await api(page, 'set', { step: 'softmax' });
    await display('block');
    await laidOut();
    await settled(page);
    assert.deepEqual(await canvasSize(), [720, 480]);
    await checkCells(asked(page), { width: 720, height: 480 });
    assertQuiet(page);
  });
});

describe('inside an article', () => {
  beforeEach(() => openPage({}, '/article.html'));

  test('the wheel scrolls the article, also after a click; over a panel with more to show it scrolls that', async () => {
    const box = await page.locator('canvas').boundingBox();
    const scrolled = () => page.evaluate(() => document.scrollingElement.scrollTop);
    await page.mouse.move(box.x + 300, box.y + 300);
    await page.mouse.wheel(0, 120);
    await page.waitForFunction(() => document.scrollingElement.scrollTop > 0);
    await page.evaluate(() => document.scrollingElement.scrollTo(0, 0));
    await page.mouse.click(box.x + 300, box.y + 470);
    await settled(page);
    const blocks = await api(page, 'blocks');
    await page.mouse.move(box.x + 300, box.y + 300);
    await page.mouse.wheel(0, 120);
    await page.waitForFunction(() => document.scrollingElement.scrollTop > 0);
    assert.deepEqual((await api(page, 'blocks'))[0].rect, blocks[0].rect, 'the stage stays');
    await page.evaluate(() => {
      document.scrollingElement.scrollTo(0, 0);
      Object.assign(document.querySelector('#attention-live').style, { width: '1100px', height: '600px' });
    });
    await laidOut();
    await api(page, 'set', { example: 'gender-and-number', step: 'sentence' });
    await settled(page);
    const wide = await page.locator('canvas').boundingBox();
    await page.mouse.move(wide.x + wide.width - 120, wide.y + 200); // the inspector, which has no room for all it says
    await page.mouse.wheel(0, 40);
    await page.waitForTimeout(300);
    assert.equal(await scrolled(), 0);
    for (let i = 0; i < 60; ++i) await page.mouse.wheel(0, 400);
    await page.waitForFunction(() => document.scrollingElement.scrollTop > 0);
  });

  test('the article keeps its keys, and Tab passes through', async () => {
    await page.focus('#own');
    await page.keyboard.press('End');
    await page.keyboard.type('er');
    await page.keyboard.press('Backspace');
    assert.equal(await page.inputValue('#own'), 'owne');
    const { step } = await api(page, 'state');
    await page.keyboard.press('PageDown');
    assert.equal((await api(page, 'state')).step, step);
    await page.keyboard.press('Tab');
    assert.equal(await page.evaluate(() => document.activeElement.tagName), 'CANVAS');
    await page.keyboard.press('PageDown');
    await settled(page);
    assert.notEqual((await api(page, 'state')).step, step, 'with the focus a key is the program’s');
    await page.keyboard.press('Tab');
    assert.notEqual(await page.evaluate(() => document.activeElement.tagName), 'CANVAS');
    assertQuiet(page);
  });

  test('a press inside that ends outside ends', async () => {
    const box = await page.locator('canvas').boundingBox();
    await page.mouse.move(box.x + 300, box.y + 300);
    await page.mouse.down();
    await page.mouse.move(box.x + 340, box.y + 320, { steps: 3 });
    await page.mouse.move(1200, 700, { steps: 3 });
    await page.mouse.up();
    await settled(page);
    const [{ rect: before }] = await api(page, 'blocks');
    await page.mouse.move(box.x + 100, box.y + 200, { steps: 3 });
    await settled(page);
    const [{ rect: now }] = await api(page, 'blocks');
    assert.deepEqual(now, before, 'the stage does not follow the pointer any more');
  });
});

describe('a lost context', () => {
  const lose = () => page.evaluate(() => new Promise((resolve) => {
    const canvas = document.querySelector('canvas');
    window.context = canvas.getContext('webgl2').getExtension('WEBGL_lose_context');
    canvas.addEventListener('webglcontextlost', () => setTimeout(resolve), { once: true });
    window.context.loseContext();
  }));
  const restore = () => page.evaluate(() => new Promise((resolve) => {
    document.querySelector('canvas').addEventListener('webglcontextrestored', () => setTimeout(resolve), { once: true });
    window.context.restoreContext();
  }));
  const expected = [/CONTEXT_LOST_WEBGL/];

  test('nobody waits for frames that are not drawn without it', async () => {
    await openPage();
    const waited = page.evaluate(() => new Promise((resolve) => {
      const canvas = document.querySelector('canvas');
      canvas.addEventListener('webglcontextlost', () => resolve(all), { once: true, capture: true });
      const all = [];
      canvas.getContext('webgl2').getExtension('WEBGL_lose_context').loseContext();
      for (const step of ['mask', 'softmax', 'output']) {
        window.attentionLive.set({ step });
        all.push(window.attentionLive.settled().then(() => step));
      }
    }).then((all) => Promise.all(all)));
    assert.deepEqual(await waited, ['mask', 'softmax', 'output']);
  });

  test('comes back with nothing lost', async () => {
    await openPage();
    await api(page, 'set', { example: 'pool-beats-badminton', step: 'softmax' });
    await api(page, 'edit', { tensor: 'query_input', index: [0, 0, 1], value: 0.3125 });
    await settled(page);
    const picture = await page.screenshot();
    const before = await api(page, 'state');
    await lose();
    const drawn = await frames(page);
    await page.mouse.move(300, 400);
    await page.waitForTimeout(200);
    assert.equal(await frames(page), drawn, 'nothing is drawn while it is gone');
    await page.mouse.move(1, 1);
    await restore();
    await settled(page);
    assert.ok((await frames(page)) > drawn);
    assert.deepEqual(await api(page, 'state'), before);
    assert.ok(picture.equals(await page.screenshot()), 'the picture is the same to the last pixel');
    await checkCells(asked(page), { width: 1280, height: 800 });
    assertQuiet(page, expected);
  });

  test('what changed meanwhile is there, and it can be lost again', async () => {
    await openPage();
    await api(page, 'set', { example: 'pool-beats-badminton', step: 'input' });
    for (const value of [0.25, -0.75]) {
      await lose();
      await api(page, 'edit', { tensor: 'query_input', index: [0, 0, 0], value });
      await page.setViewportSize({ width: 900, height: 700 + Math.round(value * 4) });
      await restore();
      await settled(page);
      const cells = await checkCells(asked(page), { width: 900, height: 700 });
      const edited = cells.find((cell) => cell.tensor === 'query_input' && cell.index.join() === '0,0,0');
      assert.equal(edited.value, value);
      assert.ok(coloursIn(decodePng(await page.screenshot())) > 8, 'it is drawn');
    }
    assertQuiet(page, expected);
  });
});

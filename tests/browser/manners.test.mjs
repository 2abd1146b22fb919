// A figure in an author's page takes nothing that is the page's: wheel, fingers, keys and focus.

import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';

import {
  boxOf, framing as framingOf, ground as groundOf, keysAreThePages, long, scrolled as scrolledIn, wheelAfterTab, wheelIsThePages,
} from './both.mjs';
import { article, authorFiles, openArticle, stateOf, told } from './figures.mjs';
import { launch, newPage, serve } from './support.mjs';

const figure = '<attention-live id="one" example="pool-beats-badminton" variant="projected" step="scores"></attention-live>';
let server;
let browser;
let page;
let cdp;
before(async () => {
  server = await serve({
    extra: {
      ...authorFiles,
      '/long.html': long,
      '/short.html': article(figure),
    },
  });
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await server?.close();
});
afterEach(() => page?.context().close());

async function open(path, options = {}) {
  page = await newPage(browser, {
    origin: server.origin, viewport: { width: 700, height: 600 }, reducedMotion: 'no-preference', pixels: true, ...options,
  });
  cdp = await page.context().newCDPSession(page);
  await openArticle(page, path, 'one');
}
const scrolled = () => scrolledIn(page);
const framing = () => framingOf(page);
const box = () => boxOf(page, 'one');
const ground = () => groundOf(page);
const hint = () => page.locator('#one .attention-live-hint.shown').count();
const drawn = () => page.waitForTimeout(300);

describe('the wheel', () => {
  test('scrolls the page, with a hint; with Ctrl it is the figure’s, also after a click', async () => {
    await open('/long.html');
    await wheelIsThePages(page);
  });

  test('who comes by Tab still scrolls', async () => {
    await open('/long.html');
    await wheelAfterTab(page);
  });

  test('who scrolls past sees no hint, and on a page that does not scroll there is none', async () => {
    await open('/long.html');
    await page.evaluate(() => scrollTo(0, 700));
    await page.mouse.move(300, 300);
    for (let i = 0; i < 8; i += 1) await page.mouse.wheel(0, -60);
    await page.waitForFunction(() => document.scrollingElement.scrollTop < 500);
    assert.equal(await hint(), 0);
    await page.context().close();
    await open('/short.html');
    const at = await ground();
    await page.mouse.move(at.x, at.y);
    await page.mouse.wheel(0, -100);
    await page.waitForFunction(() => document.getElementById('one').state.framing !== null);
    assert.equal(await hint(), 0);
  });
});

describe('keys', () => {
  test('reach it only with the focus; Esc and Tab leave', async () => {
    await open('/long.html');
    await keysAreThePages(page);
  });

  test('the browser’s own are left to it', async () => {
    await open('/long.html');
    await page.evaluate(() => {
      document.getElementById('one').focus();
      window.prevented = [];
      addEventListener('keydown', (event) => window.prevented.push([event.key, event.defaultPrevented]));
    });
    for (const keys of ['Control+l', 'Control+t', 'Control+f', 'Control+Shift+i', 'F5', 'F11', 'Alt+ArrowLeft', 'Control+p', 'Tab']) {
      const parts = keys.split('+');
      await page.evaluate(([key, ctrl, shift, alt]) => {
        document.getElementById('one').shadowRoot.querySelector('canvas').dispatchEvent(new KeyboardEvent('keydown', {
          key, code: key, ctrlKey: ctrl, shiftKey: shift, altKey: alt, bubbles: true, composed: true, cancelable: true,
        }));
      }, [parts.at(-1), parts.includes('Control'), parts.includes('Shift'), parts.includes('Alt')]);
    }
    assert.deepEqual((await page.evaluate(() => window.prevented)).filter(([, prevented]) => prevented), []);
  });
});

describe('press and drag', () => {
  test('pressed inside and released outside is over', async () => {
    await open('/long.html');
    const at = await ground();
    await page.mouse.move(at.x, at.y);
    await page.mouse.down();
    await page.mouse.move(at.x + 40, at.y - 30);
    await page.mouse.move(at.x + 60, 590);
    await page.mouse.up();
    await drawn();
    const after = await framing();
    assert.notEqual(after, 'null');
    await page.mouse.move(at.x, at.y);
    await page.mouse.move(at.x + 80, at.y - 50);
    await drawn();
    assert.equal(await framing(), after, 'nothing is dragged any more');
  });
});

describe('fingers', () => {
  const touch = (type, ...points) => cdp.send('Input.dispatchTouchEvent', {
    type, touchPoints: points.map(([x, y], id) => ({ x, y, id })),
  });
  const swipe = async ([x, y], [toX, toY], steps = 8) => {
    await touch('touchStart', [x, y]);
    for (let i = 1; i <= steps; i += 1) {
      await touch('touchMove', [x + ((toX - x) * i) / steps, y + ((toY - y) * i) / steps]);
      await page.waitForTimeout(20);
    }
    await touch('touchEnd');
    await drawn();
  };
  test('one scrolls the page, and the figure stays as it is', async () => {
    await open('/long.html', { hasTouch: true });
    const before = await stateOf(page, 'one');
    const at = await ground();
    await swipe([at.x, at.y], [at.x, at.y - 150]);
    assert.ok((await scrolled()) > 80, `scrolled by ${await scrolled()}`);
    assert.deepEqual(await stateOf(page, 'one'), before);
  });

  test('one that presses what can be dragged drags it', async () => {
    await open('/long.html', { hasTouch: true });
    const { x, y, width, height } = await box();
    // The slider over the step bar: the line at its full width.
    const before = (await stateOf(page, 'one')).scrub;
    let line = null;
    for (let up = 30; up < 70 && line === null; up += 4) {
      await page.evaluate((value) => document.getElementById('one').setState({ scrub: value }), before);
      await swipe([x + width * 0.5, y + height - up], [x + width * 0.3, y + height - up], 5);
      if ((await stateOf(page, 'one')).scrub !== before) line = up;
    }
    assert.notEqual(line, null, 'the slider moves under the finger');
    assert.equal(await scrolled(), 0);
  });

  test('one on a panel that has more scrolls that, and then the page', async () => {
    await open('/long.html', { hasTouch: true });
    const { x, y, width, height } = await box();
    const before = await stateOf(page, 'one');
    await page.touchscreen.tap(x + width - 40, y + 20); // Controls
    await drawn();
    const clip = { x: x + width - 330, y: y + 60, width: 300, height: height - 130 };
    const look = async () => (await page.screenshot({ clip })).toString('base64');
    const [middle, bottom] = [x + width - 120, y + height * 0.55]; // over the lines of the other groups
    const looks = [await look()];
    for (let i = 0; i < 12 && (await scrolled()) === 0; i += 1) {
      await swipe([middle, bottom], [middle, bottom - 150]);
      if ((await scrolled()) === 0) looks.push(await look());
    }
    assert.ok(looks.length >= 2, 'the panel is scrolled first');
    assert.equal(new Set(looks).size, looks.length, 'each time');
    assert.ok((await scrolled()) > 0, 'at its end the page goes on');
    assert.deepEqual(await stateOf(page, 'one'), before, 'and nothing is pressed');
  });

  test('two move and zoom it, not the page', async () => {
    await open('/long.html', { hasTouch: true });
    const { x, y, width, height } = await box();
    const [middleX, middleY] = [x + width * 0.25, y + height / 2];
    await touch('touchStart', [middleX - 40, middleY]);
    await touch('touchStart', [middleX - 40, middleY], [middleX + 40, middleY]);
    for (let i = 1; i <= 6; i += 1) {
      await touch('touchMove', [middleX - 40 - 12 * i, middleY], [middleX + 40 + 12 * i, middleY]);
      await page.waitForTimeout(20);
    }
    await touch('touchEnd');
    await drawn();
    const [, , zoom] = (await stateOf(page, 'one')).framing;
    assert.ok(zoom > 1.5, `zoomed ${zoom}-fold`);
    assert.equal(await scrolled(), 0);
    assert.equal(await page.evaluate(() => visualViewport.scale), 1);
  });

  test('a tap selects; one that rests shows what pointing shows, and selects nothing', async () => {
    await open('/long.html', { hasTouch: true });
    const { x, y, width, height } = await box();
    const pointed = async () => (await told(page, 'cellhover')).filter(({ cell }) => cell).at(-1)?.cell;
    // With a mouse a cell is found sooner.
    let place = null;
    for (let row = 0.35; row < 0.8 && !place; row += 0.07) {
      for (let column = 0.15; column < 0.8 && !place; column += 0.06) {
        const at = [x + width * column, y + height * row];
        await page.mouse.move(...at);
        await page.waitForTimeout(60);
        const cell = await pointed();
        if (cell) place = { at, cell };
      }
    }
    assert.ok(place, 'a cell was pointed to');
    await page.mouse.move(1, 1);
    await drawn();
    await told(page, 'cellhover');
    await touch('touchStart', place.at);
    await page.waitForTimeout(570);
    assert.deepEqual(await pointed(), place.cell, 'resting shows what pointing shows');
    await touch('touchEnd');
    await drawn();
    assert.equal((await stateOf(page, 'one')).cell, null, 'and selects nothing');
    await page.touchscreen.tap(...place.at);
    await page.waitForFunction(() => document.getElementById('one').state.cell !== null);
    const { tensor, index } = place.cell;
    assert.deepEqual((await stateOf(page, 'one')).cell, { tensor, index });
  });
});

describe('the whole screen', () => {
  test('by a button that keys reach; the wheel is the figure’s there', async () => {
    await open('/long.html');
    const button = page.locator('#one').getByRole('button', { name: 'Full screen' });
    await button.focus();
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => document.fullscreenElement?.id === 'one');
    const { width, height } = await box();
    assert.deepEqual([width, height], await page.evaluate(() => [innerWidth, innerHeight]));
    await page.mouse.move(width * 0.03, height / 2);
    await page.mouse.wheel(0, -100);
    await page.waitForFunction(() => document.getElementById('one').state.framing !== null);
    await page.locator('#one').getByRole('button', { name: 'Leave full screen' }).click();
    await page.waitForFunction(() => document.fullscreenElement === null);
  });

  test('is not offered where it is not allowed', async () => {
    page = await newPage(browser, { origin: server.origin, init: () => {
      Object.defineProperty(Document.prototype, 'fullscreenEnabled', { get: () => false });
    } });
    await openArticle(page, '/short.html', 'one');
    assert.equal(await page.locator('#one .full').isVisible(), false);
  });
});

test('forced colours: the element’s parts keep their borders and texts', async () => {
  await open('/long.html', { forcedColors: 'active' });
  const styles = await page.evaluate(() => {
    const root = document.getElementById('one').shadowRoot;
    return { border: getComputedStyle(root.host).borderTopStyle, button: getComputedStyle(root.querySelector('.full')).opacity };
  });
  assert.deepEqual(styles, { border: 'solid', button: '1' });
});

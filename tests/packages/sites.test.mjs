// Figures in sites as they are made: a deck of reveal.js, sites of VitePress and swup, pages of React and Vue.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';

import { boxOf } from '../browser/both.mjs';
import { started, stateOf } from '../browser/figures.mjs';
import { assertQuiet } from '../browser/support.mjs';
import { inChromium, installed, withHost } from './support.mjs';

const run = promisify(execFile);
let project;
before(async () => { project = await installed('sites'); });
after(() => rm(project, { recursive: true, force: true }));

/** Runs `body` with a page of a folder of the project, whose figure has started. */
const withSite = (folder, path, options, body) => withHost(join(project, folder), { policy: null }, (host) => (
  inChromium(async (page) => {
    await page.goto(host.origin + path);
    await started(page, 'one');
    await body(page);
    assertQuiet(page);
    assert.deepEqual(page.heard.failed, []);
  }, options)));

const state = (page) => stateOf(page, 'one');
const shows = (page, wanted) => page.waitForFunction((all) => {
  const now = document.getElementById('one')?.state;
  return now && Object.entries(all).every(([name, value]) => now[name] === value);
}, wanted);
const press = async (page, ...keys) => {
  for (const key of keys) await page.keyboard.press(key);
};

describe('a deck of reveal.js', () => {
  const withDeck = (slide, options, body) => withSite('.', `/deck/index.html#/${slide}`, options, async (page) => {
    await page.waitForFunction(() => window.deck?.isReady());
    await body(page, () => page.evaluate(() => [window.deck.getIndices().h, window.deck.isOverview(), window.deck.isPaused()]));
  });
  /** Where a finger, at these shares of the figure's width, goes along the time line. */
  async function alongTheLine(page, up, ...shares) {
    const cdp = await page.context().newCDPSession(page);
    const { x, y, width, height } = await boxOf(page, 'one');
    for (const [i, share] of shares.entries()) {
      const at = { x: x + width * share, y: y + height - up };
      await cdp.send('Input.dispatchTouchEvent', { type: i === 0 ? 'touchStart' : 'touchMove', touchPoints: [at] });
    }
    await cdp.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    await cdp.detach();
  }

  test('keys of a chosen cell and of a number turn no slide; Esc opens the overview when there is nothing to close', () => (
    withDeck(1, {}, async (page, deck) => {
      const choose = (index) => page.evaluate((at) => {
        const figure = document.getElementById('one');
        figure.focus();
        const drawn = () => new Promise((resolve) => { requestAnimationFrame(() => requestAnimationFrame(() => resolve())); });
        return figure.setState({ step: 'input', cell: { tensor: 'query_input', index: at } }).then(drawn);
      }, index); // a key is for what is drawn
      await choose([0, 0, 0]);
      await press(page, 'ArrowRight', 'ArrowDown');
      assert.deepEqual((await state(page)).cell.index, [0, 1, 1]);
      await page.keyboard.type('.5');
      await press(page, 'Enter');
      await page.waitForFunction(() => document.getElementById('one').state.edits.length > 0);
      await page.keyboard.type('7');
      await press(page, 'Escape', 'Escape');
      assert.equal((await state(page)).cell, null);
      assert.deepEqual(await deck(), [1, false, false]);
      await press(page, 'Escape');
      assert.deepEqual(await deck(), [1, true, false], 'the deck has its own keys still');
    })));

  test('letters of the deck’s shortcuts are typed into the answer of a lesson', () => withDeck(2, {}, async (page, deck) => {
    const answer = page.locator('#two .question input');
    await answer.fill('');
    await page.keyboard.type('no. b f? ');
    await press(page, 'ArrowLeft', 'Home', 'End');
    assert.equal(await answer.inputValue(), 'no. b f? ');
    await press(page, 'Escape');
    assert.deepEqual([await answer.inputValue(), ...await deck()], ['', 2, false, false]);
    await press(page, 'Escape');
    assert.deepEqual(await deck(), [2, true, false]);
  }));

  test('a finger on the time line is no swipe, and the line comes to where the finger is', () => (
    withDeck(1, { hasTouch: true, viewport: { width: 1500, height: 1100 } }, async (page, deck) => {
      await page.evaluate(() => document.getElementById('one').setState({ step: 'scores' }).then(() => {}));
      const { x, y, width, height } = await boxOf(page, 'one');
      const scrub = async () => (await state(page)).scrub;
      const whole = await scrub();
      let line = 48; // it is found with the mouse, which turns no slide
      while (line < 110 && (await scrub()) === whole) {
        line += 3;
        await page.mouse.move(x + width * 0.5, y + height - line);
        await page.mouse.down();
        for (const share of [0.4, 0.3]) await page.mouse.move(x + width * share, y + height - line);
        await page.mouse.up();
        await page.evaluate(() => document.getElementById('one').setState({ query: 1 }).then(() => {}));
      }
      const there = await scrub();
      assert.notEqual(there, whole, 'the line is found');
      await page.evaluate(() => document.getElementById('one').setState({ query: 0, scrub: 1 }).then(() => {}));
      await alongTheLine(page, line, 0.5, 0.45, 0.4, 0.35, 0.3);
      await page.waitForFunction((wanted) => Math.abs(document.getElementById('one').state.scrub - wanted) < 0.02, there);
      assert.deepEqual(await deck(), [1, false, false]);
      // Beside the figure the same drag turns the slide.
      await alongTheLine(page, -40, 0.5, 0.4, 0.3, 0.2, 0.1);
      assert.equal((await deck())[0], 2);
    })));

  test('on slides of any scale it is sharp, and the cell under the pointer is the one that is seen there', () => (
    withDeck(1, { viewport: { width: 1900, height: 1100 } }, async (page) => {
      await page.evaluate(() => document.getElementById('one').addEventListener('cellhover', ({ detail }) => {
        window.pointed = JSON.stringify(detail.cell);
      }));
      const point = async ([across, down]) => {
        const { x, y, width, height } = await boxOf(page, 'one');
        await page.mouse.move(x + width * across, y + height * down);
      };
      const cells = new Map(); // place, in shares of the figure → its cell
      for (const viewport of [{ width: 1900, height: 1100 }, { width: 1000, height: 720 }, { width: 700, height: 500 }]) {
        await page.setViewportSize(viewport);
        await page.waitForFunction(() => {
          const canvas = document.getElementById('one').shadowRoot.querySelector('canvas');
          const { width } = canvas.getBoundingClientRect();
          return Math.abs(width - 900 * window.deck.getScale()) < 1 && Math.abs(canvas.width - width) <= 1;
        });
        for (let i = 0; cells.size < 4; i += 1) {
          assert.ok(i < 400, 'cells are found');
          const place = [((i * 7) % 20) / 20 + 0.02, 0.2 + Math.floor(i / 20) / 30];
          await page.evaluate(() => { window.pointed = 'null'; });
          await point(place);
          const cell = await page.evaluate(() => new Promise((resolve) => {
            requestAnimationFrame(() => requestAnimationFrame(() => resolve(window.pointed)));
          }));
          if (cell !== 'null' && ![...cells.values()].includes(cell)) cells.set(place, cell);
        }
        for (const [place, cell] of cells) {
          await point(place);
          await page.waitForFunction((wanted) => window.pointed === wanted, cell);
        }
      }
    })));
});

describe('links in the prose move the figure, make no entry of the history, and leave the router its own links', () => {
  /** Follows them on the page that is shown. */
  async function followed(page, own) {
    const place = () => page.evaluate(() => [history.length, location.href]);
    const before = await place();
    await page.getByRole('link', { name: 'weights' }).click();
    await shows(page, { step: 'softmax', query: 2 });
    assert.deepEqual(await place(), before);
    if (!own) return;
    await page.getByRole('link', { name: own, exact: true }).first().click();
    await page.waitForFunction((was) => location.href !== was, before[1]);
  }

  test('swup', () => withSite('.', '/swup/index.html', {}, async (page) => {
    await followed(page, 'the end');
    await page.getByRole('link', { name: 'second' }).click();
    await page.getByRole('heading', { name: 'second' }).waitFor();
    await started(page, 'one');
    await followed(page);
    assert.equal(await page.evaluate(() => new URL(location).pathname), '/swup/second.html');
  }));

  test('VitePress', async () => {
    const folder = join(project, 'vitepress');
    await rename(join(folder, 'settings'), join(folder, '.vitepress'));
    await run('npx', ['vitepress', 'build'], { cwd: folder });
    await withSite('vitepress/.vitepress/dist', '/', { viewport: { width: 1300, height: 900 } }, async (page) => {
      await followed(page, 'the end');
      await page.getByRole('link', { name: 'more', exact: true }).click();
      await page.getByRole('heading', { name: 'More' }).waitFor();
      await started(page, 'one');
      await followed(page);
      assert.equal(await page.evaluate(() => new URL(location).pathname), '/more.html');
    });
  });
});

describe('what a framework sets before it has put a figure into the page arrives, and so do its events', () => {
  before(() => run('npx', ['vite', 'build', '--logLevel', 'warn'], { cwd: join(project, 'frameworks') }));
  const first = { example: 'counting', step: 'scores', query: 2, key: 1 };
  const said = (page, text) => page.locator('output', { hasText: text }).waitFor();

  test('React 19', () => withSite('frameworks/dist', '/react.html', {}, async (page) => {
    await shows(page, first);
    await page.getByRole('button', { name: 'Softmax' }).click();
    await shows(page, { ...first, step: 'softmax' });
    await said(page, /softmax$/);
  }));

  test('Vue 3, which also keeps one alive that it has taken out: what has changed meanwhile applies', () => (
    withSite('frameworks/dist', '/vue.html', {}, async (page) => {
      await shows(page, { ...first, head: 1 });
      await page.evaluate(() => {
        const figure = document.getElementById('one');
        window.stopped = new Promise((resolve) => { figure.addEventListener('stop', resolve, { once: true }); });
        return figure.setState({ head: 0, step: 'split' }).then(() => {});
      });
      await said(page, /split$/);
      await page.getByRole('button', { name: 'Leave' }).click();
      await page.evaluate(() => window.stopped.then(() => {}));
      await page.getByRole('button', { name: 'Softmax' }).click();
      await page.getByRole('button', { name: 'Return' }).click();
      await shows(page, { ...first, step: 'softmax', query: 0, head: 0 });
    })));
});

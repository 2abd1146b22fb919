// What a figure has used stays with it, where the page around could hear it later or by another way: the grids of Read as
// text, keys that are released where a dialog was, a finger on a page that does not scroll.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { boxOf, ground } from './both.mjs';
import { article, ask, authorFiles, openArticle, stateOf } from './figures.mjs';
import { withPages } from './pages.mjs';

const figure = '<attention-live id="one" example="counting" step="input" load="eager"></attention-live>';
const openPage = withPages({
  server: {
    extra: {
      ...authorFiles,
      '/hears.js': `window.heard = [];
        for (const kind of ['keydown', 'keypress', 'keyup', 'beforeinput', 'input', 'change', 'pointerdown', 'pointermove', 'pointerup',
          'pointercancel', 'touchstart', 'touchmove', 'touchend', 'touchcancel']) {
          document.addEventListener(kind, ({ key }) => window.heard.push(key ? kind + ' ' + key : kind), { passive: true });
        }`,
      '/still.css': 'html, body { margin: 0; height: 100%; overflow: hidden; } #one { width: 100%; height: 100%; }',
      '/plain.html': article(`<input id="before">${figure}`, { style: '<script src="/hears.js"></script>' }),
      '/still.html': article(figure, { style: '<link rel="stylesheet" href="/still.css"><script src="/hears.js"></script>' }),
      '/dialog.js': `import { make, openDialog } from '/program/dialog.mjs';
        window.openOwn = () => openDialog('Own', [make('input')], document.getElementById('one'));`,
      '/dialog.html': article(figure, { style: '<script src="/hears.js"></script><script type="module" src="/dialog.js"></script>' }),
    },
  },
  viewport: { width: 1000, height: 800 },
});

async function open(name, options) {
  const page = await openPage.blank(options);
  await openArticle(page, `/${name}.html`, 'one');
  return page;
}
const heard = (page) => page.evaluate(() => window.heard.splice(0));

test('in the grids of Read as text: arrows, Home, a number typed, Enter and Esc', async () => {
  const page = await open('plain');
  const inside = (selector) => page.locator('#one').locator(selector);
  await inside('.attention-live-read').press('Enter');
  await inside('.attention-live-mirror h2').first().waitFor();
  const button = inside('.attention-live-mirror button[aria-expanded]').filter({ hasText: /query[ _]input/i }).first();
  await button.press('Enter');
  const cell = inside('[role="gridcell"][tabindex="0"]').first();
  await cell.focus();
  await heard(page);
  for (const key of ['ArrowRight', 'ArrowDown', 'ArrowLeft', 'ArrowLeft', 'PageDown', 'Home', 'Control+Home']) await page.keyboard.press(key);
  await page.keyboard.press('Enter');
  await page.keyboard.type('.5');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Enter');
  assert.equal((await ask(page, 'one', 'tensor', 'query_input')).data[0], 0.5);
  await page.keyboard.press('Enter');
  await page.keyboard.type('7');
  await page.keyboard.press('Escape');
  assert.deepEqual((await heard(page)).filter((each) => !/Control$/.test(each)), []);
  assert.equal((await ask(page, 'one', 'tensor', 'query_input')).data[0], 0.5);
  await page.keyboard.press('o');
  assert.ok((await heard(page)).includes('keydown o'), 'a cell has no use for it');
});

describe('a key that closes the program’s own dialog', () => {
  for (const key of ['Escape', 'Enter']) {
    test(`${key}: it repeats and is released, and the page hears nothing; the next press is the page’s`, async () => {
      const page = await open('dialog');
      await page.evaluate(() => window.openOwn());
      const dialog = page.locator('.attention-live-dialog');
      await dialog.locator('input').focus();
      if (key === 'Enter') await dialog.evaluate((it) => it.addEventListener('keydown', () => it.close()));
      await heard(page);
      await page.keyboard.down(key);
      await dialog.waitFor({ state: 'detached' });
      await page.keyboard.down(key);
      await page.keyboard.up(key);
      assert.deepEqual(await heard(page), []);
      await page.keyboard.press(key);
      assert.deepEqual((await heard(page)).filter((each) => !/keypress/.test(each)), [`keydown ${key}`, `keyup ${key}`]);
    });
  }
});

test('a finger moves what is shown on a page that does not scroll; to the page the drag has ended where it began', async () => {
  const page = await open('still', { hasTouch: true });
  await ask(page, 'one', 'setState', { step: 'scores' });
  const cdp = await page.context().newCDPSession(page);
  const from = await ground(page);
  const { width } = await boxOf(page, 'one');
  await heard(page);
  for (let i = 0; i <= 4; i += 1) {
    const touchPoints = [{ x: from.x + (width * i) / 40, y: from.y + 15 * i }];
    await cdp.send('Input.dispatchTouchEvent', { type: i === 0 ? 'touchStart' : 'touchMove', touchPoints });
  }
  await cdp.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  await page.waitForFunction(() => document.getElementById('one').state.framing !== null);
  assert.deepEqual([...new Set(await heard(page))].sort(), ['pointercancel', 'pointerdown', 'touchcancel', 'touchstart']);
  assert.equal((await stateOf(page, 'one')).step, 'scores');
});

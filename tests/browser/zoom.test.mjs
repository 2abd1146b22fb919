// CSS `zoom` on an element around a figure: as sharp as without, and the pointer where it is.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { withPage } from './pages.mjs';
import { assertQuiet } from './support.mjs';

const zooms = ['0.6', '1', '1.5'];
const extra = {
  '/zoom.html': `<!doctype html><meta charset="utf-8"><title>zoom</title><link rel="icon" href="icon.svg">
    <link rel="stylesheet" href="style.css"><link rel="stylesheet" href="zoom.css">
    ${zooms.map((zoom, i) => `<section id="z${i}"><div></div></section>`).join('')}
    <script type="module" src="zoom.mjs"></script>`,
  '/zoom.css': `html, body { overflow: auto; } section { margin: 7px; } section > div { position: relative; width: 620px; height: 400px; }
    ${zooms.map((zoom, i) => `#z${i} { zoom: ${zoom}; }`).join(' ')}`,
  '/zoom.mjs': `import { mount } from './program/boot.mjs';
    const link = () => '#v=1&example=counting&step=split';
    window.all = [...document.querySelectorAll('section > div')].map((div) => mount(div, { link }));`,
};

describe('zoom', () => {
  test('of 0.6, 1 and 1.5', async () => {
    await withPage({ server: { extra } }, async (page) => {
      await page.goto(`${page.origin}/zoom.html`);
      await page.waitForFunction(() => window.all);
      await page.evaluate(() => Promise.all(window.all.map((each) => each.ready)));
      for (const [i, zoom] of zooms.entries()) {
        const { width, blocks } = await page.evaluate(async (at) => {
          document.getElementById(`z${at}`).scrollIntoView();
          await window.all[at].settled();
          return { width: document.querySelectorAll('canvas')[at].width, blocks: window.all[at].blocks() };
        }, i);
        assert.equal(width, Math.round(620 * zoom), `${zoom}: a pixel of the canvas is one of the screen`);
        const box = await page.locator('canvas').nth(i).boundingBox();
        const { rect } = blocks[0];
        const [x, y] = [rect[0] + rect[2] * 0.9, rect[1] + rect[3] * 0.9].map((place) => place * zoom);
        await page.mouse.move(box.x + x, box.y + y);
        await page.waitForFunction((at) => window.all[at].pointed() !== null, i);
        const cell = await page.evaluate((at) => window.all[at].pointed(), i);
        assert.deepEqual(cell.index.slice(-1), [2], `${zoom}: the cell in the last column`);
      }
      assertQuiet(page);
    });
  });
});

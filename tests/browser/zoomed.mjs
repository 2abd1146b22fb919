// CSS `zoom` on an element around a figure, in every browser: the tests of Chromium and of Firefox run this.

import assert from 'node:assert/strict';

const zooms = ['0.6', '1', '1.5'];

/** Files of a site with a page, /zoom.html, of figures under different zooms. */
export const zoomFiles = {
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

/** Opens that page: each figure is as sharp as without zoom, and the pointer is where it is. */
export async function zoomsWell(page) {
  await page.goto(`${page.origin}/zoom.html`);
  await page.waitForFunction(() => window.all);
  await page.evaluate(() => Promise.all(window.all.map((each) => each.ready)).then(() => {}));
  for (const [i, zoom] of zooms.entries()) {
    const { width, box, blocks } = await page.evaluate(async (at) => {
      document.getElementById(`z${at}`).scrollIntoView();
      await window.all[at].settled();
      const canvas = document.querySelectorAll('canvas')[at];
      const { x, y, width: wide } = canvas.getBoundingClientRect();
      return { width: canvas.width, box: { x, y, wide }, blocks: window.all[at].blocks() };
    }, i);
    assert.ok(Math.abs(box.wide - 620 * zoom) < 1, `${zoom}: the browser zooms`);
    assert.equal(width, Math.round(620 * zoom), `${zoom}: a pixel of the canvas is one of the screen`);
    const { rect } = blocks[0];
    const [x, y] = [rect[0] + rect[2] * 0.9, rect[1] + rect[3] * 0.9].map((place) => place * zoom);
    await page.mouse.move(Math.round(box.x + x), Math.round(box.y + y));
    await page.waitForFunction((at) => window.all[at].pointed() !== null, i);
    const cell = await page.evaluate((at) => window.all[at].pointed(), i);
    assert.deepEqual(cell.index.slice(-1), [2], `${zoom}: the cell in the last column`);
  }
}

// The lesson on a phone: the cells of its figures can be read and hit with a finger.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { withPages } from './pages.mjs';
import { assertQuiet, site } from './support.mjs';

// The element tells no rectangles. Here it does.
const element = readFileSync(join(site, 'element', 'element.mjs'), 'utf8');
const asked = element.replace('\n  describe() {', '\n  blocks() {\n    return this.#ask((api) => api.blocks());\n  }\n\n  describe() {');

const openPage = withPages({
  server: { extra: { '/element/element.mjs': asked } },
  viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true,
});

/** Width and height that the cells of every figure with digits have at least, in logical pixels. */
const usual = [30, 30];

/** Heat maps and the map: their cells are too narrow for digits. The smallest cell's width and height, and why. */
const withoutDigits = {
  encoder: [8, 8, 'the map of fourteen matrices: a click on one opens it'],
  agree: [18, 18, 'two heads of 8 × 8, which the text compares, over the loss'],
  induction: [14, 10, '16 columns in 358 pixels'],
  translator: [0, 0, '96 heads at once'],
};
/** In logical pixels; a narrower cell shows no digits: src/draw/stage/stage_view.cpp. */
const leastForDigits = 24;

/** Figures without cells: arrows, a picture. */
const withoutCells = ['arrows', 'patches'];

test('cells of the lesson’s figures are large enough on a phone', async () => {
  const page = await openPage.blank();
  await page.goto(`${page.origin}/lesson.html`);
  await page.waitForFunction(() => customElements.get('attention-live'));
  const ids = await page.$$eval('attention-live', (all) => all.map(({ id }) => id));
  for (const id of Object.keys(withoutDigits)) assert.ok(ids.includes(id), id);
  for (const id of ids.filter((each) => each !== 'translator')) {
    const blocks = await page.evaluate(async (wanted) => {
      const figure = document.getElementById(wanted);
      figure.scrollIntoView({ block: 'center', behavior: 'instant' });
      await figure.start();
      return figure.blocks();
    }, id);
    assert.equal(blocks.length === 0, withoutCells.includes(id), `${id} has ${blocks.length} blocks`);
    const [width, height] = withoutDigits[id] ?? usual;
    for (const { tensor, rows, columns, rect, partial } of blocks) {
      if (partial) continue;
      const cell = [rect[2] / columns, rect[3] / rows].map((size) => Math.round(size));
      assert.ok(cell[0] >= width && cell[1] >= height, `${id}: cells of ${tensor} have ${cell.join(' × ')} pixels`);
      if (withoutDigits[id]) assert.ok(cell[0] < leastForDigits, `${id} has digits`);
      assert.ok(rect[0] >= 0 && rect[0] + rect[2] <= 390, `${id}: ${tensor} is on the screen`);
    }
  }
  assertQuiet(page);
});

// What the page around a figure does with it: its size and what stands in its place without scripts.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';

import { article, authorFiles, openArticle } from './figures.mjs';
import { launch, newPage, serve } from './support.mjs';

const figure = (more = '') => `<p>before</p><attention-live id="one" example="counting" step="split" load="eager"${more}>
  <p id="instead">A figure: the split into heads.</p></attention-live><p id="behind">behind</p>`;

let server;
let browser;
before(async () => {
  // The lines that the page for authors gives.
  const guide = await readFile(new URL('../../docs/embedding.md', import.meta.url), 'utf8');
  const [lines] = /attention-live:not\(:defined\) \{.*\}/.exec(guide);
  const sized = (rule) => ({ style: `<link rel="stylesheet" href="/size.css">${rule ? `<link rel="stylesheet" href="/${rule}.css">` : ''}` });
  server = await serve({
    extra: {
      ...authorFiles,
      '/size.css': lines,
      '/low.css': 'attention-live { height: 150px; }',
      '/plain.html': article(figure(), sized()),
      '/low.html': article(figure(), sized('low')),
    },
  });
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await server?.close();
});

async function withFigure(path, options, body) {
  const page = await newPage(browser, {
    origin: server.origin, viewport: { width: 900, height: 1000 }, pixels: true, ...options,
  });
  try {
    await body(page);
  } finally {
    await page.context().close();
  }
}
const boxOf = (page) => page.locator('#one').boundingBox();

describe('size', () => {
  test('without scripts: what stands in the element, in its size; with them no shift', async () => {
    let without;
    await withFigure('', { javaScriptEnabled: false }, async (page) => {
      await page.goto(`${server.origin}/plain.html`);
      assert.equal(await page.locator('#instead').isVisible(), true);
      without = await boxOf(page);
    });
    const init = () => {
      window.shift = 0;
      new PerformanceObserver((list) => {
        for (const { value } of list.getEntries()) window.shift += value;
      }).observe({ type: 'layout-shift', buffered: true });
    };
    await withFigure('', { init }, async (page) => {
      await openArticle(page, '/plain.html', 'one');
      await page.waitForTimeout(300);
      assert.equal(await page.locator('#instead').isVisible(), false);
      assert.deepEqual(await boxOf(page), without);
      assert.equal(await page.evaluate(() => window.shift), 0);
    });
  });

  test('the author’s height goes before all of ours', async () => {
    await withFigure('', {}, async (page) => {
      await openArticle(page, '/low.html', 'one');
      assert.equal((await boxOf(page)).height, 150);
    });
  });

  test('on a phone it is high enough', async () => {
    await withFigure('', { viewport: { width: 360, height: 700 } }, async (page) => {
      await openArticle(page, '/plain.html', 'one');
      const { width, height } = await boxOf(page);
      assert.deepEqual([width, height], [328, 360]);
    });
  });
});

// What the page around a figure does with it: its size and what stands in its place without scripts, and paper.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';

import { article, ask, authorFiles, openArticle } from './figures.mjs';
import { decodePng } from '../support/png.mjs';
import { launch, newPage, serve } from './support.mjs';

const figure = (more = '') => `<p>before</p><attention-live id="one" example="counting" step="split" load="eager"${more}>
  <p id="instead">A figure: the split into heads.</p></attention-live><p id="behind">behind</p>`;

const border = 12;
/** Figures in frames of one colour each, by which they are found on paper. */
const framed = { split: [255, 0, 0], scores: [0, 160, 0], softmax: [0, 0, 255], output: [255, 0, 255] };

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
      '/framed.css': `.first { height: 200px; } attention-live { margin-bottom: 60px; border: ${border}px solid; }
        ${Object.entries(framed).map(([step, colour]) => `#${step} { border-color: rgb(${colour}); }`).join('\n')}`,
      '/paper.html': article(
        '<p class="first">So high that the second figure would stand on two pages.</p>' + Object.keys(framed).map((step) => `<attention-live id="${step}" example="you-are-welcome" step="${step}"
          theme="light" load="eager"></attention-live>`).join('<p>What the figure shows.</p>'),
        { style: '<link rel="stylesheet" href="/framed.css">' },
      ),
      '/long.html': article(`<div class="gap"></div>${figure()}`, sized()),
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

test('printed: the picture of the state as it is, whole', async () => {
  await withFigure('', {}, async (page) => {
    await openArticle(page, '/long.html', 'one');
    await page.evaluate(() => document.getElementById('one').setState({ step: 'scores' }).then(() => {}));
    const printed = await page.evaluate(() => {
      window.dispatchEvent(new Event('beforeprint'));
      const root = document.getElementById('one').shadowRoot;
      const canvas = root.querySelector('canvas.picture');
      const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
      return { colours: new Set(new Uint32Array(data.buffer)).size, width: canvas.width };
    });
    assert.ok(printed.colours > 20 && printed.width > 800, JSON.stringify(printed));
    await page.emulateMedia({ media: 'print' });
    const rules = await page.evaluate(() => {
      const it = document.getElementById('one');
      return [getComputedStyle(it).breakInside, getComputedStyle(it.shadowRoot.querySelector('.still')).zIndex];
    });
    assert.deepEqual(rules, ['avoid', '1']);
    await page.emulateMedia({ media: 'screen' });
    await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
    assert.equal(await page.locator('#one canvas.picture').count(), 0);
    assert.equal(await page.evaluate(() => document.getElementById('one').running), true);
  });
});

describe('on paper', () => {
  /** The pages of a PDF as pictures, half as large as on the screen. */
  async function pagesOf(pdf) {
    const folder = await mkdtemp(join(tmpdir(), 'attention-live-paper-'));
    try {
      await writeFile(join(folder, 'it.pdf'), pdf);
      await promisify(execFile)('pdftoppm', ['-png', '-r', '48', 'it.pdf', 'page'], { cwd: folder });
      const names = (await readdir(folder)).filter((name) => name.endsWith('.png')).sort();
      return await Promise.all(names.map(async (name) => decodePng(await readFile(join(folder, name)))));
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  /** For each frame, how many of its pixels there are, and the box around them: [left, top, right, bottom], inside. */
  function found(picture) {
    const all = Object.values(framed).map((colour) => ({ colour, count: 0, box: [Infinity, Infinity, -1, -1] }));
    for (let y = 0; y < picture.height; y += 1) {
      for (let x = 0; x < picture.width; x += 1) {
        const pixel = picture.at(x, y);
        const frame = all.find(({ colour }) => colour.every((value, i) => Math.abs(pixel[i] - value) <= 2));
        if (!frame) continue;
        frame.count += 1;
        const [left, top, right, bottom] = frame.box;
        frame.box = [Math.min(left, x), Math.min(top, y), Math.max(right, x), Math.max(bottom, y)];
      }
    }
    return all;
  }

  /** The mean colours of 40 × 25 parts of what stands in a frame. */
  function means(picture, [left, top, right, bottom], border) {
    const [columns, rows] = [40, 25];
    const [width, height] = [right - left - 2 * border, bottom - top - 2 * border];
    const sums = Array.from({ length: columns * rows * 3 }, () => ({ sum: 0, count: 0 }));
    for (let y = 0; y < height; y += 1) {
      for (let x = 0; x < width; x += 1) {
        const part = Math.floor((y / height) * rows) * columns + Math.floor((x / width) * columns);
        const pixel = picture.at(left + border + x, top + border + y);
        for (let i = 0; i < 3; i += 1) {
          sums[part * 3 + i].sum += pixel[i];
          sums[part * 3 + i].count += 1;
        }
      }
    }
    return sums.map(({ sum, count }) => sum / count);
  }
  const apart = (one, other) => one.reduce((sum, value, i) => sum + Math.abs(value - other[i]), 0) / one.length;

  test('no figure is cut by the end of a page, and each is the picture of its state', async () => {
    await withFigure('', { viewport: { width: 750, height: 900 } }, async (page) => {
      const steps = Object.keys(framed);
      await openArticle(page, '/paper.html', ...steps);
      await ask(page, 'softmax', 'setState', { query: 2, head: 1 }); // not what the attributes say
      await page.evaluate(() => new Promise((resolve) => { setTimeout(resolve, 500); }));
      const screen = decodePng(await page.screenshot({ fullPage: true }));
      const pages = await pagesOf(await page.pdf({ format: 'A4' }));
      assert.ok(pages.length > 1);
      const onScreen = found(screen).map(({ box }) => means(screen, box, border));
      const onPages = pages.map(found);
      for (const [i, step] of steps.entries()) {
        const places = pages.map((paper, at) => ({ paper, ...onPages[at][i] })).filter(({ count }) => count > 0);
        assert.equal(places.length, 1, `${step}: on one page`);
        const [{ paper, count, box: [left, top, right, bottom] }] = places;
        const [width, height] = [right - left + 1, bottom - top + 1];
        assert.ok(Math.abs(width / height - 1.6) < 0.05 && width > 300, `${step}: ${width} × ${height}`);
        const all = border * (width + height - border); // half as thick as on the screen
        assert.ok(count > 0.75 * all, `${step}: all four sides of the frame, up to the pixels that its edges share, ${count} of ${all} pixels`);
        const far = onScreen.map((other) => apart(means(paper, [left, top, right, bottom], border / 2), other));
        assert.ok(far[i] < 8, `${step}: ${far}`);
        far.forEach((other, k) => assert.ok(k === i || other > 2 * far[i], `${step}: ${far}`));
      }
    });
  });
});

// On paper a figure is the picture of its state.

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

const border = 12;
/** Figures in frames of one colour each, by which they are found on paper. */
const framed = { split: [255, 0, 0], scores: [0, 160, 0], softmax: [0, 0, 255], output: [255, 0, 255] };

/** Nine figures, of which four have a state of their own, in frames of one colour. */
const states = [
  'step="scores"', 'step="softmax"', 'step="scores" query="2"', 'step="transpose"', 'step="softmax" query="1"',
  'step="output"', 'step="softmax" query="0" head="0"', 'step="merge"', 'step="reweight" query="2"',
];
const nine = states.map((state, i) => `<attention-live id="f${i}" example="you-are-welcome" theme="light" ${state}></attention-live>`);

let server;
let browser;
before(async () => {
  server = await serve({
    extra: {
      ...authorFiles,
      '/framed.css': `.first { height: 200px; } attention-live { margin-bottom: 60px; border: ${border}px solid; }
        ${Object.entries(framed).map(([step, colour]) => `#${step} { border-color: rgb(${colour}); }`).join('\n')}`,
      '/nine.css': `attention-live { margin-bottom: 60px; border: ${border}px solid rgb(255, 0, 0); }`,
      '/paper.html': article(
        '<p class="first">So high that the second figure would stand on two pages.</p>' + Object.keys(framed).map((step) => `<attention-live id="${step}" example="you-are-welcome" step="${step}"
          theme="light" load="eager"></attention-live>`).join('<p>What the figure shows.</p>'),
        { style: '<link rel="stylesheet" href="/framed.css">' },
      ),
      '/nine.html': article(nine.join('<p>Between two figures.</p>'), { style: '<link rel="stylesheet" href="/nine.css">' }),
      '/long.html': article('<div class="gap"></div><attention-live id="one" example="counting" step="split" load="eager"></attention-live>'),
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

test('printed: the picture of the state as it is, whole', async () => {
  await withFigure('', {}, async (page) => {
    await openArticle(page, '/long.html', 'one');
    await page.evaluate(() => document.getElementById('one').setState({ step: 'scores' }).then(() => {}));
    const printed = await page.evaluate(() => {
      window.dispatchEvent(new Event('beforeprint'));
      const root = document.getElementById('one').shadowRoot;
      const canvas = root.querySelector('canvas.attention-live-paper');
      const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
      return { colours: new Set(new Uint32Array(data.buffer)).size, width: canvas.width };
    });
    assert.ok(printed.colours > 20 && printed.width > 1600, JSON.stringify(printed)); // twice as fine as the screen
    await page.emulateMedia({ media: 'print' });
    const rules = await page.evaluate(() => {
      const it = document.getElementById('one');
      return [it, it.shadowRoot.querySelector('.attention-live-paper')].map(getComputedStyle)
        .map(({ breakInside, display }) => `${breakInside} ${display}`);
    });
    assert.deepEqual(rules, ['avoid block', 'auto block']);
    await page.emulateMedia({ media: 'screen' });
    await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
    assert.equal(await page.locator('#one canvas.attention-live-paper').count(), 0);
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

  /** The boxes of red frames, from top to bottom. */
  function boxesOf(picture) {
    const isRed = (x, y) => { const [r, g, b] = picture.at(x, y); return r > 250 && g < 5 && b < 5; };
    const inside = [];
    for (let y = 0; y < picture.height; y += 1) {
      let [left, right, count] = [-1, -1, 0];
      for (let x = 0; x < picture.width; x += 1) {
        if (!isRed(x, y)) continue;
        if (left < 0) left = x;
        right = x;
        count += 1;
      }
      if (count === 0) continue;
      const last = inside.at(-1);
      if (last && last[3] === y - 1) last[3] = y;
      else inside.push([left, y, right, y]);
    }
    return inside;
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

  /** How many colours a part of a picture has that are none of paper's: a picture of a figure has many. */
  const coloursIn = (picture) => {
    const seen = new Set();
    for (let y = 0; y < picture.height; y += 2) for (let x = 0; x < picture.width; x += 2) seen.add(picture.at(x, y).join());
    return seen.size;
  };
  const shareOfDark = (picture) => {
    let dark = 0;
    for (let y = 0; y < picture.height; y += 1) {
      for (let x = 0; x < picture.width; x += 1) if (Math.max(...picture.at(x, y).slice(0, 3)) < 40) dark += 1;
    }
    return dark / (picture.width * picture.height);
  };

  test('the page of its own: one picture of its state, whole, and no black page', async () => {
    await withFigure('', { viewport: { width: 1024, height: 670 }, colorScheme: 'light' }, async (page) => {
      await page.goto(`${server.origin}/index.html#example=you-are-welcome&step=softmax`);
      await page.evaluate(() => window.attentionLive.ready);
      const pages = await pagesOf(await page.pdf({ format: 'A4', landscape: true, printBackground: true }));
      assert.equal(pages.length, 1);
      assert.ok(coloursIn(pages[0]) > 50);
      assert.ok(shareOfDark(pages[0]) < 0.1, `${shareOfDark(pages[0])}`);
      assert.equal(await page.locator('.attention-live-paper').count(), 0);
    });
  });

  test('nine figures, some with a state of their own: each is the picture of its state, also those never scrolled to', async () => {
    const init = () => {
      window.started = [];
      document.addEventListener('start', ({ target }) => window.started.push(target.id));
    };
    await withFigure('', { viewport: { width: 750, height: 900 }, init }, async (page) => {
      await openArticle(page, '/nine.html', 'f0');
      // Every figure has a picture, or runs, without a request for anything but the program.
      await page.waitForFunction(() => [...document.querySelectorAll('attention-live')].every((figure) => (
        figure.running || figure.shadowRoot.querySelector('.still canvas, .still img'))));
      assert.ok((await page.evaluate(() => window.started)).length <= 6);
      const never = await page.evaluate(() => [...document.querySelectorAll('attention-live')].filter(({ running }) => !running)
        .map(({ id }) => id));
      assert.ok(never.length >= 3);
      const pages = await pagesOf(await page.pdf({ format: 'A4' }));
      const boxes = pages.flatMap((paper) => boxesOf(paper).map((box) => ({ paper, box })));
      assert.equal(boxes.length, 9);
      // What a figure shows when it runs is what was on paper.
      for (const id of never) {
        const { paper, box } = boxes[Number(id.slice(1))];
        await page.evaluate((name) => {
          const figure = document.getElementById(name);
          figure.scrollIntoView({ block: 'center' });
          return figure.start().then(() => {});
        }, id);
        await page.locator('body').hover({ position: { x: 2, y: 2 } });
        const seen = decodePng(await page.locator(`#${id}`).screenshot());
        const whole = [0, 0, seen.width - 1, seen.height - 1];
        const far = apart(means(paper, box, border / 2), means(seen, whole, border));
        assert.ok(far < 8, `${id}: ${far}`);
      }
    });
  });
});

// Where a lesson stands: in frames of many sizes, and in an element that a page lays out in its own way.

import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';

import { article, authorFiles } from './figures.mjs';
import { launch, newPage, serve } from './support.mjs';

const frame = (width, height) => `<!doctype html><html lang="en"><meta charset="utf-8"><title>Week 3</title>
  <link rel="icon" href="data:,"><script src="/host.js"></script>
  <iframe id="frame" width="${width}" height="${height}" src="/embed.html?load=eager&src=lessons/first-lesson.json"></iframe></html>`;
/** What a page says about the element, and must not tear its inside apart. */
const styles = [
  'display: block', 'display: grid', 'display: flex', 'display: flex; flex-direction: column', 'padding: 20px', 'position: static',
  'font: 40px/3 serif; text-align: center; text-transform: uppercase; letter-spacing: 5px; white-space: nowrap; text-indent: 4em',
  'box-sizing: content-box', 'direction: rtl', 'overflow: visible', 'min-height: 600px', 'display: block; height: 480px',
  'display: block; height: 480px; width: 500px', 'aspect-ratio: 1',
];
const sizes = [360, 480, 600, 720, 859, 900, 1280].map((width) => [width, 480]);
let server;
let browser;
let page;
before(async () => {
  const extra = { ...authorFiles, '/host.js': `addEventListener('message', ({ data }) => {
    if (data?.type === 'height') window.height = data.height;
  });` };
  for (const [width, height] of sizes) extra[`/frame-${width}.html`] = frame(width, height);
  for (const [index, style] of styles.entries()) {
    extra[`/styled-${index}.css`] = `attention-live { ${style} }`;
    for (const [kind, attributes] of [['lesson', 'src="/lessons/first-lesson.json"'], ['plain', '']]) {
      extra[`/${kind}-${index}.html`] = article(
        `<attention-live id="fig" load="eager" poster="off" ${attributes}></attention-live>`,
        { style: `<link rel="stylesheet" href="/styled-${index}.css">` },
      );
    }
  }
  server = await serve({ extra, headers: { 'Content-Security-Policy': "default-src 'self' 'wasm-unsafe-eval'; img-src 'self' data:" } });
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await server?.close();
});
afterEach(() => page?.context().close());

const openPage = async (path) => {
  page = await newPage(browser, { origin: server.origin, viewport: { width: 1300, height: 900 } });
  await page.goto(server.origin + path);
};

/** Runs in the figure's document: what of the figure is cut off, where its parts are, and how its text is set. */
function layout() {
  const host = document.querySelector('attention-live');
  const [figure, lesson, canvas] = ['.figure', '.lesson', 'canvas'].map((name) => host.shadowRoot.querySelector(name));
  const boxOf = (element) => {
    const { left, top, right, bottom } = element.getBoundingClientRect();
    return { left, top, right, bottom };
  };
  const cut = [];
  for (let at = lesson?.lastElementChild ?? figure.parentElement; at; at = at.parentElement ?? at.getRootNode().host) {
    const { overflowY } = getComputedStyle(at);
    if (at.scrollHeight > at.clientHeight + 1 && /hidden|clip/.test(overflowY)) cut.push(at.className || at.localName);
  }
  const style = getComputedStyle(lesson ?? figure);
  return {
    cut, host: boxOf(host), figure: boxOf(figure), lesson: lesson && boxOf(lesson), canvas: boxOf(canvas),
    padding: parseFloat(getComputedStyle(host).paddingLeft), text: [style.textTransform, style.whiteSpace, style.letterSpacing, style.textIndent],
    size: parseFloat(style.fontSize), scrolls: [...host.shadowRoot.querySelectorAll('.box, .lesson')].some((each) => each.scrollHeight > each.clientHeight + 1),
  };
}

const within = (inner, outer, by = 0) => inner.left >= outer.left + by - 1 && inner.right <= outer.right - by + 1 &&
  inner.top >= outer.top + by - 1 && inner.bottom <= outer.bottom - by + 1;

describe('a frame with a lesson', () => {
  for (const [width, height] of sizes) {
    test(`${width} × ${height}: the lesson begins in sight, all of it can be reached, and the told height has room for it`, async () => {
      await openPage(`/frame-${width}.html`);
      const inside = page.frameLocator('#frame');
      await inside.locator('.lesson').getByText('1 of 5').waitFor();
      await inside.locator('canvas').waitFor({ state: 'attached' });
      const frameOf = () => page.frames().find((each) => each.url().includes('embed.html'));
      const { cut, lesson, figure } = await frameOf().evaluate(layout);
      assert.deepEqual(cut, []);
      assert.ok(lesson.top <= height - 100 && lesson.right <= width, JSON.stringify(lesson));
      assert.ok(lesson.top >= figure.bottom - 1 || lesson.left >= figure.right - 1, 'beside or under it');
      await inside.getByRole('button', { name: 'Next' }).click();
      await inside.locator('.lesson').getByText('2 of 5').waitFor();
      await page.evaluate(() => new Promise((resolve) => { requestAnimationFrame(() => requestAnimationFrame(resolve)); }));
      await page.evaluate(() => { document.querySelector('#frame').height = window.height; });
      await page.waitForFunction(() => document.querySelector('#frame').clientHeight === Math.round(window.height));
      assert.equal((await frameOf().evaluate(layout)).scrolls, false, `${await page.evaluate(() => window.height)} px are enough`);
    });
  }
});

describe('a page that lays the element out itself', () => {
  for (const [index, style] of styles.entries()) {
    for (const kind of ['lesson', 'plain']) {
      test(`${style}: ${kind === 'lesson' ? 'with a lesson' : 'the figure alone'}`, async () => {
        await openPage(`/${kind}-${index}.html`);
        await page.locator('#fig canvas').waitFor({ state: 'attached' });
        if (kind === 'lesson') await page.locator('#fig .lesson').getByText('1 of 5').waitFor();
        const { cut, host, figure, lesson, canvas, padding, text, size } = await page.evaluate(layout);
        assert.deepEqual(cut, []);
        assert.ok(within(canvas, host, padding), `${JSON.stringify(canvas)} in ${JSON.stringify(host)}`);
        assert.ok(canvas.bottom - canvas.top >= 350, JSON.stringify(canvas));
        assert.deepEqual(text, ['none', 'normal', 'normal', '0px']);
        assert.ok(size <= 16);
        if (!lesson) assert.ok(canvas.bottom >= host.bottom - padding - 2, 'it fills the element');
        else assert.ok(lesson.top >= figure.bottom - 1 || lesson.left >= figure.right - 1 || lesson.right <= figure.left + 1, 'beside or under it');
      });
    }
  }
});

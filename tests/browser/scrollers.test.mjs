// Figures in a part of a page that scrolls by itself: they start before they come into sight, and stop far from it.

import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';

import { article, ask, authorFiles, openArticle, stateOf } from './figures.mjs';
import { launch, newPage, serve } from './support.mjs';

const figure = '<attention-live id="one" example="counting" step="scores" poster="off"></attention-live>';
const gap = '<div class="gap"></div>';
const pages = {
  'a page': gap + figure + gap + gap,
  'a scroller': `<main>${gap}${figure}${gap}${gap}</main>`,
  'a scroller in a scroller': `<main><section>${gap}${figure}${gap}${gap}</section></main>`,
  'a slot of an element that scrolls': `<scroll-area>${gap}${figure}${gap}${gap}</scroll-area>`,
};
let server;
let browser;
let page;
before(async () => {
  const css = `body { margin: 0; } main, section { height: 100vh; overflow: auto; } .gap { height: 1100px; }
    attention-live { height: 400px; min-height: 0; }`;
  const js = `${authorFiles['/author.js']}
    customElements.define('scroll-area', class extends HTMLElement {
      constructor() {
        super();
        const area = Object.assign(document.createElement('div'), { className: 'area' });
        const sheet = new CSSStyleSheet();
        sheet.replaceSync('.area { height: 100vh; overflow: auto; }');
        area.append(document.createElement('slot'));
        this.attachShadow({ mode: 'open' }).append(area);
        this.shadowRoot.adoptedStyleSheets = [sheet];
      }
    });
    window.scrollArea = () => {
      const inner = document.querySelector('scroll-area')?.shadowRoot.querySelector('.area');
      return inner ?? document.querySelector('section') ?? document.querySelector('main') ?? document.scrollingElement;
    };`;
  const extra = { '/author.css': css, '/author.js': js };
  for (const [index, body] of Object.values(pages).entries()) extra[`/${index}.html`] = article(body);
  server = await serve({ extra });
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await server?.close();
});
afterEach(() => page?.context().close());

const scrollTo = (top) => page.evaluate(async (wanted) => {
  window.scrollArea().scrollTop = wanted;
  for (let i = 0; i < 3; i += 1) await new Promise((resolve) => { requestAnimationFrame(resolve); });
}, top);
const runs = (yes) => page.waitForFunction((wanted) => document.querySelector('#one').running === wanted, yes);

describe('margins hold in', () => {
  for (const [index, name] of Object.keys(pages).entries()) {
    test(name, async () => {
      page = await newPage(browser, { origin: server.origin, viewport: { width: 900, height: 700 } });
      await page.goto(`${server.origin}/${index}.html`);
      await page.evaluate(() => customElements.whenDefined('attention-live').then(() => {}));
      await runs(true); // 400 px below what is seen
      const stopped = await page.evaluate(() => {
        window.stops = 0;
        document.querySelector('#one').addEventListener('stop', () => { window.stops += 1; });
        return document.querySelector('#one').ready.then(() => window.stops);
      });
      assert.equal(stopped, 0);
      await scrollTo(1500);
      await scrollTo(2400); // 900 px above it
      await runs(true);
      assert.equal(await page.evaluate(() => window.stops), 0, 'a screen away it runs on');
    });
  }
});

test('undo and redo go on where they were after a figure was stopped and has come back', async () => {
  page = await newPage(browser, { origin: server.origin, viewport: { width: 900, height: 700 } });
  await openArticle(page, '/1.html', 'one');
  const states = [await stateOf(page, 'one')];
  for (const value of [0.25, 0.5, 0.75]) {
    await ask(page, 'one', 'setState', `#edits=query_input:0,1,2=${value}`);
    states.push(await stateOf(page, 'one'));
  }
  const press = (keys) => page.evaluate(() => document.querySelector('#one').focus()).then(() => page.keyboard.press(keys));
  const becomes = (index) => page.waitForFunction((wanted) => (
    JSON.stringify(document.querySelector('#one').state.edits) === wanted), JSON.stringify(states[index].edits));
  const comesBack = async () => {
    await page.evaluate(() => document.activeElement.blur());
    const before = await stateOf(page, 'one');
    await ask(page, 'one', 'stop');
    await page.evaluate(() => document.querySelector('#one').start().then(() => {}));
    assert.deepEqual(await stateOf(page, 'one'), before);
  };
  await scrollTo(1000);
  await press('Control+z');
  await becomes(2);
  await ask(page, 'one', 'setState', { step: 'softmax', query: 1 });
  await comesBack();
  await press('Control+z');
  await becomes(1);
  await comesBack();
  await press('Control+z');
  await becomes(0);
  for (const index of [1, 2, 3]) {
    await press('Control+y');
    await becomes(index);
  }
});

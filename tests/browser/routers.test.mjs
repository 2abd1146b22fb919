// Links in the prose among the routers of sites, which follow every link of a page by scripts.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';

import { until } from '../support/until.mjs';
import { article, authorFiles, openArticle, stateOf } from './figures.mjs';
import { assertQuiet, launch, newPage, serve } from './support.mjs';

const body = `<attention-live id="one" example="counting" step="scores" load="eager"></attention-live>
  <p><a id="a" href="#step=softmax&amp;query=2" data-attention-live="one"><b>softmax</b></a>
  <a id="own" href="#own">the page’s own</a>
  <a id="tab" href="#step=split" target="_blank" data-attention-live="one">tab</a>
  <a id="file" href="#step=split" download="x" data-attention-live="one">file</a>
  <a id="whole" href="/page.html#step=mask" data-attention-live="one">whole</a>
  <a id="other" href="/elsewhere.html#step=split" data-attention-live="one">other page</a>
  <a id="h" href="#step=mask" data-attention-live="one" data-attention-live-hover>hover</a></p><div id="host"></div>`;

/** Routers as they are written: what each does at a click, where it listens, and whether it is there before the element. */
const routers = {
  'at the window, in the capture phase': { at: 'window', capture: true },
  'at the document, in the capture phase': { at: 'document', capture: true },
  'at the document': { at: 'document', capture: false },
  'at the body, which stops it': { at: 'document.body', capture: true, then: 'event.stopPropagation();' },
  'at the window, which stops it for others': { at: 'window', capture: true, then: 'event.stopPropagation();' },
  'at the link itself': { at: 'document.getElementById("a")', capture: false, then: 'event.stopImmediatePropagation();' },
};
const script = ({ at, capture, then = '' }, early) => `
  window.went = [];
  const route = () => ${at}.addEventListener('click', (event) => {
    const link = event.composedPath().find((node) => node.localName === 'a');
    // What all of them leave to the browser.
    if (!link || event.defaultPrevented || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    if ((link.target && link.target !== '_self') || link.hasAttribute('download')) return;
    event.preventDefault();
    ${then}
    window.went.push(link.id);
    history.pushState(null, '', link.href);
  }, ${capture});
  ${early && !at.includes('.') ? 'route();' : "document.addEventListener('DOMContentLoaded', () => customElements.whenDefined('attention-live').then(route));"}`;

const kinds = Object.entries(routers).flatMap(([name, router]) => [true, false].map((early) => ({
  name: `${name}, ${early ? 'before' : 'after'} the element`, path: `/router${Object.keys(routers).indexOf(name)}${early}`, router, early,
})));
const withScript = (path) => article(body).replace('<script type="module"', `<script src="${path}.js"></script>$&`);
const extra = {
  ...authorFiles,
  '/page.html': article(body),
  ...Object.fromEntries(kinds.flatMap(({ path, router, early }) => [[`${path}.html`, withScript(path)], [`${path}.js`, script(router, early)]])),
};

let server;
let browser;
before(async () => { [server, browser] = [await serve({ extra }), await launch()]; });
after(() => Promise.all([browser?.close(), server?.close()]));

async function withPage(path, use) {
  const page = await newPage(browser, { origin: server.origin, viewport: { width: 900, height: 900 } });
  try {
    await openArticle(page, path, 'one');
    await use(page, {
      entries: await page.evaluate(() => history.length),
      shows: async (...wanted) => {
        const { step, query } = await stateOf(page, 'one');
        assert.deepEqual([step, query].slice(0, wanted.length), wanted);
      },
      back: () => page.evaluate(() => figure('one').setState({ step: 'scores', query: 0 }).then(() => {})),
    });
    assertQuiet(page);
  } finally {
    await page.context().close();
  }
}

describe('a router', () => {
  for (const { name, path } of kinds) {
    test(name, () => withPage(`${path}.html`, async (page, { entries, shows, back }) => {
      await page.click('#a b');
      await shows('softmax', 2);
      await back();
      await page.focus('#a');
      await page.keyboard.press('Enter');
      await shows('softmax', 2);
      await until(async () => (await page.getAttribute('#a', 'target')) === null, 'the link is as it was');
      assert.deepEqual(await page.evaluate(() => [window.went, history.length, location.hash]), [[], entries, '']);
      if (!name.startsWith('at the link')) {
        await page.click('#own');
        assert.deepEqual(await page.evaluate(() => window.went), ['own'], 'it works');
      }
    }));
  }
});

describe('the page keeps', () => {
  test('clicks with a key, of other buttons, into a tab and as a file', () => withPage('/page.html', async (page, { shows }) => {
    const prevented = await page.evaluate(() => {
      const seen = [];
      document.addEventListener('click', (event) => {
        seen.push(event.defaultPrevented);
        event.preventDefault();
      });
      document.addEventListener('auxclick', (event) => {
        seen.push(event.defaultPrevented);
        event.preventDefault();
      });
      const click = (id, how = {}, type = 'click') => document.getElementById(id).dispatchEvent(
        new MouseEvent(type, { bubbles: true, cancelable: true, composed: true, ...how }));
      for (const how of [{ ctrlKey: true }, { metaKey: true }, { shiftKey: true }, { altKey: true }]) click('a', how);
      click('a', { button: 1 }, 'auxclick');
      for (const id of ['tab', 'file', 'other', 'own']) click(id);
      return seen;
    });
    assert.deepEqual(prevented, Array(9).fill(false));
    await shows('scores');
    // A real press with a key leaves the link as it is.
    await page.click('#a', { modifiers: ['Shift'] });
    await until(async () => (await page.getAttribute('#a', 'target')) === null, 'the link is as it was');
    await shows('scores');
  }));
});

test('a link by the whole address of the page, one that is added later, and one in a shadow root', () => withPage('/page.html', async (page, { entries, shows, back }) => {
  await page.click('#whole');
  await shows('mask');
  await page.evaluate(() => {
    const link = '<a href="#step=softmax" data-attention-live="one">more</a>';
    document.getElementById('a').parentNode.insertAdjacentHTML('beforeend', link.replace('more', 'added'));
    document.getElementById('host').attachShadow({ mode: 'open' }).innerHTML = link.replace('more', 'inside');
  });
  for (const words of ['added', 'inside']) {
    await back();
    await page.getByText(words, { exact: true }).click();
    await shows('softmax');
  }
  assert.deepEqual(await page.evaluate(() => [history.length, location.hash]), [entries, '']);
}));

test('pointing to a link works where the page stops such events', () => withPage('/page.html', async (page, { shows }) => {
  await page.evaluate(() => {
    for (const type of ['pointerover', 'pointerout', 'focusin', 'focusout']) {
      document.addEventListener(type, (event) => event.stopPropagation(), true);
    }
  });
  await page.hover('#h');
  await shows('mask');
  await page.mouse.move(2, 2);
  await shows('scores');
}));

// What stands around a figure: boxes that scroll, shadow roots, transforms.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { boxOf } from './both.mjs';
import { article, authorFiles, openArticle, stateOf } from './figures.mjs';
import { withPages } from './pages.mjs';

const figure = '<attention-live id="one" example="counting" step="split" load="eager"></attention-live>';
const page_of = (rules, body, name) => ({ [`/${name}.css`]: rules, [`/${name}.html`]: article(body, { style: `<link rel="stylesheet" href="/${name}.css">` }) });
const inner = '#box { height: 500px; overflow-y: auto; } #more { height: 900px; }';
const box = `<div id="box">${figure}<div id="more"></div></div>`;
const openPage = withPages({
  server: {
    extra: {
      ...authorFiles,
      '/slotted.js': `for (const place of document.querySelectorAll('[data-shadow]')) {
          const root = place.attachShadow({ mode: place.dataset.shadow || 'open' });
          root.innerHTML = '<div id="box"><slot></slot><div id="more"></div></div>';
          const sheet = new CSSStyleSheet();
          sheet.replaceSync(${JSON.stringify(inner)});
          root.adoptedStyleSheets = [sheet];
        }
        for (const place of document.querySelectorAll('[data-inside]')) {
          place.attachShadow({ mode: 'open' }).append(document.getElementById('one'));
          window.one = place.shadowRoot.getElementById('one');
        }`,
      ...page_of('', `<div data-shadow>${figure}</div><script src="/slotted.js"></script>`, 'slotted'),
      ...page_of('closed-box { display: block; }', `<closed-box data-shadow="closed">${figure}</closed-box><script src="/slotted.js"></script>`, 'closed'),
      ...page_of(`html { overflow: hidden; height: 100%; } ${inner} body { height: 3000px; }`, box, 'hidden'),
      ...page_of('body { overflow: hidden; } #box { width: 700px; overflow-x: auto; white-space: nowrap; } #box > * { display: inline-block; width: 690px; height: 400px; } #more { width: 900px; }', box, 'strip'),
      ...page_of('', `<div data-inside></div>${figure}<script src="/slotted.js"></script>`, 'inside'),
      ...page_of('#deck { transform: scale(1.5); transform-origin: 0 0; width: 600px; } #one { width: 600px; height: 400px; }', `<div id="deck">${figure}</div>`, 'scaled'),
      ...page_of('#deck { rotate: 30deg; width: 600px; margin: 150px; }', `<div id="deck">${figure}</div>`, 'turned'),
      '/quirks.css': 'html, body { height: 600px; margin: 0; overflow: auto; } .gap { height: 1500px; }',
      '/quirks.html': `<html><head><meta charset="utf-8"><title>quirks</title><link rel="icon" href="/icon.svg">
        <link rel="stylesheet" href="/quirks.css"><script type="module" src="/attention-live.js"></script><script src="/author.js"></script>
        </head><body>${figure}<div class="gap"></div></body></html>`,
    },
  },
  viewport: { width: 1000, height: 700 },
});

async function open(path, options) {
  const page = await openPage.blank(options);
  await openArticle(page, path, 'one');
  return page;
}

describe('whose wheel it is', () => {
  const turned = async (page, deltaX, deltaY) => {
    const { x, y, width, height } = await boxOf(page, 'one');
    await page.mouse.move(x + width * 0.03, y + height * 0.5);
    await page.evaluate(() => {
      window.turns = new Promise((resolve) => {
        document.getElementById('one').shadowRoot.querySelector('canvas')
          .addEventListener('wheel', (event) => resolve(event.defaultPrevented), { once: true });
      });
    });
    await page.mouse.wheel(deltaX, deltaY);
    return page.evaluate(() => window.turns);
  };

  for (const [path, what, delta] of [
    ['slotted', 'a box in the shadow root of the element that it is slotted into', [0, 60]],
    ['closed', 'a box in the closed shadow root of a custom element', [0, 60]],
    ['hidden', 'an inner box of a page whose html is hidden beyond the window', [0, 60]],
    ['strip', 'a horizontal strip', [60, 0]],
    ['quirks', 'html and body both, in quirks mode', [0, 60]],
  ]) {
    test(`it scrolls ${what}`, async () => {
      const page = await open(`/${path}.html`);
      assert.equal(await turned(page, ...delta), false);
      assert.equal((await stateOf(page, 'one')).framing, null);
    });
  }

  test('in quirks mode with a body that scrolls, a tap throws nothing', async () => {
    const page = await open('/quirks.html', { hasTouch: true });
    const { x, y } = await boxOf(page, 'one');
    await page.touchscreen.tap(x + 200, y + 200);
    await page.mouse.move(x + 200, y + 210);
    await page.mouse.wheel(0, 10);
    assert.deepEqual(page.heard.errors, []);
  });
});

test('the whole screen, of a figure in a second shadow root, twice', async () => {
  const page = await openPage.blank();
  await page.goto(`${page.origin}/inside.html`);
  await page.waitForFunction(() => window.one?.ready);
  await page.evaluate(() => window.one.ready.then(() => {}));
  for (let i = 0; i < 2; i += 1) {
    for (const whole of [true, false]) {
      await page.evaluate(() => {
        window.changed = new Promise((resolve) => { document.addEventListener('fullscreenchange', resolve, { once: true }); });
      });
      await page.locator('#one .full').evaluate((button) => button.focus());
      await page.keyboard.press('Enter');
      await page.evaluate(() => window.changed.then(() => {}));
      assert.equal(await page.evaluate(() => document.fullscreenElement !== null), whole);
      const label = await page.evaluate(() => window.one.shadowRoot.querySelector('.full').title);
      assert.equal(label, whole ? 'Leave full screen' : 'Full screen');
    }
  }
});

describe('transforms', () => {
  const canvas = (page) => page.evaluate(() => {
    const { width, height } = document.getElementById('one').shadowRoot.querySelector('canvas');
    return [width, height];
  });
  const sharp = (page, ...size) => page.waitForFunction(([width, height]) => {
    const it = document.getElementById('one').shadowRoot.querySelector('canvas');
    return it.width === width && it.height === height;
  }, size);

  test('of 1.5, then of 2, as a deck sets it, a transition and one beyond all measure: as many pixels as on screen', async () => {
    const page = await open('/scaled.html');
    assert.deepEqual(await canvas(page), [900, 600]);
    await page.evaluate(() => { document.getElementById('deck').style.transform = 'scale(2)'; });
    await sharp(page, 1200, 800);
    await page.evaluate(() => Object.assign(document.getElementById('deck').style, { transition: 'transform 0.2s', transform: 'scale(0.5)' }));
    await sharp(page, 300, 200);
    await page.evaluate(() => Object.assign(document.getElementById('deck').style, { transition: '', transform: 'scale(50)' }));
    await sharp(page, 2400, 1600);
  });

  test('a finger drags the number or line under it', async () => {
    const page = await open('/scaled.html', { hasTouch: true });
    await page.evaluate(() => document.getElementById('one').setState({ step: 'scores' }).then(() => {}));
    const cdp = await page.context().newCDPSession(page);
    const touch = (type, ...points) => cdp.send('Input.dispatchTouchEvent', { type, touchPoints: points.map(([x, y]) => ({ x, y })) });
    const { x, y, width, height } = await boxOf(page, 'one');
    const scrub = async () => (await stateOf(page, 'one')).scrub;
    const drag = async (up, share) => {
      await page.evaluate(() => {
        const it = document.getElementById('one').shadowRoot.querySelector('canvas');
        window.lifted = new Promise((resolve) => {
          for (const kind of ['pointerup', 'pointercancel']) it.addEventListener(kind, () => setTimeout(resolve), { once: true });
        });
      });
      await touch('touchStart', [x + width * 0.5, y + height - up]);
      for (let i = 1; i <= 4; i += 1) await touch('touchMove', [x + width * (0.5 + ((share - 0.5) * i) / 4), y + height - up]);
      await touch('touchEnd');
      await page.evaluate(() => window.lifted.then(() => {}));
      return scrub();
    };
    const before = await scrub();
    let line = 0;
    let left = before;
    for (let up = 45; up < 110 && left === before; up += 5) {
      line = up;
      left = await drag(up, 0.3);
    }
    assert.notEqual(left, before, 'the line is found');
    // The same by the mouse, whose places the browser counts.
    await page.mouse.move(x + width * 0.5, y + height - line);
    await page.mouse.down();
    await page.mouse.move(x + width * 0.4, y + height - line);
    await page.mouse.move(x + width * 0.3, y + height - line);
    await page.mouse.up();
    await page.waitForFunction((was) => Math.abs(document.getElementById('one').state.scrub - was) < 0.02, left);
  });

  test('turned, it still runs', async () => {
    const page = await open('/turned.html');
    const { x, y, width, height } = await boxOf(page, 'one');
    await page.mouse.click(x + width / 2, y + height / 2);
    assert.deepEqual(page.heard.errors, []);
  });
});

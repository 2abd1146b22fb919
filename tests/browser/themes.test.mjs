// Themes of sites that come late: by a style sheet, a transition, or something around the figure. And that styles are not
// read more often than they can change.

import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';

import { article, authorFiles, openArticle } from './figures.mjs';
import { assertQuiet, launch, newPage, serve } from './support.mjs';

const dark = 'html { color-scheme: dark; } attention-live { --attention-live-paper: #101418; --attention-live-ink: #eeeeee; }';
const figure = '<attention-live id="one" load="eager" poster="off"></attention-live>';
let server;
let browser;
let page;
before(async () => {
  server = await serve({ extra: {
    ...authorFiles,
    '/plain.html': article(`<div id="outer"><div id="wrapper">${figure}</div></div>`),
    '/six.html': article([1, 2, 3, 4, 5, 6].map((n) => figure.replace('one', `f${n}`)).join('')),
    '/shadow.html': article('<div id="wrapper"><div id="host"></div></div>'),
    '/dark.css': dark,
    '/night.css': '.night { color-scheme: dark; }',
  } });
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await server?.close();
});
afterEach(() => page?.context().close());

async function open(path, ...ids) {
  page = await newPage(browser, { origin: server.origin, viewport: { width: 900, height: 700 }, colorScheme: 'light' });
  await openArticle(page, path, ...ids);
}
const becomes = (theme) => page.waitForFunction((wanted) => (
  (window.one ?? document.querySelector('#one')).shadowRoot.querySelector('.program').dataset.theme === wanted), theme);

describe('a theme', () => {
  for (const [name, change] of [
    ['a style sheet that loads after the class has changed', () => {
      document.documentElement.className = 'night';
      document.head.append(Object.assign(document.createElement('link'), { rel: 'stylesheet', href: '/night.css' }));
    }],
    ['a style sheet that is exchanged', () => {
      document.querySelector('link[rel=stylesheet]').href = '/dark.css';
    }],
    ['a style sheet in the body', () => {
      document.body.append(Object.assign(document.createElement('link'), { rel: 'stylesheet', href: '/dark.css' }));
    }],
    ['the class of a wrapper', () => {
      document.querySelector('#outer').className = 'night';
    }],
    ['an inline style of a wrapper', () => {
      document.querySelector('#wrapper').style.colorScheme = 'dark';
    }],
    ['the element’s own class', () => {
      document.querySelector('#one').className = 'night';
    }],
    ['a transition that ends', () => {
      document.querySelector('#wrapper').className = 'slow';
      document.querySelector('#wrapper').getBoundingClientRect();
      requestAnimationFrame(() => { document.querySelector('#wrapper').className = 'slow night'; });
    }],
    ['another place in the page', () => {
      const place = Object.assign(document.createElement('div'), { className: 'night' });
      document.body.append(place);
      place.append(document.querySelector('#one'));
    }],
  ]) {
    test(name, async () => {
      await open('/plain.html', 'one');
      if (!/style sheet/.test(name)) {
        await page.evaluate(() => {
          const sheet = new CSSStyleSheet();
          sheet.replaceSync(`.night { color-scheme: dark; }
            .slow { transition: color-scheme 300ms, opacity 300ms; transition-behavior: allow-discrete; opacity: 0.9; } .slow.night { opacity: 1; }`);
          document.adoptedStyleSheets = [sheet];
        });
      }
      await becomes('light');
      await page.evaluate(change);
      await becomes('dark');
      assertQuiet(page);
    });
  }

  test('a style sheet that is taken away', async () => {
    await open('/plain.html', 'one');
    const add = () => document.head.append(Object.assign(document.createElement('link'), { id: 'dark', rel: 'stylesheet', href: '/dark.css' }));
    await page.evaluate(add);
    await becomes('dark');
    await page.evaluate(() => document.querySelector('#dark').remove());
    await becomes('light');
    await page.evaluate(add);
    await becomes('dark');
    await page.evaluate(() => { document.querySelector('#dark').media = 'print'; });
    await becomes('light');
  });

  test('of something above two shadow roots', async () => {
    await open('/shadow.html');
    await page.evaluate(async () => {
      const inner = document.createElement('div');
      document.querySelector('#host').attachShadow({ mode: 'open' }).append(inner);
      window.one = Object.assign(document.createElement('attention-live'), {});
      for (const [name, value] of [['load', 'eager'], ['poster', 'off']]) window.one.setAttribute(name, value);
      inner.attachShadow({ mode: 'open' }).append(window.one);
      await window.one.ready;
    });
    await becomes('light');
    await page.evaluate(() => { document.querySelector('#wrapper').style.colorScheme = 'dark'; });
    await becomes('dark');
  });
});

describe('six figures on a page that writes on <html> all the time', () => {
  /** How often styles are read while a property is written, again and again, in each of 20 frames. */
  const reads = (name) => page.evaluate(async (property) => {
    let count = 0;
    const { getComputedStyle: original } = window;
    window.getComputedStyle = (...all) => {
      if (all[0].localName === 'attention-live' || all[0].className === 'program') count += 1;
      return original(...all);
    };
    const nextFrame = () => new Promise((resolve) => { requestAnimationFrame(resolve); });
    const soon = () => new Promise((resolve) => { setTimeout(resolve); });
    let frames = 0;
    const counting = () => { frames += 1; requestAnimationFrame(counting); };
    requestAnimationFrame(counting);
    for (let i = 0; i < 20; i += 1) {
      for (let j = 0; j < 5; j += 1) {
        document.documentElement.style.setProperty(property, `${i + j / 10}px`);
        await soon();
      }
      await nextFrame();
    }
    await nextFrame();
    window.getComputedStyle = original;
    return { count, frames };
  }, name);
  const ids = [1, 2, 3, 4, 5, 6].map((n) => `f${n}`);

  test('a variable: styles are read once a frame', async () => {
    await open('/six.html', ...ids);
    const { count, frames } = await reads('--scrolled');
    assert.ok(count > 0 && count <= ids.length * 2 * frames, `${count} reads in ${frames} frames`);
  });

  test('where it only moves something, never', async () => {
    await open('/six.html', ...ids);
    assert.equal((await reads('margin-top')).count, 0);
  });
});

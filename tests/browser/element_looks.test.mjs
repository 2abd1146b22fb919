// What <attention-live> looks like in an author's page: its theme, the site's colours, its parts.

import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';

import { until } from '../support/until.mjs';
import { article, authorFiles, openArticle, started, told } from './figures.mjs';
import { decodePng } from '../support/png.mjs';
import { assertQuiet, launch, newPage, serve } from './support.mjs';

const pages = { ...authorFiles, '/plain.html': article('<attention-live id="one"></attention-live>') };

let server;
let browser;
let page;
before(async () => {
  server = await serve({ extra: pages });
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await server?.close();
});
beforeEach(async () => {
  await page?.context().close();
  page = await newPage(browser, {
    origin: server.origin, viewport: { width: 900, height: 700 }, reducedMotion: 'no-preference', pixels: true,
  });
});

function quiet() {
  assertQuiet(page);
  assert.deepEqual(page.heard.failed, []);
}

describe('the theme', () => {
  /** What is dark of: the box, the program's drawing, and what is beside it. */
  async function looks() {
    const { x, y, height } = await page.locator('#one').boundingBox();
    const drawn = decodePng(await page.screenshot()).at(Math.round(x) + 3, Math.round(y + height / 2));
    const [box, text] = await page.evaluate(() => {
      const read = figure('one').shadowRoot.querySelector('.attention-live-read');
      return [getComputedStyle(figure('one')).backgroundColor, getComputedStyle(read).backgroundColor];
    });
    const isDark = (channels) => channels.slice(0, 3).every((channel) => channel < 80);
    return [[...drawn], ...[box, text].map((colour) => colour.match(/\d+/g).map(Number))].map(isDark);
  }

  /** Waits until all of it looks so. */
  async function becomes(dark, why) {
    let last;
    await until(async () => {
      last = await looks();
      return last.every((each) => each === dark);
    }, () => `${why}: ${last}`);
  }

  test('is the attribute’s, else the site’s by color-scheme as it changes, else the system’s', async () => {
    await page.emulateMedia({ colorScheme: 'light' });
    await openArticle(page, '/plain.html', 'one');
    await page.evaluate(() => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync('html.night, body[data-scheme="slate"] { color-scheme: dark; } html.day { color-scheme: only light; }');
      document.adoptedStyleSheets = [sheet];
    });
    const set = (change) => page.evaluate(change);
    await becomes(false, 'nothing said');
    await set(() => { document.documentElement.className = 'night'; });
    await becomes(true, 'by a class of html');
    await set(() => { document.documentElement.className = ''; });
    await becomes(false, 'taken back');
    await set(() => { document.body.dataset.scheme = 'slate'; });
    await becomes(true, 'by an attribute of body');
    await set(() => figure('one').setAttribute('theme', 'light'));
    await becomes(false, 'its own attribute goes first');
    await set(() => figure('one').removeAttribute('theme'));
    await becomes(true, 'the attribute is gone');
    await set(() => { delete document.body.dataset.scheme; document.documentElement.style.colorScheme = 'light dark'; });
    await becomes(false, 'both are the site’s: the system decides');
    await page.emulateMedia({ colorScheme: 'dark' });
    await becomes(true, 'the system is dark');
    await set(() => { document.documentElement.style.colorScheme = ''; document.documentElement.className = 'day'; });
    await becomes(false, 'a light site on a dark system');
    assert.deepEqual(await told(page, 'error'), []);
    quiet();
  });

  test('draws in the site’s paper, ink and accent, as they change', async () => {
    await page.emulateMedia({ colorScheme: 'light' });
    await openArticle(page, '/plain.html', 'one');
    const { x, y, height } = await page.locator('#one').boundingBox();
    async function drawnIn(wanted, why) {
      let paper;
      await until(async () => {
        const drawn = decodePng(await page.screenshot()).at(Math.round(x) + 3, Math.round(y + height / 2));
        paper = [...drawn].slice(0, 3);
        return String(paper) === String(wanted);
      }, () => `${why}: ${paper}`);
    }
    const usual = [0xf7, 0xf5, 0xf1];
    await drawnIn(usual, 'nothing said');
    await page.evaluate(() => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(`
        .warm attention-live { --attention-live-paper: hsl(48 100% 93%); --attention-live-ink: #2b1b00; --attention-live-accent: darkred; }
        .night { color-scheme: dark; --site: #1b1b1d; }
        .night attention-live { --attention-live-paper: var(--site); --attention-live-ink: rgb(227 227 227); }
        .grey attention-live { --attention-live-paper: #888; }`);
      document.adoptedStyleSheets = [sheet];
      document.documentElement.className = 'warm';
    });
    await drawnIn([0xff, 0xf8, 0xdb], 'a colour in whatever form');
    await page.evaluate(() => { document.documentElement.className = 'night'; });
    await drawnIn([0x1b, 0x1b, 0x1d], 'the site went dark');
    quiet();
    const warned = page.waitForEvent('console', (message) => /colours of the style sheet/.test(message.text()));
    await page.evaluate(() => { document.documentElement.className = 'grey'; });
    assert.match((await warned).text(), /not used\. The paper must be nearly white or nearly black\./);
    await drawnIn(usual, 'what could not be read is not taken');
    page.heard.console.length = 0;
  });
});

describe('the looks', () => {
  test('custom properties and parts reach what stands around the drawing', async () => {
    await page.goto(`${page.origin}/plain.html`);
    await page.evaluate(() => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(`
        attention-live {
          --attention-live-paper: #fff8dc; --attention-live-ink: #2b1b00; --attention-live-accent: #8b0000;
          --attention-live-radius: 3px; --attention-live-font: monospace;
        }
        attention-live::part(button) { text-transform: uppercase; }
        attention-live::part(text) { line-height: 2; }
        attention-live::part(frame) { outline: 2px solid red; }`);
      document.adoptedStyleSheets = [sheet];
    });
    await started(page, 'one');
    await page.evaluate(() => figure('one').shadowRoot.querySelector('.attention-live-read').click());
    await page.locator('.attention-live-mirror h2').waitFor();
    const looks = await page.evaluate(() => {
      const root = figure('one').shadowRoot;
      const style = (selector) => getComputedStyle(selector ? root.querySelector(selector) : figure('one'));
      const of = ({ backgroundColor, color, borderTopLeftRadius, fontFamily }) => [backgroundColor, color, borderTopLeftRadius, fontFamily];
      return {
        box: of(style()), full: of(style('button.full')).slice(2, 3), text: of(style('.attention-live-mirror')),
        read: of(style('.attention-live-read')), parts: [style('.attention-live-read').textTransform,
          style('.program').outlineStyle, style('.attention-live-mirror').lineHeight],
      };
    });
    const [paper, ink] = ['rgb(255, 248, 220)', 'rgb(43, 27, 0)'];
    assert.deepEqual(looks, {
      box: [paper, ink, '3px', 'monospace'], full: ['3px'], text: [paper, ink, '0px', 'monospace'],
      read: [paper, ink, '3px', 'monospace'], parts: ['uppercase', 'solid', '30px'],
    });
  });
});

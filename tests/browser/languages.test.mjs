// The site's pages in every language, and in one that is written from right to left: nothing sticks out of the page or is
// cut off, and the pages lead to one another in their language.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { after, before, describe, test } from 'node:test';

import { assertQuiet, launch, newPage, open, serve, settled } from './support.mjs';

const mirrored = (page) => execFileSync('python3', [fileURLToPath(new URL('mirrored.py', import.meta.url)), page], { encoding: 'utf8' });
const names = ['index', 'lesson', 'authors'];
const languages = { en: '', de: '.de', es: '.es', he: '.he' };
const sizes = [[1280, 800], [720, 480], [390, 844]];

let browser;
let server;
before(async () => {
  const extra = Object.fromEntries(names.map((name) => [`/${name}.he.html`, mirrored(`${name}.html`)]));
  [browser, server] = [await launch(), await serve({ extra })];
});
after(() => Promise.all([browser?.close(), server?.close()]));

/** What does not fit: elements out of the window, and words wider than what they stand in. */
const misfits = () => {
  const width = document.documentElement.clientWidth;
  const said = (element) => `${element.localName} “${(element.textContent.trim() || element.getAttribute('aria-label') || '').slice(0, 60)}”`;
  const seen = (element) => {
    const { width: wide, height } = element.getBoundingClientRect();
    return wide > 1 && height > 1 && element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  };
  const all = [...document.querySelectorAll('body *')].filter(seen);
  const scrolls = (element) => element.closest('pre, .table, textarea, .skip') !== null;
  const out = all.filter((element) => {
    const { left, right } = element.getBoundingClientRect();
    return !scrolls(element) && (left < -1 || right > width + 1);
  });
  const cut = [...document.querySelectorAll('button, label, legend, a, b, h1, h2, h3, p, th, td, li, figcaption, output, .site')]
    .filter((element) => seen(element) && !scrolls(element) && element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 0);
  return [
    ...(document.documentElement.scrollWidth > width ? [`the page is ${document.documentElement.scrollWidth} wide`] : []),
    ...out.map((element) => `${said(element)} sticks out`), ...cut.map((element) => `${said(element)} is cut off`),
  ];
};

/** Asserts that everything of the open page fits in a window of that size, whatever the start page's line says. */
async function assertFits(page, name, [width, height]) {
  await page.setViewportSize({ width, height });
  // The start page's line says another thing in the last step and on the map.
  for (const at of name === 'index' ? ['step', 'output', 'overview'] : ['']) {
    await page.evaluate((here) => {
      for (const words of document.querySelectorAll('[data-at]')) words.hidden = words.dataset.at !== here;
    }, at);
    assert.deepEqual(await page.evaluate(misfits), [], `${width} × ${height} ${at}`);
  }
}

describe('every page in every language', () => {
  for (const [language, ending] of Object.entries(languages)) {
    for (const name of names) {
      test(`${name}${ending}.html: everything fits`, async () => {
        // A touch screen has words of its own.
        for (const [device, windows] of [[{}, sizes], [{ hasTouch: true, isMobile: true }, sizes.slice(-1)]]) {
          const page = await newPage(browser, { origin: server.origin, ...device });
          await page.route('**/*.wasm', (route) => route.abort()); // the words around the figures are looked at
          await page.goto(`${server.origin}/${name}${ending}.html`);
          if (name !== 'index') await page.waitForFunction(() => customElements.get('attention-live'));
          for (const size of windows) await assertFits(page, name, size);
          assert.equal(await page.evaluate(() => document.documentElement.lang), language);
          await page.context().close();
        }
      });
    }
  }
});

test('from right to left, what is first stands on the right', async () => {
  const page = await newPage(browser, { origin: server.origin });
  const box = (selector) => page.locator(selector).first().boundingBox();
  for (const [width, height] of sizes) {
    await page.setViewportSize({ width, height });
    await page.goto(`${server.origin}/lesson.he.html`);
    const [home, lesson, title, contents] = await Promise.all(
      ['.site a', '.site a:nth-child(2)', 'h1', '.contents li'].map(box));
    assert.ok(home.x > lesson.x, 'the way home');
    assert.equal(await page.locator('h1').evaluate((element) => getComputedStyle(element).direction), 'rtl');
    const edge = await page.locator('h1').evaluate((element) => {
      const words = document.createRange();
      words.selectNodeContents(element);
      return element.getBoundingClientRect().right - Math.max(...[...words.getClientRects()].map(({ right }) => right));
    });
    assert.ok(Math.abs(edge) < 2, `the title begins at its right edge: ${edge}`);
    assert.ok(contents.x < title.x + title.width, 'the contents are in their column');
    const sum = await page.locator('.sum').first().evaluate((element) => [...element.querySelectorAll('[data-number]')]
      .map((number) => number.getBoundingClientRect()).map(({ left, top }) => top * 10_000 + left));
    assert.deepEqual(sum, [...sum].sort((a, b) => a - b), 'a sum runs from left to right');
  }
  await page.goto(`${server.origin}/index.he.html`);
  const [words, authors] = await Promise.all(['#site p', '#site > a'].map(box));
  assert.ok(words.x > authors.x, 'the line under the program');
  await page.context().close();
});

test('“Read as text” from right to left', async () => {
  const page = await newPage(browser, { origin: server.origin });
  await open(page, '/index.he.html#v=1&example=counting&step=softmax');
  // As a language would set it that is written so; the program has none yet.
  await page.locator('.attention-live').evaluate((element) => { element.dir = 'rtl'; });
  for (const [width, height] of sizes) {
    await page.setViewportSize({ width, height });
    if (width === sizes[0][0]) await page.locator('.attention-live-read').evaluate((button) => button.click());
    await page.locator('.attention-live-mirror h2').waitFor();
    const [mirror, heading] = await Promise.all(
      ['.attention-live-mirror', '.attention-live-mirror h2'].map((at) => page.locator(at).first().boundingBox()));
    assert.ok(Math.abs(mirror.x + mirror.width - width) < 2, 'at the right edge');
    assert.ok(heading.x + heading.width > width - 80);
    const out = await page.locator('.attention-live-mirror').evaluate((element) => element.scrollWidth - element.clientWidth);
    assert.ok(out <= 0, `${out} pixels too wide at ${width}`);
  }
  assertQuiet(page);
  await page.context().close();
});

test('“Read as text” and what stands around the canvas are in the language of the page, and nothing sticks out', async () => {
  const wanted = {
    de: ['Text schließen', /^attention-live: Multi-Head/, 'Code zum Einbetten'],
    es: ['Cerrar el texto', /multicabeza/, 'Código para insertar'],
  };
  for (const [language, [close, canvas, embed]] of Object.entries(wanted)) {
    const page = await newPage(browser, { origin: server.origin });
    await open(page, `/index.${language}.html#v=1&example=your-sentence&step=softmax`);
    assert.match(await page.locator('canvas').getAttribute('aria-label'), canvas);
    await page.locator(`.attention-live-embed-button[title="${embed}"]`).waitFor();
    await page.locator('.attention-live-read').evaluate((button) => button.click());
    await page.locator('.attention-live-mirror').getByText(close).waitFor();
    for (const [width, height] of sizes) {
      await page.setViewportSize({ width, height });
      const out = await page.locator('.attention-live-mirror').evaluate((element) => element.scrollWidth - element.clientWidth);
      assert.ok(out <= 0, `${out} pixels too wide at ${width}`);
    }
    assertQuiet(page);
    await page.context().close();
  }
});

test('the pages lead to one another in their language, and to themselves in another one', async () => {
  const page = await newPage(browser, { origin: server.origin });
  await open(page, '/index.de.html#v=1&example=counting&step=softmax');
  await page.locator('#language').selectOption('es');
  await page.waitForURL(/\/index\.es\.html#.*example=counting.*step=softmax/);
  await page.waitForFunction(() => window.attentionLive?.frames > 0);
  assert.equal(await page.locator('#language').inputValue(), 'es');
  await page.getByRole('link', { name: 'lección' }).click();
  await page.waitForURL(/\/lesson\.es\.html$/);
  assert.equal(await page.locator('[hreflang="es"][aria-current="true"]').textContent(), 'Español');
  await page.locator('.site').getByRole('link', { name: 'Deutsch' }).click();
  await page.waitForURL(/\/lesson\.de\.html$/);
  await page.locator('.site').getByRole('link', { name: 'Für eigene Seiten' }).click();
  await page.waitForURL(/\/authors\.de\.html$/);
  await page.locator('.site').getByRole('link', { name: 'attention-live' }).click();
  await page.waitForURL(/\/index\.de\.html$/);
  assertQuiet(page);
  await page.context().close();
});

test('the settings of the program have the languages, too', async () => {
  const page = await newPage(browser, { origin: server.origin });
  await open(page, '/index.es.html#v=1&example=counting&step=softmax');
  await page.mouse.click(1100, 597); // Ajustes
  await settled(page);
  await page.mouse.move(1100, 500);
  for (let i = 0; i < 8; i += 1) {
    await page.mouse.wheel(0, 300);
    await settled(page);
  }
  await page.mouse.click(1059, 671); // Deutsch
  await page.waitForURL(/\/index\.de\.html#.*example=counting.*step=softmax/);
  assertQuiet(page);
  await page.context().close();
});

test('the page for authors makes its code, and shows its lesson, in the language of the page', async () => {
  const page = await newPage(browser, { origin: server.origin });
  await page.goto(`${server.origin}/authors.de.html`);
  await page.waitForFunction(() => document.querySelector('#made').textContent !== '' && document.querySelector('#lesson-text').value !== '');
  assert.doesNotMatch(await page.locator('#made').textContent(), /lang=/, 'an element takes the language of its page');
  await page.check('[name="made-for"][value="frame"]');
  assert.match(await page.locator('#made').textContent(), /embed\.html\?[^"]*lang=de/);
  assert.match(await page.locator('#lesson-text').inputValue(), /"die Katze schläft"/);
  assertQuiet(page);
  await page.context().close();
});

test('a copied link leads to the page in its language', async () => {
  const page = await newPage(browser, { origin: server.origin });
  await open(page, '/?lang=es#v=1&example=counting&step=softmax');
  await page.waitForURL(/\/index\.es\.html#/);
  assert.equal(await page.evaluate(() => window.attentionLive.home), `${server.origin}/index.es.html`);
  await page.context().close();
});

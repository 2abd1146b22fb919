// The line that says what to do next, with the way to the other pages: seen at every size, over nothing of the program,
// and only where there are other pages.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';

import { api, assertQuiet, launch, newPage, open, serve, settled } from './support.mjs';

let server;
let browser;
before(async () => {
  const host = '<!doctype html><link rel="icon" href="icon.svg"><iframe src="/" width="1200" height="700"></iframe>';
  server = await serve({ extra: { '/host.html': host } });
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await server?.close();
});

const openPage = async (options = {}) => {
  const page = await newPage(browser, { origin: server.origin, ...options });
  await open(page, '/#example=anthony-hopkins&step=scores');
  return page;
};

describe('the line under the program', () => {
  for (const [width, height] of [[1280, 800], [1000, 600], [720, 480], [390, 844], [320, 480], [844, 390]]) {
    test(`${width} × ${height}: one line under the canvas, and its links lead there`, async () => {
      const page = await openPage({ viewport: { width, height } });
      const line = await page.locator('#site').boundingBox();
      const canvas = await page.locator('.attention-live-canvas').boundingBox();
      assert.ok(line.y >= canvas.y + canvas.height - 0.5, 'under the canvas');
      assert.ok(line.y + line.height <= height + 0.5, 'on the screen');
      assert.ok(line.height <= 32, `one line: ${line.height}`);
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width, 'nothing sticks out');
      const [words, authors] = await Promise.all(['#site p', '#site > a'].map((at) => page.locator(at).boundingBox()));
      assert.ok(words.x + words.width <= authors.x, 'its parts stand side by side');
      assert.match(await page.locator('#site').innerText(), /→[^]*▶[^]*lesson[^]*For authors/);

      assert.equal(await page.getByRole('link', { name: 'For authors' }).getAttribute('href'), 'authors.html');
      await page.getByRole('link', { name: 'lesson' }).click();
      await page.waitForURL(`${server.origin}/lesson.html`);
      assertQuiet(page);
    });
  }

  test('after the last step, and on the map, it says what to do instead of the next step', async () => {
    const page = await openPage({ viewport: { width: 1280, height: 800 } });
    const line = page.locator('#site');
    const goTo = (step) => page.evaluate((to) => window.attentionLive.set({ step: to }), step);
    await goTo('output');
    await page.waitForFunction(() => /Map/.test(document.querySelector('#site').innerText));
    assert.match(await line.innerText(), /Map[^]*another example[^]*lesson/);
    assert.doesNotMatch(await line.innerText(), /→/);
    await goTo('overview');
    await page.waitForFunction(() => /matrix/.test(document.querySelector('#site').innerText));
    assert.doesNotMatch(await line.innerText(), /→|Map/);
    await goTo('scores');
    await page.waitForFunction(() => /→/.test(document.querySelector('#site').innerText));
    assertQuiet(page);
  });

  for (const width of [320, 390, 900]) {
    test(`${width} wide and touched: it says what a finger can do`, async () => {
      const page = await openPage({ viewport: { width, height: 844 }, hasTouch: true, isMobile: true });
      const said = await page.locator('#site').innerText();
      assert.match(said, /tap\s+▶ or a step/i);
      assert.doesNotMatch(said, /→|press/);
      const line = await page.locator('#site').boundingBox();
      assert.ok(line.height <= 32, `one line: ${line.height}`);
      const [words, authors] = await Promise.all(['#site p', '#site > a'].map((at) => page.locator(at).boundingBox()));
      assert.ok(words.x + words.width <= authors.x, 'its parts stand side by side');
    });
  }

  test('it is as light or dark as the canvas', async () => {
    const page = await openPage({ colorScheme: 'light' });
    const colour = () => page.getByRole('link', { name: 'lesson' }).evaluate((link) => getComputedStyle(link).color);
    const light = await colour();
    await api(page, 'set', { theme: 'dark' });
    await settled(page);
    assert.notEqual(await colour(), light);
    assertQuiet(page);
  });

  test('not in a frame of another page', async () => {
    const page = await newPage(browser, { origin: server.origin, reducedMotion: 'no-preference' });
    await page.goto(`${server.origin}/host.html`);
    const frame = page.frames().at(-1);
    await frame.waitForFunction(() => window.attentionLive?.ready.then(() => true));
    assert.equal(await frame.locator('#site').isVisible(), false);
    assert.equal(await frame.evaluate(() => window.attentionLive.state().scrub), 1, 'and nothing plays there');
    assertQuiet(page);
  });
});

// The way from the start page to the other pages: there at every size, over nothing of the program, and only there.

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
  const page = await newPage(browser, { origin: server.origin, reducedMotion: 'reduce', ...options });
  await open(page, '/#example=anthony-hopkins&step=scores');
  return page;
};

describe('the links to lesson and authors', () => {
  for (const [width, height] of [[1280, 800], [1000, 600], [720, 480], [390, 844], [844, 390]]) {
    test(`${width} × ${height}: cover nothing that can be pressed, and lead there`, async () => {
      const page = await openPage({ viewport: { width, height } });
      const folded = width < 1000 || height < 600;
      const place = await page.locator(folded ? '#site summary' : '#site nav').boundingBox();
      await page.evaluate(() => { document.querySelector('#site').style.visibility = 'hidden'; });
      for (let x = place.x; x <= place.x + place.width; x += 6) {
        for (let y = place.y; y <= place.y + place.height; y += 6) {
          await page.mouse.move(x, y);
          await settled(page);
          const cursor = await page.evaluate(() => document.querySelector('.attention-live-canvas').style.cursor);
          assert.notEqual(cursor, 'pointer', `something of the program is at ${x}, ${y}`);
        }
      }
      await page.evaluate(() => { document.querySelector('#site').style.visibility = ''; });

      if (folded) {
        const sign = page.locator('#site summary');
        assert.equal(await page.getByRole('link', { name: 'Lesson' }).count(), 0);
        await sign.click();
        assert.equal(await page.getByRole('link', { name: 'Lesson' }).count(), 1);
        await page.keyboard.press('Escape');
        assert.equal(await page.getByRole('link', { name: 'Lesson' }).count(), 0);
        await sign.press('Enter');
      }
      assert.equal(await page.getByRole('link', { name: 'For authors' }).getAttribute('href'), 'authors.html');
      await page.getByRole('link', { name: 'Lesson' }).click();
      await page.waitForURL(`${server.origin}/lesson.html`);
      assertQuiet(page);
    });
  }

  test('they are as light or dark as the canvas', async () => {
    const page = await openPage({ colorScheme: 'light' });
    const colour = () => page.getByRole('link', { name: 'Lesson' }).evaluate((link) => getComputedStyle(link).color);
    const light = await colour();
    await api(page, 'set', { theme: 'dark' });
    await settled(page);
    assert.notEqual(await colour(), light);
    assertQuiet(page);
  });

  test('not in a frame of another page', async () => {
    const page = await newPage(browser, { origin: server.origin });
    await page.goto(`${server.origin}/host.html`);
    const frame = page.frames().at(-1);
    await frame.waitForFunction(() => window.attentionLive?.ready.then(() => true));
    assert.equal(await frame.locator('#site').isVisible(), false);
    assertQuiet(page);
  });
});

// The dialog that gives the code for other pages: what it gives shows what was shown.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';

import { assertQuiet, launch, newPage, open, serve } from './support.mjs';

const states = [
  '#example=pool-beats-badminton&variant=projected&step=scores&key=2&scale=none&edits=attention.query_input:0,0,0=1.5;attention.mask:0,0,0,2=-inf',
  '#example=your-sentence&sentence=a+%22quoted%22+%3Cb%3E+%26+%C3%A9%C3%A8&step=softmax&head=1',
];
const codes = new Map(); // path → what was copied
let server;
let browser;
before(async () => {
  const intercept = (path, response) => {
    if (!codes.has(path)) return false;
    response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' });
    response.end(`<!doctype html><title>Week 3</title><link rel="icon" href="data:,">${codes.get(path)}`);
    return true;
  };
  server = await serve({ intercept });
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await server?.close();
});

const code = (page) => page.getByRole('textbox', { name: 'Code' }).inputValue();
const dialog = (page) => page.getByRole('dialog', { name: 'Put this into your own page' });

describe('embed code', () => {
  test('of one step, or of those that are offered', async () => {
    const page = await newPage(browser, { origin: server.origin });
    await open(page, '/#example=pool-beats-badminton&step=scores');
    const openDialog = async () => {
      await page.evaluate(() => window.attentionLive.embed());
      await dialog(page).waitFor();
    };
    await openDialog();
    assert.doesNotMatch(await code(page), / steps=/);
    await page.getByLabel('only scores').check();
    assert.match(await code(page), / steps="scores"/);
    await page.getByRole('button', { name: 'Close' }).click();
    await page.evaluate(() => window.attentionLive.steps(['scores', 'softmax']));
    await openDialog();
    assert.equal(await page.getByLabel('scores, softmax').isChecked(), true);
    assert.match(await code(page), / steps="scores softmax"/);
    const preview = page.locator('dialog attention-live');
    await preview.evaluate((figure) => figure.ready);
    await page.getByLabel('all', { exact: true }).check();
    assert.doesNotMatch(await code(page), / steps=/);
    assertQuiet(page);
    await page.context().close();
  });

  for (const [i, link] of states.entries()) {
    test(`as an element and as a frame: ${link.slice(0, 40)}`, async () => {
      const page = await newPage(browser, { origin: server.origin });
      await open(page, `/${link}`);
      const state = await page.evaluate(() => window.attentionLive.state());
      await page.evaluate(() => window.attentionLive.embed());
      await dialog(page).waitFor();
      codes.set(`/element${i}.html`, await code(page));
      assert.equal(codes.get(`/element${i}.html`).includes(' key-index="2"'), link.includes('key=2'), 'the name that frameworks pass on');
      await page.getByLabel('a frame, for sites that allow no scripts').check();
      codes.set(`/frame${i}.html`, await code(page));
      await page.context().close();

      const own = await newPage(browser, { origin: server.origin });
      await own.goto(`${server.origin}/element${i}.html`);
      await own.evaluate(() => customElements.whenDefined('attention-live').then(() => {}));
      assert.deepEqual(await own.evaluate(() => {
        const figure = document.querySelector('attention-live');
        return figure.ready.then(() => figure.state);
      }), state);
      await own.goto(`${server.origin}/frame${i}.html`);
      await own.frameLocator('iframe').locator('attention-live').waitFor(); // it loads lazily
      const framed = own.frames().find((each) => each.url().includes('embed.html'));
      await framed.waitForFunction(() => document.querySelector('attention-live')?.running);
      assert.deepEqual(await framed.evaluate(() => document.querySelector('attention-live').state), state);
      await own.context().close();
    });
  }

  test('in the colours that are chosen, whatever the reader has', async () => {
    const page = await newPage(browser, { origin: server.origin });
    await open(page, '/#example=counting&step=split&theme=light');
    await page.evaluate(() => window.attentionLive.embed());
    await dialog(page).waitFor();
    assert.match(await code(page), / theme="light"><\/attention-live>$/, 'as they are now');
    await page.getByLabel('dark', { exact: true }).check();
    assert.match(await code(page), /<attention-live example="counting" step="split" theme="dark"><\/attention-live>$/);
    await page.waitForFunction(() => document.querySelector('dialog attention-live').state?.theme === 'dark');
    await page.getByLabel('a frame, for sites that allow no scripts').check();
    assert.match(await code(page), /embed\.html\?[^"]*theme=dark"/);
    await page.context().close();
  });

  test('in the language that the author reads it in', async () => {
    const page = await newPage(browser, { origin: server.origin });
    await open(page, '/index.de.html#example=counting&step=split');
    await page.evaluate(() => window.attentionLive.embed());
    await page.getByRole('dialog').waitFor();
    const written = () => page.locator('dialog textarea[readonly]').inputValue();
    assert.match(await written(), /<attention-live example="counting" step="split" lang="de"><\/attention-live>$/);
    await page.locator('dialog input[value="frame"]').check();
    assert.match(await written(), /embed\.html\?[^"]*lang=de"/);
    await page.getByLabel('Español').check();
    assert.match(await written(), /embed\.html\?[^"]*lang=es"/);
    await page.locator('dialog input[value="element"]').check();
    assert.match(await written(), / lang="es"><\/attention-live>$/);
    await page.waitForFunction(() => document.querySelector('dialog attention-live')?.running);
    const spoken = () => page.evaluate(async () => (await document.querySelector('dialog attention-live').describe()).step.title);
    assert.equal(await spoken(), 'Partir cada vector en cabezas');
    await page.context().close();
  });

  test('says that an address of this device cannot be opened by others', async () => {
    const page = await newPage(browser, { origin: server.origin });
    await open(page, '/#example=counting&step=split');
    await page.evaluate(() => window.attentionLive.embed());
    await dialog(page).getByText(/The code contains an address on this computer/).waitFor();
    await page.context().close();
  });

  test('by the button, with a preview, and away with Esc', async () => {
    const page = await newPage(browser, { origin: server.origin });
    await open(page, '/#example=counting&step=split');
    await page.getByRole('button', { name: /Embed code/ }).click();
    await dialog(page).waitFor();
    await page.waitForFunction(() => document.querySelector('dialog attention-live').running);
    assert.equal(await page.evaluate(() => document.querySelector('dialog attention-live').state.example), 'counting');
    await page.getByLabel('the stage alone').check();
    assert.match(await code(page), /<attention-live example="counting" step="split" controls="none"><\/attention-live>$/);
    await page.getByRole('button', { name: 'Copy', exact: true }).click();
    await page.getByText('Copied.').waitFor();
    await page.keyboard.press('Escape');
    await page.waitForFunction(() => !document.querySelector('dialog'));
    await page.keyboard.press('ArrowRight'); // the program's keys work again
    await page.waitForFunction(() => window.attentionLive.state().step === 'transpose');
    assertQuiet(page);
    await page.context().close();
  });
});

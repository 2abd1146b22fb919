// The page for authors: its form makes the figure and the code for it, the code makes the same figure in another page, and
// its tables leave nothing out.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import { everyStep } from '../../web/element/attributes.mjs';
import { violations } from './axe.mjs';
import { assertQuiet, launch, newPage, serve, site } from './support.mjs';

let server;
let browser;
let made = ''; // what stands in the page that an author would write
before(async () => {
  server = await serve({
    intercept(path, response) {
      if (path !== '/made.html') return false;
      response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' });
      response.end(`<!doctype html><html lang="en"><title>made</title><link rel="icon" href="icon.svg"><body>${made}`);
      return true;
    },
  });
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await server?.close();
});

async function openAuthors(options = {}) {
  const page = await newPage(browser, { origin: server.origin, ...options });
  await page.goto(`${server.origin}/authors.html`);
  await page.waitForFunction(() => document.querySelector('#made').textContent);
  return page;
}

async function start(page) {
  await page.locator('#figure').scrollIntoViewIfNeeded();
  await page.waitForFunction(() => document.querySelector('#figure').running);
}

const code = (page) => page.locator('#made').textContent();
const state = (page, selector = '#figure') => page.evaluate((wanted) => document.querySelector(wanted).state, selector);

test('the form sets the figure and writes the code', async () => {
  const page = await openAuthors();
  await start(page);
  await page.selectOption('[name="example"]', 'gender-and-number');
  await page.selectOption('[name="step"]', 'reweight');
  await page.fill('[name="query"]', '2');
  await page.locator('[name="query"]').press('Tab');
  await page.selectOption('[name="head"]', '1');
  await page.selectOption('[name="controls"]', 'none');
  await page.waitForFunction(() => document.querySelector('#figure').state.head === 1);
  const { example, step, query, all_heads: allHeads } = await state(page);
  assert.deepEqual([example, step, query, allHeads], ['gender-and-number', 'reweight', 2, false]);
  const text = await code(page);
  for (const part of ['example="gender-and-number"', 'step="reweight"', 'query="2"', 'head="1"', 'controls="none"']) {
    assert.ok(text.includes(part), `${part} in ${text}`);
  }
  assert.ok(text.includes(`src="${server.origin}/attention-live.js"`), text);
  await page.selectOption('[name="lang"]', 'es');
  await page.waitForFunction(async () => (
    (await document.querySelector('#figure').describe()).step.title.startsWith('Ponderar')));
  assert.ok((await code(page)).includes('lang="es"'));
  assert.equal((await state(page)).step, 'reweight');
  assertQuiet(page);
});

test('a figure that nobody has touched changes its language with the form', async () => {
  const page = await openAuthors();
  await page.waitForFunction(() => document.querySelector('#figure').running);
  for (const [language, title] of [['de', 'Aus Scores'], ['es', 'De puntuaciones'], ['', 'Turn scores']]) {
    await page.selectOption('[name="lang"]', language);
    await page.waitForFunction(async (wanted) => (
      (await document.querySelector('#figure').describe()).step.title.startsWith(wanted)), title);
  }
  assertQuiet(page);
});

test('what is changed in the figure is in the code, and the code makes the same figure in another page', async () => {
  const page = await openAuthors();
  await start(page);
  await page.evaluate(() => document.querySelector('#figure').setState({
    step: 'mask', attention: 'cross_attention',
    edits: [{ attention: 'cross_attention', tensor: 'mask', index: [0, 0, 0, 2], value: '-Infinity' }],
  }));
  await page.waitForFunction(() => document.querySelector('#made').textContent.includes('edits='));
  assert.equal(await page.inputValue('[name="step"]'), 'mask', 'the form follows the figure');
  made = await code(page);
  const wanted = await state(page);
  const other = await newPage(browser, { origin: server.origin });
  await other.goto(`${server.origin}/made.html`);
  await other.waitForFunction(() => document.querySelector('attention-live').running);
  const found = await state(other, 'attention-live');
  assert.deepEqual(found, wanted);
  assertQuiet(page);
  assertQuiet(other);
});

test('the label follows what the figure shows until the author has given one', async () => {
  const page = await openAuthors();
  await start(page);
  const label = () => page.inputValue('[name="label"]');
  await page.selectOption('[name="example"]', 'pool-beats-badminton');
  assert.equal(await label(), 'pool beats badminton: softmax');
  assert.ok((await code(page)).includes('label="pool beats badminton: softmax"'));
  await page.evaluate(() => document.querySelector('#figure').setState({ step: 'mask' }));
  await page.waitForFunction(() => document.querySelector('[name="label"]').value.endsWith(': mask'));
  await page.fill('[name="label"]', 'Mine');
  await page.locator('[name="label"]').blur();
  await page.selectOption('[name="step"]', 'scores');
  assert.equal(await label(), 'Mine');
  assertQuiet(page);
});

test('the code for a frame and for a link says the same', async () => {
  const page = await openAuthors();
  await start(page);
  await page.fill('[name="label"]', 'A "quoted" <label> & more');
  await page.locator('[name="label"]').blur();
  await page.check('[name="made-for"][value="frame"]');
  const frame = await page.evaluate(() => {
    const holder = new DOMParser().parseFromString(document.querySelector('#made').textContent, 'text/html');
    const { src, title, sandbox } = holder.querySelector('iframe');
    return { src, title, sandbox: sandbox.value };
  });
  const address = new URL(frame.src);
  assert.equal(address.origin + address.pathname, `${server.origin}/embed.html`);
  assert.equal(address.searchParams.get('example'), 'you-are-welcome');
  assert.equal(address.searchParams.get('step'), 'softmax');
  const framed = await newPage(browser, { origin: server.origin });
  await framed.goto(frame.src);
  await framed.waitForFunction(() => document.querySelector('attention-live')?.running);
  assert.deepEqual(await state(framed, 'attention-live'), await state(page));
  assert.equal(frame.title, 'A "quoted" <label> & more');
  assert.equal(frame.sandbox, 'allow-scripts');
  await page.check('[name="made-for"][value="prose"]');
  const link = await page.evaluate(() => document.querySelector('#figure').link);
  assert.ok((await code(page)).includes(link.replaceAll('&', '&amp;')));
  assertQuiet(page);
});

test('what the figure refuses is told in a sentence, and the figure stays', async () => {
  const page = await openAuthors();
  await start(page);
  await page.fill('[name="query"]', '63');
  await page.locator('[name="query"]').blur();
  await page.locator('#told[data-kind="error"]').waitFor();
  assert.match(await page.locator('#told').textContent(), /^event error: .*query.*\.$/i);
  assert.equal((await state(page)).example, 'you-are-welcome');
});

test('the script that is printed runs', async () => {
  const page = await openAuthors();
  await page.click('#run');
  await page.waitForFunction(() => document.querySelector('#result').textContent);
  const number = await page.evaluate(async () => {
    const { data, offset, strides } = await document.querySelector('#figure').tensor('attention_weights');
    return data[offset + strides[2] + 2 * strides[3]];
  });
  assert.equal(await page.locator('#result').textContent(), `[2, 2, 3, 3] ${number}`);
  assertQuiet(page);
});

test('a link in the text sets the figure', async () => {
  const page = await openAuthors();
  await start(page);
  await page.click('a[href="#step=mask"]');
  await page.waitForFunction(() => document.querySelector('#figure').state.step === 'mask');
});

test('the tables name every attribute, property, method and event, and the form every example and step', async () => {
  const page = await openAuthors();
  const types = readFileSync(join(site, 'attention-live.d.ts'), 'utf8');
  const rows = await page.$$eval('tbody th code', (cells) => cells.flatMap((cell) => cell.textContent.split(/[(,\s]/)[0]));
  const observed = await page.evaluate(() => customElements.get('attention-live').observedAttributes);
  assert.ok(observed.length >= 15);
  const events = [...types.matchAll(/^ {2}(\w+): CustomEvent</gm)].map(([, name]) => name);
  assert.ok(events.length >= 7, `${events}`);
  const members = [...types.slice(types.indexOf('class AttentionLiveElement')).matchAll(/^ {2}(?:get |readonly )?(\w+)(?:\(|:)/gm)]
    .map(([, name]) => name).filter((name) => name !== 'addEventListener');
  assert.ok(members.length >= 10, `${members}`);
  for (const name of [...observed, 'load', 'poster', ...events, ...members]) assert.ok(rows.includes(name), `${name} is in a table`);
  // The form offers every example and step that there is, and no others.
  await start(page);
  const offered = await page.$$eval('[name="example"] option', (options) => options.map(({ value }) => value));
  const program = await newPage(browser, { origin: server.origin });
  await program.goto(`${server.origin}/`);
  await program.waitForFunction(() => window.attentionLive?.choices);
  const known = await program.evaluate(() => window.attentionLive.choices().examples.map(({ id }) => id));
  // A file is no example that an attribute could name.
  assert.deepEqual([...offered].sort(), known.filter((id) => id !== 'own-layer').sort());
  const steps = await page.$$eval('[name="step"] option', (options) => options.map(({ value }) => value));
  const typed = /type AttentionLiveStep =([^;]*);/.exec(types)[1].match(/'(\w+)'/g).map((name) => name.slice(1, -1));
  assert.deepEqual(steps, typed);
  assert.deepEqual(everyStep, await program.evaluate(() => window.attentionLive.steps()));
  assert.deepEqual(steps, everyStep);
});

for (const [width, height] of [[1280, 800], [720, 480], [390, 844]]) {
  test(`nothing is wider than a window of ${width} × ${height}`, async () => {
    const page = await openAuthors({ viewport: { width, height } });
    const seen = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
    assert.ok(seen[0] <= seen[1], `${seen}`);
    assertQuiet(page);
  });
}

for (const name of ['authors', 'lesson']) {
  for (const colorScheme of ['light', 'dark']) {
    test(`axe finds nothing on the ${name} page, ${colorScheme}`, async () => {
      const page = await newPage(browser, { origin: server.origin, colorScheme });
      await page.goto(`${server.origin}/${name}.html`);
      await page.waitForFunction(() => document.querySelector('#made, [data-code] pre')?.textContent);
      await page.locator('attention-live').first().scrollIntoViewIfNeeded();
      await page.waitForFunction(() => document.querySelector('attention-live').running);
      assert.deepEqual(await violations(page), []);
      await page.evaluate(() => document.querySelector('h1').remove());
      await page.evaluate(() => document.querySelector('nav').removeAttribute('aria-label'));
      await page.evaluate(() => document.documentElement.removeAttribute('lang'));
      assert.ok((await violations(page)).length > 0, 'it does look');
    });
  }
}

// A figure that fails after its start: it says so under its last picture, and goes on where it was.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';

import { article, ask, authorFiles, openArticle, stateOf, told } from './figures.mjs';
import { launch, newPage, serve, site, types } from './support.mjs';

let server;
let browser;
let page;
before(async () => {
  server = await serve({
    extra: {
      ...authorFiles,
      '/one.html': article('<attention-live id="one" example="pool-beats-badminton" step="input"></attention-live>'),
    },
  });
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await server?.close();
});
beforeEach(async () => {
  await page?.context().close();
  page = await newPage(browser, { origin: server.origin, viewport: { width: 900, height: 700 }, pixels: true });
  await openArticle(page, '/one.html', 'one');
  await ask(page, 'one', 'setState', { step: 'softmax', query: 2 });
  await ask(page, 'one', 'setState', '#edits=query_input:0,1,2=0.75');
  await page.waitForFunction(() => window.told.some(({ type }) => type === 'edit'));
});

/** Creates so many contexts that the browser takes the oldest ones away. */
const useUpContexts = () => page.evaluate(() => {
  window.others = Array.from({ length: 16 }, () => document.createElement('canvas').getContext('webgl2'));
});
const freeContexts = () => page.evaluate(() => {
  for (const gl of window.others) gl.getExtension('WEBGL_lose_context')?.loseContext();
});
/** Makes the program fail for good: it asks for memory, and there is none. */
const breakProgram = () => page.evaluate(async () => {
  const { grow } = WebAssembly.Memory.prototype;
  WebAssembly.Memory.prototype.grow = () => { throw new RangeError('no memory is left'); };
  await figure('one').tensor('q'.repeat(100e6)).catch(() => {});
  WebAssembly.Memory.prototype.grow = grow;
});
const failed = () => page.locator('#one .attention-live-failed').waitFor();
const tryAgain = () => page.getByRole('button', { name: 'Try again' }).click();

/** How many colours the picture under the program has; 0 where there is none. */
const colours = () => page.evaluate(() => {
  const canvas = figure('one').shadowRoot.querySelector('canvas.picture');
  if (!canvas) return 0;
  const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  return new Set(new Uint32Array(data.buffer)).size;
});

async function goesOnAsBefore(before) {
  await tryAgain();
  await page.waitForFunction(() => figure('one').running);
  assert.deepEqual(await stateOf(page, 'one'), before);
  const { data, strides } = await ask(page, 'one', 'tensor', 'query_input');
  assert.equal(data[strides[1] + 2 * strides[2]], 0.75);
  await page.locator('#one .attention-live-ready').waitFor();
  await page.waitForFunction(() => !figure('one').shadowRoot.querySelector('.picture'));
}

test('a context that is taken away and not given back: the last picture, a sentence, and Try again', async () => {
  await page.waitForTimeout(1500); // the reader looks at it
  const before = await stateOf(page, 'one');
  await useUpContexts();
  await failed();
  assert.equal(await page.evaluate(() => figure('one').running), false);
  assert.ok((await colours()) > 20);
  assert.match(await page.locator('#one .attention-live-sentence').textContent(), /took the graphics .* away/);
  assert.equal((await told(page, 'error')).length, 1);
  assert.deepEqual(await stateOf(page, 'one'), before);
  await freeContexts();
  await goesOnAsBefore(before);
});

test('a context that comes back in time: nothing is said', async () => {
  await page.evaluate(async () => {
    const canvas = figure('one').shadowRoot.querySelector('canvas');
    const lost = canvas.getContext('webgl2').getExtension('WEBGL_lose_context');
    lost.loseContext();
    await new Promise((resolve) => setTimeout(resolve, 300));
    lost.restoreContext();
    await new Promise((resolve) => setTimeout(resolve, 2500));
  });
  assert.equal(await page.evaluate(() => figure('one').running), true);
  assert.deepEqual(await told(page, 'error'), []);
});

describe('a program that breaks', () => {
  test('shows the last picture, and Try again comes back with state and edits', async () => {
    await page.waitForTimeout(1500);
    const before = await stateOf(page, 'one');
    await breakProgram();
    await failed();
    assert.equal((await told(page, 'error')).length, 1);
    assert.ok((await colours()) > 20);
    assert.deepEqual(await stateOf(page, 'one'), before);
    await goesOnAsBefore(before);
  });

  test('and start() does the same', async () => {
    const before = await stateOf(page, 'one');
    await breakProgram();
    await ask(page, 'one', 'start').catch(() => {});
    assert.deepEqual(await stateOf(page, 'one'), before);
  });
});

test('a figure at rest draws nothing, after its picture was kept', async () => {
  const drawn = await page.evaluate(async () => {
    const wait = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
    await wait(2000);
    let [frames, timers] = [0, 0];
    const { requestAnimationFrame: frame, setTimeout: timer } = window;
    window.requestAnimationFrame = (call) => { frames += 1; return frame(call); };
    window.setTimeout = (...all) => { timers += 1; return timer(...all); };
    await new Promise((resolve) => timer(resolve, 2500));
    return [frames, timers];
  });
  assert.deepEqual(drawn, [0, 0]);
});

describe('files of another host that do not come', () => {
  /** What a page says whose figure comes from another host, which answers for a file so. */
  async function said(ending, answer) {
    const intercept = (path, response) => path.endsWith(ending) && (answer(path, response), true);
    const files = await serve({ headers: { 'Access-Control-Allow-Origin': '*' }, intercept });
    const policy = `script-src 'self' 'wasm-unsafe-eval' ${files.origin}; connect-src ${files.origin}`;
    const course = await serve({
      headers: { 'Content-Security-Policy': policy },
      extra: {
        ...authorFiles,
        '/far.html': article('<attention-live id="one" example="counting" step="split"></attention-live>')
          .replace('src="/attention-live.js"', `src="${files.origin}/attention-live.js"`),
      },
    });
    const reader = await newPage(browser, { origin: course.origin, viewport: { width: 900, height: 700 } });
    try {
      await reader.goto(`${course.origin}/far.html`);
      await reader.locator('#one .attention-live-failed').waitFor();
      const sentence = await reader.locator('#one .attention-live-sentence').textContent();
      const reason = await reader.evaluate(() => figure('one').ready.then(() => null, ({ message }) => message));
      assert.equal(reason, sentence, 'scripts are told the same');
      assert.deepEqual((await told(reader, 'error')).map(({ message }) => message), [sentence], 'once');
      return sentence.replace(new URL(files.origin).host, 'HOST');
    } finally {
      await reader.context().close();
      await course.close();
      await files.close();
    }
  }

  /** The file without the header that lets pages of other hosts read it. */
  const withoutHeader = (path, response) => {
    response.writeHead(200, { 'Content-Type': types[extname(path)] });
    response.end(readFileSync(`${site}${path}`));
  };

  test('its code without Access-Control-Allow-Origin', async () => {
    const path = '/program/attention-live.wasm';
    assert.equal(await said(path, withoutHeader),
      `The program could not be downloaded: HOST does not send Access-Control-Allow-Origin with ${path}.`);
  });

  test('its script without Access-Control-Allow-Origin', async () => {
    assert.equal(await said('/program/attention-live.mjs', withoutHeader), 'The program could not be downloaded: ' +
      'its script is missing, or HOST does not send Access-Control-Allow-Origin with it.');
  });

  test('a host that breaks the connection off, or has no such file', async () => {
    assert.match(await said('.wasm', (path, response) => response.destroy()), /: HOST cannot be reached, or does not/);
    assert.match(await said('.wasm', (path, response) => {
      response.writeHead(404, { 'Access-Control-Allow-Origin': '*' });
      response.end();
    }), /answered 404 for \/program\/attention-live\.wasm/);
  });
});

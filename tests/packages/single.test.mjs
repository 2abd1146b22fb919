// attention-live.html, everything in one file, opened from a disk: in Chromium and in Firefox.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';

import { assertQuiet } from '../browser/support.mjs';
import { safetensors } from '../command/program.mjs';
import { Firefox } from '../support/firefox.mjs';
import { dist, inChromium, programState, withHost } from './support.mjs';

const link = '#example=pool-beats-badminton&variant=projected&step=scores&edits=attention.query_input:0,0,0=2.5';
let folder;
let address;

before(async () => {
  // Alone in a folder, with a name that has to be quoted.
  folder = await mkdtemp(join(tmpdir(), 'attention-live-single-'));
  const file = join(folder, 'week 3 & 4 #1.html');
  await copyFile(join(dist, 'attention-live.html'), file);
  address = pathToFileURL(file).href;
});
after(() => rm(folder, { recursive: true, force: true }));

/** What is asked of anything but the file itself. */
const others = (requests) => requests.filter((url) => !url.startsWith(address) && !url.startsWith('data:'));

describe('the pages of several files from a disk', () => {
  for (const name of ['index', 'index.de', 'index.es', 'lesson', 'lesson.de', 'authors', 'authors.es', 'embed']) {
    test(`${name}.html says so, and leads to the single file`, async () => {
      await inChromium(async (page) => {
        await page.goto(pathToFileURL(join(dist, `${name}.html`)).href);
        const sentence = page.locator('.late');
        await sentence.waitFor({ state: 'visible' });
        assert.match(await sentence.innerText(), /attention-live\.html/);
        await sentence.getByRole('link').click();
        assert.equal((await programState(page)).step, 'sentence');
      });
    });
  }

  test('and from a host they say nothing of it', async () => {
    await withHost(dist, {}, (host) => inChromium(async (page) => {
      for (const name of ['index', 'lesson', 'embed']) {
        await page.goto(`${host.origin}/${name}.html`);
        await page.locator('canvas').first().waitFor();
        assert.equal(await page.evaluate(() => document.querySelector('.late')?.getClientRects().length ?? 0), 0);
      }
    }));
  });
});

describe('the single file from a disk', () => {
  test('in Chromium: the state of its link, every method, and no request', async () => {
    await inChromium(async (page) => {
      await page.goto(address + link);
      const state = await programState(page);
      assert.deepEqual([state.example, state.variant, state.step], ['pool-beats-badminton', 'projected', 'scores']);
      const cells = await page.evaluate(() => [...window.attentionLive.tensor('query_input').data.slice(0, 4)]);
      assert.equal(cells[0], 2.5);
      assert.ok(await page.evaluate(() => window.attentionLive.frames > 0));
      await page.evaluate(() => window.attentionLive.set({ step: 'softmax' }));
      await page.waitForFunction(() => location.hash.includes('step=softmax')); // the address follows
      assert.deepEqual(others(page.heard.requests), []);
      assertQuiet(page);
    });
  });

  test('in the language that its address asks for', async () => {
    await inChromium(async (page) => {
      await page.goto(`${address}?lang=es${link}`);
      assert.equal((await programState(page)).step, 'scores');
      assert.equal(await page.locator('.attention-live').getAttribute('lang'), 'es');
      assert.equal(await page.locator('.attention-live-read').textContent(), 'Leer como texto');
      assert.deepEqual(others(page.heard.requests), []);
      assertQuiet(page);
    });
  });

  test('a model with its tokenizer, and a text in words', async () => {
    const words = ['[UNK]', '[CLS]', '[SEP]', 'the', 'fox', 'saw'];
    const numbers = (rows, columns) => ({ shape: [rows, columns], data: Array.from({ length: rows * columns }, (_, i) => ((i * 7) % 11) / 10) });
    const model = safetensors({
      'h.0.attn.c_attn.weight': numbers(8, 24), 'h.0.attn.c_proj.weight': numbers(8, 8), 'wte.weight': numbers(words.length, 8),
    });
    await inChromium(async (page) => {
      await page.goto(`${address}?lang=es`);
      await programState(page);
      const shown = await page.evaluate(async ([bytes, vocabulary]) => {
        const file = new File([Uint8Array.from(bytes)], 'model.safetensors');
        await window.attentionLive.openFile(file, { beside: [new File([vocabulary], 'vocab.txt')], words: 'The fox saw' });
        return window.attentionLive.choices().query_tokens;
      }, [[...model], words.join('\n')]);
      assert.deepEqual(shown, ['[CLS]', 'the', 'fox', 'saw', '[SEP]']);
      assert.deepEqual(others(page.heard.requests), []);
      assertQuiet(page);
    });
  });

  test('its policy lets run what it came with, and nothing else', async () => {
    await inChromium(async (page) => {
      await page.goto(address);
      await programState(page);
      const asked = await page.evaluate(async () => {
        const script = document.createElement('script');
        script.textContent = 'window.intruder = true;';
        document.body.append(script);
        const style = document.createElement('style');
        style.textContent = 'body { outline: 7px solid red; }';
        document.body.append(style);
        const fetched = await fetch('https://example.org/').then(() => 'fetched', () => 'refused');
        return [window.intruder ?? null, getComputedStyle(document.body).outlineWidth === '7px', fetched];
      });
      assert.deepEqual(asked, [null, false, 'refused']);
    });
  });

  test('names no other file and no host to ask', () => {
    const html = readFileSync(join(dist, 'attention-live.html'), 'utf8');
    const head = html.slice(0, html.indexOf('<style>'));
    assert.doesNotMatch(head, /(src|href)="(?!data:)/);
    assert.doesNotMatch(html, /href="(lesson|authors)\.html"/, 'the pages of the site do not come along');
    assert.match(head, /default-src 'none'; script-src 'sha256-[^']+' 'wasm-unsafe-eval'; style-src 'sha256-/);
  });

  test('in Firefox: the same', async () => {
    const firefox = await Firefox.launch();
    try {
      const { page } = firefox;
      await page.goto(address + link);
      const told = await page.evaluate(async () => {
        await window.attentionLive.ready;
        await window.attentionLive.settled();
        const { example, step } = window.attentionLive.state();
        const [cell] = window.attentionLive.tensor('query_input').data;
        return { example, step, cell, frames: window.attentionLive.frames > 0 };
      });
      assert.deepEqual(told, { example: 'pool-beats-badminton', step: 'scores', cell: 2.5, frames: true });
      assert.deepEqual(others(page.heard.requests), []);
      assert.deepEqual(page.heard.errors, []);
    } finally {
      await firefox.close();
    }
  });
});

test('the single file in a course system: uploaded, and in a sandboxed frame of it', async () => {
  const extra = {
    '/course.html': `<!doctype html><html lang="en"><title>course</title><link rel="icon" href="data:,">
      <iframe sandbox="allow-scripts" src="attention-live.html#step=mask" width="900" height="600"></iframe></html>`,
  };
  await withHost(dist, { extra, policy: null }, (host) => inChromium(async (page) => {
    await page.goto(`${host.origin}/course.html`);
    const frame = page.frames().find((each) => each !== page.mainFrame());
    assert.equal((await programState(frame)).step, 'mask');
    assert.deepEqual(host.sent.map(({ path }) => path), ['/course.html', '/attention-live.html']);
    assert.deepEqual(page.heard.errors, []);
  }));
});

// The program is quiet: at rest nothing runs, whatever was done before; what is drawn takes as many calls for many cells
// as for few; and its memory stays small.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { heapBars } from '../support/bars.mjs';
import { installMeter } from '../support/meter.mjs';
import { coloursIn, decodePng } from '../support/png.mjs';
import { wideLayer } from '../support/wide.mjs';
import { usual, withPages } from './pages.mjs';
import { api, assertQuiet, settled } from './support.mjs';

const openPage = withPages({ pixels: true });

async function openMetered(state, options = {}) {
  const page = await openPage(usual, { init: installMeter, reducedMotion: 'no-preference', ...options });
  await api(page, 'set', state);
  await settled(page);
  return page;
}

describe('at rest', () => {
  /** Waits until everything has been drawn and the address has followed, and asserts that nothing runs from then on. */
  async function assertRests(page, what) {
    await settled(page);
    await page.waitForTimeout(500);
    await page.evaluate(() => window.meter.reset());
    await page.waitForTimeout(1000);
    const seen = await page.evaluate(() => ({ frames: window.meter.frames().length, ...window.meter.clock() }));
    assert.deepEqual(seen, { frames: 0, asked: {}, called: {} }, what);
  }

  test('a picture of it has what the screen shows', async () => {
    const page = await openMetered({ example: 'pool-beats-badminton', step: 'input' });
    await assertRests(page, 'at the start');
    const colours = await page.evaluate(() => {
      const { data } = window.attentionLive.picture().getContext('2d').getImageData(0, 0, 400, 400);
      return new Set(new Uint32Array(data.buffer)).size;
    });
    assert.ok(colours > 20, `${colours} colours`);
    await assertRests(page, 'after it');
  });

  test('no frame and no timer: at the start, and after a pan, an edit, another size and another step', async () => {
    const page = await openMetered({ example: 'pool-beats-badminton', step: 'input' });
    await assertRests(page, 'at the start');
    const [{ rect: [x, y, width, height] }] = await api(page, 'blocks');

    await page.mouse.move(x - 20, y - 20);
    await page.mouse.down();
    await page.mouse.move(x + 40, y + 30, { steps: 5 });
    await page.mouse.up();
    await assertRests(page, 'after a pan');
    const moved = (await api(page, 'blocks'))[0].rect;
    assert.notDeepEqual(moved, [x, y, width, height], 'it was moved');

    await page.mouse.click(moved[0] + 4, moved[1] + 4);
    await page.keyboard.type('3');
    await page.keyboard.press('Enter');
    await assertRests(page, 'after an edit');
    const { edits } = await api(page, 'state');
    assert.deepEqual(edits.map(({ value }) => value), [3], 'it was edited');

    await page.setViewportSize({ width: 900, height: 700 });
    await page.waitForFunction(() => document.querySelector('canvas').width === 900);
    await assertRests(page, 'after another size');

    await api(page, 'set', { step: 'softmax' });
    await assertRests(page, 'after another step');
    assertQuiet(page);
    await page.context().close();
  });

  test('a notice goes by itself, but not while it is pointed at; nothing is drawn meanwhile', async () => {
    const page = await openMetered({ example: 'pool-beats-badminton', step: 'input' });
    const [{ rect: [x, y] }] = await api(page, 'blocks');
    await page.mouse.click(x + 4, y + 4);
    await page.mouse.move(5, 5);
    await page.keyboard.press('ArrowRight'); // from now on the focus is outlined
    await page.keyboard.press('ArrowLeft');
    await settled(page);
    const canvas = page.locator('canvas');
    const without = await canvas.screenshot();
    const copy = async () => {
      await page.keyboard.press('Control+C');
      await assertRests(page, 'while the notice is there');
      assert.notDeepEqual(await canvas.screenshot(), without, 'there is one');
    };
    await copy();
    await page.waitForTimeout(5000);
    await assertRests(page, 'when it is gone');
    assert.deepEqual(await canvas.screenshot(), without, 'it went by itself');

    await copy();
    await page.mouse.move(x + 100, (await canvas.boundingBox()).height - 140); // below the matrix
    await settled(page);
    await page.waitForTimeout(6000);
    await assertRests(page, 'while it is pointed at');
    await page.mouse.move(5, 5);
    await settled(page);
    assert.notDeepEqual(await canvas.screenshot(), without, 'it stayed');
    await page.waitForTimeout(5500);
    assert.deepEqual(await canvas.screenshot(), without, 'and went after the pointer had left');
    assertQuiet(page);
    await page.context().close();
  });
});

describe('draw calls', () => {
  const most = 16;
  const drawCalls = (page) => page.evaluate(() => window.meter.frames().map(({ draws }) => draws));

  test('none for a frame that shows what is there already', async () => {
    const page = await openMetered({}, { reducedMotion: 'reduce' });
    await page.evaluate(() => window.meter.reset());
    await api(page, 'set', { step: 'softmax' });
    await settled(page);
    const calls = await drawCalls(page);
    assert.ok(calls[0] > 0, `${calls}`);
    assert.equal(calls.at(-1), 0, `${calls}`);
    // What was drawn stays on the screen, and is drawn again where it does not.
    const canvas = await page.screenshot({ clip: { x: 40, y: 120, width: 800, height: 500 } });
    assert.ok(coloursIn(decodePng(canvas)) > 20);
    await page.evaluate(() => window.meter.reset());
    await page.setViewportSize({ width: 1000, height: 700 });
    await page.waitForFunction(() => document.querySelector('canvas').width === 1000);
    await settled(page);
    assert.ok((await drawCalls(page))[0] > 0);
    await page.context().close();
  });

  test(`as many for 32,768 numbers in a matrix as for 72, and at most ${most}`, async () => {
    const page = await openMetered({}, { reducedMotion: 'reduce' });
    const steps = (await api(page, 'choices')).steps.map(({ id }) => id);
    const drawsAt = async (state) => {
      const draws = {};
      // At the last step, so that the first is another one, too: what is there already is not drawn.
      await api(page, 'set', { ...state, step: steps.at(-1) });
      await settled(page);
      for (const step of steps) {
        await page.evaluate(() => window.meter.reset());
        await api(page, 'set', { step });
        await settled(page);
        const drawn = (await drawCalls(page)).filter((calls) => calls > 0);
        assert.ok(drawn.length > 0, step);
        draws[step] = drawn.at(-1);
      }
      return draws;
    };
    const few = await drawsAt(wideLayer(9, 8));
    const many = await drawsAt(wideLayer(64));
    assert.deepEqual(many, few);
    assert.ok(Math.max(...Object.values(few)) <= most, JSON.stringify(few));
    assertQuiet(page);
    await page.context().close();
  });
});

describe('memory', () => {
  for (const [name, tokens, bar] of [
    ['9 tokens', 9, heapBars['9x512x8']],
    ['64 tokens, the most that can be shown,', 64, heapBars['512x512x8']],
  ]) {
    test(`of the program: ${name} × 512 take at most ${bar / 2 ** 20} MiB, through all steps and with an edit`, async () => {
      const page = await openMetered(wideLayer(tokens), { reducedMotion: 'reduce' });
      for (const { id } of (await api(page, 'choices')).steps) {
        await api(page, 'set', { step: id });
        await settled(page);
      }
      await api(page, 'edit', { tensor: 'q_proj_weight', index: [1, 2], value: 3 });
      await settled(page);
      const heap = await page.evaluate(() => window.meter.heap());
      assert.ok(heap <= bar, `${heap} bytes`);
      assertQuiet(page);
      await page.context().close();
    });
  }
});

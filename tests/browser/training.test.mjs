// Training in the page: what is learned is seen in the heat map, and a link leads to the same numbers.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { withPage } from './pages.mjs';
import { assertQuiet } from './support.mjs';

const weights = (page) => page.evaluate(() => {
  const { data, shape, offset, strides } = window.attentionLive.tensor('attention_weights');
  const at = (...index) => data[index.reduce((place, i, axis) => place + i * strides[axis], offset)];
  return Array.from({ length: shape[1] }, (_, h) => Array.from({ length: shape[2] }, (_, q) =>
    Array.from({ length: shape[3] }, (_, k) => at(0, h, q, k))));
});
const training = (page) => page.evaluate(() => window.attentionLive.describe().training);
const idle = (page) => page.waitForFunction(() => !window.attentionLive.describe().training.busy);

async function open(page, link) {
  await page.goto(`${page.origin}/#${link}`);
  await page.waitForFunction(() => window.attentionLive);
  await page.evaluate(() => window.attentionLive.ready);
}

describe('training', () => {
  test('reverse becomes an antidiagonal', async () => {
    await withPage({}, async (page) => {
      await open(page, 'v=1&example=reverse&step=softmax');
      await page.keyboard.press('t');
      await page.waitForFunction(() => window.attentionLive.describe().training.playing);
      await idle(page);
      const { measured, steps, playing } = await training(page);
      assert.equal(steps, 400);
      assert.equal(playing, false);
      assert.ok(measured.at(-1).accuracy >= 0.95, JSON.stringify(measured.at(-1)));
      const heads = await weights(page);
      const both = heads[0].map((row, q) => row.map((_, k) => heads.reduce((sum, head) => sum + head[q][k], 0)));
      const right = both.filter((row, q) => row.indexOf(Math.max(...row)) === 7 - q).length;
      assert.ok(right >= 7, `${right} of 8 queries attend most to the letter that they answer with`);
      // At rest there are no frames.
      await page.evaluate(() => window.attentionLive.settled());
      const frames = await page.evaluate(() => window.attentionLive.frames);
      await page.waitForTimeout(500);
      assert.equal(await page.evaluate(() => window.attentionLive.frames), frames);
      assertQuiet(page);
    });
  });

  test('a link trains to the same numbers', async () => {
    await withPage({}, async (page) => {
      await open(page, 'v=1&example=reverse&step=softmax&trained_steps=25');
      await idle(page);
      const first = await weights(page);
      await page.evaluate(() => window.attentionLive.set({ trained_steps: 10 }));
      await idle(page);
      assert.notDeepEqual(await weights(page), first);
      await page.evaluate(() => window.attentionLive.set({ trained_steps: 25 }));
      await idle(page);
      assert.deepEqual(await weights(page), first);
      assertQuiet(page);
    });
  });

  test('without √D a wide head saturates, and the page says so', async () => {
    await withPage({}, async (page) => {
      await open(page, 'v=1&example=reverse&step=softmax&num_heads=1&training_rate=0.03&trained_steps=100&scale=none');
      await idle(page);
      const undivided = await training(page);
      assert.ok(undivided.measured.at(-1).accuracy < 0.3, JSON.stringify(undivided.measured.at(-1)));
      assert.match(undivided.trouble, /^Without √D the largest weight of a row is 0\.9/);
      const [rows] = await weights(page);
      const largest = rows.reduce((sum, row) => sum + Math.max(...row), 0) / rows.length;
      assert.ok(largest > 0.95, `${largest} is the mean of the largest weights`);
      await page.evaluate(() => window.attentionLive.set({ scale: 'sqrt-head-dim' }));
      await page.evaluate(() => window.attentionLive.set({ trained_steps: 100 }));
      await idle(page);
      const divided = await training(page);
      assert.ok(divided.measured.at(-1).accuracy > 0.95, JSON.stringify(divided.measured.at(-1)));
      assert.equal(divided.trouble, '');
      assertQuiet(page);
    });
  });

  test('where training is paused, too, the page says why nothing was learned', async () => {
    await withPage({}, async (page) => {
      await open(page, 'v=1&example=reverse&step=softmax&num_heads=1&training_rate=0.03&scale=none');
      await page.keyboard.press('t');
      await page.waitForFunction(() => window.attentionLive.describe().training.measured.length >= 6);
      await page.keyboard.press('t');
      await page.waitForFunction(() => !window.attentionLive.describe().training.playing);
      await page.evaluate(() => window.attentionLive.settled());
      assert.match(await page.evaluate(() => window.attentionLive.message()), /^Without √D the largest weight of a row is /);
      assertQuiet(page);
    });
  });

  test('what cannot be trained is refused in a sentence', async () => {
    await withPage({}, async (page) => {
      await open(page, 'v=1&example=agree&step=softmax');
      for (const rate of [0, -1, 1e9, 'NaN']) {
        const told = await page.evaluate((training_rate) => {
          try {
            return window.attentionLive.set({ training_rate });
          } catch (cause) {
            return cause.message;
          }
        }, rate);
        assert.match(told, /learning rate must be a number above 0, at most 10/);
      }
      await page.evaluate(() => window.attentionLive.train());
      await page.evaluate(() => window.attentionLive.set({ example: 'counting' }));
      assert.equal(await training(page), null);
      assertQuiet(page);
    });
  });
});

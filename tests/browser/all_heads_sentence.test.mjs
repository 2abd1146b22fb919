// The sentence with the mean over all heads, and its field where the bar has no room for it.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { withPage, withPages } from './pages.mjs';
import { read } from './reading.mjs';
import { api, assertQuiet, open, settled, tensor } from './support.mjs';

const openPage = withPages();
const state = (page) => api(page, 'state');
const focus = async (page) => (await api(page, 'describe')).focus.tensor;

describe('the mean over the heads', () => {
  test('is chosen by a press, by keys and in the text, and its numbers are the heads’', async () => {
    const page = await openPage('/#example=you-are-welcome&step=sentence');
    assert.equal(await focus(page), 'head_outputs');
    await page.mouse.click(246, 132);
    await settled(page);
    assert.equal((await state(page)).mean_heads, true);
    assert.equal(await focus(page), 'mean_weights');
    const weights = await tensor(page, 'encoder_self_attention.attention_weights');
    const mean = await tensor(page, 'encoder_self_attention.mean_weights');
    const [, heads, queries, keys] = weights.shape;
    assert.deepEqual(mean.shape.slice(1), [queries, keys]);
    for (let cell = 0; cell < queries * keys; ++cell) {
      let sum = 0;
      for (let head = 0; head < heads; ++head) sum += weights.data[head * queries * keys + cell];
      assert.ok(Math.abs(mean.data[cell] - sum / heads) < 1e-6);
    }
    await page.waitForFunction(() => location.hash.includes('mean_heads=true'));

    await page.locator('.attention-live-canvas').focus();
    const press = async (key) => {
      await page.keyboard.press(key);
      await settled(page);
      const { mean_heads: all, head } = await state(page);
      return all ? 'all' : head;
    };
    assert.equal(await press('['), 'all', 'there is nothing before it');
    assert.equal(await press(']'), 0);
    assert.equal(await press(']'), 1);
    assert.equal(await press('['), 0);
    assert.equal(await press('['), 'all');

    await read(page);
    const choice = page.locator('.attention-live-mirror').getByRole('combobox', { name: 'Head', exact: true });
    assert.equal(await choice.inputValue(), 'all');
    await choice.selectOption('1');
    assert.equal((await state(page)).mean_heads, false);
    await choice.selectOption('all');
    assert.equal((await state(page)).mean_heads, true);
    assert.match(await page.locator('.attention-live-mirror').textContent(), /\) \/ 2/);
    assertQuiet(page);
  });

  test('is what head="all" of the element means', async () => {
    const page = await openPage.blank();
    await page.goto(`${page.origin}/embed.html?example=you-are-welcome&step=sentence&head=all`);
    const shown = await page.evaluate(async () => {
      const figure = document.querySelector('attention-live');
      await figure.ready;
      const before = figure.state.mean_heads;
      figure.setAttribute('head', '1');
      await new Promise((resolve) => { setTimeout(resolve, 100); });
      return [before, figure.state.mean_heads, figure.state.head];
    });
    assert.deepEqual(shown, [true, false, 1]);
  });
});

for (const [width, height, x, y] of [[720, 480, 180, 104], [390, 844, 195, 116]]) {
  test(`${width} × ${height}: the sentence is typed above the stage`, async () => {
    await withPage({ viewport: { width, height } }, async (page) => {
      await open(page, '/#example=translator&step=sentence');
      await page.mouse.click(x, y);
      await settled(page);
      await page.keyboard.press('Control+a');
      await page.keyboard.type('Thank you.');
      await page.keyboard.press('Enter');
      await settled(page);
      assert.equal((await state(page)).sentence, 'Thank you.');
      assert.equal((await api(page, 'describe')).translation.text, 'Gracias.');
      assertQuiet(page);
    });
  });
}

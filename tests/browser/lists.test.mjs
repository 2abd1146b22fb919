// An open list has the keys for itself; what was moved out of sight comes back.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { usual, withPages } from './pages.mjs';
import { api, assertQuiet, settled } from './support.mjs';

const openPage = withPages();

test('an open list hears the arrows, and the step behind it nothing; Esc and Enter close it', async () => {
  const page = await openPage();
  await api(page, 'set', { example: 'pool-beats-badminton', step: 'softmax', query: 0 });
  await settled(page);
  const press = async (key) => {
    await page.keyboard.press(key);
    await settled(page);
    const { example, step, query, cell } = await api(page, 'state');
    return [example, step, query, cell];
  };
  for (const closes of ['Escape', 'Enter', 'Space']) {
    await api(page, 'set', { example: 'pool-beats-badminton', step: 'softmax', query: 0, cell: null });
    await page.mouse.click(250, 24);
    await settled(page);
    assert.equal((await press('ArrowRight'))[1], 'softmax');
    const [example] = await press('ArrowDown');
    assert.equal(example, 'you-are-welcome', 'the next example');
    const before = await press('ArrowUp');
    assert.equal(before[0], 'pool-beats-badminton', 'and the one before');
    assert.deepEqual(await press(closes), before, closes);
    assert.equal((await press('ArrowRight'))[1], 'reweight', `${closes} has closed it`);
  }
  assertQuiet(page);
});

test('a double click beside everything, or a double tap, shows the whole step again', async () => {
  for (const hasTouch of [false, true]) {
    const page = await openPage(usual, { hasTouch });
    await api(page, 'set', { example: 'pool-beats-badminton', step: 'input', framing: [0.5, 2, 2] });
    await settled(page);
    if (hasTouch) {
      for (let tap = 0; tap < 2; tap += 1) await page.touchscreen.tap(300, 500);
    } else {
      await page.mouse.dblclick(300, 500);
    }
    await settled(page);
    assert.equal((await api(page, 'state')).framing, null);
  }
});

// What opens and closes: a list has the keys for itself; what was moved out of sight comes back; More covers nothing.

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

test('what comes to lie under the pointer when a list closes is not pointed at', async () => {
  const page = await openPage(usual, { viewport: { width: 1280, height: 800 } });
  await api(page, 'set', { example: 'gender-and-number', step: 'sentence' });
  await settled(page);
  const { query } = await api(page, 'state');
  const [left, top, width] = (await api(page, 'blocks')).find(({ tensor }) => tensor === 'attention_weights').rect;
  const word = [left + (width * 1.5) / 8, top - 18]; // over the second lies the last line of the open list
  await page.mouse.click(250, 24);
  await settled(page);
  await page.mouse.move(...word, { steps: 3 });
  await page.mouse.click(...word);
  await page.getByRole('dialog').waitFor(); // which files, it asks
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await settled(page);
  assert.equal((await api(page, 'state')).query, query);
  await page.mouse.move(word[0] + 2, word[1], { steps: 2 });
  await settled(page);
  assert.equal((await api(page, 'state')).query, 1, 'one that moves is');
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

test('More takes room of the panel of a page, not of the stage; a group that is opened takes it back', async () => {
  const page = await openPage('/#example=you-are-welcome&step=softmax');
  await settled(page);
  const places = async () => (await api(page, 'blocks')).map(({ rect }) => rect);
  const before = await places();
  await page.mouse.click(1230, 62); // More
  await settled(page);
  assert.equal((await api(page, 'state')).more, true);
  assert.deepEqual(await places(), before);
  const { height } = page.viewportSize();
  await page.mouse.click(1050, height - 178); // the header Break it, while all are folded
  await settled(page);
  assert.equal((await api(page, 'state')).more, false);
  assert.deepEqual(await places(), before);
  assertQuiet(page);
});

// Where the reader of the translator is: a line from the whole model down to one cell, and the way back up.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { withPages } from './pages.mjs';
import { read } from './reading.mjs';
import { api, assertQuiet, settled } from './support.mjs';

const openPage = withPages();
const opened = '/#example=translator&step=softmax&attention=cross_attention_2&head=5&all_heads=false';
const path = async (page) => (await api(page, 'describe')).path;
const line = async (page) => (await path(page)).map(({ label, here }) => (here ? `[${label}]` : label)).join(' › ');

test('the line leads from the translator to a cell, and Backspace up again', async () => {
  const page = await openPage(opened);
  await api(page, 'set', { cell: { tensor: 'attention_weights', index: [0, 5, 1, 2] } });
  await settled(page);
  assert.equal(await line(page),
    'translator › all 96 heads › decoder layer 2, cross › head 5 › softmax › [cell [0, 5, 1, 2]]');
  await page.locator('.attention-live-canvas').focus();
  for (const expected of [
    'translator › all 96 heads › decoder layer 2, cross › head 5 › [softmax]',
    'translator › all 96 heads › decoder layer 2, cross › [head 5]',
    'translator › all 96 heads › [decoder layer 2, cross]',
    'translator › [all 96 heads]',
    '[translator] › all 96 heads',
    '[translator] › all 96 heads',
  ]) {
    await page.keyboard.press('Backspace');
    await settled(page);
    assert.equal(await line(page), expected);
  }
  const { step, all_heads: all } = await api(page, 'state');
  assert.deepEqual([step, all], ['sentence', true]);
  await api(page, 'set', { example: 'counting', step: 'softmax' });
  assert.deepEqual(await path(page), [], 'others have one attention or three');
  assertQuiet(page);
});

// Where the first part of the line stands; the last part is where one is, and does nothing.
for (const [width, height, x, y] of [[1280, 800, 270, 61], [720, 480, 240, 54], [390, 844, 24, 86]]) {
  test(`${width} × ${height}: a press on its first part leads up`, async () => {
    const page = await openPage(opened, { viewport: { width, height } });
    await settled(page);
    await page.mouse.click(x, y);
    await settled(page);
    const { step } = await api(page, 'state');
    assert.ok(['sentence', 'overview'].includes(step), step);
    assertQuiet(page);
  });
}

test('the text has it as buttons, and keeps the focus', async () => {
  const page = await openPage(opened);
  await read(page);
  const nav = page.getByRole('navigation', { name: 'Where this is in the translator' });
  assert.deepEqual(await nav.getByRole('button').allTextContents(),
    ['translator', 'all 96 heads', 'decoder layer 2, cross', 'head 5', 'softmax']);
  assert.equal(await nav.locator('[aria-current="location"]').textContent(), 'softmax');
  await nav.getByRole('button', { name: 'head 5' }).focus();
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => window.attentionLive.state().step === 'overview');
  await nav.locator('[aria-current="location"]', { hasText: 'head 5' }).waitFor();
  assert.equal(await page.evaluate(() => document.activeElement.textContent), 'head 5');
  await nav.getByRole('button', { name: 'all 96 heads' }).click();
  await page.waitForFunction(() => window.attentionLive.state().show === 'auto');
  assert.equal(await line(page), 'translator › [all 96 heads]');
  assertQuiet(page);
});

// A target, gradients in the place of values, and steps of gradient descent: by pointer and keyboard, through the API and
// in the text for screen readers.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { withPages } from './pages.mjs';
import { read } from './reading.mjs';
import { api, assertQuiet, settled } from './support.mjs';

const openPage = withPages();
const pool = '/#example=pool-beats-badminton&step=softmax';

/** The middle of a cell on the page. */
async function place(page, tensor, row, column) {
  const blocks = await api(page, 'blocks');
  const block = blocks.find((each) => each.tensor === tensor);
  assert.ok(block, `${tensor} is on the stage`);
  const [x, y, width, height] = block.rect;
  return [x + width * (column + 0.5) / block.columns, y + height * (row + 0.5) / block.rows];
}

const loss = async (page) => (await api(page, 'describe')).learning.loss;

describe('learning', () => {
  test('a weight is dragged to where it should be; Step and Play make the loss smaller; undo brings it back', async () => {
    const page = await openPage(`${pool}&learning=true`);
    await settled(page);
    const [x, y] = await place(page, 'attention_weights', 0, 2);
    await page.mouse.click(x, y);
    await settled(page);
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + 10, y);
    await page.mouse.move(x + 80, y, { steps: 4 });
    await page.mouse.up();
    await settled(page);
    const { target, given_weights } = await api(page, 'state');
    assert.equal(target.length, 1);
    assert.deepEqual([target[0].tensor, target[0].index], ['attention_weights', [0, 0, 0, 2]]);
    assert.deepEqual(given_weights, [], 'the weight is not set by hand');

    const before = await loss(page);
    await api(page, 'learn');
    const { learning } = await api(page, 'describe');
    assert.ok(learning.loss < before && learning.before === before);
    assert.match(learning.update, /^query_input\[\d, \d\] ← .* − 0\.100 × .* = /);
    assert.deepEqual([learning.first, learning.steps], [before, 1]);
    await api(page, 'learn');
    const { learning: second } = await api(page, 'describe');
    assert.equal(second.before, learning.loss);
    assert.deepEqual([second.first, second.steps], [before, 2], 'steps count from the first of them');
    await api(page, 'undo');
    await api(page, 'undo');
    assert.equal(await loss(page), before);

    const { edits: none } = await api(page, 'state');
    assert.deepEqual(none, []);
    await api(page, 'learn', true);
    await page.waitForFunction((first) => window.attentionLive.describe().learning.loss < first * 0.9, before);
    await api(page, 'learn', false);
    await settled(page);
    await api(page, 'undo');
    assert.equal(await loss(page), before, 'all steps of one play are undone together');
    assertQuiet(page);
  });

  test('a finger drags a weight to where it should be, on a phone', async () => {
    const page = await openPage(`${pool}&show=matrices&learning=true`, { viewport: { width: 390, height: 844 }, hasTouch: true });
    await settled(page);
    await page.touchscreen.tap(...await place(page, 'attention_weights', 0, 2));
    await settled(page);
    const [x, y] = await place(page, 'attention_weights', 0, 2);
    const cdp = await page.context().newCDPSession(page);
    const touch = (type, touchPoints) => cdp.send('Input.dispatchTouchEvent', { type, touchPoints });
    await touch('touchStart', [{ x, y }]);
    for (let step = 1; step <= 8; ++step) await touch('touchMove', [{ x: x + step * 7, y }]);
    await touch('touchEnd', []);
    await settled(page);
    const { target } = await api(page, 'state');
    assert.deepEqual(target.map(({ tensor, index }) => [tensor, index]), [['attention_weights', [0, 0, 0, 2]]]);
    const dragged = await api(page, 'tensor', 'attention_weights');
    const weight = dragged.data[dragged.offset + 2 * dragged.strides[3]];
    assert.ok(target[0].value > weight, `${target[0].value} is more than ${weight}`);
    const before = await loss(page);
    await api(page, 'learn');
    assert.ok(await loss(page) < before);
    assertQuiet(page);
  });

  test('G shows gradients in the same places, and values again', async () => {
    const page = await openPage(`${pool}&show=matrices&target=attention.output:0,0,1=0.6`);
    await settled(page);
    const before = await place(page, 'attention_weights', 1, 1);
    await page.keyboard.press('g');
    await settled(page);
    assert.deepEqual(await place(page, 'd_attention_weights', 1, 1), before);
    const { focus } = await api(page, 'describe');
    assert.equal(focus.tensor, 'd_masked_scores');
    assert.match(focus.text, /^d_masked_scores\[0, 0, 0\] = .* × \(.* − Σ d_weight×weight, .*\) = /);
    assert.deepEqual((await api(page, 'tensor', 'd_scores')).shape, [1, 1, 3, 3]);
    await page.keyboard.press('g');
    await settled(page);
    assert.deepEqual(await place(page, 'attention_weights', 1, 1), before);
    assertQuiet(page);
  });

  test('without a target there are no gradients, and the program says what to do', async () => {
    const page = await openPage(pool);
    await page.keyboard.press('g');
    await settled(page);
    assert.match(await api(page, 'message'), /no gradients without a target: set what a cell of output/);
    assert.equal((await api(page, 'state')).gradients, false);
  });

  test('the text has targets, gradients and steps', async () => {
    const page = await openPage(`${pool}&learning=true`);
    await read(page);
    const at = (role, name) => page.locator('.attention-live-mirror').getByRole(role, { name, exact: true });
    assert.equal(await at('button', 'Learn: one step').count(), 0, 'nothing to learn yet');
    await api(page, 'edit', { tensor: 'attention_weights', index: [0, 0, 0, 2], value: 0.9 });
    await at('button', 'Learn: one step').waitFor();
    const before = await loss(page);
    await at('button', 'Learn: one step').click();
    await page.waitForFunction((first) => window.attentionLive.describe().learning.loss < first, before);
    await page.getByText(/^Loss .*, before the last step/).first().waitFor({ state: 'attached' });
    await at('textbox', 'Learning rate').fill('-1');
    await at('textbox', 'Learning rate').press('Enter');
    assert.match(await api(page, 'message'), /^The learning rate cannot be -1; it must be above 0 and at most 1000\.$/);
    await at('checkbox', 'Show gradients in place of values').check();
    await settled(page);
    const { blocks, step } = await api(page, 'describe');
    assert.ok(blocks.some(({ tensor }) => tensor === 'd_attention_weights'));
    assert.match(step.worked, /d_masked_scores.*the weight, × \(/);
    assertQuiet(page);
  });
});

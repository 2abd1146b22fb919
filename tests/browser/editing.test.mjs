// Changing numbers: what follows and what does not, undo, and what bad input gets. By hand and through the API.

import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';

import { small, usual, withPages } from './pages.mjs';
import { api, assertQuiet, settled, tensor } from './support.mjs';

const openPage = withPages({ viewport: small });
let page;
beforeEach(async () => {
  page = await openPage();
});

const state = () => api(page, 'state');

/** Every tensor's cells in index order, as text, so that views are compared by what they show. */
function snapshot() {
  return page.evaluate(() => {
    const { attentionLive } = window;
    const cells = ({ shape, strides, offset, data }) => {
      const values = [];
      const walk = (axis, place) => {
        if (axis === shape.length) values.push(data[place]);
        else for (let index = 0; index < shape[axis]; ++index) walk(axis + 1, place + index * strides[axis]);
      };
      walk(0, offset);
      return values.join();
    };
    return Object.fromEntries(attentionLive.tensors().map((name) => [name, cells(attentionLive.tensor(name))]));
  });
}

function changed(before, now) {
  return Object.keys(now).filter((name) => now[name] !== before[name]).sort();
}

const of = (attention, ...names) => names.map((name) => `${attention}.${name}`);
const fromScores = ['scores', 'scaled_scores', 'masked_scores', 'attention_weights', 'head_outputs', 'merged_split',
  'merged', 'output'];

describe('an edit changes what comes after it and nothing else', () => {
  const cases = [
    ['a weight of the encoder’s query projection', 'encoder_self_attention', 'q_proj_weight', [0, 0],
      ['q_proj_weight', 'q', 'q_split', 'q_heads', ...fromScores], true],
    ['a weight of the encoder’s value projection', 'encoder_self_attention', 'v_proj_weight', [2, 1],
      ['v_proj_weight', 'v', 'v_split', 'v_heads', 'head_outputs', 'merged_split', 'merged', 'output'], true],
    ['a weight of the encoder’s output projection', 'encoder_self_attention', 'out_proj_weight', [1, 1],
      ['out_proj_weight', 'output'], true],
    ['a weight of the cross-attention’s key projection', 'cross_attention', 'k_proj_weight', [0, 3],
      ['k_proj_weight', 'k', 'k_split', 'k_heads', ...fromScores], false],
  ];
  for (const [what, attention, name, index, expected, feedsDecoder] of cases) {
    test(what, async () => {
      const before = await snapshot();
      await api(page, 'edit', { attention, tensor: name, index, value: 1.75 });
      const now = await snapshot();
      const downstream = of(attention, ...expected);
      if (feedsDecoder) {
        downstream.push(...of('cross_attention', 'key_input', 'value_input', 'k', 'k_split', 'k_heads', 'v', 'v_split',
          'v_heads', ...fromScores));
      }
      assert.deepEqual(changed(before, now), downstream.sort());
      const edited = await tensor(page, `${attention}.${name}`);
      const at = index.reduce((sum, position, axis) => sum + position * edited.strides[axis], edited.offset);
      assert.equal(edited.data[at], 1.75);
      await api(page, 'undo');
      assert.deepEqual(changed(before, await snapshot()), [], 'undo gives every number back to the last bit');
      await api(page, 'redo');
      assert.deepEqual(changed(now, await snapshot()), [], 'and redo takes it again');
      await api(page, 'reset');
      assert.deepEqual(changed(before, await snapshot()), [], 'and reset is the example as it was');
    });
  }

  test('a mask cell', async () => {
    await api(page, 'set', { example: 'pool-beats-badminton' });
    const before = await snapshot();
    await api(page, 'edit', { attention: 'attention', tensor: 'mask', index: [0, 0, 0, 2], value: -Infinity });
    const now = await snapshot();
    assert.deepEqual(changed(before, now), of('attention', 'attention_weights', 'head_outputs', 'mask', 'masked_scores',
      'merged', 'merged_split', ...(now['attention.output'] ? ['output'] : [])));
    const weights = await tensor(page, 'attention.attention_weights');
    assert.equal(weights.data[2], 0, 'a hidden key gets no weight');
    const mask = await tensor(page, 'attention.mask');
    assert.equal(mask.data[mask.offset + 2 * mask.strides[3]], -Infinity);
  });

  test('it is seen in the next frame', async () => {
    await api(page, 'set', { example: 'pool-beats-badminton', step: 'input' });
    await settled(page);
    const cells = await api(page, 'blocks');
    const input = cells.find((block) => block.tensor === 'query_input');
    const [x, y, width, height] = input.rect;
    const at = [x + width / 2 / input.columns, y + height / 2 / input.rows];
    const before = await api(page, 'probe', ...at);
    await api(page, 'edit', { tensor: 'query_input', index: [0, 0, 0], value: -0.125 });
    await settled(page);
    const now = await api(page, 'probe', ...at);
    assert.equal(before.value, 0.5);
    assert.equal(now.value, -0.125);
    assert.match(now.text, /^−0\.1[23]/);
    assert.notDeepEqual(now.color, before.color);
  });
});

describe('by hand', () => {
  /** Where a cell is on screen. */
  async function placeOf(name, row, column) {
    const block = (await api(page, 'blocks')).find((each) => each.tensor === name);
    const [x, y, width, height] = block.rect;
    return [x + ((column + 0.5) * width) / block.columns, y + ((row + 0.5) * height) / block.rows];
  }

  test('a double click on an input cell, a number, Enter', async () => {
    await api(page, 'set', { example: 'pool-beats-badminton', step: 'input' });
    await settled(page);
    const [x, y] = await placeOf('query_input', 1, 2);
    await page.mouse.dblclick(x, y);
    await settled(page);
    assert.equal(await page.evaluate(() => document.activeElement.tagName), 'TEXTAREA', 'it takes text now');
    await page.keyboard.press('Control+A');
    await page.keyboard.type('-0.375');
    await page.keyboard.press('Enter');
    await settled(page);
    assert.equal((await tensor(page, 'query_input')).data[6], -0.375);
    assert.deepEqual((await state()).edits.map(({ index, value }) => [index, value]), [[[0, 1, 2], -0.375]]);
    assert.equal(await page.evaluate(() => document.activeElement.tagName), 'CANVAS');
    await page.keyboard.press('Control+Z');
    await settled(page);
    assert.deepEqual((await state()).edits, []);
    await page.keyboard.press('Control+Shift+Z');
    await settled(page);
    assert.equal((await state()).edits.length, 1);
    assertQuiet(page);
  });

  test('Escape leaves the number as it was', async () => {
    await api(page, 'set', { example: 'pool-beats-badminton', step: 'input' });
    await settled(page);
    const [x, y] = await placeOf('query_input', 0, 0);
    await page.mouse.dblclick(x, y);
    await settled(page);
    await page.keyboard.type('9');
    await page.keyboard.press('Escape');
    await settled(page);
    assert.deepEqual((await state()).edits, []);
    assert.equal((await tensor(page, 'query_input')).data[0], 0.5);
  });

  test('a computed cell names given cells that it depends on, and leads to them', async () => {
    const wide = await openPage(usual, { viewport: { width: 1280, height: 800 } });
    await api(wide, 'set', { example: 'pool-beats-badminton', step: 'scores' });
    await settled(wide);
    const { rect: [x, y, width, height], rows, columns } =
      (await api(wide, 'blocks')).find((each) => each.tensor === 'scores');
    await wide.mouse.dblclick(x + (2.5 * width) / columns, y + (0.5 * height) / rows);
    await settled(wide);
    const told = await api(wide, 'message');
    assert.match(told, /^scores is computed\. Change a number it depends on: query_input\[0, \d\] or query_input\[2, \d\]\.$/);
    const chosen = async () => (await api(wide, 'state')).cell;
    // Its buttons are in the lower left of the message, which keeps off the cell; there the pointer turns into a hand.
    const pressButton = async (places, done) => {
      for (let down = 630; down > 600; down -= 12) {
        for (const across of places) {
          await wide.mouse.move(across, down);
          await settled(wide);
          if (await wide.evaluate(() => document.querySelector('.attention-live-canvas').style.cursor) !== 'pointer') continue;
          await wide.mouse.click(across, down);
          await settled(wide);
          if (await done()) return;
        }
      }
    };
    await pressButton([220, 260, 300, 340, 380, 420], async () => (await chosen()).tensor !== 'scores');
    const { tensor: name, index } = await chosen();
    assert.equal(name, 'query_input');
    assert.ok(told.includes(`query_input[${index.slice(1).join(', ')}]`), `${index} was offered`);
    assert.equal(await api(wide, 'message'), '');
    // The last button hides the key that the number belongs to.
    await api(wide, 'set', { step: 'scores', cell: null });
    await settled(wide);
    await wide.mouse.dblclick(x + (2.5 * width) / columns, y + (0.5 * height) / rows);
    await settled(wide);
    const edits = async () => (await api(wide, 'state')).edits;
    await pressButton([620, 580, 540, 500, 460], async () => (await edits()).length > 0);
    assert.match(JSON.stringify(await edits()), /mask/);
    assert.equal((await tensor(wide, 'attention_weights')).data[2], 0);
    assert.equal(await api(wide, 'message'), '');
    assertQuiet(wide);
  });

  test('a tap on a phone chooses a cell', async () => {
    const phone = await openPage(usual, { viewport: { width: 390, height: 844 }, hasTouch: true, deviceScaleFactor: 2 });
    await api(phone, 'set', { example: 'pool-beats-badminton', step: 'input' });
    await settled(phone);
    const block = (await api(phone, 'blocks')).find((each) => each.tensor === 'query_input');
    const [x, y, width, height] = block.rect;
    await phone.touchscreen.tap(x + width * 0.4, y + height * 0.8);
    await settled(phone);
    assert.equal((await api(phone, 'state')).query, 2, 'the row that was tapped is the query now');
    assertQuiet(phone);
  });

  /** The field in the bar, found as a reader finds it: where the pointer turns into a text cursor. */
  async function findTextField() {
    for (let x = 300; x < 800; x += 20) {
      await page.mouse.move(x, 20);
      await settled(page);
      const cursor = await page.evaluate(() => document.querySelector('.attention-live-canvas').style.cursor);
      if (cursor === 'text') return [x, 20];
    }
    throw new Error('no text field in the bar');
  }

  test('a sentence in any script', async () => {
    await api(page, 'set', { example: 'your-sentence' });
    await settled(page);
    await page.mouse.click(...await findTextField());
    await settled(page);
    await page.keyboard.press('Control+A');
    await page.keyboard.type('Über');
    await page.keyboard.insertText(' Straße Ж 你');
    await page.keyboard.press('Enter');
    await settled(page);
    assert.equal((await state()).sentence, 'Über Straße Ж 你');
    const rows = (await api(page, 'blocks')).find((block) => block.tensor === 'query_input' || block.tensor === 'token_embedding');
    assert.deepEqual(rows.row_labels.slice(0, 3), ['Über', 'Straße', 'Ж']);
    assertQuiet(page);
  });

  test('a sentence is computed at every letter, and all letters are undone at once', async () => {
    await api(page, 'set', { example: 'your-sentence' });
    await settled(page);
    const before = (await state()).sentence;
    await page.mouse.click(...await findTextField());
    await settled(page);
    await page.keyboard.press('Control+A');
    await page.keyboard.press('Delete');
    await settled(page);
    assert.equal((await state()).sentence, before, 'no sentence is none to show');
    assert.equal(await api(page, 'message'), '', 'and nothing to complain about');
    const text = 'a cat sat';
    for (let end = 1; end <= text.length; ++end) {
      await page.keyboard.press(text[end - 1] === ' ' ? 'Space' : text[end - 1]);
      await settled(page);
      assert.equal((await state()).sentence, text.slice(0, end));
    }
    // In the middle of it: the caret is where it was left.
    for (let back = 0; back < 4; ++back) await page.keyboard.press('ArrowLeft');
    await page.keyboard.type('ch');
    await settled(page);
    assert.equal((await state()).sentence, 'a catch sat');
    await page.keyboard.press('Enter');
    await settled(page);
    await page.keyboard.press('Control+Z');
    await settled(page);
    assert.equal((await state()).sentence, before);
    assertQuiet(page);
  });

  test('one that is too long is said to be, and typing goes on in the field', async () => {
    await api(page, 'set', { example: 'your-sentence', sentence: 'a '.repeat(63).trim() });
    await settled(page);
    await page.mouse.click(...await findTextField());
    await settled(page);
    await page.keyboard.press('End');
    const { step, scrub } = await state();
    for (const key of ['Space', 'b', 'Space', 'c', 'Space', 'd']) {
      await page.keyboard.press(key);
      await settled(page);
    }
    assert.equal(await api(page, 'message'), 'The sentence has 66 tokens; at most 64 are allowed.');
    const now = await state();
    assert.deepEqual([now.step, now.scrub], [step, scrub], 'no letter is a shortcut');
    assert.equal(now.sentence, `${'a '.repeat(63)}b `, 'the last that could be shown');
    for (let back = 0; back < 4; ++back) await page.keyboard.press('Backspace');
    await settled(page);
    assert.equal(await api(page, 'message'), '');
    await page.keyboard.press('Enter');
    await settled(page);
    assert.equal((await state()).sentence, `${'a '.repeat(63)}b`);
    assertQuiet(page);
  });

  test('it is pasted, undone and copied like any text', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await api(page, 'set', { example: 'your-sentence' });
    await settled(page);
    await page.mouse.click(...await findTextField());
    await settled(page);
    await page.keyboard.press('Control+A');
    await page.evaluate(() => navigator.clipboard.writeText('naïve façade'));
    await page.keyboard.press('Control+V');
    await settled(page);
    await page.keyboard.type('!');
    await page.keyboard.press('Control+A');
    await page.keyboard.press('Control+C');
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), 'naïve façade!');
    await page.keyboard.press('Enter');
    await settled(page);
    assert.equal((await state()).sentence, 'naïve façade!');
  });
});

describe('bad input gets a sentence and changes nothing', () => {
  const refused = async (method, argument, pattern) => {
    const before = await state();
    await assert.rejects(api(page, method, argument), (error) => {
      assert.match(error.message, pattern);
      return true;
    });
    assert.deepEqual(await state(), before);
  };

  test('the API', async () => {
    await api(page, 'set', { example: 'pool-beats-badminton' });
    await refused('set', { example: 'no-such-example' }, /example|pool-beats-badminton/);
    await refused('set', { head: 99 }, /head/);
    await refused('set', { step: 7 }, /step/);
    await refused('set', { colour: 'red' }, /colour/);
    await refused('edit', { tensor: 'query_input', index: [0, 0], value: 1 }, /lies outside.*\[1,3,4\]/);
    await refused('edit', { tensor: 'query_input', index: [0, 0, 99], value: 1 }, /lies outside/);
    await refused('edit', { tensor: 'scores', index: [0, 0, 0, 0], value: 1 }, /scores|computed/);
    await refused('edit', { tensor: 'query_input', index: [0, 0, 0], value: NaN }, /number/);
    await refused('tensor', 'nothing', /no tensor/i);
    await refused('tensor', 'q'.repeat(100000), /no tensor/i);
    await refused('provenance', { tensor: 'q', index: [9, 9, 9] }, /outside/);
    assertQuiet(page);
  });

  test('ten thousand tokens, and none', async () => {
    await api(page, 'set', { example: 'your-sentence' });
    await refused('set', { sentence: 'word '.repeat(10000) }, /64|tokens/);
    await refused('set', { sentence: '   ' }, /empty|word|sentence/i);
    await refused('set', { embed_dim: 7, num_heads: 2 }, /embed_dim|divide/);
  });
});

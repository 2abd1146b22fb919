// Every control of the canvas, as the text beside it has it: found by its role and name, and doing the same.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, test } from 'node:test';

import { until } from '../support/until.mjs';
import { withPages } from './pages.mjs';
import { enter, focused, read, said, tree } from './reading.mjs';
import { api, assertQuiet } from './support.mjs';

const openPage = withPages({ permissions: ['clipboard-read', 'clipboard-write'] });

describe('every control of the canvas has its name in the text', () => {
  const state = (page) => api(page, 'state');
  const at = (page, role, name) => page.locator('.attention-live-mirror').getByRole(role, { name, exact: true });
  async function reading(path) {
    const page = await openPage(path);
    await read(page);
    return page;
  }
  /** Types into a field as a reader does, and ends with Enter. */
  async function type(page, name, text) {
    await at(page, 'textbox', name).fill(text);
    await at(page, 'textbox', name).press('Enter');
  }
  const clipboard = (page) => page.evaluate(() => navigator.clipboard.readText());

  test('groups with names, and nothing without one', async () => {
    const page = await reading('/#example=you-are-welcome&step=scores');
    for (const name of ['Computation', 'View', 'Heads in use', 'Break it']) {
      assert.equal(await at(page, 'group', name).count(), 1, name);
    }
    const roles = ['button', 'combobox', 'textbox', 'checkbox', 'slider', 'spinbutton'];
    const nameless = (await tree(page)).filter(({ role, name }) => roles.includes(role) && name.trim() === '');
    assert.deepEqual(nameless, []);
    assertQuiet(page);
  });

  test('lengths, width and heads; what is not possible is said in the program’s words', async () => {
    const page = await reading('/#example=you-are-welcome');
    await type(page, 'Tokens of the source', '2');
    await type(page, 'Tokens of the target', '1');
    await type(page, 'Numbers per token, embed_dim', '8');
    await type(page, 'Number of heads', '4');
    const { source_len, target_len, embed_dim, num_heads } = await state(page);
    assert.deepEqual([source_len, target_len, embed_dim, num_heads], [2, 1, 8, 4]);
    assert.equal(await at(page, 'checkbox', /^Head \d$/).count(), 4, 'a switch for each head');

    await type(page, 'Tokens of the source', '9');
    assert.match(await said(page), /source_len 9 is not possible in you-are-welcome: choose a number from 1 to 3/);
    assert.equal(await at(page, 'textbox', 'Tokens of the source').getAttribute('aria-invalid'), 'true');
    await type(page, 'Number of heads', 'many');
    assert.match(await said(page), /num_heads must be a whole number/);
    assert.equal(await at(page, 'textbox', 'Tokens of the source').inputValue(), '2', 'what is left is what is so');
    assert.equal((await state(page)).num_heads, 4);

    await api(page, 'set', { example: 'counting' });
    await until(() => at(page, 'textbox', 'Tokens').isVisible(), 'one sequence has one length');
    assert.equal(await at(page, 'textbox', 'Tokens').inputValue(), '3');
    assert.equal(await at(page, 'textbox', 'Tokens of the target').count(), 0);
    await api(page, 'set', { source_len: 5 });
    await until(async () => (await at(page, 'textbox', 'Tokens').inputValue()) === '5', 'it follows the canvas');
    assertQuiet(page);
  });

  test('the key/value cache is a mask and the step that shows it', async () => {
    const page = await reading('/#example=your-sentence&step=scores');
    const cache = at(page, 'checkbox', 'Key/value cache, token by token');
    assert.equal(await cache.isChecked(), false);
    await cache.check();
    const { mask, step } = await state(page);
    assert.deepEqual([mask, step], ['look-ahead', 'project']);
    assert.match(JSON.stringify(await api(page, 'describe')), /That is the key\/value cache\./);
    await cache.uncheck();
    assert.equal((await state(page)).mask, 'none');
    await api(page, 'set', { example: 'you-are-welcome' });
    await until(async () => await cache.count() === 0, 'queries and keys are not of the same tokens');
    assertQuiet(page);
  });

  test('a head is switched off and on, in the attention that is looked at', async () => {
    const page = await reading('/#example=you-are-welcome&step=output&attention=cross_attention');
    await at(page, 'checkbox', 'Head 1').uncheck();
    assert.deepEqual((await state(page)).ablated_heads, { cross_attention: [1] });
    await at(page, 'combobox', 'Attention').selectOption('encoder_self_attention');
    assert.equal(await at(page, 'checkbox', 'Head 1').isChecked(), true, 'another attention has its own');
    await at(page, 'combobox', 'Attention').selectOption('cross_attention');
    assert.equal(await at(page, 'checkbox', 'Head 1').isChecked(), false);
    await at(page, 'checkbox', 'Head 1').check();
    assert.deepEqual((await state(page)).ablated_heads, {});
    await api(page, 'set', { ablated_heads: { cross_attention: [0] } });
    await until(async () => !(await at(page, 'checkbox', 'Head 0').isChecked()), 'it follows the canvas');
    assertQuiet(page);
  });

  test('a picture is chosen, and given back', async () => {
    const page = await reading('/#example=image-patches');
    assert.equal(await at(page, 'button', 'Back to the example’s picture').count(), 0);
    const png = await page.evaluate(() => {
      const canvas = Object.assign(document.createElement('canvas'), { width: 24, height: 24 });
      canvas.getContext('2d').fillRect(0, 0, 12, 24);
      return canvas.toDataURL('image/png').split(',')[1];
    });
    const file = { name: 'halves.png', mimeType: 'image/png', buffer: Buffer.from(png, 'base64') };
    const [dialog] = await Promise.all([
      page.waitForEvent('filechooser'), at(page, 'button', 'Choose a picture…').press('Enter'),
    ]);
    await dialog.setFiles(file);
    await until(async () => (await state(page)).picture !== '', 'the picture is there');
    await at(page, 'button', 'Back to the example’s picture').press('Enter');
    assert.equal((await state(page)).picture, '');
    assert.equal((await focused(page)).name, 'Choose a picture…', 'the focus is not lost with the button');
    await api(page, 'set', { example: 'counting' });
    await until(async () => (await at(page, 'button', 'Choose a picture…').count()) === 0, 'others take none');
    assertQuiet(page);
  });

  test('a mistake that changes nothing here says why', async () => {
    const page = await reading('/#example=gender-and-number&step=mask');
    await at(page, 'combobox', 'Mistake made on purpose').selectOption('mask-with-zero');
    await until(async () => /no key is hidden/.test(await said(page)), 'it is said');
    assertQuiet(page);
  });

  test('the riddle: begun, answered wrong and right, given up, undone', async () => {
    const page = await reading('/#example=you-are-welcome&step=scores');
    const begin = async () => {
      await at(page, 'button', 'Guess which').press('Enter');
      assert.match(await said(page), /^One of these mistakes is being made/);
      const { guessing, mistake } = await state(page);
      assert.equal(guessing, true);
      assert.notEqual(mistake, 'none');
      return mistake;
    };
    const { mistakes } = await api(page, 'choices');
    const before = await api(page, 'tensor', 'output').then(({ data }) => Object.values(data));
    const made = await begin();
    assert.match((await focused(page)).name, /^One of these mistakes is being made|^$/);
    assert.notDeepEqual(await api(page, 'tensor', 'output').then(({ data }) => Object.values(data)), before);
    const names = (await tree(page)).map(({ name }) => name).join('\n');
    assert.ok(!names.includes(mistakes.find(({ id }) => id === made).text), 'which it is is not told');
    const wrong = mistakes.find(({ id }) => id !== 'none' && id !== made);
    await at(page, 'button', wrong.label).press('Enter');
    assert.equal(await said(page), `It is not “${wrong.label}”. Look again.`);
    assert.equal((await state(page)).guessing, true);
    const right = mistakes.find(({ id }) => id === made);
    await at(page, 'button', right.label).press('Enter');
    assert.equal(await said(page), `Right: ${right.label}. ${right.text}`);
    assert.deepEqual([(await state(page)).guessing, (await state(page)).mistake], [false, made]);
    assert.equal((await focused(page)).name, 'Guess which');
    await at(page, 'button', 'Undo').press('Enter');
    assert.equal((await state(page)).mistake, 'none', 'all that was tried is one step to take back');

    const other = await begin();
    await at(page, 'button', 'Tell me').press('Enter');
    assert.match(await said(page), new RegExp(`^It was “${mistakes.find(({ id }) => id === other).label}”`));
    assert.equal(await at(page, 'combobox', 'Mistake made on purpose').inputValue(), other);
    assertQuiet(page);
  });

  test('a matrix and a number are copied as the canvas copies them', async () => {
    const page = await reading('/#example=pool-beats-badminton&step=input');
    await api(page, 'edit', { tensor: 'query_input', index: [0, 0, 0], value: 1 / 3 });
    await enter(page, /^query input/);
    const copied = async (name) => {
      await at(page, 'button', name).press('Enter');
      assert.match(await said(page), /^Copied: query_input/);
      return clipboard(page);
    };
    assert.equal(await copied('Copy the number'), '0.33333334');
    const numbers = await page.evaluate(() => [...window.attentionLive.tensor('query_input').data]);
    const table = (await copied('Copy as a table')).trimEnd().split('\n').map((row) => row.split('\t').map(Number));
    assert.deepEqual(table.map((row) => row.length), [4, 4, 4]);
    assert.deepEqual(table.flat().map(Math.fround), numbers);
    for (const [button, library, call] of [['NumPy', 'numpy', 'np.array'], ['PyTorch', 'torch', 'torch.tensor']]) {
      const code = await copied(`Copy as ${button}`);
      assert.match(code, new RegExp(`^import ${library}`));
      assert.match(code, /^# query_input\[0, :, :\]$/m);
      const [, lists] = new RegExp(`^query_input = ${call}\\((.*), dtype=`, 'ms').exec(code);
      assert.deepEqual(JSON.parse(lists.replace(/,(\s*\])/g, '$1')).flat().map(Math.fround), numbers);
    }
    await at(page, 'gridcell', '0.333').first().focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Control+c');
    assert.equal(Math.fround(await clipboard(page)), numbers[4]);

    await api(page, 'set', { example: 'you-are-welcome', step: 'mask', attention: 'decoder_self_attention' });
    await until(() => at(page, 'button', /^mask, head 0/).isVisible(), 'the mask is there');
    await enter(page, /^mask, head 0/);
    await at(page, 'button', 'Copy as NumPy').press('Enter');
    const code = await clipboard(page);
    assert.match(code, /^decoder_self_attention_mask = np\.array\(\[\n    \[0, -np\.inf\],/m);

    await api(page, 'set', { example: 'gender-and-number', step: 'sentence', query: 6 });
    await until(() => at(page, 'button', /^head outputs/).first().isVisible(), 'the query’s row is there');
    await enter(page, /^head outputs/);
    await at(page, 'button', 'Copy as NumPy').press('Enter');
    const row = await clipboard(page);
    assert.match(row, /^# head_outputs\[0, 0, 6:7, :\]$/m);
    assert.match(row, /^head_outputs = np\.array\(\[\n    \[[^\]]*\],\n\], dtype=/m);
    assertQuiet(page);
  });

  test('a matrix is saved as a picture, and the lesson plays at another speed', async () => {
    const page = await reading('/#example=you-are-welcome&step=scores&head=1');
    await enter(page, /^scores, head 1/);
    for (const [as, start] of [['PNG', '\x89PNG'], ['SVG', '<svg']]) {
      const [file] = await Promise.all([page.waitForEvent('download'), at(page, 'button', `Save as ${as}`).press('Enter')]);
      assert.equal(file.suggestedFilename(), `scores-head-1.${as.toLowerCase()}`);
      assert.ok((await readFile(await file.path(), 'latin1')).startsWith(start));
      assert.match(await said(page), /^Saved: a picture of scores/);
    }
    const [all] = await Promise.all([
      page.waitForEvent('download'), at(page, 'button', 'Save all tensors (.safetensors)').press('Enter'),
    ]);
    assert.equal(all.suggestedFilename(), 'you-are-welcome.safetensors');
    assert.equal(await said(page), 'Saved: every tensor.');
    await at(page, 'combobox', 'Speed of playing').selectOption('double');
    assert.equal((await api(page, 'describe')).speed, 2);
    assertQuiet(page);
  });

  test('a block is pasted from a cell on; what does not fit is said', async () => {
    const page = await reading('/#example=pool-beats-badminton&step=input');
    await enter(page, /^query input/);
    await page.keyboard.press('ArrowRight');
    const paste = async (text) => {
      await page.evaluate((each) => navigator.clipboard.writeText(each), text);
      await page.keyboard.press('Control+v');
      return said(page);
    };
    assert.match(await paste('1\t2\n3\t4'), /^Pasted\. query_input.*: 1\.00, an input/);
    const numbers = await page.evaluate(() => [...window.attentionLive.tensor('query_input').data]);
    assert.deepEqual([numbers[1], numbers[2], numbers[5], numbers[6]], [1, 2, 3, 4]);
    assert.equal((await focused(page)).name, '1.00', 'the grid shows it, and has the focus');
    const { edits } = await state(page);
    assert.match(await paste('1\t2\t3\t4'), /does not fit/);
    assert.match(await paste('1\tx'), /“?x/);
    assert.deepEqual((await state(page)).edits, edits);
    await at(page, 'button', 'Undo').press('Enter');
    assert.deepEqual((await state(page)).edits, [], 'the block is one step to take back');
    assertQuiet(page);
  });

  test('what the picture shows, its key, samples, colours and how far the step has come; a row given back', async () => {
    const page = await reading('/?from=here#example=you-are-welcome&step=reweight&attention=encoder_self_attention');
    const choose = (name, value) => at(page, 'combobox', name).selectOption(value);
    await choose('The picture shows', 'matrices');
    await choose('Key', '2');
    await choose('Colours', 'dark');
    await at(page, 'checkbox', 'One colour scale for all matrices').check();
    await at(page, 'checkbox', 'Stack the other samples behind this one').uncheck();
    await at(page, 'slider', 'Progress of this step').fill('0.5');
    const now = await state(page);
    assert.deepEqual([now.show, now.key, now.theme, now.shared_scale, now.all_samples, now.scrub],
      ['matrices', 2, 'dark', true, false, 0.5]);
    const slider = at(page, 'slider', 'Progress of this step');
    assert.equal(await slider.getAttribute('aria-valuetext'), '50 percent');
    assert.ok((await api(page, 'describe')).blocks.some(({ tensor }) => tensor === 'attention_weights'));

    const cell = { attention: 'encoder_self_attention', tensor: 'attention_weights', index: [0, 0, 0, 0] };
    await api(page, 'set', { query: 0 });
    await api(page, 'edit', { ...cell, value: 0.75 });
    const [edited] = (await state(page)).given_weights;
    assert.equal(await at(page, 'button', 'Divide these weights by their sum').count(), 0, 'the others made room');
    edited.weights = [0.5, 0.25, 0.05];
    await api(page, 'set', { given_weights: [edited] });
    const total = 0.8;
    await at(page, 'button', 'Divide these weights by their sum').press('Enter');
    const [divided] = (await state(page)).given_weights;
    divided.weights.forEach((weight, i) => assert.ok(Math.abs(weight - edited.weights[i] / total) < 1e-6));
    assert.equal(await at(page, 'button', 'Divide these weights by their sum').count(), 0, 'they sum to 1');
    await at(page, 'button', 'Compute these weights from the scores again').press('Enter');
    assert.deepEqual((await state(page)).given_weights, []);
    assert.equal(await at(page, 'button', 'Compute these weights from the scores again').count(), 0);

    await api(page, 'set', { example: 'counting' });
    assert.equal(await at(page, 'button', 'Copy link').count(), 1);
    await at(page, 'button', 'Copy link').press('Enter');
    assert.equal(await said(page), 'Link copied.');
    // Of the program, and not of the page that it stands in.
    assert.ok((await clipboard(page)).startsWith(`${page.origin}/#v=1&example=counting`), await clipboard(page));
    await api(page, 'set', { example: 'your-sentence' });
    const { seed } = await state(page);
    await at(page, 'button', 'New seed').press('Enter');
    assert.equal((await state(page)).seed, seed + 1);
    assertQuiet(page);
  });
});

// One focus: what is pointed at, chosen or computed is what the header and the inspector explain; header and controls keep
// their places meanwhile, and the numbers of the arithmetic lead to their cells.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { withPages } from './pages.mjs';
import { focused, read, said } from './reading.mjs';
import { api, assertQuiet, settled } from './support.mjs';

const page1280 = { width: 1280, height: 800 };
const openPage = withPages({ viewport: page1280, pixels: true });

/** Where the parts of a page of that size are: src/stage/layout/chrome.cpp. */
const bar = { x: 0, y: 0, width: 1280, height: 40 };
const equation = { x: 24, y: 80, width: 900, height: 30 };
const heads = { x: 24, y: 116, width: 900, height: 34 };
const inspector = { x: 960, y: 128, width: 290, height: 480 };
const groups = { x: 960, y: 612, width: 290, height: 106 };

const picture = async (page, clip) => (await page.screenshot({ clip })).toString('base64');

/** The middle of a cell of a matrix on the screen. */
async function placeOf(page, tensor, row, column, head = 0) {
  const block = (await api(page, 'blocks')).find((each) => each.tensor === tensor && (each.head ?? 0) === head);
  const [x, y, width, height] = block.rect;
  return [x + ((column + 0.5) * width) / block.columns, y + ((row + 0.5) * height) / block.rows];
}

/** What everything is about. */
const focus = async (page) => (await api(page, 'describe')).focus;

describe('one focus', () => {
  test('pointing explains another cell and moves nothing', async () => {
    const page = await openPage('/#step=softmax');
    await page.mouse.move(640, 770);
    await settled(page);
    const places = { bar, equation, heads, inspector, groups };
    const before = {};
    for (const [name, clip] of Object.entries(places)) before[name] = await picture(page, clip);
    const blocks = await api(page, 'blocks');
    assert.ok(Math.min(...blocks.map(({ rect }) => rect[1])) >= 110, 'bar and header end at 110 pixels');
    await page.mouse.move(...await placeOf(page, 'attention_weights', 1, 2));
    await settled(page);
    const told = await focus(page);
    assert.deepEqual([told.tensor, told.index], ['attention_weights', [0, 0, 1, 2]]);
    for (const name of ['equation', 'inspector']) {
      assert.notEqual(await picture(page, places[name]), before[name], `the ${name} is about what is pointed at`);
    }
    for (const name of ['bar', 'heads', 'groups']) {
      assert.equal(await picture(page, places[name]), before[name], `the ${name} stays as it is`);
    }
    await page.mouse.move(640, 770);
    await settled(page);
    for (const [name, clip] of Object.entries(places)) assert.equal(await picture(page, clip), before[name], name);
    assertQuiet(page);
  });

  test('a change of numbers leaves the focus where it was, so that it can be seen', async () => {
    const page = await openPage('/#example=gender-and-number&step=sentence');
    const before = await focus(page);
    const number = async ({ tensor, index }) => (await api(page, 'explain', { tensor, index })).value;
    const was = await number(before);
    assert.ok(Math.abs(was) > 0.5, 'the largest number of the row');
    await api(page, 'set', { ablated_heads: { attention: [0] } });
    await settled(page);
    const off = await focus(page);
    assert.deepEqual([off.tensor, off.index, await number(off)], [before.tensor, before.index, 0]);
    await api(page, 'undo');
    await settled(page);
    assert.equal(await number(await focus(page)), was);
    await api(page, 'set', { query: 0 });
    await settled(page);
    assert.notDeepEqual((await focus(page)).index, before.index, 'another query has a cell of its own');
    assertQuiet(page);
  });

  test('another example explains a cell of its own, not the place of the one before', async () => {
    const page = await openPage('/#example=gender-and-number&step=reweight');
    const place = { step: 'reweight', query: 1, head: 0 };
    const opened = {};
    for (const example of ['pool-beats-badminton', 'gender-and-number']) {
      await api(page, 'set', { example, ...place });
      await settled(page);
      opened[example] = (await focus(page)).index;
    }
    assert.notDeepEqual(opened['gender-and-number'], opened['pool-beats-badminton']);
    for (const example of ['gender-and-number', 'pool-beats-badminton']) {
      const fresh = await openPage(`/#example=${example}&step=reweight&query=1&head=0`);
      await settled(fresh);
      assert.deepEqual(opened[example], (await focus(fresh)).index, example);
    }
    assertQuiet(page);
  });

  test('an animation that is scrubbed is about the cell that it has come to', async () => {
    const page = await openPage('/#step=scores');
    await api(page, 'set', { cell: { tensor: 'scores', index: [0, 0, 2, 2] } });
    assert.deepEqual((await focus(page)).index, [0, 0, 2, 2]);
    const seen = [];
    for (const scrub of [0.2, 0.5, 0.8]) {
      await api(page, 'set', { scrub });
      await settled(page);
      const { tensor, index } = await focus(page);
      assert.equal(tensor, 'scores');
      seen.push(index[2] * 3 + index[3]);
    }
    assert.ok(seen[0] < seen[1] && seen[1] < seen[2], `${seen} go on`);
    assertQuiet(page);
  });

  test('a cell that the step does not show is let go', async () => {
    const page = await openPage('/#step=scores&cell=scores:1,1,2,0');
    const { sample, head, query, key } = await api(page, 'state');
    assert.deepEqual([sample, head, query, key], [1, 1, 2, 0]);
    await api(page, 'set', { step: 'output' });
    await settled(page);
    assert.equal((await api(page, 'state')).cell, null);
    assertQuiet(page);
  });
});

describe('the inspector’s arithmetic', () => {
  test('a number that is pressed leads to its cell', async () => {
    const page = await openPage('/#step=scores&cell=scores:0,0,1,2');
    await settled(page);
    // The second factors stand in a column of their own, left of the products.
    const found = new Set();
    for (let y = 200; y < 420 && found.size < 1; y += 6) {
      await page.mouse.click(1170, y);
      await settled(page);
      const { cell } = await api(page, 'state');
      if (cell.tensor === 'k_heads') found.add(JSON.stringify(cell.index));
    }
    assert.deepEqual([...found].map(JSON.parse).map((index) => index.slice(0, 3)), [[0, 0, 2]]);
    assert.equal((await api(page, 'state')).step, 'scores', 'which shows it');
    assertQuiet(page);
  });

  test('those to whom it is read have a button for each', async () => {
    const page = await openPage('/#step=transpose&cell=q_heads:0,0,1,1');
    await read(page);
    const { sources } = await focus(page);
    await page.locator('details summary').focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    assert.equal((await focused(page)).name, sources[0].text);
    await page.keyboard.press('Enter');
    await settled(page);
    const { step, cell } = await api(page, 'state');
    assert.deepEqual([step, cell.tensor], ['project', 'q'], 'the step that makes what it is read from');
    assert.match(await said(page), /^Selected: q, /);
    assertQuiet(page);
  });
});

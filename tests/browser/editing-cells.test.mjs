// Editing cells by hand: from cell to cell with Tab, numbers dragged, masks painted, blocks pasted and copied; each as
// one step of undo.

import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';

import { small, usual, withPages } from './pages.mjs';
import { api, assertQuiet, settled, tensor } from './support.mjs';

const openPage = withPages({ viewport: small, permissions: ['clipboard-read', 'clipboard-write'] });
let page;
beforeEach(async () => {
  page = await openPage();
});

const state = () => api(page, 'state');
const message = () => api(page, 'message');
const input = async () => (await tensor(page, 'query_input')).data;
const values = async () => (await state()).edits.map(({ index, value }) => [index.slice(1).join(), value]);

async function show(example, step, more = {}) {
  await api(page, 'set', { example, step, ...more });
  await settled(page);
}

/** Where a cell is on screen. */
async function placeOf(name, row, column, on = page) {
  const block = (await api(on, 'blocks')).find((each) => each.tensor === name);
  assert.ok(block, `${name} is on the stage`);
  const [x, y, width, height] = block.rect;
  return [x + ((column + 0.5) * width) / block.columns, y + ((row + 0.5) * height) / block.rows];
}

async function choose(name, row, column) {
  const place = await placeOf(name, row, column);
  await page.mouse.click(...place);
  await settled(page);
  return place;
}

async function drag(from, to, steps = 6) {
  await page.mouse.move(...from);
  await page.mouse.down();
  await page.mouse.move(...to, { steps });
  await settled(page);
}

const focused = () => page.evaluate(() => document.activeElement.tagName);

describe('typing', () => {
  beforeEach(() => show('pool-beats-badminton', 'input'));

  test('a number begins an edit with all of its digits', async () => {
    await choose('query_input', 0, 1);
    await page.keyboard.type('0.375');
    await page.keyboard.press('Enter');
    await settled(page);
    assert.equal((await input())[1], 0.375);
    assert.equal(await focused(), 'CANVAS');
  });

  test('Enter that comes before the field is drawn ends the edit, and begins no other', async () => {
    await choose('query_input', 0, 1);
    await page.evaluate(() => {
      for (const [key, code] of [['3', 'Digit3'], ['Enter', 'Enter']]) {
        for (const type of ['keydown', 'keyup']) {
          document.activeElement.dispatchEvent(new KeyboardEvent(type, { key, code, bubbles: true }));
        }
      }
    });
    await settled(page);
    assert.equal((await input())[1], 3);
    await page.keyboard.press('ArrowRight'); // in a field it would move in the text
    await settled(page);
    assert.deepEqual((await state()).cell?.index, [0, 0, 2]);
  });

  test('Tab goes on in the row and to the next row, Shift+Tab goes back', async () => {
    await choose('query_input', 0, 2);
    await page.keyboard.press('Enter');
    await settled(page);
    await page.keyboard.type('0.25');
    await page.keyboard.press('Tab');
    await page.keyboard.type('0.75');
    await page.keyboard.press('Tab');
    await page.keyboard.type('-1');
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.type('0.5');
    await page.keyboard.press('Enter');
    await settled(page);
    assert.deepEqual([...(await input()).slice(2, 5)], [0.25, 0.5, -1]);
    assert.equal(await focused(), 'CANVAS');
    assertQuiet(page);
  });

  test('Tab leaves the canvas where nothing is typed', async () => {
    await choose('query_input', 0, 0);
    assert.equal(await focused(), 'CANVAS');
    await page.keyboard.press('Tab');
    assert.notEqual(await focused(), 'CANVAS');
    assert.notEqual(await focused(), 'TEXTAREA');
  });

  test('arrows up and down commit and move the choice', async () => {
    await choose('query_input', 0, 0);
    await page.keyboard.press('Enter');
    await settled(page);
    await page.keyboard.type('0.125');
    await page.keyboard.press('ArrowDown');
    await settled(page);
    assert.equal(await focused(), 'CANVAS');
    assert.deepEqual((await state()).cell.index, [0, 1, 0]);
    await page.keyboard.type('2');
    await page.keyboard.press('ArrowUp');
    await settled(page);
    assert.deepEqual(await values(), [['0,0', 0.125], ['1,0', 2]]);
  });

  test('what is no number stays in the field, with a sentence', async () => {
    await choose('query_input', 1, 1);
    const before = await input();
    await page.keyboard.press('Enter');
    await settled(page);
    for (const bad of ['1,2,3', 'abc', '99999']) {
      await page.keyboard.press('Control+A');
      await page.keyboard.type(bad);
      await page.keyboard.press('Enter');
      await settled(page);
      assert.equal(await focused(), 'TEXTAREA', `${bad}: the field is still open`);
      assert.notEqual(await message(), '');
      assert.deepEqual(await input(), before);
    }
    await page.keyboard.type('0.5');
    await page.keyboard.press('Enter');
    await settled(page);
    assert.equal(await focused(), 'CANVAS');
    assert.equal((await input())[5], 0.5);
    assert.equal(await message(), '');
  });
});

describe('dragging a chosen number', () => {
  beforeEach(() => show('pool-beats-badminton', 'input'));

  test('to the right makes it larger, as one step', async () => {
    const [x, y] = await choose('query_input', 0, 1);
    await drag([x, y], [x + 60, y]);
    const during = (await input())[1];
    assert.ok(during > 0.1, `${during} after 60 pixels`);
    await page.mouse.move(x - 40, y, { steps: 9 });
    await page.mouse.up();
    await settled(page);
    assert.ok((await input())[1] < 0.1);
    assert.equal((await state()).edits.length, 1);
    await page.keyboard.press('Control+Z');
    await settled(page);
    assert.deepEqual((await state()).edits, []);
    assertQuiet(page);
  });

  test('with Shift it goes ten times slower', async () => {
    const [x, y] = await choose('query_input', 0, 1);
    await page.keyboard.down('Shift');
    await drag([x, y], [x + 60, y]);
    await page.mouse.up();
    await page.keyboard.up('Shift');
    await settled(page);
    const change = (await input())[1] - 0.1;
    assert.ok(change > 0 && change < 0.05, `${change}`);
  });

  test('Escape gives the old number back', async () => {
    const [x, y] = await choose('query_input', 0, 1);
    await drag([x, y], [x + 60, y]);
    assert.equal((await state()).edits.length, 1);
    await page.keyboard.press('Escape');
    await settled(page);
    assert.deepEqual((await state()).edits, []);
    await page.mouse.move(x + 100, y, { steps: 3 });
    await page.mouse.up();
    await settled(page);
    assert.deepEqual((await state()).edits, [], 'and the rest of the way changes nothing');
    assert.deepEqual((await state()).cell.index, [0, 0, 1]);
  });

  test('a press is of the cell that it met: not of none, nor of what stands there meanwhile', async () => {
    const [x, y] = await choose('query_input', 0, 1);
    const pressed = async (meanwhile) => {
      await page.mouse.move(x, y);
      await page.mouse.down();
      await meanwhile();
      await settled(page);
      await page.mouse.move(x + 60, y, { steps: 6 });
      await page.mouse.up();
      await settled(page);
      assert.deepEqual((await state()).edits, []);
    };
    await pressed(() => page.keyboard.press('Escape'));
    await choose('query_input', 0, 1);
    for (const step of ['mask', 'output']) await pressed(() => api(page, 'set', { step }));
    assertQuiet(page);
  });

  test('another cell, or up and down, moves the plane', async () => {
    const [x, y] = await choose('query_input', 0, 1);
    const other = await placeOf('query_input', 2, 3);
    await drag(other, [other[0] + 60, other[1]]);
    await page.mouse.up();
    await settled(page);
    assert.deepEqual((await state()).edits, []);
    const moved = await placeOf('query_input', 0, 1);
    assert.ok(Math.abs(moved[0] - x - 60) < 8, `${moved[0] - x}`);
    await drag(moved, [moved[0], moved[1] + 50]);
    await page.mouse.up();
    await settled(page);
    assert.deepEqual((await state()).edits, []);
    assert.ok((await placeOf('query_input', 0, 1))[1] > y + 30);
  });

  test('a finger does the same', async () => {
    const phone = await openPage(usual, { viewport: { width: 720, height: 800 }, hasTouch: true });
    await api(phone, 'set', { example: 'pool-beats-badminton', step: 'input' });
    await settled(phone);
    let [x, y] = await placeOf('query_input', 0, 1, phone);
    await phone.touchscreen.tap(x, y);
    await settled(phone);
    [x, y] = await placeOf('query_input', 0, 1, phone);
    const cdp = await phone.context().newCDPSession(phone);
    const touch = (type, points) => cdp.send('Input.dispatchTouchEvent', { type, touchPoints: points });
    await touch('touchStart', [{ x, y }]);
    for (let step = 1; step <= 8; ++step) await touch('touchMove', [{ x: x + step * 10, y }]);
    await touch('touchEnd', []);
    await settled(phone);
    const { edits } = await api(phone, 'state');
    assert.equal(edits.length, 1);
    assert.ok(edits[0].value > 0.1);
  });
});

describe('painting a mask', () => {
  beforeEach(() => show('pool-beats-badminton', 'mask', { mask: 'look-ahead' }));

  const hidden = async () => {
    const { data, shape, strides, offset } = await tensor(page, 'mask');
    const rows = [];
    for (let row = 0; row < shape[2]; ++row) {
      const cells = [];
      for (let column = 0; column < shape[3]; ++column) {
        cells.push(data[offset + row * strides[2] + column * strides[3]] < 0 ? 1 : 0);
      }
      rows.push(cells.join(''));
    }
    return rows.join(' ');
  };

  test('the first cell decides, one stroke is one step', async () => {
    assert.equal(await hidden(), '011 001 000');
    await drag(await placeOf('mask', 2, 0), await placeOf('mask', 2, 2));
    await page.mouse.up();
    await settled(page);
    assert.equal(await hidden(), '011 001 111');
    await page.keyboard.press('Control+Z');
    await settled(page);
    assert.equal(await hidden(), '011 001 000');
    await drag(await placeOf('mask', 0, 2), await placeOf('mask', 2, 2), 1);
    await page.mouse.up();
    await settled(page);
    assert.equal(await hidden(), '010 000 000', 'shown, however fast the stroke');
    assertQuiet(page);
  });

  test('the field opens in the matrix that was clicked, where the mask is drawn several times', async () => {
    const large = await openPage('/#example=you-are-welcome&step=mask', { viewport: { width: 1280, height: 800 }, pixels: true });
    const masks = (await api(large, 'blocks')).filter((each) => each.tensor === 'mask');
    assert.ok(masks.length >= 3, 'for each head and in the figure');
    for (const { rect: [x, y, width, height], rows, columns } of [masks.at(-1), masks[1]]) {
      const middle = [x + width / 2 / columns, y + ((rows - 0.5) * height) / rows];
      const around = { x: middle[0] - 20, y: middle[1] - 10, width: 40, height: 20 };
      await large.mouse.click(...middle);
      await settled(large);
      const closed = (await large.screenshot({ clip: around })).toString('base64');
      await large.keyboard.press('Enter');
      await settled(large);
      assert.notEqual((await large.screenshot({ clip: around })).toString('base64'), closed);
      await large.keyboard.press('Escape');
      await large.mouse.click(640, 780);
      await settled(large);
    }
    assertQuiet(large);
  });

  test('Escape takes the stroke back', async () => {
    await drag(await placeOf('mask', 2, 0), await placeOf('mask', 2, 2));
    await page.keyboard.press('Escape');
    await page.mouse.up();
    await settled(page);
    assert.equal(await hidden(), '011 001 000');
    assert.deepEqual((await state()).edits, []);
  });
});

describe('the clipboard', () => {
  beforeEach(() => show('pool-beats-badminton', 'input'));

  const paste = async (text) => {
    await page.evaluate((words) => navigator.clipboard.writeText(words), text);
    await page.keyboard.press('Control+V');
    await settled(page);
  };

  test('a block goes to the chosen cell and right and down of it, as one step', async () => {
    await choose('query_input', 1, 1);
    await paste('1\t\u22122\t0,5\r\n-3\t4\t0.25\r\n');
    const numbers = await input();
    assert.deepEqual([...numbers.slice(5, 8), ...numbers.slice(9, 12)], [1, -2, 0.5, -3, 4, 0.25]);
    await page.keyboard.press('Control+Z');
    await settled(page);
    assert.deepEqual((await state()).edits, []);
    assertQuiet(page);
  });

  test('a block that is bad somewhere, or too large, changes nothing', async () => {
    await choose('query_input', 1, 1);
    for (const [text, sentence] of [
      ['1\t2\n3\tx', /row 1, column 1 .*"x"/],
      ['1\t2\t3\t4', /1 × 4 .* room for 2 × 3/],
      ['1\t2\n3', /row 1 has 1/],
      ['1\t99999', /99999/],
      ['1\t-inf', /[i∞]/i],
    ]) {
      await paste(text);
      assert.match(await message(), sentence);
      assert.deepEqual((await state()).edits, []);
    }
    await paste('7\t8');
    assert.equal((await state()).edits.length, 2);
    assert.equal(await message(), '');
  });

  test('a chosen number is copied with all its digits', async () => {
    await api(page, 'edit', { tensor: 'query_input', index: [0, 0, 0], value: 1 / 3 });
    await settled(page);
    await choose('query_input', 0, 0);
    await page.keyboard.press('Control+C');
    const text = await page.evaluate(() => navigator.clipboard.readText());
    assert.equal(Math.fround(Number(text)), Math.fround(1 / 3));
    assert.equal(text, '0.33333334');
  });
});

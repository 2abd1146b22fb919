// Typing from right to left: a focused field shows what it shows at rest, and caret, arrows and clicks follow the letters.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { decodePng } from '../support/png.mjs';
import { withPages } from './pages.mjs';
import { api, assertQuiet, settled } from './support.mjs';

const openPage = withPages({ viewport: { width: 1280, height: 800 }, pixels: true });

/** Within the field, at 1280 × 800. */
const inside = { x: 384, y: 10, width: 372, height: 24 };

/** The columns of the field with ink: how many dark pixels each has. */
async function ink(page) {
  const picture = decodePng(await page.screenshot({ clip: inside }));
  return Array.from({ length: picture.width }, (_, x) => {
    let dark = 0;
    for (let y = 0; y < picture.height; ++y) dark += picture.at(x, y)[1] < 140 ? 1 : 0;
    return dark;
  });
}

const sentence = async (page) => (await api(page, 'state')).sentence;

async function type(page, text) {
  await page.mouse.click(inside.x + 60, inside.y + 12);
  await settled(page);
  await page.keyboard.press('Control+A');
  await settled(page);
  await page.keyboard.type(text);
  await settled(page);
}

describe('a sentence from right to left', () => {
  test('looks the same while it is typed, with the caret after its last letter', async () => {
    const page = await openPage('/#example=your-sentence');
    await type(page, 'שלום, עולם 12 טוב');
    assert.equal(await sentence(page), 'שלום, עולם 12 טוב');
    const typed = await ink(page);
    await page.keyboard.press('Enter');
    await settled(page);
    const rest = await ink(page);
    const first = rest.findIndex((dark) => dark > 0);
    assert.ok(first > rest.length / 2, 'it stands at the right');
    const caret = typed.findIndex((dark) => dark > 0);
    assert.ok(typed[caret] >= 15 && caret < first && first - caret < 6, `the caret is at ${caret}, the text begins at ${first}`);
    for (let x = first + 1; x < rest.length; ++x) assert.ok(Math.abs(rest[x] - typed[x]) <= 2, `column ${x}: ${typed[x]}, at rest ${rest[x]}`);
    assertQuiet(page);
  });

  test('the arrows and a click lead to the letter that stands there', async () => {
    const page = await openPage('/#example=your-sentence');
    await type(page, 'שלום עולם');
    await page.keyboard.press('Home');
    await settled(page);
    await page.keyboard.press('ArrowLeft');
    await settled(page);
    await page.keyboard.type('א');
    await settled(page);
    assert.equal(await sentence(page), 'שאלום עולם', 'left of the first letter is after it');
    await page.keyboard.press('ArrowRight');
    await settled(page);
    await page.keyboard.type('ב');
    await settled(page);
    assert.equal(await sentence(page), 'שבאלום עולם');
    const columns = await ink(page);
    await page.mouse.click(inside.x + columns.findIndex((dark) => dark > 0) - 3, inside.y + 12);
    await settled(page);
    await page.keyboard.type('ג');
    await settled(page);
    assert.equal(await sentence(page), 'שבאלום עולםג', 'the left end is the end');
    assertQuiet(page);
  });
});

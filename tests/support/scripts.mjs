// Words whose letters have to be joined and ordered, each beside the same letters set one by one: U+200C keeps Arabic
// letters apart, and U+202D has Hebrew run from left to right.

import assert from 'node:assert/strict';

const words = { joined: 'سلام', apart: 'س\u200Cل\u200Cا\u200Cم', toTheLeft: 'שלום', toTheRight: '\u202Dשלום', again: 'שלום' };

/**
 * Shows each word as the only token of your-sentence and compares how it stands beside its row of the first matrix,
 * where nothing else is.
 * @param program has set(), blocks() and picture() (decoded)
 */
export async function checkScripts(program) {
  const labels = {};
  for (const [name, sentence] of Object.entries(words)) {
    await program.set({ example: 'your-sentence', step: 'softmax', sentence });
    const picture = await program.picture(); // first, so that the blocks are where the picture has them
    const [x, y, , height] = (await program.blocks())[0].rect;
    const ink = [];
    for (let row = Math.ceil(y); row < y + height; ++row) {
      for (let column = 20; column < x - 6; ++column) ink.push(Math.round(picture.at(column, row)[0] / 64));
    }
    assert.ok(new Set(ink).size > 2, `${name} is written`);
    labels[name] = ink.join('');
  }
  assert.notEqual(labels.joined, labels.apart, 'Arabic letters join');
  assert.notEqual(labels.toTheLeft, labels.toTheRight, 'Hebrew runs from right to left');
  assert.equal(labels.toTheLeft, labels.again);
}

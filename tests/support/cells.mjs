// What the page's tests and the window's tests hold the display to: every cell that is drawn is the cell it says it is.

import assert from 'node:assert/strict';

/** The number at an index of a tensor as the API gives it. */
export function numberAt(tensor, index) {
  return tensor.data[index.reduce((sum, position, axis) => sum + position * tensor.strides[axis], tensor.offset)];
}

/** The middle of a block's cell on screen. */
function middle({ rect: [x, y, width, height], rows, columns }, row, column) {
  return { x: x + ((column + 0.5) * width) / columns, y: y + ((row + 0.5) * height) / rows };
}

/** Rows and columns worth asking for: the corners, the middle, and some that follow no pattern of the layout. */
function sample({ rows, columns }) {
  const places = [[0, 0], [0, columns - 1], [rows - 1, 0], [rows - 1, columns - 1],
    [rows >> 1, columns >> 1], [(rows * 7) % 5, (columns * 11) % 7]];
  const inside = places.filter(([row, column]) => row < rows && column < columns);
  return [...new Map(inside.map((place) => [place.join(), place])).values()];
}

/** The number that a text on screen says, and half of its last digit. */
function readText(text) {
  const plain = text.replace('−', '-');
  if (plain.endsWith('∞')) return { value: plain === '-∞' ? -Infinity : Infinity, half: 0 };
  const decimals = /\.(\d+)$/.exec(plain)?.[1].length ?? 0;
  return { value: Number(plain), half: 0.5 * 10 ** -decimals };
}

/** Infinity survives no JSON; the window's answers have words for it. */
const word = (value) => (typeof value === 'string' ? Number(value) : value);

/**
 * Probes a sample of the cells of every block on screen and compares with the tensors.
 * @param {object} program blocks(), probes(places), tensor(name) and state(), all promises
 * @param {{width: number, height: number}} size of the surface; what lies outside is not seen
 * @returns the probed cells, for the caller's own questions
 */
export async function checkCells(program, size) {
  const tensors = new Map();
  const probed = [];
  const blocks = await program.blocks();
  const { query } = await program.state();
  assert.ok(blocks.length > 0, 'there are blocks on screen');
  for (const block of blocks) {
    const name = `${block.attention}.${block.tensor}`;
    if (!tensors.has(name)) tensors.set(name, await program.tensor(name));
    const tensor = tensors.get(name);
    assert.ok(block.title.startsWith(block.tensor), `the title “${block.title}” names ${block.tensor}`);
    const places = sample(block).map(([row, column]) => ({ row, column, ...middle(block, row, column) }))
      .filter(({ x, y }) => x >= 0 && y >= 0 && x < size.width && y < size.height);
    const found = await program.probes(places.map(({ x, y }) => ({ x, y })));
    for (const [i, { row, column }] of places.entries()) {
      const cell = found[i];
      if (cell.kind !== 'cell') continue; // under a panel, or scrolled out of the stage
      const where = `${name}[${cell.index}] in block ${block.block}`;
      assert.equal(cell.block, block.block, where);
      assert.equal(cell.attention, block.attention, where);
      assert.equal(cell.tensor, block.tensor, where);
      assert.deepEqual([cell.row, cell.column], [row, column], where);
      assert.equal(cell.index.length, tensor.shape.length, where);
      const { index } = cell;
      // Only the chosen query's part is on the screen.
      if (cell.tensor === 'weighted_values') assert.equal(index[2], query, `${where} is the chosen query's`);
      index.forEach((position, axis) => assert.ok(position < tensor.shape[axis], `${where} lies inside`));
      const value = word(cell.value);
      const computed = word(numberAt(tensor, index));
      assert.ok(Object.is(value + 0, computed + 0), `${where} draws ${value}, computed was ${computed}`);
      if (cell.text) {
        const said = readText(cell.text);
        const near = said.value === computed || Math.abs(said.value - computed) <= said.half * 1.001;
        assert.ok(near, `${where} says “${cell.text}”, computed was ${computed}`);
      }
      if (Number.isFinite(computed)) {
        const [low, high] = cell.range;
        const slack = 1e-6 * Math.max(Math.abs(low), Math.abs(high));
        assert.ok(computed >= low - slack && computed <= high + slack, `${where} = ${computed} lies in its range`);
      }
      probed.push({ ...cell, value });
    }
  }
  const seen = new Set(probed.map((cell) => cell.block));
  assert.equal(seen.size, blocks.length, 'every block showed a cell');
  return probed;
}

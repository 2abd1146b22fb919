// The one rule: every number on screen is the number that was computed, and every label names the tensor it shows.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { checkCells } from '../support/cells.mjs';
import { decodePng } from '../support/png.mjs';
import { small, usual, withPages } from './pages.mjs';
import { api, asked, assertQuiet, settled, tensor } from './support.mjs';

const examples = ['pool-beats-badminton', 'you-are-welcome', 'anthony-hopkins', 'your-sentence'];
const steps = ['sentence', 'input', 'project', 'split', 'transpose', 'scores', 'scale', 'mask', 'softmax', 'reweight',
  'merge', 'output', 'overview'];

const openPage = withPages();

async function choose(page, state) {
  await api(page, 'set', state);
  await settled(page);
}

/** The attentions that the example on screen has. */
async function attentions(page) {
  const names = await api(page, 'tensors');
  return [...new Set(names.map((name) => name.split('.')[0]))];
}

/** A point of the cell that no number covers, in device pixels: near its upper left corner, inside the rounding. */
function clearPoint({ rect: [x, y, width, height] }, ratio) {
  return [(x + width * 0.22) * ratio, (y + height * 0.22) * ratio];
}

/** Compares the pixels of cells that are large enough to have a clear point with the colour they say they have. */
async function checkColours(page, cells, ratio) {
  const picture = decodePng(await page.screenshot());
  let compared = 0;
  for (const cell of cells) {
    if (cell.rect[2] * ratio < 12 || cell.rect[3] * ratio < 12) continue;
    const [x, y] = clearPoint(cell, ratio);
    if (x < 0 || y < 0 || x >= picture.width || y >= picture.height) continue;
    const drawn = picture.at(x, y);
    const off = Math.max(...drawn.map((channel, index) => Math.abs(channel - cell.color[index])));
    assert.ok(off <= 3, `${cell.tensor}[${cell.index}] = ${cell.value} is drawn as ${drawn}, not ${cell.color}`);
    ++compared;
  }
  return compared;
}

describe('what is drawn is what was computed', () => {
  for (const example of examples) {
    test(`${example}: every step of every attention`, async () => {
      const size = example === examples[0] ? { width: 1280, height: 800 } : small;
      const page = await openPage(usual, { viewport: size });
      await choose(page, { example });
      let blocks = 0;
      for (const attention of await attentions(page)) {
        for (const step of steps) {
          await choose(page, { attention, step });
          const cells = await checkCells(asked(page), size);
          assert.ok(cells.every((cell) => cell.attention === attention));
          blocks += new Set(cells.map((cell) => cell.block)).size;
        }
      }
      assert.ok(blocks >= steps.length, `${blocks} blocks were looked at`);
      assertQuiet(page);
    });
  }

  test('for another head, query and sample, one head large', async () => {
    const page = await openPage(usual, { viewport: small });
    for (const state of [{ sample: 1 }, { query: 2 }, { head: 1 }, { all_heads: false }, { query: 0, head: 0 }]) {
      await choose(page, state);
      for (const step of ['overview', 'scores', 'softmax', 'reweight']) {
        await choose(page, { step });
        const cells = await checkCells(asked(page), small);
        const { sample, head, all_heads: all } = await api(page, 'state');
        for (const { tensor: name, index } of cells) {
          if (name === 'attention_weights') assert.equal(index[0], sample, 'of the sample that was chosen');
          if (name === 'attention_weights' && !all) assert.equal(index[1], head, 'of the head that was chosen');
        }
      }
    }
  });

  for (const [width, height, ratio] of [[1280, 800, 1], [1280, 800, 2], [720, 480, 1], [390, 844, 2], [800, 600, 1.25]]) {
    test(`the pixels have the colours of the numbers: ${width}×${height} at ${ratio}`, async () => {
      const page = await openPage(usual, { viewport: { width, height }, deviceScaleFactor: ratio, pixels: true });
      // The matrices, also where a phone would show the figure.
      await choose(page, { example: 'pool-beats-badminton' });
      let compared = 0;
      for (const theme of ['light', 'dark']) {
        for (const step of ['input', 'softmax']) {
          await choose(page, { step, theme, show: 'matrices' });
          await page.mouse.move(1, 1); // nothing is pointed at
          await settled(page);
          const cells = await checkCells(asked(page), { width, height });
          compared += await checkColours(page, cells, ratio);
        }
      }
      assert.ok(compared >= 20, `${compared} cells were large enough to compare`);
    });
  }

  test('every block has its title over it and its tokens beside it', async () => {
    const page = await openPage();
    await choose(page, { example: 'pool-beats-badminton', step: 'scores' });
    const { tokens, missing } = await page.evaluate(() => {
      const { attentionLive } = window;
      const labels = (x, y) => {
        const found = attentionLive.probe(x, y);
        return found.kind === 'label' ? found.text : '';
      };
      const above = ({ rect: [x, y] }) => {
        const texts = new Set();
        for (let up = 1; up < 128; ++up) for (const right of [2, 12, 24]) texts.add(labels(x + right, y - up));
        return [...texts];
      };
      const missing = attentionLive.blocks().filter((block) => !above(block).some((text) => text.includes(block.title)))
        .map((block) => block.title);
      const tokens = [];
      for (const { rect: [x, y, , height], rows, row_labels: names } of attentionLive.blocks()) {
        if (!names.length) continue;
        for (let row = 0; row < rows; ++row) {
          const texts = new Set();
          for (let left = 2; left < 100; left += 2) texts.add(labels(x - left, y + ((row + 0.5) * height) / rows));
          texts.delete('');
          if (texts.size === 0) continue; // beside another block of its line
          const number = /^\d+$/.test(names[row]) ? [] : [String(row)]; // a word has its number beside it
          tokens.push([[...texts].slice(0, number.length + 1), [...number, names[row]]]);
        }
      }
      return { tokens, missing };
    });
    assert.deepEqual(missing, []);
    assert.ok(tokens.length >= 3, 'rows are labelled');
    for (const [drawn, expected] of tokens) assert.deepEqual(drawn, expected);
  });

  test('keys too narrow to be named are counted, and the one in focus is named where its name is short', async () => {
    const page = await openPage();
    await choose(page, { example: 'anthony-hopkins', step: 'softmax', query: 3 });
    const drawn = () => page.evaluate(() => {
      const { attentionLive } = window;
      const blocks = attentionLive.blocks().filter(({ tensor }) => tensor === 'attention_weights');
      const top = Math.min(...blocks.map(({ rect }) => rect[1]));
      return blocks.filter(({ rect }) => rect[1] === top).map(({ rect: [x, y, width], columns, column_labels: names }) => {
        const found = new Map();
        for (let up = 6; up < 20; ++up) {
          for (let right = 0; right < width; ++right) {
            const label = attentionLive.probe(x + right, y - up);
            if (label.kind === 'label') found.set(`${label.role} ${label.text}`, label.rect);
          }
        }
        return { width: width / columns, found: [...found].map(([text, rect]) => [text, (rect[0] + rect[2] / 2 - x) / width]), names };
      });
    });
    for (const key of [5, 8]) {
      await api(page, 'set', { cell: { tensor: 'attention_weights', index: [0, 0, 3, key] } });
      await settled(page);
      const lines = await drawn();
      assert.equal(lines.length, 4, 'over the first line of heads');
      for (const { width, found } of lines) {
        assert.ok(width < 16, 'else they have names');
        const named = found.filter(([text]) => text.startsWith('column label'));
        // "director." would stand over five columns.
        assert.deepEqual(named.map(([text]) => text), key === 5 ? ['column label as'] : []);
        const numbers = found.filter(([text]) => text.startsWith('index'));
        assert.ok(numbers.length >= (key === 5 ? 4 : 9), JSON.stringify(found));
        for (const [text, middle] of numbers) {
          const column = Number(text.slice(6));
          assert.ok(Math.abs(middle - (column + 0.5) / 9) < 0.03, `${text} stands over its column: ${middle}`);
        }
      }
    }
    assertQuiet(page);
  });

  test('the colour scale stands at the matrix that has the focus', async () => {
    const page = await openPage();
    await choose(page, { example: 'gender-and-number', step: 'softmax' });
    for (const tensor of ['masked_scores', 'attention_weights']) {
      await api(page, 'set', { cell: { tensor, index: [0, 1, 2, 1] } });
      await settled(page);
      const { legend, blocks, texts } = await page.evaluate(() => {
        const { attentionLive } = window;
        const legend = attentionLive.legend();
        const [x, y, width, height] = legend.at_matrix;
        const texts = [x + 1, x + width - 1].map((at) => attentionLive.probe(at, y + height / 2).text);
        return { legend, blocks: attentionLive.blocks(), texts };
      });
      assert.equal(legend.tensor, tensor);
      assert.deepEqual(texts, [legend.low, legend.high]);
      const [x, y, width, height] = legend.at_matrix;
      const middle = [x + width / 2, y + height / 2];
      const away = ({ rect: [left, top, wide, high] }) => Math.hypot(
        Math.max(left - middle[0], 0, middle[0] - left - wide), Math.max(top - middle[1], 0, middle[1] - top - high));
      const nearest = blocks.reduce((a, b) => away(a) <= away(b) ? a : b);
      assert.ok(away(nearest) > 0 && away(nearest) < 80);
      const below = blocks.filter((each) => each.rect[1] > y).sort((a, b) => a.rect[1] - b.rect[1])[0];
      assert.equal(below.tensor, tensor, 'in its caption');
    }
    assertQuiet(page);
  });

  test('zoomed and panned, the cell under the pointer is the cell under the pointer', async () => {
    const page = await openPage();
    await choose(page, { example: 'anthony-hopkins', step: 'project' });
    // Over the middle of the largest matrix.
    const [x0, y0, width0, height0] = (await page.evaluate(() => window.attentionLive.blocks()))
      .map(({ rect }) => rect).sort((a, b) => b[2] * b[3] - a[2] * a[3])[0];
    await page.mouse.move(x0 + width0 / 2, y0 + height0 / 2);
    for (let notch = 0; notch < 12; ++notch) await page.mouse.wheel(0, -100);
    await settled(page);
    await page.mouse.down();
    await page.mouse.move(x0 + width0 / 2 - 70, y0 + height0 / 2 - 40, { steps: 4 });
    await page.mouse.up();
    await settled(page);
    const probed = new Set();
    const tensors = {};
    for (let x = 60; x < 900; x += 61) {
      for (let y = 250; y < 660; y += 47) {
        const cell = await api(page, 'probe', x, y);
        if (cell.kind !== 'cell') continue;
        const [left, top, width, height] = cell.rect;
        assert.ok(x >= left && x <= left + width && y >= top && y <= top + height, 'the rectangle holds the pointer');
        const name = `${cell.attention}.${cell.tensor}`;
        tensors[name] ??= await tensor(page, name);
        const { strides, offset, data } = tensors[name];
        assert.equal(cell.value, data[cell.index.reduce((sum, at, axis) => sum + at * strides[axis], offset)]);
        probed.add(`${name}[${cell.index}]`);
      }
    }
    assert.ok(probed.size > 30, `${probed.size} cells`);
  });

  test('letters that the program’s fonts lack are the browser’s', async () => {
    const page = await openPage(usual, { pixels: true });
    /** The picture of the first row's label. */
    const label = async (word) => {
      await choose(page, { example: 'your-sentence', step: 'input', sentence: `${word} tail` });
      const rect = await page.evaluate((wanted) => {
        const { attentionLive } = window;
        const block = attentionLive.blocks().find(({ row_labels: labels }) => labels[0] === wanted);
        const [x, y, , height] = block.rect;
        for (let left = 2; left < 120; left += 2) {
          const found = attentionLive.probe(x - left, y + height / block.rows / 2);
          if (found.text === wanted) return found.rect;
        }
        return null;
      }, word);
      assert.ok(rect, `${word} stands beside its row`);
      const [x, y, width, height] = rect;
      return decodePng(await page.screenshot({ clip: { x: x + width - 24, y, width: 24, height } }));
    };
    // The same glyph from another place of the texture may differ by 1 in 255.
    const areDifferent = (first, second) => {
      for (let y = 0; y < first.height; ++y) {
        for (let x = 0; x < first.width; ++x) {
          const beside = second.at(x, y);
          if (first.at(x, y).some((value, channel) => Math.abs(value - beside[channel]) > 16)) return true;
        }
      }
      return false;
    };
    const inBrowser = (word) => page.evaluate((text) => {
      const context = document.createElement('canvas').getContext('2d');
      context.font = '40px system-ui, sans-serif';
      context.fillText(text, 20, 60);
      return context.getImageData(0, 0, 100, 100).data.join();
    }, word);
    for (const [one, other] of [['ש', 'ל'], ['你', '好'], ['ع', 'ك']]) {
      const differ = (await inBrowser(one)) !== (await inBrowser(other)); // or it has no font for them either
      const drawn = areDifferent(await label(one), await label(other));
      assert.equal(drawn, differ, `${one} and ${other}`);
    }
    assertQuiet(page);
  });
});

test('a cell that is chosen brings its head, query and key along, by click and by arrow key', async () => {
  const page = await openPage();
  await choose(page, { example: 'you-are-welcome', step: 'softmax', head: 0, query: 0, key: 0 });
  const about = async () => {
    const { head, query, key, cell } = await api(page, 'state');
    return { head, query, key, index: cell.index };
  };
  const seen = await checkCells(asked(page), page.viewportSize());
  const { rect: [x, y, width, height], index } = seen.find(({ tensor: name, index: [, head, query, key] }) => (
    name === 'attention_weights' && head === 1 && query > 0 && key > 0));
  await page.mouse.click(x + width / 2, y + height / 2);
  await settled(page);
  assert.deepEqual(await about(), { head: 1, query: index[2], key: index[3], index });
  await page.keyboard.press('ArrowLeft');
  await settled(page);
  assert.deepEqual(await about(), { head: 1, query: index[2], key: index[3] - 1, index: [...index.slice(0, 3), index[3] - 1] });
  assertQuiet(page);
});

// The display holds: in every step of every example, at rest and half-way, each block is called what it is, has the
// range it has, and each cell says the number that was computed, which is the sum of what it says it was made of.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { decodePng } from '../support/png.mjs';
import { checkScripts } from '../support/scripts.mjs';
import { small, usual, withPages } from './pages.mjs';
import { api, assertQuiet, settled } from './support.mjs';

const examples = ['pool-beats-badminton', 'you-are-welcome', 'anthony-hopkins', 'counting', 'lazy-dog', 'image-patches',
  'gender-and-number', 'your-sentence'];
const steps = ['sentence', 'input', 'project', 'split', 'transpose', 'scores', 'scale', 'mask', 'softmax', 'reweight',
  'merge', 'output', 'overview'];

const openPage = withPages({ viewport: small });

/**
 * Looks at what is on screen from inside the page: a few cells of every block, chosen by chance.
 * @returns {{problems: string[], cells: number, texts: number, provenances: number}}
 */
function inspect(seed) {
  const { attentionLive } = window;
  let chance = seed;
  /** A whole number below `count`: the generator of Park and Miller. */
  const below = (count) => {
    chance = (chance * 48271) % 2147483647;
    return chance % count;
  };
  const problems = [];
  const seen = { problems, cells: 0, texts: 0, provenances: 0 };
  const { query } = attentionLive.state();
  const tensors = new Map();
  const tensorOf = ({ attention, tensor }) => {
    const name = `${attention}.${tensor}`;
    if (!tensors.has(name)) tensors.set(name, attentionLive.tensor(name));
    return tensors.get(name);
  };
  const numberAt = ({ strides, offset, data }, index) => data[index.reduce((sum, at, axis) => sum + at * strides[axis], offset)];
  const largest = new Map();
  const trueRange = (tensor) => {
    if (!largest.has(tensor.name)) {
      let most = 0;
      const walk = (axis, place) => {
        if (axis === 2 && tensor.name.endsWith('.weighted_values')) { // the chosen query's part is drawn
          walk(axis + 1, place + Math.min(query, tensor.shape[axis] - 1) * tensor.strides[axis]);
        } else if (axis < tensor.shape.length) {
          for (let at = 0; at < tensor.shape[axis]; ++at) walk(axis + 1, place + at * tensor.strides[axis]);
        } else if (Number.isFinite(tensor.data[place])) {
          most = Math.max(most, Math.abs(tensor.data[place]));
        }
      };
      walk(0, tensor.offset);
      largest.set(tensor.name, most || 1);
    }
    const ofWeights = tensor.name.endsWith('.attention_weights'); // which have nothing below 0
    return [ofWeights ? 0 : -largest.get(tensor.name), largest.get(tensor.name)];
  };
  const same = (a, b) => a.length === b.length && a.every((value, at) => value + 0 === b[at] + 0);
  /** Is this how the number is set, with as many digits as it has? */
  const says = (text, value) => {
    const plain = text.replace('−', '-').replace('e−', 'e-');
    if (plain.endsWith('∞')) return value === (plain === '-∞' ? -Infinity : Infinity);
    if (plain === 'NaN') return Number.isNaN(value);
    const [mantissa, exponent = '0'] = plain.split('e');
    const half = 0.5 * 10 ** (Number(exponent) - (mantissa.split('.')[1]?.length ?? 0));
    return Math.abs(Number(plain) - value) <= half * 1.001;
  };
  /** The arithmetic of a cell, carried out once more. */
  const checkOrigin = (cell) => {
    const made = attentionLive.provenance({ attention: cell.attention, tensor: cell.tensor, index: cell.index });
    const where = `${cell.tensor}[${cell.index}]`;
    if (made.cell.value + 0 !== cell.value + 0 && !(Number.isNaN(made.cell.value) && Number.isNaN(cell.value))) {
      problems.push(`${where} is drawn as ${cell.value}, its origin says ${made.cell.value}`);
    }
    ++seen.provenances;
    const value = ({ a, b }) => (b ? a.value * b.value : a.value);
    for (const { a, b } of made.terms) {
      for (const source of b ? [a, b] : [a]) {
        const tensor = tensorOf({ attention: cell.attention, tensor: source.tensor });
        if (numberAt(tensor, source.index) !== source.value) problems.push(`${where}: a source is not ${source.value}`);
      }
    }
    let sum = made.bias?.value ?? 0;
    let size = Math.abs(sum);
    for (const term of made.terms) {
      sum += value(term);
      size += Math.abs(value(term));
    }
    let expected = sum;
    switch (made.rule) {
      case 'given': case 'given_by_hand': case 'position':
        return;
      case 'fully_masked': case 'ablated': case 'overwritten':
        expected = 0;
        break;
      case 'divided':
        expected = made.terms[0].a.value / made.divisor;
        break;
      case 'softmax': {
        const scores = made.terms.map(({ a }) => a.value);
        const top = Math.max(...scores);
        const total = scores.reduce((all, score) => all + Math.exp(score - top), 0);
        expected = Math.exp(scores[made.selected] - top) / total;
        break;
      }
      default:
    }
    const close = expected === cell.value || Math.abs(expected - cell.value) <= 1e-5 * (1 + size);
    if (!close) problems.push(`${where} = ${cell.value}, but its parts (${made.rule}) make ${expected}`);
  };

  for (const block of attentionLive.blocks()) {
    const tensor = tensorOf(block);
    const name = `${block.tensor} in block ${block.block}`;
    if (!block.title.startsWith(block.tensor)) problems.push(`“${block.title}” stands over ${name}`);
    const range = trueRange(tensor);
    if (!same(block.range, range)) problems.push(`${name} has range ${block.range}, not ${range}`);
    const [x, y, width, height] = block.rect;
    for (let tries = 0; tries < 3; ++tries) {
      const [row, column] = [below(block.rows), below(block.columns)];
      const place = [x + ((column + 0.5) * width) / block.columns, y + ((row + 0.5) * height) / block.rows];
      const cell = attentionLive.probe(...place);
      // Not computed yet, or another piece lies over it on its way.
      if (cell.kind !== 'cell' || cell.block !== block.block) continue;
      const where = `${name} at ${row}, ${column}`;
      if (cell.tensor !== block.tensor || cell.row !== row || cell.column !== column) {
        problems.push(`${where} is said to be ${cell.tensor} at ${cell.row}, ${cell.column}`);
        continue;
      }
      if (!cell.title.startsWith(cell.tensor)) problems.push(`“${cell.title}” is the title of ${cell.tensor}`);
      if (!same(cell.range, range)) problems.push(`${where} has range ${cell.range}, not ${range}`);
      if (cell.tensor === 'weighted_values' && cell.index[2] !== query) problems.push(`${where} is of another query`);
      const computed = numberAt(tensor, cell.index);
      if (!Object.is(cell.value + 0, computed + 0)) problems.push(`${where} draws ${cell.value}, computed was ${computed}`);
      if (cell.text && !says(cell.text, computed)) problems.push(`${where} says “${cell.text}”, computed was ${computed}`);
      seen.cells += 1;
      seen.texts += cell.text ? 1 : 0;
      checkOrigin(cell);
    }
  }
  const legend = attentionLive.legend();
  const shown = attentionLive.blocks().find(({ block }) => block === legend.block);
  if (shown?.tensor !== legend.tensor) problems.push(`the legend is of ${legend.tensor}, not of ${shown?.tensor}`);
  const range = trueRange(tensorOf(legend));
  if (!same(legend.range, range)) problems.push(`the legend has range ${legend.range}, not ${range}`);
  if (!says(legend.low, range[0]) || !says(legend.high, range[1])) {
    problems.push(`the legend says ${legend.low} to ${legend.high}, the range is ${range}`);
  }
  if (legend.at_matrix) {
    const [x, y, width, height] = legend.at_matrix;
    const ends = [x + 1, x + width - 1].map((at) => attentionLive.probe(at, y + height / 2).text);
    if (ends[0] !== legend.low || ends[1] !== legend.high) problems.push(`the scale at the matrix says ${ends}`);
  }
  return seen;
}

describe('the display holds', () => {
  for (const example of examples) {
    test(example, async () => {
      const page = await openPage();
      await api(page, 'set', { example });
      const attentions = [...new Set((await api(page, 'tensors')).map((name) => name.split('.')[0]))];
      let seed = 1;
      let cells = 0;
      let provenances = 0;
      const problems = [];
      for (const attention of attentions) {
        for (const step of steps) {
          for (const scrub of [1, 0.5]) {
            const projection = ['q', 'k', 'v'][seed % 3];
            await api(page, 'set', { attention, step, projection, scrub });
            await settled(page);
            const seen = await page.evaluate(inspect, ++seed);
            problems.push(...seen.problems.map((problem) => `${attention}, ${step} at ${scrub}: ${problem}`));
            if (scrub === 1) assert.ok(seen.cells > 0, `${attention}, ${step}: cells are seen`);
            cells += seen.cells;
            provenances += seen.provenances;
          }
        }
      }
      assert.deepEqual(problems.slice(0, 20), [], `${problems.length} problems`);
      assert.ok(cells >= 100 && provenances >= 100, `${cells} cells`);
      assertQuiet(page);
    });
  }
});

test('words of every script are drawn by the browser', async () => {
  const page = await openPage(usual, { pixels: true });
  await checkScripts({
    set: (state) => api(page, 'set', state),
    blocks: () => api(page, 'blocks'),
    picture: async () => {
      await settled(page);
      return decodePng(await page.screenshot());
    },
  });
  assertQuiet(page);
});

// What the benchmark makes of its times, and what its plot makes of them. No browser and no other engine is needed.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { makeProblem, transposed } from './page/inputs.mjs';
import { difference } from './page/equal.mjs';
import { plain } from './page/plain.mjs';
import { bytes, join, number, text } from './page/protobuf.mjs';
import { decades, logScale, spread, wholeDecades } from './scale.mjs';
import { curves, plot } from './plot.mjs';
import { parseSizes, sizeName } from './sizes.mjs';
import { frameTable, restTable } from './frame_table.mjs';
import { isLevel, median, operations, pairedRatio, percentile, summary } from './statistics.mjs';
import { columns, comparison, duration, held, speedTable, startUpTable, tileTable } from './table.mjs';

const near = (actual, expected) => assert.ok(Math.abs(actual - expected) < 1e-9, `${actual} is not ${expected}`);

/** One case in which ours takes 1, 2, 3 … times 10 ms and a peer twice as long. */
function madeUpCase(tokens, { keep = true, lookAhead = false } = {}) {
  const size = { tokens, embedDim: 512, heads: 8 };
  const ceilings = [4e10, 4e10, 4e10];
  const engine = (times) => ({ times, difference: 0, count: 1, heap: 2 ** 24, ...summary({ times, ceilings, size }) });
  return {
    name: sizeName(size), size, lookAhead, keep, operations: operations(size), ceilings,
    engines: { ours: engine([0.01, 0.02, 0.03]), onnxruntime: engine([0.02, 0.04, null]) },
  };
}

test('the median is the middle, or the mean of the two middles', () => {
  assert.equal(median([9, 1, 5]), 5);
  assert.equal(median([1, 10, 3, 4]), 3.5);
  assert.ok(Number.isNaN(median([])));
});

test('a percentile is one of the values, with that part of them no larger', () => {
  const hundred = Array.from({ length: 100 }, (_, i) => 100 - i);
  assert.equal(percentile(hundred, 0.95), 95);
  assert.equal(percentile([3, 1, 2], 0.95), 3);
  assert.equal(percentile([3, 1, 2], 0), 1);
  assert.ok(Number.isNaN(percentile([], 0.5)));
});

test('ratios are taken within a round, and a round without both does not count', () => {
  // The second round was disturbed for both: the ratio of the medians would be 3.
  assert.equal(pairedRatio([2, 20, 3], [1, 10, 1.5]), 2);
  assert.equal(pairedRatio([2, null, 9], [1, 1, null]), 2);
});

test('times are level once three in a row bring nothing', () => {
  assert.equal(isLevel([3, 2, 1.5, 1.2, 1.1]), false, 'too few');
  assert.equal(isLevel([3, 2, 1, 0.9, 1, 1]), false, 'still falling');
  assert.equal(isLevel([3, 1, 1, 1, 1.01, 0.99]), true);
});

test('operations are those of the six products', () => {
  const [L, E] = [7, 12];
  assert.equal(operations({ tokens: L, embedDim: E }), 4 * 2 * L * E * E + 2 * 2 * L * L * E);
});

test('the part of the ceiling is of the rates', () => {
  const { engines, size, operations: work } = madeUpCase(64);
  near(engines.ours.ofCeiling, work / 0.02 / 4e10);
  near(engines.ours.bestOfCeiling, work / 0.01 / 4e10);
  assert.equal(engines.ours.seconds, 0.02);
  assert.equal(engines.onnxruntime.rounds, 2);
  assert.equal(operations(size), work);
});

test('sizes are read, and a bad one is named', () => {
  assert.deepEqual(parseSizes('9x512x8, 3x6x2'), [
    { tokens: 9, embedDim: 512, heads: 8 }, { tokens: 3, embedDim: 6, heads: 2 },
  ]);
  assert.throws(() => parseSizes('9x512'), /“9x512” is no size/);
  assert.throws(() => parseSizes('9x512x7'), /heads must divide/);
  assert.throws(() => parseSizes(' '), /names no size/);
});

test('a logarithmic axis', () => {
  const scale = logScale([1, 1000], [0, 300]);
  near(scale(1), 0);
  near(scale(10), 100);
  near(scale(1000), 300);
  assert.deepEqual(decades([1e-2, 10]), [0.01, 0.1, 1, 10]);
  assert.deepEqual(wholeDecades([0.002, 5]), [0.001, 10]);
});

test('labels are kept apart, in their order', () => {
  assert.deepEqual(spread([10, 50, 12], 5), [10, 50, 15]);
});

test('points of another width are another curve', () => {
  const point = (tokens, embedDim) => ({ tokens, embedDim });
  const lengths = curves([point(3, 6), point(9, 512), point(64, 512), point(1024, 768)]).map((curve) => curve.length);
  assert.deepEqual(lengths, [1, 2, 1]);
});

test('the plot has a line for each engine and no number that is none', () => {
  const cases = [madeUpCase(9), madeUpCase(64), madeUpCase(9, { lookAhead: true }), madeUpCase(64, { lookAhead: true })];
  const svg = plot([...cases, ...cases.map((each) => ({ ...each, keep: false }))], 'a <note>');
  assert.equal(svg.match(/<polyline/g).length, 2 * 4, 'ours, the peer, the ceiling, and ours with the mask');
  assert.match(svg, /a &#60;note&#62;/);
  assert.doesNotMatch(svg, /NaN|Infinity|undefined/);
});

test('a plot of one size, of what keeps everything alone', () => {
  assert.doesNotMatch(plot([madeUpCase(9)], ''), /NaN|Infinity|undefined/);
});

test('tables', () => {
  assert.equal(duration(0.01234), '12.3 ms');
  assert.equal(duration(1.5e-7), '150 ns');
  assert.equal(columns([['a', '10'], ['bcd', '5']]), 'a    10\nbcd   5');
  assert.match(speedTable([madeUpCase(64)]), /64x512x8 .* 20\.0 ms .* 30\.0 ms .* 2\.00×/);
  const before = { date: 'then', cases: [madeUpCase(64)] };
  assert.match(comparison(before, { cases: [madeUpCase(64)] }), /64x512x8 +ours +20\.0 ms +20\.0 ms +1\.00×/);
  assert.match(comparison(before, { cases: [madeUpCase(9)] }), /nothing in common/);
});

test('tiles are compared within their round', () => {
  const rates = { ceiling: [40e9, 20e9, 40e9], strict: [40e9, 20e9, 36e9], ours: [60e9, 30e9, 54e9] };
  const table = tileTable(rates);
  assert.match(table, /strict +36\.0 +100 % +1\.00×/);
  assert.match(table, /ours +54\.0 +150 % +1\.50×/);
});

test('tables of frames and of rest say what is over its bar', () => {
  const spread = (median, p95) => ({ median, best: 1, p95 });
  const frame = (median) => frameTable([{
    name: '9x512x8', what: 'edit', bar: 2, own: spread(median, 3), gl: spread(4, 5), draws: 13, count: 60,
  }]);
  assert.match(frame(1.25), /9x512x8 edit +1\.25 ms +≤ 2 ms +1\.00 ms +3\.00 ms +4\.00 ms +5\.00 ms +13 +60\n/);
  assert.match(frame(2.01), / 2\.01 ms +≤ 2 ms, no /);
  const rest = restTable([
    { name: '9x512x8', seconds: 5, frames: 0, timers: 1, processor: 0.0123, heap: 17 * 2 ** 20 },
    { name: '64x512x8', seconds: 5, frames: 0, timers: 0, processor: 0, heap: 2 ** 24 },
  ]);
  assert.match(rest, /9x512x8 +5 s +0 +1 +1\.2 % +17\.0 MiB +≤ 16\.0 MiB, no/);
  assert.match(rest, /64x512x8 +5 s +0 +0 +0\.0 % +16\.0 MiB +·$/);
  assert.equal(held(3, 3, '3'), '≤ 3');
  assert.match(startUpTable({ ours: { bytes: 410_400, trace: 200, frame: 250 }, tfjs: { bytes: 1e5, result: 230 } }),
    /ours +410 kB +≤ 400 kB, no +200 ms +250 ms\ntfjs +100 kB +· +230 ms +·/);
});

test('a difference is relative to the largest number, and infinities must agree', () => {
  near(difference([10, 1, -Infinity], [10, 2, -Infinity]), 0.1);
  assert.equal(difference([1, -Infinity], [1, -3]), Infinity);
  assert.equal(difference([1], [NaN]), Infinity);
  assert.equal(difference([1], [1, 2]), Infinity);
});

test('the plain loop: weights sum to 1 and see no later key', () => {
  const engine = plain(makeProblem({ tokens: 5, embedDim: 6, heads: 2 }, true));
  engine.run();
  const weights = engine.tensor('attention_weights');
  for (let row = 0; row < 10; row += 1) {
    const cells = [...weights.subarray(row * 5, row * 5 + 5)];
    assert.ok(Math.abs(cells.reduce((sum, cell) => sum + cell) - 1) < 1e-6);
    assert.ok(cells.every((cell, key) => (key > row % 5 ? cell === 0 : cell > 0)));
  }
});

test('inputs are the same each time', () => {
  const size = { tokens: 3, embedDim: 4, heads: 2 };
  assert.deepEqual(makeProblem(size, false), makeProblem(size, false));
  assert.deepEqual([...transposed(Float32Array.of(1, 2, 3, 4), 2)], [1, 3, 2, 4]);
});

test('the wire format of a model', () => {
  // The example of the format's own documentation: field 1 holds 150, field 2 “testing”.
  assert.deepEqual([...join(number(1, 150))], [0x08, 0x96, 0x01]);
  assert.deepEqual([...join(text(2, 'testing'))], [0x12, 0x07, 0x74, 0x65, 0x73, 0x74, 0x69, 0x6e, 0x67]);
  assert.deepEqual([...join(bytes(3, join(number(1, 150))))], [0x1a, 0x03, 0x08, 0x96, 0x01]);
});

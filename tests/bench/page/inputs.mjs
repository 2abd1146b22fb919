// The numbers that every engine gets: repeatable, of the size that learned ones have.

/**
 * One self-attention layer with projections and biases, as torch.nn.MultiheadAttention has it: weights are [out, in].
 * @typedef {{tokens: number, embedDim: number, heads: number}} Size
 * @typedef {Size & {headDim: number, lookAhead: boolean, x: Float32Array, wq: Float32Array, wk: Float32Array,
 *   wv: Float32Array, bq: Float32Array, bk: Float32Array, bv: Float32Array, wo: Float32Array, bo: Float32Array,
 *   mask: Float32Array | null}} Problem mask: [tokens, tokens], 0 or −∞, added to the scores
 */

/** In the order of problem_given in engine.cpp. */
export const given = ['x', 'wq', 'wk', 'wv', 'bq', 'bk', 'bv', 'wo', 'bo'];

/** What an engine that keeps everything can be asked for; each is compared before any time is taken. */
export const kept = [
  'q', 'k', 'v', 'scores', 'scaled_scores', 'masked_scores', 'attention_weights', 'head_outputs', 'merged', 'output',
];

function generator(seed) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (state >>> 8) / 2 ** 23 - 1;
  };
}

function madeUp(length, bound, next) {
  return Float32Array.from({ length }, () => bound * next());
}

/**
 * @param {Size} size
 * @param {boolean} lookAhead a query sees no later key
 * @returns {Problem}
 */
export function makeProblem({ tokens, embedDim, heads }, lookAhead) {
  const next = generator(tokens * 65537 + embedDim * 257 + heads);
  const weight = () => madeUp(embedDim * embedDim, Math.sqrt(3 / embedDim), next);
  const bias = () => madeUp(embedDim, 0.1, next);
  const mask = !lookAhead ? null : Float32Array.from({ length: tokens * tokens }, (_, i) =>
    i % tokens > Math.floor(i / tokens) ? -Infinity : 0);
  return {
    tokens, embedDim, heads, headDim: embedDim / heads, lookAhead, mask,
    x: madeUp(tokens * embedDim, 1.7, next),
    wq: weight(), wk: weight(), wv: weight(), bq: bias(), bk: bias(), bv: bias(), wo: weight(), bo: bias(),
  };
}

/** A weight [out, in] as engines want it that multiply by it from the right: [in, out]. */
export function transposed(weight, embedDim) {
  const result = new Float32Array(weight.length);
  for (let row = 0; row < embedDim; row += 1) {
    for (let column = 0; column < embedDim; column += 1) {
      result[column * embedDim + row] = weight[row * embedDim + column];
    }
  }
  return result;
}

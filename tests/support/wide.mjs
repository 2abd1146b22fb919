// Layers of a Transformer's size in the page.

const words = 'the fox saw an owl before any crow came'.split(' ');

/**
 * A part of the state: so many tokens of so many dimensions in eight heads. Without position encoding the inputs are
 * what can be edited.
 * @param {number} tokens at most 64, which is the most that the page shows
 */
export const wideLayer = (tokens, embedDim = 512) => ({
  example: 'your-sentence',
  sentence: Array.from({ length: tokens }, (_, i) => words[i % words.length]).join(' '),
  embed_dim: embedDim,
  num_heads: 8,
  position_encoding: false,
  all_heads: true,
});

// The sizes that are measured: TOKENSxEMBED_DIMxHEADS.

export const usualSizes = '3x6x2 9x512x8 64x512x8 128x512x8 512x512x8 1024x768x12';

/** @typedef {import('./page/inputs.mjs').Size} Size */

/** @param {string} text sizes with spaces or commas between them @returns {Size[]} */
export function parseSizes(text) {
  const words = text.split(/[\s,]+/).filter(Boolean);
  if (words.length === 0) throw new Error('SIZES names no size; one is written as in 9x512x8.');
  return words.map((word) => {
    const match = /^(\d{1,5})x(\d{1,5})x(\d{1,3})$/.exec(word);
    if (!match) throw new Error(`“${word}” is no size; one is written as tokens x embed_dim x heads: 9x512x8.`);
    const [tokens, embedDim, heads] = match.slice(1).map(Number);
    if (tokens < 1 || tokens > 4096 || embedDim < 1 || embedDim > 4096 || heads < 1 || embedDim % heads !== 0) {
      throw new Error(`${word} cannot be measured: at most 4096 tokens and 4096 wide, and heads must divide embed_dim.`);
    }
    return { tokens, embedDim, heads };
  });
}

/** @param {Size} size */
export const sizeName = ({ tokens, embedDim, heads }) => `${tokens}x${embedDim}x${heads}`;

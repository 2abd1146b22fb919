// Writes split and transpose of a figure as a NumPy or PyTorch program, the wrong way beside the right one.

import { array, size } from './literals.mjs';

/** The most numbers that are written out. */
const mostNumbers = 1000;

const calls = {
  np: {
    swapHeads: (x) => `${x}.transpose(0, 2, 1, 3)`,
    strides: (x) => `[stride // ${x}.itemsize for stride in ${x}.strides]`,
  },
  torch: {
    swapHeads: (x) => `${x}.transpose(1, 2)`,
    strides: (x) => `list(${x}.stride())`,
  },
};

/** The tensors that it needs. */
export const splitTensors = ['q', 'q_heads'];

/**
 * @param {Record<string, object>} tensors those
 * @param {typeof import('./literals.mjs').numpy} dialect numpy or torch
 */
export function splitting(tensors, dialect) {
  if (size(tensors.q) > mostNumbers) return `# ${size(tensors.q)} numbers are too many to copy.\n`;
  const write = calls[dialect.module];
  return [
    dialect.importing, '',
    `q = ${array(tensors.q, dialect)}`,
    'batch, length, embed_dim = q.shape',
    `num_heads = ${tensors.q_heads.shape[1]}`,
    'head_dim = embed_dim // num_heads', '',
    'q_split = q.reshape(batch, length, num_heads, head_dim)',
    `q_heads = ${write.swapHeads('q_split')}`,
    'wrong = q_split.reshape(batch, num_heads, length, head_dim)  # the same shape', '',
    'print("strides:", ' + `${write.strides('q_heads')})`,
    'print("head 0:", q_heads[0, 0])',
    'print("not head 0:", wrong[0, 0])',
    '',
  ].join('\n');
}

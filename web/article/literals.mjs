// Tensors as Python literals: nested lists of the shortest digits that read back as the same float32.

import { at } from './figures.mjs';

/** How the literals of the two libraries differ. */
export const numpy = {
  module: 'np',
  importing: 'import numpy as np',
  array: (lists) => `np.array(${lists}, dtype=np.float32)`,
  infinity: 'np.inf',
  nan: 'np.nan',
};
export const torch = {
  module: 'torch',
  importing: 'import torch',
  array: (lists) => `torch.tensor(${lists}, dtype=torch.float32)`,
  infinity: 'float("inf")',
  nan: 'float("nan")',
};

/** @param {number} value a float32 */
export function literal(value, dialect) {
  if (Number.isNaN(value)) return dialect.nan;
  if (!Number.isFinite(value)) return value < 0 ? `-${dialect.infinity}` : dialect.infinity;
  for (let digits = 1; digits <= 9; digits += 1) {
    const rounded = Number(value.toPrecision(digits));
    if (Math.fround(rounded) === value) return Number.isInteger(rounded) ? rounded.toFixed(1) : String(rounded);
  }
  return String(value);
}

/** How many numbers a tensor has. */
export const size = ({ shape }) => shape.reduce((product, length) => product * length, 1);

function lists(tensor, dialect, index) {
  const axis = index.length;
  const parts = Array.from({ length: tensor.shape[axis] }, (_, step) => [...index, step]);
  const indent = '    '.repeat(axis);
  if (axis + 1 === tensor.shape.length) {
    return `${indent}[${parts.map((cell) => literal(at(tensor, ...cell), dialect)).join(', ')}]`;
  }
  return `${indent}[\n${parts.map((part) => `${lists(tensor, dialect, part)},\n`).join('')}${indent}]`;
}

/** "np.array([…], dtype=np.float32)" */
export function array(tensor, dialect) {
  return dialect.array(lists(tensor, dialect, []));
}

// Writes the attention that is shown as a program with NumPy or PyTorch.

import { attention, attentionTensors, mostNumbers, numpy, torch } from '../../article/figure_code.mjs';
import { size, withoutRepeats } from '../../article/literals.mjs';

function tensorOrNull(program, name) {
  try {
    return program.tensor(name);
  } catch {
    return null; // this attention has none
  }
}

/**
 * @param {{tensor: (name: string) => object}} program
 * @param {object} state of the program
 * @param {boolean} pytorch or else NumPy
 * @returns {string} the program; empty if it would have too many numbers
 */
export function programOf(program, state, pytorch) {
  const tensors = {};
  for (const name of attentionTensors) {
    const tensor = tensorOrNull(program, name);
    if (tensor) tensors[name] = tensor;
  }
  const numbers = Object.values(tensors).reduce((sum, tensor) => sum + size(withoutRepeats(tensor)), 0);
  return numbers > mostNumbers ? '' : attention({ state, tensors }, pytorch ? torch : numpy);
}

// The engines that are measured, each behind the same few names.

import { onnx } from './onnx.mjs';
import { ours } from './ours.mjs';
import { plain } from './plain.mjs';
import { tfjs } from './tfjs.mjs';

/**
 * One engine set up for one problem: weights are where it wants them, and so is x. What is measured is `run`: one
 * forward pass from x to an output that JavaScript can read, and with everything kept all of it in the form in which
 * that engine gives it: on the heap of ours, as graph outputs of onnxruntime's, as tensors of TensorFlow.js's.
 *
 * @typedef {object} Engine
 * @property {() => Float32Array | Promise<Float32Array>} run the output, [tokens, embed_dim]
 * @property {(name: string) => Float32Array} tensor what the last run kept, see inputs.mjs; null where it has none
 * @property {() => number} [heap] bytes of linear memory
 * @property {() => void | Promise<void>} release gives memory back
 */

/** @type {Record<string, (problem: import('./inputs.mjs').Problem, keep: boolean) => Promise<Engine | null>>} */
export const engines = {
  ours: (problem) => ours(problem),
  // With what every browser has that has SIMD; beside it, ours shows what relaxed SIMD gains.
  strict: async (problem, keep) => (keep ? ours(problem, { strict: true }) : null),
  onnxruntime: onnx,
  tfjs,
  plain: async (problem, keep) => (keep ? plain(problem) : null),
};

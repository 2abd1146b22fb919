// TensorFlow.js on one thread of its WebAssembly back end.

import * as tf from '@tensorflow/tfjs-core';
import { setThreadsCount, setWasmPaths } from '@tensorflow/tfjs-backend-wasm';

import { transposed } from './inputs.mjs';

let started = null;

function begin() {
  setWasmPaths('/tfjs/');
  setThreadsCount(1);
  return tf.setBackend('wasm');
}

/** Starts the library, once. */
export function startTfjs() {
  started ??= begin();
  return started;
}

/** @returns {Promise<import('./engines.mjs').Engine>} */
export async function tfjs(problem, keep) {
  await startTfjs();
  const { tokens: L, embedDim: E, heads: H, headDim: D } = problem;
  const x = tf.tensor(problem.x, [L, E]);
  const weights = Object.fromEntries(['q', 'k', 'v', 'o'].map((letter) => [
    letter, { b: tf.tensor(transposed(problem[`w${letter}`], E), [E, E]), bias: tf.tensor(problem[`b${letter}`], [E]) },
  ]));
  const mask = problem.mask && tf.tensor(problem.mask, [1, L, L]);
  const divisor = tf.scalar(Math.sqrt(D));

  const heads = (rows) => tf.transpose(tf.reshape(rows, [L, H, D]), [1, 0, 2]);
  /** Everything, by name; what is not kept goes with the tidy around it. */
  function forward() {
    const q = tf.fused.matMul({ a: x, ...weights.q });
    const k = tf.fused.matMul({ a: x, ...weights.k });
    const v = tf.fused.matMul({ a: x, ...weights.v });
    const scores = tf.matMul(heads(q), heads(k), false, true);
    const scaled_scores = tf.div(scores, divisor);
    const masked_scores = mask ? tf.add(scaled_scores, mask) : scaled_scores;
    const attention_weights = tf.softmax(masked_scores);
    const head_outputs = tf.matMul(attention_weights, heads(v));
    const merged = tf.reshape(tf.transpose(head_outputs, [1, 0, 2]), [L, E]);
    const output = tf.fused.matMul({ a: merged, ...weights.o });
    return { q, k, v, scores, scaled_scores, masked_scores, attention_weights, head_outputs, merged, output };
  }

  let trace = null;
  return {
    run() {
      if (!keep) return tf.tidy(() => forward().output.dataSync());
      if (trace) tf.dispose(trace);
      trace = tf.tidy(forward); // what tidy gives back it does not dispose of
      return trace.output.dataSync();
    },
    tensor: (name) => trace[name].dataSync(),
    release() {
      if (trace) tf.dispose(trace);
      tf.dispose([x, divisor, ...(mask ? [mask] : []), ...Object.values(weights).flatMap(({ b, bias }) => [b, bias])]);
    },
  };
}

// Training of *reverse* with TensorFlow.js, on one thread of its WebAssembly back end: the model and the settings of
// src/training/tasks/reverse.cpp, with numbers of its own.

import * as tf from '@tensorflow/tfjs-core';
import '@tensorflow/tfjs-core/dist/register_all_gradients';

import { startTfjs } from './tfjs.mjs';

const [letters, length, width, heads, forward, batch, rate] = [10, 8, 32, 2, 64, 32, 0.003];
const headWidth = width / heads;

/** Sines and cosines in turn, as everywhere. */
function positions() {
  const at = (place, i) => {
    const angle = place / 10000 ** ((i - (i % 2)) / width);
    return i % 2 === 0 ? Math.sin(angle) : Math.cos(angle);
  };
  return tf.tensor(Float32Array.from({ length: length * width }, (_, i) => at(Math.floor(i / width), i % width)), [length, width]);
}

/** relu(x). The library's own gradient needs an operation that not every version of the back end has. */
const relu = tf.customGrad((x, save) => {
  save([x]);
  return { value: tf.relu(x), gradFunc: (dy, [given]) => tf.mul(dy, tf.cast(tf.greater(given, 0), 'float32')) };
});

/** Weights of a linear layer, evenly spread as Glorot and Bengio (2010) do. */
function linear(inputs, outputs) {
  const bound = Math.sqrt(6 / (inputs + outputs));
  return { weight: tf.variable(tf.randomUniform([inputs, outputs], -bound, bound, 'float32', 1)), bias: tf.variable(tf.zeros([outputs])) };
}

export async function trainTfjs() {
  await startTfjs();
  const embedding = tf.variable(tf.randomNormal([letters, width], 0, 1 / Math.sqrt(width), 'float32', 1));
  const layers = Object.fromEntries(['q', 'k', 'v', 'o'].map((name) => [name, linear(width, width)]));
  Object.assign(layers, { up: linear(width, forward), down: linear(forward, width), out: linear(width, letters) });
  const norms = [0, 1].map(() => ({ weight: tf.variable(tf.ones([width])), bias: tf.variable(tf.zeros([width])) }));
  const encoding = positions();
  const optimizer = tf.train.adam(rate, 0.9, 0.999, 1e-8);

  const apply = (x, { weight, bias }) => tf.add(tf.matMul(x, weight), bias);
  function norm(x, { weight, bias }) {
    const centred = tf.sub(x, tf.mean(x, -1, true));
    const variance = tf.mean(tf.mul(centred, centred), -1, true);
    return tf.add(tf.mul(tf.mul(centred, tf.rsqrt(tf.add(variance, 1e-5))), weight), bias);
  }
  const split = (rows) => tf.transpose(tf.reshape(rows, [batch, length, heads, headWidth]), [0, 2, 1, 3]);

  /** The mean of −log p of the right letters. `tokens` and `right` are one-hot, [batch · length, letters]. */
  function loss(tokens, right) {
    const embedded = tf.mul(tf.matMul(tokens, embedding), Math.sqrt(width));
    const x = tf.reshape(tf.add(tf.reshape(embedded, [batch, length, width]), encoding), [batch * length, width]);
    const [q, k, v] = ['q', 'k', 'v'].map((name) => split(apply(x, layers[name])));
    const weights = tf.softmax(tf.div(tf.matMul(q, k, false, true), Math.sqrt(headWidth)));
    const merged = tf.reshape(tf.transpose(tf.matMul(weights, v), [0, 2, 1, 3]), [batch * length, width]);
    const attended = norm(tf.add(x, apply(merged, layers.o)), norms[0]);
    const made = norm(tf.add(attended, apply(relu(apply(attended, layers.up)), layers.down)), norms[1]);
    const probabilities = tf.sum(tf.mul(tf.softmax(apply(made, layers.out)), right), -1);
    return tf.neg(tf.mean(tf.log(probabilities)));
  }

  /** One-hot letters and their reverse. */
  function draw() {
    const tokens = new Float32Array(batch * length * letters);
    const right = new Float32Array(tokens.length);
    for (let row = 0; row < batch; row += 1) {
      for (let place = 0; place < length; place += 1) {
        const letter = Math.floor(Math.random() * letters);
        tokens[(row * length + place) * letters + letter] = 1;
        right[(row * length + length - 1 - place) * letters + letter] = 1;
      }
    }
    return [tokens, right].map((values) => tf.tensor(values, [batch * length, letters]));
  }

  return {
    /** Takes so many steps; the loss before the last of them. Batches are made before. */
    steps(count) {
      const batches = Array.from({ length: count }, draw);
      const start = performance.now();
      let last = 0;
      batches.forEach(([tokens, right], i) => {
        const cost = optimizer.minimize(() => loss(tokens, right), i === count - 1);
        if (cost) [last] = cost.dataSync();
        tf.dispose([tokens, right, cost].filter(Boolean));
      });
      return { seconds: (performance.now() - start) / 1000, loss: last };
    },
  };
}

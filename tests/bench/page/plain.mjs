// The plain loop: what somebody writes who needs no library. It keeps every intermediate, and what it computes is what
// the engines are compared with: JavaScript adds up in float64.

/** y = x·Wᵀ + b, the columns of a head side by side. */
function linear(x, weight, bias, y, rows, width) {
  for (let i = 0; i < rows; i += 1) {
    for (let j = 0; j < width; j += 1) {
      let sum = bias[j];
      for (let k = 0; k < width; k += 1) sum += x[i * width + k] * weight[j * width + k];
      y[i * width + j] = sum;
    }
  }
}

function softmax(scores, weights, rows, columns) {
  for (let i = 0; i < rows; i += 1) {
    const first = i * columns;
    let largest = -Infinity;
    for (let j = 0; j < columns; j += 1) largest = Math.max(largest, scores[first + j]);
    let sum = 0;
    for (let j = 0; j < columns; j += 1) {
      const power = Math.exp(scores[first + j] - largest);
      weights[first + j] = power;
      sum += power;
    }
    for (let j = 0; j < columns; j += 1) weights[first + j] /= sum;
  }
}

/** @returns {import('./engines.mjs').Engine} */
export function plain(problem) {
  const { tokens: L, embedDim: E, heads: H, headDim: D, mask } = problem;
  const rows = () => new Float32Array(L * E);
  const squares = () => new Float32Array(H * L * L);
  const trace = {
    q: rows(), k: rows(), v: rows(), scores: squares(), scaled_scores: squares(), masked_scores: squares(),
    attention_weights: squares(), head_outputs: rows(), merged: rows(), output: rows(),
  };

  function scoresOf(head) {
    const scale = Math.sqrt(D);
    for (let i = 0; i < L; i += 1) {
      for (let j = 0; j < L; j += 1) {
        let sum = 0;
        for (let d = head * D; d < (head + 1) * D; d += 1) sum += trace.q[i * E + d] * trace.k[j * E + d];
        const cell = (head * L + i) * L + j;
        trace.scores[cell] = sum;
        trace.scaled_scores[cell] = sum / scale;
        trace.masked_scores[cell] = mask ? trace.scaled_scores[cell] + mask[i * L + j] : trace.scaled_scores[cell];
      }
    }
  }

  function reweigh(head) {
    for (let i = 0; i < L; i += 1) {
      for (let d = 0; d < D; d += 1) {
        let sum = 0;
        for (let j = 0; j < L; j += 1) {
          sum += trace.attention_weights[(head * L + i) * L + j] * trace.v[j * E + head * D + d];
        }
        trace.head_outputs[(head * L + i) * D + d] = sum;
        trace.merged[i * E + head * D + d] = sum;
      }
    }
  }

  return {
    run() {
      linear(problem.x, problem.wq, problem.bq, trace.q, L, E);
      linear(problem.x, problem.wk, problem.bk, trace.k, L, E);
      linear(problem.x, problem.wv, problem.bv, trace.v, L, E);
      for (let head = 0; head < H; head += 1) scoresOf(head);
      softmax(trace.masked_scores, trace.attention_weights, H * L, L);
      for (let head = 0; head < H; head += 1) reweigh(head);
      linear(trace.merged, problem.wo, problem.bo, trace.output, L, E);
      return trace.output;
    },
    tensor: (name) => trace[name],
    release() {},
  };
}

// onnxruntime-web on one thread of WebAssembly.

import * as ort from 'onnxruntime-web/wasm';

import { onnxModel, outputsOf } from './onnx_model.mjs';

ort.env.wasm.numThreads = 1;
ort.env.wasm.wasmPaths = { wasm: '/onnxruntime/ort-wasm-simd-threaded.wasm' };

/** @returns {Promise<import('./engines.mjs').Engine>} */
export async function onnx(problem, keep) {
  const { tokens, embedDim } = problem;
  const session = await ort.InferenceSession.create(onnxModel(problem, keep), { executionProviders: ['wasm'] });
  const feeds = { x: new ort.Tensor('float32', problem.x, [1, tokens, embedDim]) };
  const names = outputsOf(problem, keep);
  let results = null;
  return {
    async run() {
      results = await session.run(feeds);
      return results.output.data;
    },
    tensor: (name) => (names.includes(name) ? results[name].data : null),
    release: () => session.release(),
  };
}

// Our engine, and the ceiling of the machine: the module of engine.cpp and ceiling.cpp.

import { given } from './inputs.mjs';

let compiled = null;

async function instantiate() {
  compiled ??= WebAssembly.compileStreaming(fetch('/engine.wasm'));
  const module = await compiled;
  // Growing memory is told to nobody; the rest is what a program could ask of a system, and this one does not.
  const imports = {};
  for (const { module: from, name, kind } of WebAssembly.Module.imports(module)) {
    if (kind !== 'function') throw new Error(`engine.wasm wants ${from}.${name}, which is no function.`);
    imports[from] ??= {};
    imports[from][name] = name === 'emscripten_notify_memory_growth' ? () => {} : () => {
      throw new Error(`engine.wasm called ${name}.`);
    };
  }
  const { exports } = await WebAssembly.instantiate(module, imports);
  exports._initialize?.();
  return exports;
}

/** @returns {Promise<import('./engines.mjs').Engine>} */
export async function ours(problem, keep) {
  const { tokens, embedDim, heads, lookAhead } = problem;
  const engine = await instantiate();
  engine.problem_make(tokens, embedDim, heads, lookAhead);
  const at = (place, length) => new Float32Array(engine.memory.buffer, place, length);
  given.forEach((name, which) => at(engine.problem_given(which), problem[name].length).set(problem[name]));
  let output = null;
  return {
    run() {
      if (!engine.problem_run(keep)) throw new Error('Our engine refused the problem.');
      const place = engine.problem_output();
      // A view is made anew only where the output has moved, or memory has grown.
      if (output?.buffer !== engine.memory.buffer || output.byteOffset !== place) output = at(place, tokens * embedDim);
      return output;
    },
    tensor(name) {
      const text = new Uint8Array(engine.memory.buffer, engine.problem_text(), 64);
      text.fill(0);
      new TextEncoder().encodeInto(name, text.subarray(0, 63));
      const place = engine.problem_tensor();
      if (!place) throw new Error(`Our trace has no ${name}.`);
      const square = /scores|weights/.test(name);
      return at(place, square ? heads * tokens * tokens : tokens * embedDim).slice();
    },
    heap: () => engine.memory.buffer.byteLength,
    release() {},
  };
}

/** @returns {Promise<{run: (calls: number) => number, operations: number}>} operations: of one call */
export async function ceiling() {
  const engine = await instantiate();
  return { run: engine.ceiling_run, operations: engine.ceiling_operations() };
}

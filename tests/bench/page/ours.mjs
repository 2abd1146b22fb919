// Our engine, and the ceiling of the machine: the module of engine.cpp and ceiling.cpp.

import { given } from './inputs.mjs';

let compiled = null;

/** What src/kernels/relaxed_kernel.js does in the page's script: this module has no script. */
function connectRelaxedKernel({ memory, __indirect_function_table: table }, code, length) {
  const bytes = new Uint8Array(memory.buffer, code, length);
  if (!WebAssembly.validate(bytes)) return 0;
  const kernel = new WebAssembly.Instance(new WebAssembly.Module(bytes), { env: { memory } }).exports;
  const place = table.grow(1);
  table.set(place, kernel.multiply_panel);
  return place;
}

async function instantiate({ strict = false } = {}) {
  compiled ??= WebAssembly.compileStreaming(fetch('/engine.wasm'));
  const module = await compiled;
  let exports = null;
  const answers = {
    emscripten_notify_memory_growth() {},
    attention_connect_relaxed_kernel: (code, length) => (strict ? 0 : connectRelaxedKernel(exports, code, length)),
  };
  // The rest is what a program could ask of a system, and this one does not.
  const imports = {};
  for (const { module: from, name, kind } of WebAssembly.Module.imports(module)) {
    if (kind !== 'function') throw new Error(`engine.wasm wants ${from}.${name}, which is no function.`);
    imports[from] ??= {};
    imports[from][name] = answers[name] ?? (() => { throw new Error(`engine.wasm called ${name}.`); });
  }
  ({ exports } = await WebAssembly.instantiate(module, imports));
  exports._initialize?.();
  return exports;
}

/**
 * Our engine always keeps everything.
 * @param {{strict?: boolean}} [options] strict: without relaxed SIMD, where the browser has it
 * @returns {Promise<import('./engines.mjs').Engine>}
 */
export async function ours(problem, options) {
  const { tokens, embedDim, heads, lookAhead } = problem;
  const engine = await instantiate(options);
  engine.problem_make(tokens, embedDim, heads, lookAhead);
  const at = (place, length) => new Float32Array(engine.memory.buffer, place, length);
  given.forEach((name, which) => at(engine.problem_given(which), problem[name].length).set(problem[name]));
  let output = null;
  return {
    run() {
      if (!engine.problem_run()) throw new Error('Our engine refused the problem.');
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

/**
 * What does one thing again and again: the tile of ceiling.cpp, and the engine's own without and with relaxed SIMD.
 * @returns {Promise<Record<'ceiling' | 'strict' | 'ours', {run: (calls: number) => number, operations: number}>>}
 *   operations: of one call
 */
export async function tiles() {
  const [ours, strict] = [await instantiate(), await instantiate({ strict: true })];
  return {
    ceiling: { run: ours.ceiling_run, operations: ours.ceiling_operations() },
    strict: { run: strict.tile_run, operations: strict.tile_operations() },
    ours: { run: ours.tile_run, operations: ours.tile_operations() },
  };
}

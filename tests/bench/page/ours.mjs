// Our engine, and the ceiling of the machine: the module of engine.cpp and ceiling.cpp.

import { given } from './inputs.mjs';
import { instantiate } from './module.mjs';

const engineAddress = '/engine.wasm';

/**
 * Our engine always keeps everything.
 * @param {{strict?: boolean}} [options] strict: without relaxed SIMD, where the browser has it
 * @returns {Promise<import('./engines.mjs').Engine>}
 */
export async function ours(problem, options) {
  const { tokens, embedDim, heads, lookAhead } = problem;
  const engine = await instantiate(engineAddress, options);
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
  const [ours, strict] = [await instantiate(engineAddress), await instantiate(engineAddress, { strict: true })];
  return {
    ceiling: { run: ours.ceiling_run, operations: ours.ceiling_operations() },
    strict: { run: strict.tile_run, operations: strict.tile_operations() },
    ours: { run: ours.tile_run, operations: ours.tile_operations() },
  };
}

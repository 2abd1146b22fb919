// Training of *reverse* with the module of training_engine.cpp.

import { instantiate } from './module.mjs';

export async function trainOurs() {
  const engine = await instantiate('/training.wasm');
  if (!engine.training_begin()) throw new Error('Our training did not begin.');
  return {
    /** Takes so many steps; the loss before the last of them. Making the batches is part of it. */
    steps(count) {
      const start = performance.now();
      const loss = engine.training_steps(count);
      if (loss < 0) throw new Error('A step of our training failed.');
      return { seconds: (performance.now() - start) / 1000, loss };
    },
  };
}

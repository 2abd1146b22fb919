// What the page of `make bench` does for ../rounds.mjs, which drives it: one problem at a time, one batch of runs at a
// time.

import { isLevel } from '../statistics.mjs';
import { engines } from './engines.mjs';
import { difference, tolerance } from './equal.mjs';
import { kept, makeProblem } from './inputs.mjs';
import { tiles } from './ours.mjs';
import { plain } from './plain.mjs';
import { trainOurs } from './train_ours.mjs';
import { trainTfjs } from './train_tfjs.mjs';

const batchSeconds = 0.03;
const warmSeconds = 1.5; // at most; a run that takes longer is run twice
let problem = null;
let reference = null;
let running = {};
let repeated = null;
const learning = {};

const now = () => performance.now() / 1000;

/** Seconds of one run, of `count` in a row. */
async function timed(engine, count) {
  const start = now();
  for (let i = 0; i < count; i += 1) {
    const result = engine.run();
    if (result instanceof Promise) await result;
  }
  return (now() - start) / count;
}

/** How many runs make a batch. The clock of a page is coarse, and one run may take less than a microsecond. */
async function countFor(engine) {
  for (let count = 1; ; count *= 4) {
    const seconds = await timed(engine, count);
    if (seconds * count > batchSeconds / 8) return Math.max(1, Math.round(batchSeconds / seconds));
  }
}

/** Runs until times are level: a browser starts with code that was made quickly. */
async function warm(engine) {
  const start = now();
  const times = [];
  let count = 1;
  do {
    count = await countFor(engine);
    times.push(await timed(engine, count));
  } while (now() - start < warmSeconds && !isLevel(times));
  return { count, seconds: times.at(-1) };
}

window.bench = {
  /** The names of the engines. */
  names: () => Object.keys(engines),

  /** Sets a problem, and computes what it comes to. Gives the seconds that the plain loop took for it. */
  async problem(size, lookAhead) {
    problem = makeProblem(size, lookAhead);
    reference = plain(problem);
    const start = now();
    reference.run();
    return now() - start;
  },

  /**
   * Sets an engine up for the problem and compares what it computes.
   * @returns {Promise<null | {difference: number, count: number, seconds: number, heap: number | null}>} null: it has
   *   no way to do this; difference: the largest of all tensors; count: of runs in a batch
   */
  async start(name, keep) {
    const engine = await engines[name](problem, keep);
    if (!engine) return null;
    const output = await engine.run();
    let largest = difference(reference.tensor('output'), output);
    if (!(largest <= tolerance)) throw new Error(`${name} gives another output: ${largest} apart.`);
    for (const tensor of keep ? kept : []) {
      const cells = engine.tensor(tensor);
      const apart = cells ? difference(reference.tensor(tensor), cells) : 0;
      if (!(apart <= tolerance)) throw new Error(`${name} gives another ${tensor}: ${apart} apart.`);
      largest = Math.max(largest, apart);
    }
    running[name] = engine;
    return { difference: largest, ...(await warm(engine)), heap: engine.heap?.() ?? null };
  },

  /** Seconds of one run. */
  batch: (name, count) => timed(running[name], count),

  /**
   * Floating-point operations a second of a tile alone, the best of a few runs of about 20 ms.
   * @param {'ceiling' | 'strict' | 'ours'} which
   */
  async tile(which) {
    repeated ??= await tiles();
    const { run, operations } = repeated[which];
    const calls = 50_000;
    let best = 0;
    for (let i = 0; i < 3; i += 1) {
      const start = now();
      run(calls);
      best = Math.max(best, (calls * operations) / (now() - start));
    }
    return best;
  },

  /**
   * Takes steps of the training of *reverse*, of which the earlier calls were the first.
   * @param {'ours' | 'tfjs'} name
   * @returns {Promise<{seconds: number, loss: number}>} of these steps; the loss before the last of them
   */
  async train(name, steps) {
    learning[name] ??= await { ours: trainOurs, tfjs: trainTfjs }[name]();
    return learning[name].steps(steps);
  },

  async stop() {
    for (const engine of Object.values(running)) await engine.release();
    running = {};
  },
};

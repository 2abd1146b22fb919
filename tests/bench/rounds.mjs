// The rounds: in each, every engine has its turn for one batch of runs, so that what else happens on the machine happens
// to all of them.

import { tolerance } from './page/equal.mjs';
import { sizeName } from './sizes.mjs';
import { operations, summary } from './statistics.mjs';

/** Seconds of batches after which an engine sits out the later rounds of a case. It always has its first. */
const patience = 3;
/** A plain loop that takes longer than this is not run again: its time is that of the run that was compared with. */
const longest = 1.5;

/**
 * @typedef {{size: import('./sizes.mjs').Size, name: string, lookAhead: boolean, keep: boolean, operations: number,
 *   ceilings: number[], engines: Record<string, object>}} Case times and ceilings have one entry for each round
 */

/** Sets the engines up for a problem; those that cannot do it are left out. */
async function startAll(page, plainSeconds, keep, rounds) {
  const engines = {};
  for (const name of await page.evaluate(() => window.bench.names())) {
    if (name === 'plain' && plainSeconds > longest) {
      if (keep) engines[name] = { times: [plainSeconds], difference: 0, count: 0 };
    } else {
      const started = await page.evaluate(([each, all]) => window.bench.start(each, all), [name, keep]);
      if (started) engines[name] = { times: [], ...started };
    }
  }
  for (const engine of Object.values(engines)) while (engine.times.length < rounds) engine.times.push(null);
  return engines;
}

async function measure(page, engines, rounds) {
  const taking = Object.keys(engines).filter((name) => engines[name].count > 0);
  const spent = Object.fromEntries(taking.map((name) => [name, 0]));
  const ceilings = [];
  for (let round = 0; round < rounds; round += 1) {
    ceilings.push(await page.evaluate(() => window.bench.tile('ceiling')));
    // Another begins each time: who follows whom makes a difference to caches.
    const first = round % taking.length;
    for (const name of [...taking.slice(first), ...taking.slice(0, first)]) {
      if (spent[name] > patience) continue;
      const { count } = engines[name];
      const seconds = await page.evaluate(([each, runs]) => window.bench.batch(each, runs), [name, count]);
      engines[name].times[round] = seconds;
      spent[name] += seconds * count;
    }
  }
  return ceilings;
}

/**
 * The tile of the matrix product alone, in rounds: what a product can reach at most, without relaxed SIMD and with it.
 * @param {import('playwright-core').Page} page of the benchmark
 * @returns {Promise<Record<'ceiling' | 'strict' | 'ours', number[]>>} operations a second, one entry for each round
 */
export async function measureTiles(page, rounds) {
  const rates = { ceiling: [], strict: [], ours: [] };
  const measureOnce = (which) => page.evaluate((each) => window.bench.tile(each), which);
  for (const which of Object.keys(rates)) await measureOnce(which); // compiles it well
  for (let round = 0; round < rounds; round += 1) {
    for (const which of Object.keys(rates)) rates[which].push(await measureOnce(which));
  }
  return rates;
}

const trainingSteps = 100; // in a round; *reverse* is learned in 400
const learned = 0.2; // a loss by which it is: it begins above ln 10 = 2.3

/**
 * Steps of training *reverse*, in rounds that go on from each other.
 * @returns {Promise<Record<'ours' | 'tfjs', {rates: number[], loss: number}>>} rates: steps a second, one entry for each
 *   round; loss: at the end
 */
export async function measureTraining(page, rounds) {
  const engines = { ours: { rates: [], loss: 0 }, tfjs: { rates: [], loss: 0 } };
  const take = (name) => page.evaluate(([each, steps]) => window.bench.train(each, steps), [name, trainingSteps]);
  for (const name of Object.keys(engines)) await take(name); // compiles it well
  for (let round = 0; round < Math.max(rounds, 5); round += 1) {
    for (const [name, engine] of Object.entries(engines)) {
      const { seconds, loss } = await take(name);
      engine.rates.push(trainingSteps / seconds);
      engine.loss = loss;
    }
  }
  for (const [name, { loss }] of Object.entries(engines)) {
    if (!(loss < learned)) throw new Error(`${name} did not learn to reverse: its loss is ${loss}.`);
  }
  return engines;
}

/**
 * Every size, with and without a mask, with the trace kept and without.
 * @param {() => Promise<import('playwright-core').Page>} newPage a fresh page of the benchmark
 * @param {{sizes: import('./sizes.mjs').Size[], rounds: number, tell: (text: string) => void}} options
 * @returns {Promise<Case[]>}
 */
export async function measureAll(newPage, { sizes, rounds, tell }) {
  const cases = [];
  for (const size of sizes) {
    const page = await newPage();
    for (const lookAhead of [false, true]) {
      const evaluate = ([each, masked]) => window.bench.problem(each, masked);
      const plainSeconds = await page.evaluate(evaluate, [size, lookAhead]);
      for (const keep of [true, false]) {
        const what = `${sizeName(size)}, ${lookAhead ? 'look-ahead' : 'no mask'}, ${keep ? 'trace' : 'output only'}`;
        tell(`  ${what}: setting up`);
        const engines = await startAll(page, plainSeconds, keep, rounds);
        const worst = Math.max(...Object.values(engines).map(({ difference }) => difference));
        tell(`  ${what}: equal to ${worst.toExponential(1)} (allowed ${tolerance}); measuring`);
        const ceilings = await measure(page, engines, rounds);
        await page.evaluate(() => window.bench.stop());
        for (const engine of Object.values(engines)) {
          Object.assign(engine, summary({ times: engine.times, ceilings, size }));
        }
        cases.push({ name: sizeName(size), size, lookAhead, keep, operations: operations(size), ceilings, engines });
      }
    }
    await page.context().close();
  }
  return cases;
}

#!/usr/bin/env node
// bench.mjs ENGINE TRAINING SITE OUT [--sizes "9x512x8 …"] [--rounds 9] [--start-rounds 5] [--frames 60]
//   [--compare EARLIER.json]
//
// Measures our engine (ENGINE, the WebAssembly of engine.cpp; TRAINING, of training_engine.cpp) and our page (SITE, built) beside the peers in Chromium.
// Prints tables, and writes OUT/bench.json, OUT/bench.svg and a copy of the numbers under the time of the run.
// docs/performance.md says what the numbers mean.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

import { launch } from '../browser/support.mjs';
import { measuringPage } from './bundle.mjs';
import { measureFrames } from './frames.mjs';
import { plot } from './plot.mjs';
import { measureAll, measureTiles, measureTraining } from './rounds.mjs';
import { serve } from './serve.mjs';
import { parseSizes, usualSizes } from './sizes.mjs';
import { measureStartUp } from './start_up.mjs';
import { frameTable, restTable } from './frame_table.mjs';
import { comparison, memoryTable, speedTable, startUpTable, tileTable, traceTable, trainingTable } from './table.mjs';

function count(name, text) {
  if (!/^\d{1,3}$/.test(text)) throw new Error(`${name} must be a whole number from 0 to 999, not “${text}”.`);
  return Number(text);
}

function options() {
  const { values, positionals } = parseArgs({
    options: {
      sizes: { type: 'string', default: usualSizes },
      rounds: { type: 'string', default: '9' },
      'start-rounds': { type: 'string', default: '5' },
      frames: { type: 'string', default: '60' },
      compare: { type: 'string' },
    },
    allowPositionals: true,
  });
  if (positionals.length !== 4) {
    throw new Error('Give the engine, the training, the folder of the built site and the folder to write.');
  }
  const [engine, training, site, out] = positionals.map((path) => resolve(path));
  const rounds = count('ROUNDS', values.rounds);
  if (rounds === 0) throw new Error('ROUNDS must be at least 1.');
  return {
    engine, training, site, out, rounds, sizes: parseSizes(values.sizes), startRounds: count('START_ROUNDS', values['start-rounds']),
    frames: count('FRAMES', values.frames),
    before: values.compare ? JSON.parse(readFileSync(values.compare, 'utf8')) : null,
  };
}

async function speed({ engine, training, sizes, rounds }, tell) {
  const server = await serve(await measuringPage(engine, training));
  const browser = await launch({ graphics: false, seconds: null });
  const newPage = async () => {
    const page = await (await browser.newContext()).newPage();
    page.on('pageerror', (error) => tell(`  the page says: ${error}`));
    await page.goto(server.origin);
    await page.waitForFunction(() => window.bench);
    return page;
  };
  try {
    const page = await newPage();
    const tiles = await measureTiles(page, rounds);
    tell('  training reverse: measuring');
    const learning = await measureTraining(page, rounds);
    await page.context().close();
    return { browser: browser.version(), tiles, learning, cases: await measureAll(newPage, { sizes, rounds, tell }) };
  } finally {
    await browser.close();
    await server.close();
  }
}

async function main() {
  const wanted = options();
  const tell = (text) => console.error(text);
  const start = Date.now();
  const date = new Date(start).toISOString();
  const { browser, tiles, learning, cases } = await speed(wanted, tell);
  const startUp = wanted.startRounds === 0 ? {} : await measureStartUp({
    site: wanted.site, cache: join(wanted.out, 'packed'), rounds: wanted.startRounds, tell,
  });
  const page = wanted.frames === 0 ? null : await measureFrames({ site: wanted.site, count: wanted.frames, tell });
  const result = {
    date, browser: `Chromium ${browser}`, processor: cpus()[0]?.model ?? '', cores: cpus().length,
    rounds: wanted.rounds, seconds: Math.round((Date.now() - start) / 1000), tiles, learning, cases, startUp, page,
  };
  mkdirSync(wanted.out, { recursive: true });
  const json = `${JSON.stringify(result, null, 1)}\n`;
  const own = join(wanted.out, `${date.slice(0, 19).replace(/:/g, '')}.json`);
  for (const path of [own, join(wanted.out, 'bench.json')]) writeFileSync(path, json);
  const machine = `One thread, float32, medians of ${wanted.rounds} interleaved rounds; ${result.browser}, ${result.processor}`;
  writeFileSync(join(wanted.out, 'bench.svg'), plot(cases, `${machine}. Dashed: ours with a look-ahead mask`));
  const parts = [machine, speedTable(cases), tileTable(tiles), trainingTable(learning), traceTable(cases), memoryTable(cases)];
  if (wanted.startRounds > 0) parts.push(startUpTable(startUp));
  if (page) parts.push(frameTable(page.cases), restTable(page.rests));
  if (wanted.before) parts.push(comparison(wanted.before, result));
  console.log(parts.filter(Boolean).join('\n\n'));
  console.log(`\n${result.seconds} s. Numbers and plot: ${join(wanted.out, 'bench.json')}, bench.svg; kept as ${own}`);
}

main().catch((cause) => {
  console.error(`attention-live: ${cause.message}`);
  process.exitCode = 1;
});

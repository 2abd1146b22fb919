// What was measured, in lines of text.

import { firstFrameBytes, heapBars } from '../support/bars.mjs';
import { median, pairedRatio } from './statistics.mjs';

/** 0.0123 → "12.3 ms" */
export function duration(seconds) {
  const [unit, factor] = [['s', 1], ['ms', 1e3], ['µs', 1e6]].find(([, each]) => seconds * each >= 1) ?? ['ns', 1e9];
  const value = seconds * factor;
  return `${value.toFixed(value >= 100 ? 0 : value >= 10 ? 1 : 2)} ${unit}`;
}

const percent = (part) => (part >= 0.1 ? `${Math.round(part * 100)} %` : `${(part * 100).toFixed(1)} %`);
const ofCeiling = ({ ofCeiling: part, bestOfCeiling: best }) => `${percent(part)} (${percent(best)})`;
const times = (ratio) => `${ratio.toFixed(2)}×`;

/** A bar, and whether a value keeps below it: "≤ 2 ms", or "≤ 2 ms, no". */
export const held = (value, bar, text) => `≤ ${text}${value <= bar ? '' : ', no'}`;

export const mebibytes = (bytes) => `${(bytes / 2 ** 20).toFixed(1)} MiB`;
/** The same for bytes of linear memory at a size; a dot where nothing is said of that size. */
export const heldMemory = (name, bytes) => (name in heapBars ? held(bytes, heapBars[name], mebibytes(heapBars[name])) : '·');

/** Lines of cells as text: the first column to the left, the others to the right. */
export function columns(lines) {
  const widths = [];
  for (const line of lines) line.forEach((cell, i) => (widths[i] = Math.max(widths[i] ?? 0, cell.length)));
  return lines
    .map((line) => line.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]) : cell.padStart(widths[i]))).join('  '))
    .join('\n');
}

const peersOf = ({ engines }) => Object.keys(engines).filter((name) => name !== 'ours');

function line({ name, lookAhead, engines, ceilings }, peers) {
  const cells = [`${name}${lookAhead ? ' look-ahead' : ''}`, `${(Math.max(...ceilings) / 1e9).toFixed(1)}`];
  const { ours } = engines;
  cells.push(...(ours ? [duration(ours.seconds), ofCeiling(ours)] : ['·', '·']));
  for (const peer of peers) {
    const engine = engines[peer];
    cells.push(...(engine ? [duration(engine.seconds), ofCeiling(engine)] : ['·', '·']));
    cells.push(engine && ours ? times(pairedRatio(engine.times, ours.times)) : '·');
  }
  return cells;
}

/** @param {import('./rounds.mjs').Case[]} cases */
export function speedTable(cases) {
  const parts = [];
  for (const keep of [true, false]) {
    const those = cases.filter((each) => each.keep === keep);
    if (those.length === 0) continue;
    const peers = [...new Set(those.flatMap(peersOf))];
    const head = ['tokens x embed_dim x heads', 'GFLOP/s', 'ours', 'of it (best)'];
    for (const peer of peers) head.push(peer, 'of it (best)', 'to ours');
    const title = keep ? 'Every intermediate kept' : 'Output only (ours keeps everything all the same)';
    parts.push(`${title}\n${columns([head, ...those.map((each) => line(each, peers))])}`);
  }
  parts.push(
    'strict: ours without relaxed SIMD, as in a browser that has only SIMD. GFLOP/s: the strict SIMD ceiling of one thread,\n' +
      'best of its rounds; of it: the part that an engine reaches, counting what a mask hides as work, and its best round\n' +
      'against the best ceiling; to ours: how many times longer than ours. Times are medians; a dot: there is none.',
  );
  return parts.join('\n\n');
}

/** How much longer it takes the peers to keep everything, for each size. Ours always does. */
export function traceTable(cases) {
  const lines = [];
  for (const kept of cases.filter(({ keep }) => keep)) {
    const alone = cases.find(({ name, lookAhead, keep }) => !keep && name === kept.name && lookAhead === kept.lookAhead);
    if (!alone) continue;
    for (const engine of peersOf(alone)) {
      const ratio = kept.engines[engine].seconds / alone.engines[engine].seconds;
      lines.push([`${kept.name}${kept.lookAhead ? ' look-ahead' : ''}`, engine, times(ratio)]);
    }
  }
  return lines.length ? `Everything kept, in times of the output alone\n${columns(lines)}` : '';
}

/** What a product can reach at most. @param {Awaited<ReturnType<import('./rounds.mjs').measureTiles>>} rates */
export function tileTable(rates) {
  const lines = [['strict', rates.strict], ['ours', rates.ours]].map(([name, own]) => [
    name, (median(own) / 1e9).toFixed(1), percent(pairedRatio(own, rates.ceiling)), times(pairedRatio(own, rates.strict)),
  ]);
  return `The tile of the matrix product alone, fed from the first-level cache\n${
    columns([['', 'GFLOP/s', 'of the ceiling', 'to strict'], ...lines])}`;
}

/** Steps of training. @param {Awaited<ReturnType<import('./rounds.mjs').measureTraining>>} learning */
export function trainingTable(learning) {
  const lines = Object.entries(learning).map(([name, { rates, loss }]) => [
    name, median(rates).toFixed(0), times(pairedRatio(learning.ours.rates, rates)), loss.toFixed(4),
  ]);
  return `Training of reverse: 8 tokens, 32 wide, 2 heads, batches of 32, Adam\n${
    columns([['', 'steps a second', 'ours is faster', 'loss at the end'], ...lines])}`;
}

/** Bytes of linear memory of our engine. */
export function memoryTable(cases) {
  const lines = cases.filter(({ keep, engines }) => keep && engines.ours).map(({ name, lookAhead, engines }) =>
    [`${name}${lookAhead ? ' look-ahead' : ''}`, mebibytes(engines.ours.heap), heldMemory(name, engines.ours.heap)]);
  return lines.length ? `Memory of our engine, with the trace\n${columns(lines)}` : '';
}

/** @param {Awaited<ReturnType<import('./start_up.mjs').measureStartUp>>} startUp */
export function startUpTable(startUp) {
  const milliseconds = (value) => (value == null ? '·' : `${Math.round(value)} ms`);
  const kilobytes = (bytes) => `${Math.round(bytes / 1000)} kB`;
  const lines = Object.entries(startUp).map(([name, { bytes, result, trace, frame }]) => [
    name, kilobytes(bytes), name === 'ours' ? held(bytes, firstFrameBytes, kilobytes(firstFrameBytes)) : '·',
    milliseconds(trace ?? result), milliseconds(frame),
  ]);
  return `From navigation, cold\n${columns([['', 'brotli', 'bar', 'first result', 'first frame'], ...lines])}`;
}

/** What has changed since an earlier run. @param {{cases: object[]}} before @param {{cases: object[]}} after */
export function comparison(before, after) {
  const lines = [];
  for (const now of after.cases) {
    const then = before.cases.find(({ name, lookAhead, keep }) =>
      name === now.name && lookAhead === now.lookAhead && keep === now.keep);
    for (const engine of then ? Object.keys(now.engines) : []) {
      if (!then.engines[engine]) continue;
      const [was, is] = [then.engines[engine], now.engines[engine]];
      const what = `${now.name}${now.lookAhead ? ' look-ahead' : ''}${now.keep ? '' : ' output only'}`;
      lines.push([what, engine, duration(was.seconds), duration(is.seconds), times(is.seconds / was.seconds),
        `${percent(was.ofCeiling)} → ${percent(is.ofCeiling)}`]);
    }
  }
  if (lines.length === 0) return 'The earlier run has nothing in common with this one.';
  return `Since ${before.date}\n${columns([['', '', 'then', 'now', 'now / then', 'of ceiling'], ...lines])}`;
}

// What frames, edits, rest and memory cost, in lines of text, with what we want beside it.

import { columns, held, heldMemory, mebibytes } from './table.mjs';

const milliseconds = (value) => `${value.toFixed(2)} ms`;

/** @param {import('./frames.mjs').FrameCase[]} cases */
export function frameTable(cases) {
  const lines = cases.map(({ name, what, bar, own, gl, draws, count }) => [
    `${name} ${what}`, milliseconds(own.median), held(own.median, bar, `${bar} ms`), milliseconds(own.best),
    milliseconds(own.p95), milliseconds(gl.median), milliseconds(gl.p95), `${draws}`, `${count}`,
  ]);
  const head = ['One frame', 'our code', 'bar', 'best', '95 %', 'in WebGL', '95 %', 'draw calls', 'frames'];
  return `Frames of the page\n${columns([head, ...lines])}\n` +
    'Our code: JavaScript and WebAssembly from the event to the end of the frame that shows it, without the time inside\n' +
    'WebGL\'s functions, which a graphics card\'s driver (here: software) decides. Medians, and what 95 % stay below.';
}

/** @param {import('./frames.mjs').Rest[]} rests */
export function restTable(rests) {
  const lines = rests.map(({ name, seconds, frames, timers, processor, heap }) => [
    name, `${seconds} s`, `${frames}`, `${timers}`, `${(processor * 100).toFixed(1)} %`, mebibytes(heap),
    heldMemory(name, heap),
  ]);
  const head = ['', 'for', 'frames', 'timers', 'processor', 'memory', 'bar'];
  return `The page at rest, after all of that\n${columns([head, ...lines])}`;
}

// What relaxed SIMD could gain on this processor: the ceiling's tile (../ceiling.cpp) in two modules that differ in
// nothing but that one multiplies and then adds, and the other does both in one instruction. Written out byte by byte,
// since the tool chain that we ask for does not know that instruction.

import { median } from '../statistics.mjs';

const rows = 4;
const lanes = 2;
const depth = 256;
const aAt = 0;
const bAt = 4096;
const sumsAt = 16384;

/** A whole number as WebAssembly writes it, signed. */
function number(value) {
  const bytes = [];
  for (let left = value; ; ) {
    const seven = left & 0x7f;
    left >>= 7;
    const last = (left === 0 && !(seven & 0x40)) || (left === -1 && seven & 0x40);
    bytes.push(last ? seven : seven | 0x80);
    if (last) return bytes;
  }
}

/** A length, unsigned. */
const length = (value) => (value < 128 ? [value] : [(value & 0x7f) | 0x80, ...length(value >> 7)]);
const sized = (bytes) => [...length(bytes.length), ...bytes];
const section = (id, bytes) => [id, ...sized(bytes)];

const get = (local) => [0x20, local];
const set = (local) => [0x21, local];
const constant = (value) => [0x41, ...number(value)];
const step = (local, by) => [...get(local), ...constant(by), 0x6a, ...set(local)];
const simd = (code) => [0xfd, ...length(code)];
const load = (offset) => [...simd(0x00), 0, ...length(offset)];
const loadSplat = (offset) => [...simd(0x09), 0, ...length(offset)];
const store = (offset) => [...simd(0x0b), 0, ...length(offset)];
const loop = (body) => [0x03, 0x40, ...body, 0x0b];
const again = [0x0d, 0];

/** The module: memory, and run(calls). */
function moduleOf(relaxed) {
  const [calls, a, b, left, factor, firstLane] = [0, 1, 2, 3, 4, 5];
  const firstSum = firstLane + lanes;
  const multiplyAdd = (lane, sum) => (relaxed
    ? [...get(factor), ...get(lane), ...get(sum), ...simd(0x105), ...set(sum)] // f32x4.relaxed_madd
    : [...get(sum), ...get(factor), ...get(lane), ...simd(0xe6), ...simd(0xe4), ...set(sum)]); // f32x4.mul, f32x4.add
  const inner = [];
  for (let lane = 0; lane < lanes; lane += 1) inner.push(...get(b), ...load(16 * lane), ...set(firstLane + lane));
  for (let row = 0; row < rows; row += 1) {
    inner.push(...get(a), ...loadSplat(4 * row), ...set(factor));
    for (let lane = 0; lane < lanes; lane += 1) inner.push(...multiplyAdd(firstLane + lane, firstSum + row * lanes + lane));
  }
  inner.push(...step(a, 4 * rows), ...step(b, 16 * lanes), ...step(left, -1), ...get(left), ...again);
  const outer = [...constant(aAt), ...set(a), ...constant(bAt), ...set(b), ...constant(depth), ...set(left)];
  const sums = Array.from({ length: rows * lanes }, (_, i) => firstSum + i);
  for (const sum of sums) outer.push(...simd(0x0c), ...new Array(16).fill(0), ...set(sum));
  outer.push(...loop(inner));
  for (const [i, sum] of sums.entries()) outer.push(...constant(sumsAt), ...get(sum), ...store(16 * i));
  outer.push(...step(calls, -1), ...get(calls), ...again);
  const locals = [2, 3, 0x7f, 1 + lanes + rows * lanes, 0x7b];
  const body = [...locals, ...loop(outer), 0x0b];
  return new Uint8Array([
    0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0,
    ...section(1, [1, 0x60, 1, 0x7f, 0]), // (i32) -> ()
    ...section(3, [1, 0]),
    ...section(5, [1, 0, 1]),
    ...section(7, [2, ...sized([0x72]), 0, 0, ...sized([0x6d]), 2, 0]), // "r", the function; "m", the memory
    ...section(10, [1, ...sized(body)]),
  ]);
}

async function tile(relaxed) {
  const { instance: { exports } } = await WebAssembly.instantiate(moduleOf(relaxed));
  new Float32Array(exports.m.buffer, aAt, depth * rows).fill(0.5);
  new Float32Array(exports.m.buffer, bAt, depth * lanes * 4).fill(0.25);
  exports.r(1);
  const sums = new Float32Array(exports.m.buffer, sumsAt, rows * lanes * 4);
  if (sums.some((sum) => sum !== depth / 8)) throw new Error(`A tile that should have ${depth / 8} has ${sums[0]}.`);
  return exports.r;
}

/**
 * How many times as fast the one instruction is, in the median of interleaved rounds; null where the browser does not
 * have it.
 */
export async function relaxedGain(rounds = 41) {
  if (!WebAssembly.validate(moduleOf(true))) return null;
  const [strict, relaxed] = [await tile(false), await tile(true)];
  const calls = 1000;
  const seconds = (run) => {
    const start = performance.now();
    for (let i = 0; i < 5; i += 1) run(calls);
    return performance.now() - start;
  };
  for (let i = 0; i < 20; i += 1) [strict, relaxed].forEach(seconds); // until the browser has made good code of them
  return median(Array.from({ length: rounds }, () => seconds(strict) / seconds(relaxed)));
}

// The built program as a command, and safetensors files written and read without its help.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { patience } from '../support/until.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
export const program = process.env.ATTENTION_LIVE_PROGRAM ?? join(root, 'build/native/attention-live');
export const fixtures = join(root, 'tests/fixtures');

/**
 * Runs the program. {code, stdout, stderr}; a signal (a crash) or a hang is an exception.
 * `kilobytes` limits its address space, on Linux.
 */
export function run(args, { kilobytes, ...options } = {}) {
  const limited = kilobytes && process.platform === 'linux';
  const [command, argv] = limited
    ? ['sh', ['-c', `ulimit -v ${kilobytes} && exec "$0" "$@"`, program, ...args]]
    : [program, args];
  const { status, signal, error, stdout, stderr } = spawnSync(command, argv, {
    encoding: 'utf8',
    maxBuffer: 1 << 30,
    timeout: patience,
    ...options,
  });
  if (error) throw error;
  if (signal) throw new Error(`${program} ${args.join(' ')} ended with ${signal}\n${stderr}`);
  return { code: status, stdout, stderr };
}

/** The sentence on standard error of a run that must fail as the command promises: code 2 and nothing else. */
export function complaint(args, options) {
  const { code, stdout, stderr } = run(args, options);
  const lines = stderr.match(/^attention-live: (.*)\n$/);
  if (code !== 2 || stdout !== '' || !lines) {
    throw new Error(`expected code 2 and one sentence, got ${code}, ${JSON.stringify({ stdout, stderr })}`);
  }
  return lines[1];
}

/** A folder for one test file, gone when the process ends. */
export function temporaryFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'attention-live-test-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const writers = {
  F32: [4, (view, at, value) => view.setFloat32(at, value, true)],
  F64: [8, (view, at, value) => view.setFloat64(at, value, true)],
  F16: [2, (view, at, value) => view.setUint16(at, halfBits(value), true)],
  BF16: [2, (view, at, value) => view.setUint16(at, float32Bits(value) >>> 16, true)],
  BOOL: [1, (view, at, value) => view.setUint8(at, value ? 1 : 0)],
  I32: [4, (view, at, value) => view.setInt32(at, value, true)],
};

function float32Bits(value) {
  return new Uint32Array(new Float32Array([value]).buffer)[0];
}

/** Binary16 of a normal number that it holds exactly, or of ±0. */
function halfBits(value) {
  const bits = float32Bits(value);
  const sign = (bits >>> 16) & 0x8000;
  if (value === 0) return sign;
  const exponent = ((bits >>> 23) & 0xff) - 127 + 15;
  if (exponent < 1 || exponent > 30 || bits & 0x1fff) throw new Error(`${value} is not used in these tests`);
  return sign | (exponent << 10) | ((bits >>> 13) & 0x3ff);
}

/** {name: {dtype = 'F32', shape, data}} → the bytes of a file. */
export function safetensors(tensors, metadata) {
  const header = metadata ? { __metadata__: metadata } : {};
  const parts = [];
  let end = 0;
  for (const [name, { dtype = 'F32', shape, data }] of Object.entries(tensors)) {
    const [size, write] = writers[dtype];
    const view = new DataView(new ArrayBuffer(data.length * size));
    data.forEach((value, i) => write(view, i * size, value));
    header[name] = { dtype, shape, data_offsets: [end, end + view.byteLength] };
    end += view.byteLength;
    parts.push(Buffer.from(view.buffer));
  }
  return rawFile(JSON.stringify(header), Buffer.concat(parts));
}

/** Length, header and data as they are, true or not. */
export function rawFile(header, data = Buffer.alloc(0), length = Buffer.byteLength(header)) {
  const prefix = Buffer.alloc(8);
  prefix.writeBigUInt64LE(BigInt(length));
  return Buffer.concat([prefix, Buffer.from(header), data]);
}

/** The tensors of a file of F32 and BOOL: {tensors: Map of name → {dtype, shape, data}, metadata}. */
export function readSafetensors(path) {
  const file = readFileSync(path);
  const length = Number(file.readBigUInt64LE(0));
  const { __metadata__: metadata = {}, ...entries } = JSON.parse(file.toString('utf8', 8, 8 + length));
  const tensors = new Map();
  for (const [name, { dtype, shape, data_offsets: [begin, end] }] of Object.entries(entries)) {
    const bytes = file.subarray(8 + length + begin, 8 + length + end);
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    const size = writers[dtype][0];
    const data = Array.from({ length: bytes.length / size }, (_, i) =>
      dtype === 'F32' ? view.getFloat32(4 * i, true) : view.getUint8(i),
    );
    tensors.set(name, { dtype, shape, data });
  }
  return { tensors, metadata, headerLength: length };
}

/** Writes a file into the folder and returns its path. */
export function save(folder, name, bytes) {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return path;
}

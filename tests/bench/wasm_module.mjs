// A WebAssembly module taken apart: sections, and functions with their names.

import { spawnSync } from 'node:child_process';

const section = { custom: 0, import: 2, code: 10, data: 11 };
const kind = { function: 0, table: 1, memory: 2, global: 3 };

/** Reads numbers and names one after the other. */
export class Reader {
  constructor(bytes, at = 0) {
    this.bytes = bytes;
    this.at = at;
  }

  byte() {
    if (this.at >= this.bytes.length) throw new Error('The WebAssembly module ends in the middle.');
    return this.bytes[this.at++];
  }

  /** A number of up to 32 bits, seven in each byte. */
  number() {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.byte();
      value += (byte & 127) * 2 ** shift;
      if (byte < 128) return value;
    }
  }

  text() {
    const length = this.number();
    this.at += length;
    return Buffer.from(this.bytes.subarray(this.at - length, this.at)).toString('utf8');
  }

  limits() {
    const hasMost = this.byte() & 1;
    this.number();
    if (hasMost) this.number();
  }
}

function importedFunctions(bytes, start) {
  const reader = new Reader(bytes, start);
  let functions = 0;
  for (let left = reader.number(); left > 0; left -= 1) {
    reader.text();
    reader.text();
    const what = reader.byte();
    if (what === kind.function) {
      functions += 1;
      reader.number();
    } else if (what === kind.table) {
      reader.byte();
      reader.limits();
    } else if (what === kind.memory) {
      reader.limits();
    } else if (what === kind.global) {
      reader.at += 2;
    }
  }
  return functions;
}

function functionNames(bytes, start, end) {
  const names = new Map();
  const reader = new Reader(bytes, start);
  while (reader.at < end) {
    const part = reader.byte();
    const next = reader.number() + reader.at;
    if (part === 1) {
      for (let left = reader.number(); left > 0; left -= 1) {
        const index = reader.number(); // before the name, whatever order arguments are evaluated in
        names.set(index, reader.text());
      }
    }
    reader.at = next;
  }
  return names;
}

/**
 * @param {Uint8Array} bytes a module
 * @returns {{code: number, data: number, names: number, functions: {name: string, start: number, end: number}[]}}
 *   bytes of the two large sections; where the names begin, which are behind all else; each function's body is `bytes`
 *   from `start`, with its length before it, to `end`
 */
export function takeApart(bytes) {
  const sizes = { code: 0, data: 0, names: bytes.length };
  const functions = [];
  let imported = 0;
  let names = new Map();
  const reader = new Reader(bytes, 8);
  while (reader.at < bytes.length) {
    const begins = reader.at;
    const id = reader.byte();
    const length = reader.number();
    const start = reader.at;
    if (id === section.import) imported = importedFunctions(bytes, start);
    if (id === section.data) sizes.data = length;
    if (id === section.code) {
      sizes.code = length;
      for (let left = reader.number(); left > 0; left -= 1) {
        const from = reader.at;
        const size = reader.number();
        reader.at += size;
        functions.push({ name: '', start: from, end: reader.at });
      }
    }
    if (id === section.custom) {
      reader.at = start;
      if (reader.text() === 'name') {
        names = functionNames(bytes, reader.at, start + length);
        sizes.names = begins;
      }
    }
    reader.at = start + length;
  }
  functions.forEach((each, index) => {
    each.name = names.get(imported + index) ?? '';
  });
  return { ...sizes, functions };
}

/** The module without the bodies of `functions`: what is left to compress, though no engine would take it. */
export function withoutBodies(bytes, functions) {
  const pieces = [];
  let from = 0;
  for (const { start, end } of [...functions].sort((a, b) => a.start - b.start)) {
    pieces.push(bytes.subarray(from, start));
    from = end;
  }
  pieces.push(bytes.subarray(from));
  return Buffer.concat(pieces);
}

/** Names as C++ writes them: newer versions of Emscripten keep them as a linker does. */
export function readable(names) {
  if (!names.some((name) => name.startsWith('_ZN'))) return names;
  const told = spawnSync('c++filt', { input: names.join('\n'), encoding: 'utf8' });
  return told.status === 0 ? told.stdout.split('\n') : names;
}

// Compilers before LLVM 16 (Emscripten 3.1.6 has 14) know f32x4.relaxed_madd by the code that it had before it was
// standard, 0xaf, and browsers only by that of the standard, 0x105. Both take two bytes; so the one is put in the place
// of the other. What newer compilers write has nothing to replace: 0xaf is no instruction of the standard.

import { Reader, takeApart } from './module.mjs';

const vectors = 0xfd; // the first byte of all their instructions
const before = 0xaf;
const standard = [0x85, 0x02]; // 0x105, seven bits in each byte

function skipNumbers(reader, count) {
  for (let i = 0; i < count; i += 1) reader.number();
}

/** What follows an instruction's code, by the code: so many numbers, or so many bytes. */
function skipOperands(code, reader) {
  if (code >= 0x02 && code <= 0x04) reader.number(); // block, loop, if: a type
  else if (code === 0x0e) skipNumbers(reader, reader.number() + 1); // br_table
  else if (code === 0x11) skipNumbers(reader, 2); // call_indirect
  else if (code === 0x0c || code === 0x0d || code === 0x10) reader.number(); // br, br_if, call
  else if (code >= 0x20 && code <= 0x26) reader.number(); // locals, globals, tables
  else if (code >= 0x28 && code <= 0x3e) skipNumbers(reader, 2); // loads and stores
  else if (code >= 0x3f && code <= 0x42) reader.number(); // memory.size, memory.grow, constants
  else if (code === 0x43) reader.at += 4;
  else if (code === 0x44) reader.at += 8;
  else if (code === 0x1c || code > 0xc4) throw new Error(`The instruction 0x${code.toString(16)} is not expected here.`);
}

function skipVectorOperands(code, reader) {
  if (code <= 11 || code === 92 || code === 93) skipNumbers(reader, 2); // loads and stores
  else if (code === 12 || code === 13) reader.at += 16; // v128.const, i8x16.shuffle
  else if (code >= 21 && code <= 34) reader.byte(); // lanes
  else if (code >= 84 && code <= 91) { // loads and stores of lanes
    skipNumbers(reader, 2);
    reader.byte();
  }
}

/** The same module, with today's code for that instruction. */
export function withStandardCodes(module) {
  const bytes = Uint8Array.from(module);
  for (const { start, end } of takeApart(bytes).functions) {
    const reader = new Reader(bytes, start);
    reader.number(); // its length
    for (let groups = reader.number(); groups > 0; groups -= 1) skipNumbers(reader, 2); // of locals: how many, and what
    while (reader.at < end) {
      const code = reader.byte();
      if (code === vectors) {
        const place = reader.at;
        const instruction = reader.number();
        if (instruction === before) bytes.set(standard, place);
        else skipVectorOperands(instruction, reader);
      } else {
        skipOperands(code, reader);
      }
    }
  }
  return bytes;
}

#!/usr/bin/env node
// What the page's program is made of: the largest functions, what each room and library costs, and the bytes of each
// file as it travels.
//
//   size.mjs PROGRAM_WITH_NAMES.wasm SITE [--functions N] [--group NAME]
//
// What a group costs is measured: how much smaller the whole is, compressed, without its functions.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { brotliCompressSync, constants } from 'node:zlib';

import { readable, takeApart, withoutBodies } from './wasm_module.mjs';

const rooms = [
  'base', 'tensor', 'kernels', 'ops', 'model', 'training', 'translation', 'files', 'lesson', 'document', 'stage', 'draw',
  'platform', 'app',
];
const groups = {
  ...Object.fromEntries(rooms.map((room) => [room, new RegExp(`\\b${room}::`)])),
  'Dear ImGui': /\b(ImGui|Im(Font|Draw|Gui|Str|Vec|Rect|Pool|Span|Bit|Text|Hash|Format|Chunk)|stb(tt|rp|_))/,
  xtensor: /\b(xt|xtl)::/,
  'libc++': /\bstd::|\boperator (new|delete)/,
};

/** Whose a function is: of whom its name, as C++ writes it, speaks first. */
function groupOf(name) {
  let first = { group: 'C, and the entry points', at: Infinity };
  for (const [group, pattern] of Object.entries(groups)) {
    const at = name.search(pattern);
    if (at >= 0 && at < first.at) first = { group, at };
  }
  return first.group;
}

const travels = (bytes) => brotliCompressSync(bytes, {
  params: {
    [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
    [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  },
}).length;
const sizeOf = ({ start, end }) => end - start;
const sum = (functions) => functions.reduce((bytes, each) => bytes + sizeOf(each), 0);
const row = (...cells) => cells.map((cell, i) => (i === 0 ? String(cell).padEnd(40) : String(cell).padStart(10))).join('');

function tellGroups(bytes, functions) {
  const members = new Map();
  for (const each of functions) {
    const group = groupOf(each.name);
    members.set(group, [...(members.get(group) ?? []), each]);
  }
  const whole = travels(bytes);
  console.log(row('Group', 'functions', 'bytes', 'brotli'));
  for (const [group, its] of [...members].sort(([, a], [, b]) => sum(b) - sum(a))) {
    console.log(row(group, its.length, sum(its), whole - travels(withoutBodies(bytes, its))));
  }
}

function tellFunctions(functions, count) {
  const largest = [...functions].sort((a, b) => sizeOf(b) - sizeOf(a)).slice(0, count);
  console.log('\nThe largest functions, bytes, with what was inlined into them');
  for (const each of largest) console.log(`${String(sizeOf(each)).padStart(7)}  ${each.name.slice(0, 140)}`);
}

function tellFiles(site) {
  console.log(`\n${row('File', 'bytes', '', 'brotli')}`);
  for (const name of ['program/attention-live.mjs', 'program/attention-live.wasm']) {
    const bytes = readFileSync(join(site, name));
    console.log(row(name, bytes.length, '', travels(bytes)));
  }
}

const { values, positionals: [program, site] } = parseArgs({
  allowPositionals: true,
  options: { functions: { type: 'string', default: '60' }, group: { type: 'string' } },
});
const file = readFileSync(program);
const { code, data, names, functions } = takeApart(file);
const told = readable(functions.map(({ name }) => name));
functions.forEach((each, i) => { each.name = told[i]; });
const bytes = file.subarray(0, names);
console.log(`code ${code} bytes in ${functions.length} functions, data ${data} bytes; ${travels(bytes)} bytes as brotli\n`);
if (!values.group) tellGroups(bytes, functions);
tellFunctions(functions.filter(({ name }) => !values.group || groupOf(name) === values.group), Number(values.functions));
if (!values.group) tellFiles(site);

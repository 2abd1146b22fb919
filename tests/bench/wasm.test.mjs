import assert from 'node:assert/strict';
import { test } from 'node:test';

import { takeApart, withoutBodies } from '../../tools/wasm/module.mjs';
import { withStandardCodes } from '../../tools/wasm/relaxed.mjs';

const text = (word) => [word.length, ...Buffer.from(word)];
const section = (id, bytes) => [id, bytes.length, ...bytes];
const nop = 0x01;
const end = 0x0b;

/** A module with one imported function and two of its own, of 3 and of 5 bytes. */
const code = [
  0, 0x61, 0x73, 0x6d, 1, 0, 0, 0,
  ...section(1, [1, 0x60, 0, 0]),
  ...section(2, [2, ...text('m'), ...text('memory'), 2, 1, 1, 2, ...text('m'), ...text('f'), 0, 0]),
  ...section(3, [2, 0, 0]),
  ...section(10, [2, 3, 0, nop, end, 5, 0, nop, nop, nop, end]),
];
const names = section(0, [...text('name'), 0, 2, 1, 0x78, 1, 11, 2, 1, ...text('one'), 2, ...text('two')]);
const module = Buffer.from([...code, ...names]);

test('a module is taken apart into its functions, with their names', () => {
  assert.ok(WebAssembly.validate(module));
  const { code: size, data, names: namesAt, functions } = takeApart(module);
  assert.equal(size, 11);
  assert.equal(data, 0);
  assert.equal(namesAt, code.length);
  assert.deepEqual(functions.map(({ name }) => name), ['one', 'two']);
  assert.deepEqual(functions.map(({ start, end: behind }) => behind - start), [4, 6]); // with their lengths
});

test('a module that is cut short is refused', () => {
  assert.throws(() => takeApart(Buffer.from([...module, 0])), /ends in the middle/);
});

test('without names they have none', () => {
  assert.deepEqual(takeApart(Buffer.from(code)).functions.map(({ name }) => name), ['', '']);
});

test('what is left without some functions is as much smaller as they are large', () => {
  const { functions } = takeApart(module);
  assert.equal(withoutBodies(module, functions).length, module.length - 10);
  assert.deepEqual(withoutBodies(module, []), module);
});

test('the instruction that had another code before the standard gets today’s, and nothing that looks like it', () => {
  const [older, today] = [[0xfd, 0xaf, 0x01], [0xfd, 0x85, 0x02]];
  const moduleOf = (madd) => [
    0, 0x61, 0x73, 0x6d, 1, 0, 0, 0,
    ...section(1, [1, 0x60, 1, 0x7b, 1, 0x7b]), // (v128) -> v128
    ...section(3, [1, 0]),
    ...section(10, [1, ...((body) => [body.length, ...body])([
      1, 2, 0x7f, // two locals, i32
      0x20, 0, 0x20, 0,
      0xfd, 12, ...older, ...older, ...older, ...older, ...older, 0, // v128.const
      ...madd,
      0x41, ...[0xfd, 0xaf, 0x01], 0x21, 1, // i32.const, local.set
      end,
    ])]),
  ];
  assert.deepEqual([...withStandardCodes(moduleOf(older))], moduleOf(today));
  assert.deepEqual([...withStandardCodes(moduleOf(today))], moduleOf(today));
  assert.throws(() => withStandardCodes(moduleOf([0xd0, 0x70])), /0xd0 is not expected/); // ref.null
});

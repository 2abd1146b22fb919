import assert from 'node:assert/strict';
import { test } from 'node:test';

import { takeApart, withoutBodies } from './wasm_module.mjs';

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

// Multiply and add in one instruction, where the browser has it; and the page without it.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { withPage } from './pages.mjs';
import { assertQuiet, open, tensor } from './support.mjs';

/** Refuses the kernel's module, as a browser without relaxed SIMD does. */
function refuseKernel() {
  const { Module } = WebAssembly;
  WebAssembly.Module = function limited(bytes) {
    if (new TextDecoder('latin1').decode(bytes).includes('multiply_panel')) {
      window.refused = true;
      throw new WebAssembly.CompileError('invalid numeric opcode');
    }
    return new Module(bytes);
  };
  Object.setPrototypeOf(WebAssembly.Module, Module); // what is asked of all modules
}

/** Writes down which functions are put into the program's table. */
function watchTable() {
  window.connected = [];
  const { Instance, Table } = WebAssembly;
  const kernels = new Set();
  WebAssembly.Instance = function watched(module, imports) {
    const instance = new Instance(module, imports);
    if (instance.exports.multiply_panel) kernels.add(instance.exports.multiply_panel);
    return instance;
  };
  const { set } = Table.prototype;
  Table.prototype.set = function watched(place, value) {
    if (kernels.has(value)) window.connected.push(place);
    return set.call(this, place, value);
  };
}

const example = '/#v=1&example=anthony-hopkins';
const names = ['q', 'scores', 'attention_weights', 'output'];

async function numbers(page) {
  const result = {};
  for (const name of names) result[name] = (await tensor(page, name)).data;
  return result;
}

describe('relaxed SIMD', () => {
  test('the kernel is a part of the program where the browser has it; without, the same numbers but for rounding', async () => {
    let relaxed;
    await withPage({ init: watchTable }, async (page) => {
      await open(page, example);
      assert.equal(await page.evaluate(() => window.connected.length), 1, 'connected, once');
      relaxed = await numbers(page);
      assertQuiet(page);
    });

    await withPage({ init: refuseKernel }, async (page) => {
      await open(page, example);
      assert.equal(await page.evaluate(() => window.refused), true);
      const strict = await numbers(page);
      for (const name of names) {
        const apart = strict[name].map((number, i) => Math.abs(number - relaxed[name][i]));
        assert.ok(Math.max(...apart) <= 2e-6 * Math.max(...strict[name].map(Math.abs)), `${name}: ${Math.max(...apart)} apart`);
      }
      assert.notDeepEqual(strict.q, relaxed.q, 'it rounds once where the other rounds twice');
    });
  });
});

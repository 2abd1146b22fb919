// The engine by itself, engine.mjs: in Node, in a page and in a worker, under a strict content security policy.

import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { brotliCompressSync } from 'node:zlib';

import { fixtures, readSafetensors } from '../command/program.mjs';
import { withPage } from './pages.mjs';
import { site, strictPolicy } from './support.mjs';

const { trace } = await import(pathToFileURL(join(site, 'engine.mjs')).href);

const inputs = ['query', 'key', 'value', 'in_proj_weight', 'q_proj_weight', 'k_proj_weight', 'v_proj_weight',
  'in_proj_bias', 'out_proj.weight', 'out_proj.bias', 'attn_mask', 'key_padding_mask', 'q_norm_weight',
  'k_norm_weight', 'sinks', 'rope_frequencies', 'position_bias', 'position_bias_table', 'target'];

/** A fixture as a layer, and what PyTorch computed of it. */
function fixture(name) {
  const { tensors, metadata } = readSafetensors(join(fixtures, name));
  const { num_heads: heads, num_kv_heads: kvHeads = heads, ...others } = metadata;
  const layer = Object.fromEntries(Object.entries({ heads, kvHeads, ...others })
    .filter(([name]) => name !== 'head_dim') // said by the shapes
    .map(([name, value]) => [name.replace(/_./g, ([, letter]) => letter.toUpperCase()),
      value === 'True' ? true : Number.isNaN(Number(value)) ? value : Number(value)]));
  for (const input of inputs) {
    if (!tensors.has(input)) continue;
    const { dtype, shape, data } = tensors.get(input);
    layer[input] = { shape, data: dtype === 'BOOL' ? data.map(Boolean) : data };
  }
  const expected = [...tensors].filter(([key]) => key.startsWith('expected.'))
    .map(([key, tensor]) => [key.slice('expected.'.length), tensor]);
  return { layer, expected };
}

const largest = (numbers) => numbers.reduce(
  (most, value) => (Number.isFinite(value) ? Math.max(most, Math.abs(value)) : most), 0,
);

describe('the engine in Node', () => {
  for (const name of readdirSync(fixtures).filter((each) => /^(attention|variant)_.*\.safetensors$/.test(each))) {
    test(`PyTorch agrees: ${name}`, async () => {
      const { layer, expected } = fixture(name);
      const { tensors } = await trace(layer);
      assert.ok(expected.length >= 6);
      for (const [key, { shape, data }] of expected) {
        assert.deepEqual(tensors[key]?.shape, shape, key);
        assert.ok(tensors[key].data instanceof Float32Array);
        const difference = largest(data.map((value, i) => (value === tensors[key].data[i] ? 0 : value - tensors[key].data[i])));
        // As tests/command has them for attentions and for variants.
        const ofKeys = key === 'd_k_proj_bias' && expected.find(([other]) => other === 'd_k');
        const bound = name.startsWith('variant_') ? 1e-5 * largest((ofKeys ? ofKeys[1] : { data }).data) : 1e-5;
        assert.ok(difference <= bound, `${key}: ${difference}`);
      }
    });
  }

  test('what is wrong with a layer is one sentence', async () => {
    const query = [[1, 2], [3, 4]];
    const cases = [
      [undefined, 'trace needs an object with a query, and was given undefined.'],
      [{}, 'trace needs a query.'],
      [{ query: 'dog' }, 'query is "dog"; it must be nested arrays of numbers, or {shape, data}.'],
      [{ query: [[1, NaN]] }, 'query is NaN at [0,1]; every number must be finite in float32.'],
      [{ query: [[1, 2], [3]] }, 'query is ragged: the arrays of its axis 1 are not all of length 2.'],
      [{ query: [[1, 'x']] }, 'query holds "x"; it must hold numbers.'],
      [{ query, heads: NaN }, 'heads is NaN; it must be a whole number from 1 to 1000000000.'],
      [{ query, heads: 3 }, 'embed_dim 2 cannot be split into 3 heads; allowed: 1, 2.'],
      [{ query, rope: 0.5 }, 'rope is 0.5; it must be a number from 1 to 1000000000000.'],
      [{ query, scale: 0 }, /^scale is 0; it must be "sqrt-head-dim"/],
      [{ query, haeds: 2 }, /^"haeds" is not known; tensors are query, /],
      [{ query, q_norm_weight: [1, 1] }, 'q_norm_weight is used with qkNorm: true only.'],
      [{ query, rope_frequencies: [1] }, 'rope_frequencies is used with rope only.'],
      [{ query, rope: false, ropeDims: 2 }, 'ropeDims is used with rope only.'],
      [{ query, windowBoth: true }, 'windowBoth is used with window only.'],
      [{ query, sinks: [1] }, 'sinks is used with sink only.'],
      [{ query, normPlace: 'all' }, 'normPlace is used with qkNorm: true only.'],
      [{ query, position_bias: [[[0]]], positionBias: 'none' }, 'position_bias is used with positionBias: given only.'],
      [{ query, position_bias_table: [[0]] }, 'position_bias_table is used with positionBias: t5 or t5-look-back or window only.'],
      [{ query, positionBiasDistance: 8, positionBias: 'window' },
        'positionBiasDistance is used with positionBias: t5 or t5-look-back only.'],
      [{ query, rope: true, ropeDims: 3 },
        "Rotary positions turn an even count of a head's numbers, at most all of them; rope_dims is 3, head_dim 2."],
      [{ query, rope: true, ropePairs: 1 }, 'ropePairs is 1; it must be true or false.'],
      [{ query, rope: true, ropeFactor: 0 }, 'ropeFactor is 0; it must be a number from 1e-12 to 1000000.'],
      ...['cubic:2', 'linear', 'linear:', 'linear:2,3', 'yarn:4,0', 'linear:x', 'linear:\u{d800}', 4].map((ropeScaling) =>
        [{ query, rope: true, ropeScaling }, /^ropeScaling is ".*"; it must be linear:FACTOR, llama3:FACTOR,LENGTH,LOW,HIGH or yarn:/]),
      [{ query, rope: true, ropeScaling: 'linear:0.5' }, /finite factor of at least 1/],
      [{ query, rope: true, ropeScaling: `linear:${'9'.repeat(1e6)}` }, /finite factor of at least 1/],
      [{ query, qkNorm: true, normPlace: 'x"' }, 'normPlace is "x\\""; it must be heads, rotated or all.'],
      [{ query, qkNorm: true, normEps: 0 }, 'normEps is 0; it must be a number from 1e-12 to 1000000.'],
      [{ query, positionBias: 'swin' }, 'positionBias is "swin"; it must be none, given, t5, t5-look-back or window.'],
      [{ query, positionBias: 't5' }, 'Position biases need position_bias_table, which is not given.'],
      [{ query, attn_mask: { shape: [2, 2], data: new Uint8Array(4) } }, /^attn_mask is a Uint8Array; give booleans/],
      [{ query, key_padding_mask: [true] }, 'key_padding_mask has shape [1]; it must be [Lk], here [2].'],
      [{ query: { shape: [2, 2], data: [1] } }, 'query has shape [2,2], 4 numbers, but 1 numbers as data.'],
      [{ query: { shape: [1e5, 1e5], data: [] } },
        'query has shape [100000,100000], 10000000000 numbers; at most 16777216 are allowed.'],
      [{ query: { shape: [1, 4096, 4096], data: new Float32Array(2 ** 24) }, heads: 8 },
        'scores would have shape [1,8,4096,4096]; at most 16777216 numbers are allowed.'],
    ];
    for (const [layer, message] of cases) await assert.rejects(() => trace(layer), { message }, String(message));
    const { tensors } = await trace({ query }); // and it still computes
    assert.deepEqual(tensors.output.shape, [1, 2, 2]);
  });

  test('rotary frequencies that are given, and a factor', async () => {
    const query = [[1, 0, 0, 2], [0.5, -1, 2, 0]];
    const { tensors } = await trace({ query, rope: true, ropeFactor: 2, rope_frequencies: [0.5, 0] });
    const turned = [0.5 * Math.cos(0.5) - 2 * Math.sin(0.5), -1, 2 * Math.cos(0.5) + 0.5 * Math.sin(0.5), 0];
    turned.forEach((number, i) => assert.ok(Math.abs(tensors.q_rotated.data[4 + i] - 2 * number) < 1e-6));
  });

  test('what is not chosen may be said', async () => {
    const query = [[1, 2], [3, 4]];
    const { tensors } = await trace({ query, rope: false, ropePairs: false, alibi: false, windowBoth: false, qkNorm: false,
      positionBias: 'none', window: null, causal: false, heads: undefined });
    assert.deepEqual(tensors, (await trace({ query })).tensors);
  });

  test('does not grow unnoticed', () => {
    const bytes = ['engine.mjs', 'engine.wasm'].map((name) => brotliCompressSync(readFileSync(join(site, name))).length);
    assert.ok(bytes[0] + bytes[1] <= 72_000, `${bytes}`);
  });

  test('declares what it exports', () => {
    assert.match(readFileSync(join(site, 'engine.d.ts'), 'utf8'), /export function trace\(layer: Layer\): Promise<Trace>/);
  });
});

test('in a page and in a worker, the same numbers as in Node', async () => {
  const { layer } = fixture('attention_mask_bool_cross.safetensors');
  const extra = {
    '/engine.html': `<!doctype html><title>engine</title><link rel="icon" href="icon.svg">
      <script type="module" src="engine-test.mjs"></script>`,
    '/engine-test.mjs': `import { trace } from './engine.mjs';
      window.inPage = async (layer) => Object.entries((await trace(layer)).tensors).map(([name, { data }]) => [name, [...data]]);
      window.inWorker = (layer) => new Promise((resolve, reject) => {
        const worker = new Worker('engine-worker.mjs', { type: 'module' });
        worker.onmessage = ({ data }) => resolve(data);
        worker.onerror = ({ message }) => reject(new Error(message));
        worker.postMessage(layer);
      });
      window.ready = true;`,
    '/engine-worker.mjs': `import { trace } from './engine.mjs';
      onmessage = async ({ data }) => postMessage(
        Object.entries((await trace(data)).tensors).map(([name, tensor]) => [name, [...tensor.data]]));`,
  };
  const headers = { 'content-security-policy': strictPolicy };
  await withPage({ server: { extra, headers } }, async (page) => {
    await page.goto(`${page.origin}/engine.html`);
    await page.waitForFunction(() => window.ready);
    const inPage = await page.evaluate((given) => window.inPage(given), layer);
    const inWorker = await page.evaluate((given) => window.inWorker(given), layer);
    assert.deepEqual(inWorker, inPage);
    const { tensors } = await trace(layer);
    assert.deepEqual(inPage.map(([name]) => name), Object.keys(tensors));
    for (const [name, numbers] of inPage) {
      // With relaxed SIMD one side may round once where the other rounds twice.
      assert.ok(numbers.every((value, i) => value === tensors[name].data[i] ||
        Math.abs(value - tensors[name].data[i]) <= 1e-5), name);
    }
  });
});

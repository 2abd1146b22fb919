// `trace` on files: what it writes against PyTorch's numbers, against arithmetic done here, and against --json.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { fixtures, readSafetensors, run, safetensors, save, temporaryFolder } from './program.mjs';

const folder = temporaryFolder();

function trace(input, ...args) {
  const output = join(folder, 'out.safetensors');
  const { code, stdout, stderr } = run(['trace', input, '-o', output, ...args]);
  assert.deepEqual({ code, stdout, stderr }, { code: 0, stdout: '', stderr: '' });
  return readSafetensors(output);
}

function traceJson(input, ...args) {
  const { code, stdout, stderr } = run(['trace', input, '--json', ...args]);
  assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
  return JSON.parse(stdout);
}

/** The largest |a − b|; equal infinities differ by nothing. */
function largestDifference(a, b) {
  assert.equal(a.length, b.length);
  return a.reduce((largest, value, i) => Math.max(largest, value === b[i] ? 0 : Math.abs(value - b[i])), 0);
}

const cases = readdirSync(fixtures).filter((name) => /^attention_.*\.safetensors$/.test(name));

test('there are fixtures of every kind', () => {
  assert.ok(cases.length >= 30, `${cases.length}`);
  for (const kind of ['cross', 'kdim_vdim', 'mask', 'bare', 'heads_12', 'grouped']) {
    assert.ok(cases.some((name) => name.includes(kind)), kind);
  }
});

for (const name of cases) {
  test(`PyTorch agrees: ${name}`, () => {
    const input = join(fixtures, name);
    const { tensors: given, metadata } = readSafetensors(input);
    const args = ['--ignore-unknown', '--heads', metadata.num_heads];
    if (metadata.scale) args.push('--scale', metadata.scale);
    if (metadata.num_kv_heads) args.push('--kv-heads', metadata.num_kv_heads);
    const { tensors: traced, metadata: said } = trace(input, ...args);

    let compared = 0;
    for (const [key, expected] of given) {
      if (!key.startsWith('expected.')) continue;
      const actual = traced.get(key.slice('expected.'.length));
      assert.ok(actual, key);
      assert.equal(actual.dtype, 'F32');
      assert.deepEqual(actual.shape, expected.shape, key);
      const difference = largestDifference(actual.data, expected.data);
      assert.ok(difference <= 1e-5, `${key}: ${difference}`);
      ++compared;
    }
    assert.ok(compared >= 6, `${compared} tensors`);
    assert.equal(said.num_heads, metadata.num_heads);
    assert.equal(said.num_kv_heads, metadata.num_kv_heads ?? metadata.num_heads);
    assert.equal(said.scale, metadata.scale ?? 'sqrt-head-dim');
  });
}

const counting = (count, factor = 1) => Array.from({ length: count }, (_, i) => ((i * 5) % 7) * factor - 1);

const small = save(
  folder,
  'small.safetensors',
  safetensors({
    query: { shape: [2, 3, 4], data: counting(24) },
    in_proj_weight: { shape: [12, 4], data: counting(48, 0.1) },
    in_proj_bias: { shape: [12], data: counting(12, 0.01) },
    'out_proj.weight': { shape: [4, 4], data: counting(16, 0.2) },
    'out_proj.bias': { shape: [4], data: counting(4) },
    key_padding_mask: { dtype: 'BOOL', shape: [2, 3], data: [0, 0, 0, 0, 1, 1] },
  }),
);

/** Rebuilds a tensor's numbers from the strides of --json over the storage of the tensor it is a view of. */
function indexed(shape, cell) {
  const numbers = [];
  const walk = (index) => {
    if (index.length === shape.length) numbers.push(cell(index));
    else for (let i = 0; i < shape[index.length]; ++i) walk([...index, i]);
  };
  walk([]);
  return numbers;
}

test('--json says what the written file says', () => {
  const args = ['--heads', '2', '--causal', '--query', '1', '--scale', 'sqrt-keys'];
  const written = trace(small, ...args).tensors;
  const printed = traceJson(small, ...args);
  assert.deepEqual(Object.keys(printed), ['config', 'fully_masked', 'given_weights', 'tensors']);
  const { divisor, ...config } = printed.config;
  assert.deepEqual(config, {
    batch: 2, query_len: 3, key_len: 3, embed_dim: 4, num_heads: 2, num_kv_heads: 2, head_dim: 2, kdim: 4,
    vdim: 4, scale: 'sqrt-keys',
  });
  assert.equal(Math.fround(divisor), Math.fround(Math.sqrt(3)));
  assert.deepEqual(Object.keys(printed.tensors), [...written.keys()]);
  const special = { Infinity: Infinity, '-Infinity': -Infinity, NaN: NaN };
  for (const [name, tensor] of written) {
    assert.deepEqual(printed.tensors[name].shape, tensor.shape, name);
    const numbers = printed.tensors[name].data.map((cell) => special[cell] ?? Math.fround(cell));
    assert.deepEqual(numbers, tensor.data, name);
  }
});

test('names, order and shapes are those of the trace', () => {
  const { tensors, headerLength } = trace(small, '--heads', '2', '--query', '0');
  const shapes = Object.fromEntries([...tensors].map(([name, { shape }]) => [name, shape]));
  const split = [2, 3, 2, 2];
  const scores = [2, 2, 3, 3];
  assert.deepEqual(shapes, {
    query_input: [2, 3, 4], key_input: [2, 3, 4], value_input: [2, 3, 4],
    q_proj_weight: [4, 4], k_proj_weight: [4, 4], v_proj_weight: [4, 4],
    q_proj_bias: [4], k_proj_bias: [4], v_proj_bias: [4],
    out_proj_weight: [4, 4], out_proj_bias: [4],
    q: [2, 3, 4], k: [2, 3, 4], v: [2, 3, 4],
    q_split: split, k_split: split, v_split: split,
    q_heads: [2, 2, 3, 2], k_heads: [2, 2, 3, 2], v_heads: [2, 2, 3, 2],
    scores, scaled_scores: scores, mask: scores, masked_scores: scores, attention_weights: scores,
    weighted_values: [2, 2, 1, 3, 2], mean_weights: [2, 1, 3],
    head_outputs: [2, 2, 3, 2], merged_split: split, merged: [2, 3, 4], output: [2, 3, 4],
  });
  const made = [...tensors.keys()];
  for (const [before, after] of [['q', 'scores'], ['scores', 'mask'], ['mask', 'attention_weights'],
    ['attention_weights', 'weighted_values'], ['weighted_values', 'head_outputs'], ['merged', 'output']]) {
    assert.ok(made.indexOf(before) < made.indexOf(after), `${before} before ${after}`);
  }
  assert.equal(headerLength % 8, 0);
  assert.ok(!trace(small, '--heads', '2').tensors.has('weighted_values'));
});

test('views share the numbers that --json says they share', () => {
  const { tensors } = traceJson(small, '--heads', '2');
  const viewOf = Object.fromEntries(Object.entries(tensors).map(([name, { view_of: base }]) => [name, base]));
  assert.equal(viewOf.q, null);
  assert.equal(viewOf.q_split, 'q');
  assert.equal(viewOf.k_heads, 'k');
  assert.equal(viewOf.key_input, 'query_input');
  assert.equal(viewOf.k_proj_weight, null);  // a slice of in_proj_weight, and so is q_proj_weight
  assert.equal(viewOf.merged_split, 'head_outputs');
  assert.equal(viewOf.merged, null);
  assert.deepEqual(tensors.q_heads.strides, [12, 2, 4, 1]);

  let views = 0;
  for (const [name, { shape, strides, offset, view_of: base, data }] of Object.entries(tensors)) {
    const owner = base ? tensors[base] : null;
    if (!owner || owner.strides.some((stride, axis) => stride !== contiguous(owner.shape)[axis])) continue;
    const read = indexed(shape, (index) =>
      owner.data[offset - owner.offset + index.reduce((sum, i, axis) => sum + i * strides[axis], 0)]);
    assert.deepEqual(read, data, name);
    ++views;
  }
  assert.ok(views >= 9, `${views} views`);
});

function contiguous(shape) {
  return shape.map((_, axis) => shape.slice(axis + 1).reduce((a, b) => a * b, 1));
}

test('heads that share keys and values repeat them as a view, and are copies of that', () => {
  const file = 'attention_grouped_queries_no_bias.safetensors';
  const { config, tensors } = traceJson(join(fixtures, file), '--ignore-unknown', '--heads', '4', '--kv-heads', '2');
  assert.deepEqual([config.num_heads, config.num_kv_heads, config.head_dim], [4, 2, 2]);
  assert.deepEqual(tensors.k_shared.shape, [2, 2, 2, 5, 2]);
  assert.equal(tensors.k_shared.strides[2], 0);
  assert.deepEqual([tensors.k_groups, tensors.k_shared, tensors.k_heads].map(({ view_of: base }) => base), ['k', 'k', null]);
  assert.deepEqual(tensors.v_heads.data, tensors.v_shared.data);
});

test('the arithmetic holds, by hand', () => {
  const query = [1, 0, 0, 2];
  const input = save(folder, 'tiny.safetensors', safetensors({ query: { shape: [2, 2], data: query } }));
  const { tensors } = trace(input);
  const close = (name, expected) => {
    assert.ok(largestDifference(tensors.get(name).data, expected) < 1e-6, `${name}: ${tensors.get(name).data}`);
  };
  close('scores', [1, 0, 0, 4]);
  close('scaled_scores', [1 / Math.SQRT2, 0, 0, 4 / Math.SQRT2]);
  const first = Math.exp(1 / Math.SQRT2);
  const second = Math.exp(4 / Math.SQRT2);
  const weights = [first / (first + 1), 1 / (first + 1), 1 / (second + 1), second / (second + 1)];
  close('attention_weights', weights);
  close('output', [weights[0], 2 * weights[1], weights[2], 2 * weights[3]]);
});

test('every scale divides as it says', () => {
  const { tensors } = traceJson(small, '--heads', '2');
  const scores = tensors.scores.data;
  const divisors = { 'sqrt-head-dim': Math.SQRT2, 'sqrt-keys': Math.sqrt(3), none: 1, 4: 4, '-2': -2, 1e-3: 1e-3 };
  for (const [scale, divisor] of Object.entries(divisors)) {
    const scaled = traceJson(small, '--heads', '2', '--scale', scale);
    const expected = scores.map((score) => score / divisor);
    const error = largestDifference(scaled.tensors.scaled_scores.data, expected);
    assert.ok(error < 1e-5 * Math.max(1, ...expected.map(Math.abs)), `${scale}: ${error}`);
    assert.ok(Math.abs(scaled.config.divisor - divisor) < 1e-6 * Math.max(1, Math.abs(divisor)), scale);
  }
  assert.equal(traceJson(small, '--scale', '2.5').config.scale, 2.5);
  assert.deepEqual(traceJson(small, '--heads', '2', '--scale', 'sqrt-head-dim'), traceJson(small, '--heads', '2'));
});

test('--causal hides what comes later', () => {
  const { tensors } = traceJson(small, '--causal');
  const [batch, , lq, lk] = tensors.attention_weights.shape;
  for (let b = 0; b < batch; ++b) {
    for (let i = 0; i < lq; ++i) {
      for (let j = 0; j < lk; ++j) {
        const hidden = j > i || (b === 1 && j > 0);
        const at = (b * lq + i) * lk + j;
        assert.equal(tensors.mask.data[at], hidden ? '-Infinity' : 0, `${b} ${i} ${j}`);
        assert.equal(tensors.attention_weights.data[at] === 0, hidden, `${b} ${i} ${j}`);
      }
    }
  }
});

test('a query that sees no key gets zeros and is named', () => {
  const input = save(folder, 'masked.safetensors', safetensors({
    query: { shape: [1, 2, 2], data: [1, 2, 3, 4] },
    attn_mask: { dtype: 'BOOL', shape: [2, 2], data: [0, 1, 1, 1] },
  }));
  const { tensors, fully_masked: masked } = traceJson(input, '--heads', '2');
  assert.deepEqual(masked, [[0, 0, 1], [0, 1, 1]]);
  assert.deepEqual(tensors.attention_weights.data, [1, 0, 0, 0, 1, 0, 0, 0]);
  assert.deepEqual(tensors.output.data, [1, 2, 0, 0]);
});

test('every number format is read', () => {
  const data = [1, -0.5, 2, 0.25, -3, 0];
  const reference = traceJson(save(folder, 'f32.safetensors', safetensors({ query: { shape: [3, 2], data } })));
  for (const dtype of ['F64', 'F16', 'BF16']) {
    const input = save(folder, `${dtype}.safetensors`, safetensors({ query: { dtype, shape: [3, 2], data } }));
    assert.deepEqual(traceJson(input), reference, dtype);
  }
});

test('float and boolean masks of every shape agree', () => {
  const query = { shape: [2, 2, 4], data: counting(16) };
  const heads = ['--heads', '2'];
  const hide = (rows) => rows.map((hidden) => (hidden ? -Infinity : 0));
  // Sample 0, head 1 hides key 1 from query 0; nothing else is hidden.
  const full = [0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
  const weights = (mask) =>
    traceJson(save(folder, 'mask.safetensors', safetensors({ query, attn_mask: mask })), ...heads)
      .tensors.attention_weights.data;
  const reference = weights({ dtype: 'BOOL', shape: [4, 2, 2], data: full });
  assert.equal(reference[5], 0);
  assert.equal(reference.filter((weight) => weight === 0).length, 1);
  assert.deepEqual(weights({ dtype: 'F32', shape: [4, 2, 2], data: hide(full) }), reference);
  assert.deepEqual(weights({ dtype: 'F64', shape: [2, 2, 2, 2], data: hide(full) }), reference);
  assert.deepEqual(weights({ dtype: 'BOOL', shape: [2, 2, 2, 2], data: full }), reference);
});

test('without a batch axis the numbers are those of a batch of one', () => {
  const key = { shape: [3, 4], data: counting(12) };
  const query = { shape: [2, 4], data: counting(8) };
  const mask = { dtype: 'BOOL', shape: [3], data: [0, 0, 1] };
  const flat = save(folder, 'flat.safetensors', safetensors({ query, key, key_padding_mask: mask }));
  const batched = save(folder, 'batched.safetensors', safetensors({
    query: { ...query, shape: [1, 2, 4] },
    key: { ...key, shape: [1, 3, 4] },
    key_padding_mask: { ...mask, shape: [1, 3] },
  }));
  assert.deepEqual(traceJson(flat, '--heads', '2'), traceJson(batched, '--heads', '2'));
});

// `trace --gradients`: what it writes against PyTorch's autograd and against arithmetic done here, and what it refuses.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { complaint, fixtures, readSafetensors, run, safetensors, save, temporaryFolder } from './program.mjs';

const folder = temporaryFolder();

function gradients(input, ...args) {
  const output = join(folder, 'out.safetensors');
  const { code, stdout, stderr } = run(['trace', input, '-o', output, '--gradients', ...args]);
  assert.deepEqual({ code, stdout, stderr }, { code: 0, stdout: '', stderr: '' });
  return readSafetensors(output).tensors;
}

const largest = (numbers) => Math.max(...numbers.map(Math.abs));

/** d_NAME for every tensor, with its shape, behind all of them; the file's numbers lie one after another. */
function assertComplete(tensors) {
  const names = [...tensors.keys()];
  const values = names.filter((name) => !name.startsWith('d_'));
  assert.deepEqual(names, [...values, ...values.map((name) => `d_${name}`)]);
  for (const name of values) {
    const { dtype, shape, data } = tensors.get(`d_${name}`);
    assert.equal(dtype, 'F32');
    assert.deepEqual(shape, tensors.get(name).shape, name);
    assert.equal(data.length, shape.reduce((a, b) => a * b, 1), name);
  }
}

const cases = readdirSync(fixtures).filter((name) => /^gradient_(?!encoder|transformer).*\.safetensors$/.test(name));

test('there are fixtures of every kind', () => {
  for (const kind of ['bare', 'projected', 'masked', 'padded', 'fully_masked', 'two_heads', 'grouped'])
    assert.ok(cases.some((name) => name.includes(kind)), kind);
});

for (const name of cases) {
  test(`PyTorch's autograd agrees: ${name}`, () => {
    const input = join(fixtures, name);
    const { tensors: given, metadata } = readSafetensors(input);
    const { num_heads: heads, num_kv_heads: shared } = metadata;
    const tensors = gradients(input, '--ignore-unknown', '--heads', heads, '--kv-heads', shared);
    assertComplete(tensors);
    let compared = 0;
    for (const [key, { shape, data }] of given) {
      if (!key.startsWith('expected.')) continue;
      const actual = tensors.get(key.slice('expected.'.length));
      assert.deepEqual(actual?.shape, shape, key);
      // The true gradient of a bias of the keys is 0, to which no difference is small.
      const scale = key === 'expected.d_k_proj_bias' ? 1 : largest(data);
      const difference = largest(actual.data.map((value, i) => value - data[i]));
      assert.ok(difference <= 1e-5 * scale, `${key}: ${difference} of ${scale}`);
      ++compared;
    }
    assert.equal(compared, tensors.size / 2);
  });
}

const query = { shape: [2, 2], data: [1, 0, 0, 2] };
const target = { shape: [2, 2], data: [0.5, 0, 1, -1] };
const tiny = save(folder, 'tiny.safetensors', safetensors({ query, target }));

test('the arithmetic holds, by hand', () => {
  const tensors = gradients(tiny);
  assertComplete(tensors);
  const numbers = (name) => tensors.get(name).data;
  const close = (name, expected) =>
    assert.ok(largest(numbers(name).map((value, i) => value - expected[i])) < 1e-6, `${name}: ${numbers(name)}`);
  const difference = numbers('output').map((value, i) => value - target.data[i]);
  close('difference', difference);
  close('loss', [difference.reduce((sum, value) => sum + 0.5 * value * value, 0)]);
  close('d_loss', [1]);
  close('d_output', difference);
  close('d_target', difference.map((value) => -value));
  const weights = numbers('attention_weights');
  // d_weights = d_output · vᵀ, d_v = weightsᵀ · d_output, and each row of d_scores adds up to nothing.
  const at = (matrix, row, column) => matrix[2 * row + column];
  const cells = [[0, 0], [0, 1], [1, 0], [1, 1]];
  const dWeights = cells.map(([i, j]) =>
    at(difference, i, 0) * at(query.data, j, 0) + at(difference, i, 1) * at(query.data, j, 1));
  close('d_attention_weights', dWeights);
  close('d_value_input', cells.map(([j, d]) =>
    at(weights, 0, j) * at(difference, 0, d) + at(weights, 1, j) * at(difference, 1, d)));
  const dMasked = cells.map(([i, j]) =>
    at(weights, i, j) * (at(dWeights, i, j) - at(weights, i, 0) * at(dWeights, i, 0) - at(weights, i, 1) * at(dWeights, i, 1)));
  close('d_masked_scores', dMasked);
  close('d_scores', dMasked.map((value) => value / Math.SQRT2));
});

test('a target that is the output has gradients of nothing', () => {
  const output = join(folder, 'values.safetensors');
  run(['trace', tiny, '-o', output]);
  const { shape, data } = readSafetensors(output).tensors.get('output');
  assert.deepEqual(shape, [1, 2, 2]);
  const met = save(folder, 'met.safetensors', safetensors({ query, target: { shape: [2, 2], data } }));
  for (const [name, tensor] of gradients(met)) {
    if (name.startsWith('d_') && name !== 'd_loss') assert.equal(largest(tensor.data), 0, name);
  }
});

test('without --gradients a target changes nothing', () => {
  const alone = save(folder, 'alone.safetensors', safetensors({ query }));
  assert.equal(run(['trace', tiny, '--json']).stdout, run(['trace', alone, '--json']).stdout);
  const output = join(folder, 'values.safetensors');
  run(['trace', tiny, '-o', output]);
  const all = gradients(tiny);
  for (const [name, tensor] of readSafetensors(output).tensors) assert.deepEqual(all.get(name), tensor, name);
});

test('--json has gradients too', () => {
  const { code, stdout } = run(['trace', tiny, '--json', '--gradients']);
  assert.equal(code, 0);
  const { tensors } = JSON.parse(stdout);
  const written = gradients(tiny);
  assert.deepEqual(Object.keys(tensors), [...written.keys()]);
  for (const [name, { shape, data }] of written) {
    assert.deepEqual(tensors[name].shape, shape, name);
    assert.deepEqual(tensors[name].data.map(Math.fround), data, name);
  }
  assert.equal(tensors.d_q_split.view_of, 'd_q_heads');  // the way back
});

const refused = {
  'no target': [{ query }, /^The file has no tensor "target", \[B,Lq,E\]: gradients are those of /],
  'a target of another shape': [
    { query, target: { shape: [1, 2, 2], data: target.data } },
    'target has shape [1,2,2]; it must be [Lq,E], here [2,2].',
  ],
  'a target that is too long': [
    { query, target: { shape: [3, 2], data: [1, 2, 3, 4, 5, 6] } },
    'target has shape [3,2]; it must be [Lq,E], here [2,2].',
  ],
  'a target that is NaN': [
    { query, target: { shape: [2, 2], data: [0, NaN, 0, 0] } },
    'target is NaN at [0,1]; every number must be finite in float32.',
  ],
  'a target of integers': [
    { query, target: { dtype: 'I32', shape: [2, 2], data: [1, 2, 3, 4] } },
    'Tensor "target" has dtype "I32"; F32, F16, BF16, F64 and BOOL are read.',
  ],
};
for (const [name, [tensors, sentence]] of Object.entries(refused)) {
  test(`refused: ${name}`, () => {
    const path = save(folder, 'refused.safetensors', safetensors(tensors));
    const prefix = `${JSON.stringify(path)}: `;
    const said = complaint(['trace', path, '-o', join(folder, 'never.safetensors'), '--gradients']);
    assert.ok(said.startsWith(prefix), said);
    const rest = said.slice(prefix.length);
    if (sentence instanceof RegExp) assert.match(rest, sentence);
    else assert.equal(rest, sentence);
    assert.ok(!readdirSync(folder).includes('never.safetensors'));
  });
}

test('refused: an example, which has no target', () => {
  const never = join(folder, 'never.safetensors');
  const example = run(['examples']).stdout.match(/^[a-z][^\s]*/m)[0];
  assert.equal(
    complaint(['trace', '--example', example, '-o', never, '--gradients']),
    '--gradients is for files, which have a target; an example has none to compare with.',
  );
  assert.ok(!readdirSync(folder).includes('never.safetensors'));
});

test('a refused run leaves the old output', () => {
  const output = save(folder, 'kept.safetensors', 'old');
  complaint(['trace', save(folder, 'alone.safetensors', safetensors({ query })), '-o', output, '--gradients']);
  assert.equal(readFileSync(output, 'utf8'), 'old');
});

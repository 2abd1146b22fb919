// Variants of attention: what `trace` writes for each, against PyTorch.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { complaint, fixtures, readSafetensors, run, safetensors, save, temporaryFolder } from './program.mjs';

const folder = temporaryFolder();
const output = join(folder, 'out.safetensors');

function trace(...args) {
  const { code, stderr } = run(['trace', '-o', output, ...args]);
  assert.deepEqual([code, stderr], [0, '']);
  return readSafetensors(output);
}

const withValues = ['rope', 'rope_dims', 'window', 'softcap', 'sink', 'norm_eps', 'position_bias_distance'];
const withWords = ['rope_scaling', 'norm_place', 'position_bias'];
const switches = ['alibi', 'qk_norm', 'rope_pairs', 'window_both'];

/** The options that a fixture's metadata name. */
function optionsOf(metadata) {
  const args = ['--heads', metadata.num_heads, '--kv-heads', metadata.num_kv_heads];
  for (const name of [...withValues, ...withWords]) if (metadata[name]) args.push(`--${name.replaceAll('_', '-')}`, metadata[name]);
  for (const name of switches) if (metadata[name]) args.push(`--${name.replaceAll('_', '-')}`);
  return args;
}

const largest = (numbers) => numbers.reduce((most, value) => Number.isFinite(value) ? Math.max(most, Math.abs(value)) : most, 0);

const cases = readdirSync(fixtures).filter((name) => /^variant_.*\.safetensors$/.test(name));

test('there are fixtures of every variant', () => {
  for (const kind of ['rope', 'rope_grouped', 'alibi', 'window', 'softcap', 'qk_norm', 'sink', 'sinks', 'all', 'rope_dims', 'rope_pairs', 'rope_linear',
    'rope_llama3', 'rope_yarn', 'norm_all', 'norm_rotated', 'window_both', 'bias_given', 'bias_t5', 'bias_t5_look_back', 'bias_window'])
    assert.ok(cases.includes(`variant_${kind}.safetensors`), kind);
});

for (const name of cases) {
  test(`PyTorch agrees: ${name}`, () => {
    const { tensors: given, metadata } = readSafetensors(join(fixtures, name));
    const { tensors, metadata: said } = trace(join(fixtures, name), '--ignore-unknown', '--gradients', ...optionsOf(metadata));
    for (const option of withValues) assert.equal(Math.fround(said[option] ?? 0), Math.fround(metadata[option] ?? 0), option);
    for (const option of switches) assert.equal(said[option], metadata[option] && 'true', option);
    for (const option of withWords) assert.equal(said[option], metadata[option], option);
    let compared = 0;
    for (const [key, { shape, data }] of given) {
      if (!key.startsWith('expected.')) continue;
      const actual = tensors.get(key.slice('expected.'.length));
      assert.deepEqual(actual?.shape, shape, key);
      // The parts of the gradient of the keys' bias nearly cancel: it is small beside them.
      const scale = key === 'expected.d_k_proj_bias' ? largest(given.get('expected.d_k').data) : largest(data);
      const difference = largest(actual.data.map((value, i) => value === data[i] ? 0 : value - data[i]));
      assert.ok(difference <= 1e-5 * scale, `${key}: ${difference} of ${scale}`);
      ++compared;
    }
    assert.equal(compared, tensors.size);
  });
}

const query = { shape: [1, 3, 4], data: [1, 0, 0, 2, 0.5, -1, 2, 0, 0, 1, 1, 1] };
const small = save(folder, 'small.safetensors', safetensors({ query }));

test('--cache tells what is kept for each token, of the tensors that are kept', () => {
  const x = { shape: [1, 4, 8], data: Array.from({ length: 32 }, (_, i) => (i * 7 % 11) / 8) };
  const linear = (out) => ({ shape: [out, 8], data: Array.from({ length: out * 8 }, (_, i) => (i * 5 % 13) / 16 - 0.4) });
  const file = save(folder, 'cache.safetensors', safetensors(
    { query: x, q_proj_weight: linear(8), k_proj_weight: linear(4), v_proj_weight: linear(4), 'out_proj.weight': linear(8) }));
  const table = (...args) => {
    const { code, stdout, stderr } = run(['trace', file, '-o', output, '--heads', '4', '--kv-heads', '2', '--cache', ...args]);
    assert.deepEqual([code, stderr], [0, '']);
    return stdout.trim().split('\n').slice(1).map((line) => line.trim().split(/ +/));
  };
  const kept = table('--causal', '--rope');
  const { tensors } = readSafetensors(output);
  const bytes = 4 * (tensors.get('k_rotated').data.length + tensors.get('v_groups').data.length);
  assert.deepEqual(kept.map(([token, rows, size]) => [token, rows, Number(size)]),
    [['0', '1', bytes / 4], ['1', '2', bytes / 2], ['2', '3', bytes * 3 / 4], ['3', '4', bytes], ['all', '4', bytes]]);
  // Projections of 8 · (8 + 4 + 4 + 8), and scores and sums over the keys so far.
  assert.deepEqual(kept.map(([, , , products]) => Number(products)), [192 + 16, 192 + 32, 192 + 48, 192 + 64, 4 * 192 + 160]);
  assert.deepEqual(table('--window', '2').map(([, rows]) => rows), ['1', '2', '2', '2', '2']);
  assert.equal(complaint(['trace', file, '-o', output, '--heads', '4', '--kv-heads', '2', '--cache']),
    '--cache is for self-attention in which no query sees a later key: give --causal or --window N.');
  assert.equal(complaint(['trace', file, '--json', '--causal', '--cache']), '--cache is for -o, not for --json.');
});

test('--rope without a base is --rope 10000, wherever it stands', () => {
  const { tensors } = trace(small, '--rope', '10000');
  for (const args of [[small, '--rope'], ['--rope', small], ['--rope', '--causal', small], ['--rope=1e4', small]]) {
    const { tensors: again, metadata } = trace(...args);
    assert.equal(metadata.rope, '10000');
    assert.deepEqual(again.get('q_rotated'), tensors.get('q_rotated'), args.join(' '));
  }
  // Position 1, numbers 0 and 2 by 1 radian.
  const { data } = tensors.get('q_rotated');
  assert.ok(Math.abs(data[4] - (0.5 * Math.cos(1) - 2 * Math.sin(1))) < 1e-6);
});

test('--json says which variants are chosen', () => {
  const config = (...args) => JSON.parse(run(['trace', small, '--json', ...args]).stdout).config;
  assert.deepEqual(Object.keys(config()).filter((key) => /rope|alibi|window|softcap|norm|sink/.test(key)), []);
  const all = config('--rope', '500000', '--alibi', '--window', '2', '--softcap', '0.5', '--qk-norm', '--sink', '0');
  assert.deepEqual([all.rope, all.alibi, all.window, all.softcap, all.qk_norm, all.sink], [500000, true, 2, 0.5, true, 0]);
});

test('without options there is no row of a variant, and a window of everything changes no number', () => {
  const names = [...trace(small).tensors.keys()];
  assert.ok(names.every((name) => !/rotated|normed|capped|alibi|biased|sink/.test(name)), names.join(' '));
  const { tensors } = trace(small, '--causal');
  for (const [name, tensor] of trace(small, '--window', '1000000000').tensors)
    assert.deepEqual(tensor, tensors.get(name), name);
});

/** `--example your-sentence` computes in the way of the page: from a document. */
for (const options of [['--window', '3'], ['--rope'], ['--rope', '100', '--qk-norm'], ['--alibi'], ['--softcap', '0.5'], ['--sink', '-0.5'],
  ['--rope', '--alibi', '--window', '2', '--softcap', '0.5', '--qk-norm', '--sink', '1', '--kv-heads', '2']]) {
  test(`your-sentence has the numbers of a file with the same inputs: ${options.join(' ')}`, () => {
    const args = ['--heads', '4', ...options];
    const ours = trace('--example', 'your-sentence', '--embed-dim', '16', ...args);
    const given = Object.fromEntries(['q_proj_weight', 'k_proj_weight', 'v_proj_weight', 'out_proj_weight']
      .map((name) => [name.replace('out_proj_', 'out_proj.'), ours.tensors.get(name)]));
    const file = save(folder, 'same.safetensors', safetensors({ query: ours.tensors.get('query_input'), ...given }));
    const { tensors, metadata } = trace(file, ...args);
    for (const name of ['rope', 'alibi', 'window', 'softcap', 'qk_norm', 'sink']) assert.equal(ours.metadata[name], metadata[name]);
    for (const [name, tensor] of tensors) assert.deepEqual(ours.tensors.get(name), tensor, name);
    const others = [...ours.tensors.keys()].filter((name) => !tensors.has(name));
    assert.deepEqual(others, ['token_embedding', 'position_encoding']);
  });
}

test('weights of norms need --qk-norm', () => {
  const path = save(folder, 'norm.safetensors', safetensors({ query, q_norm_weight: { shape: [4], data: [1, 2, 3, 4] } }));
  assert.equal(complaint(['trace', path, '--json']),
    `"${path}": q_norm_weight is read for --qk-norm only; give that option too.`);
  assert.deepEqual(trace(path, '--qk-norm').tensors.get('q_norm_weight').data, [1, 2, 3, 4]);
});

test('sinks need --sink, and those of the file win over its number', () => {
  const sinks = { shape: [2], data: [1, -3] };
  const path = save(folder, 'sinks.safetensors', safetensors({ query, sinks }));
  assert.equal(complaint(['trace', path, '--json', '--heads', '2']), `"${path}": sinks is read for --sink only; give that option too.`);
  const { tensors } = trace(path, '--heads', '2', '--sink', '7');
  assert.deepEqual(tensors.get('sinks').data, sinks.data);
  // exp(score) / (exp(sink) + Σ exp(score)), computed here from the scores.
  const scores = tensors.get('masked_scores').data;
  const weights = tensors.get('attention_weights').data;
  for (let row = 0; row < 6; ++row) {
    const powers = scores.slice(3 * row, 3 * row + 3).map(Math.exp);
    const sum = Math.exp(sinks.data[row < 3 ? 0 : 1]) + powers.reduce((a, b) => a + b);
    powers.forEach((power, key) => assert.ok(Math.abs(weights[3 * row + key] - power / sum) < 1e-6));
  }
  assert.match(complaint(['trace', path, '--json', '--sink', '0']), /sinks has shape \[2\]/);
});

test('settings of positions that do not fit get a sentence', () => {
  const wrong = (...args) => complaint(['trace', small, '--json', ...args]);
  assert.match(wrong('--rope', '--rope-dims', '3'), /even count of a head's numbers, at most all of them; rope_dims is 3, head_dim 4/);
  assert.match(wrong('--rope', '--rope-dims', '6'), /rope_dims is 6, head_dim 4/);
  assert.match(wrong('--rope-pairs'), /are for rotary positions; give --rope too/);
  assert.match(wrong('--rope', '--no-rope'), /^--rope and --no-rope cannot be given together\.$/);
  for (const bad of ['llama3', 'linear:', 'linear:2,3', 'yarn:4,0', 'cubic:2', 'linear:x'])
    assert.match(wrong('--rope', '--rope-scaling', bad), /^--rope-scaling is "[^"]*"; it must be linear:FACTOR, llama3:/, bad);
  assert.match(wrong('--rope', '--rope-scaling', 'linear:0.5'), /finite factor of at least 1/);
  assert.match(wrong('--rope', '--rope-scaling', 'llama3:8,64,4,1'), /bounds above 0 in order/);
  assert.match(wrong('--window-both'), /^--window-both needs --window N\.$/);
  assert.match(wrong('--position-bias', 't5'), /Position biases need position_bias_table, which is not given/);
  assert.match(wrong('--norm-place', 'x'), /^--norm-place is "x"; it must be heads, rotated or all\.$/);
  const table = (rows, kind) => complaint(['trace', save(folder, 'table.safetensors',
    safetensors({ query, position_bias_table: { shape: [rows, 1], data: Array(rows).fill(0) } })), '--json', '--position-bias', kind]);
  assert.match(table(3, 't5'), /at least 4 rows/);
  assert.match(table(9, 'window'), /there are 3 queries, 3 keys and 9 rows/);
});

test('frequencies of the file are taken instead of the base', () => {
  const path = save(folder, 'frequencies.safetensors', safetensors({ query, rope_frequencies: { shape: [2], data: [0.5, 0] } }));
  const { data } = trace(path, '--rope', '--rope-factor', '2').tensors.get('q_rotated');
  assert.ok(Math.abs(data[4] - 2 * (0.5 * Math.cos(0.5) - 2 * Math.sin(0.5))) < 1e-6);
  assert.ok(Math.abs(data[5] - 2 * -1) < 1e-6);
});

test('--json has words in quotes', () => {
  const { config } = JSON.parse(run(['trace', small, '--json', '--qk-norm', '--norm-place', 'all', '--rope', '--rope-scaling', 'linear:4']).stdout);
  assert.deepEqual([config.norm_place, config.rope_scaling], ['all', 'linear:4']);
});

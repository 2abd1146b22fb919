// The programs that `code` prints: that they run, and that they compute what `trace` does.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { complaint, program, readSafetensors, run, safetensors, save, temporaryFolder } from './program.mjs';

const folder = temporaryFolder();
const python = fileURLToPath(new URL('../../tools/python', import.meta.url));
const layers = fileURLToPath(new URL('code_layers.py', import.meta.url));

/** Runs Python where it has the module; undefined where no Python here has it. */
function runPython(module, ...args) {
  if (spawnSync(python, [module, '-c', 'pass']).status !== 0) return undefined;
  const { status, stdout, stderr } = spawnSync(python, [module, ...args], { encoding: 'utf8', timeout: 300_000, maxBuffer: 1 << 26 });
  assert.equal(status, 0, stderr);
  return stdout;
}

const everything = ['--causal', '--scale', '--rope', '--alibi', '--window', '--softcap', '--qk-norm', '--gradients', 'key', 'value',
  'attn_mask', 'key_padding_mask', 'in_proj_weight', 'in_proj_bias', 'q_proj_weight', 'out_proj.weight', 'out_proj.bias', 'q_norm_weight'];

for (const [library, module] of [['numpy', 'numpy'], ['pytorch', 'torch']]) {
  test(`${library}: every tensor of 200 random layers is that of trace`, (context) => {
    const said = runPython(module, layers, program, library, '200', mkdtempSync(join(folder, 'layers-')));
    if (said === undefined) return context.skip(`no Python here has ${module}`);
    const { tensors, worst, chosen, wrong } = JSON.parse(said);
    assert.deepEqual(wrong, []);
    assert.ok(tensors > 8000 && worst <= 1e-5, `${tensors} tensors, ${worst}`);
    for (const option of everything) assert.ok(chosen[option] >= 20, `${option} is chosen too rarely`);
  });
}

const query = { shape: [3, 4], data: [1, 0, 0, 2, 0.5, -1, 2, 0, 0, 1, 1, 1] };
const small = save(folder, 'small.safetensors', safetensors({ query }));
const code = (...args) => {
  const { code: status, stdout, stderr } = run(['code', ...args]);
  assert.deepEqual([status, stderr], [0, '']);
  return stdout;
};

test('a line for each tensor, with its shape', () => {
  const text = code(small, '--heads', '2', '--rope');
  assert.match(text, /^    B, Lq, Lk, E = 1, 3, 3, 4$/m);
  assert.match(text, /^    scores = np\.einsum\("bhid,bhjd->bhij", q_rotated, k_rotated, optimize=True\) +# \[B, H, Lq, Lk\]$/m);
  assert.ok(!text.includes('torch'));
  assert.equal(code(small, '--heads', '2', '--rope', '--as', 'numpy'), text);
  assert.match(code(small, '--heads', '2', '--rope', '--as', 'pytorch'), /^import torch$/m);
});

test('only functions that are called are in it', () => {
  const names = (...args) => [...code(small, ...args).matchAll(/^def (\w+)/gm)].map(([, name]) => name);
  assert.deepEqual(names(), ['read', 'write', 'softmax', 'weighted_sum', 'compute'].flatMap((name) => name === 'softmax' ? ['sees_none', name] : [name]));
  assert.deepEqual(names('--alibi').filter((name) => /alibi|slopes|rotate/.test(name)), ['slopes', 'alibi']);
});

test('another file can be given, and any path is written as Python reads it', (context) => {
  const odd = save(folder, 'a "b" \\ ü\n.safetensors', safetensors({ query }));
  const script = save(folder, 'odd.py', code(odd));
  const made = join(folder, 'made.safetensors');
  if (runPython('numpy', script, made) === undefined) return context.skip('no Python here has numpy');
  const { tensors } = readSafetensors(made);
  assert.deepEqual(tensors.get('query_input').data, query.data);
  const other = save(folder, 'other.safetensors', safetensors({ query: { shape: [3, 4], data: query.data.map((x) => -x) } }));
  runPython('numpy', script, made, other);
  assert.deepEqual(readSafetensors(made).tensors.get('query_input').data.map((x) => x + 0), query.data.map((x) => 0 - x));
  assert.ok(readFileSync(script, 'utf8').startsWith('#!/usr/bin/env python3\n'));
});

const random = (shape, seed) => ({ shape, data: Array.from({ length: shape.reduce((a, b) => a * b, 1) }, (_, i) => Math.sin(i * 1.7 + seed * 13)) });
const projections = (at, names, rows, width) => Object.fromEntries(names.map((name, i) => [`${at}.${name}`, random([rows[i], width], i)]));
const packed = (at, name, out, rows, width) => ({
  [`${at}.${name}.weight`]: random([rows, width], 1), [`${at}.${name}.bias`]: random([rows], 2), [`${at}.${out}.weight`]: random([width, width], 3),
});
/** Attentions of models: the name, the tensors, the config and more options. */
const models = {
  'GPT-2': ['h.0.attn', { 'h.0.attn.c_attn.weight': random([8, 24], 1), 'h.0.attn.c_attn.bias': random([24], 2), 'h.0.attn.c_proj.weight': random([8, 8], 3), 'wte.weight': random([5, 8], 4) },
    { model_type: 'gpt2', n_head: 2 }, ['--ids', '3,0,3']],
  'GPT-NeoX': ['layers.0.attention', packed('layers.0.attention', 'query_key_value', 'dense', 24, 8), { model_type: 'gpt_neox', num_attention_heads: 2, rotary_pct: 0.5 }, ['--tokens', '4']],
  Falcon: ['h.0.self_attention', packed('h.0.self_attention', 'query_key_value', 'dense', 16, 8), { model_type: 'falcon', num_attention_heads: 4, new_decoder_architecture: true, num_kv_heads: 2 }, []],
  TransformerLens: ['blocks.0.attn', { ...Object.fromEntries(['W_Q', 'W_K', 'W_V'].map((name, i) => [`blocks.0.attn.${name}`, random([2, 8, 4], i)])),
    'blocks.0.attn.W_O': random([2, 4, 8], 5), 'blocks.0.attn.b_Q': random([2, 4], 6) }, undefined, []],
  'gpt-oss': ['layers.0.self_attn', { ...projections('layers.0.self_attn', ['q_proj.weight', 'k_proj.weight', 'v_proj.weight'], [16, 8, 8], 8), 'layers.0.self_attn.o_proj.weight': random([8, 16], 7), 'layers.0.self_attn.sinks': random([4], 8) },
    { model_type: 'gpt_oss', num_attention_heads: 4, sliding_window: 3, rope_scaling: { rope_type: 'yarn', factor: 8, original_max_position_embeddings: 64, truncate: false } }, []],
  T5: ['encoder.block.1.layer.0.SelfAttention', { ...projections('encoder.block.1.layer.0.SelfAttention', ['q.weight', 'k.weight', 'v.weight', 'o.weight'], [8, 8, 8, 8], 8),
    'encoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight': random([8, 2], 9) }, { model_type: 't5' }, ['--tokens', '12']],
  Gemma: ['layers.5.self_attn', { ...projections('layers.5.self_attn', ['q_proj.weight', 'k_proj.weight', 'v_proj.weight', 'o_proj.weight'], [8, 4, 4, 8], 8),
    'layers.5.self_attn.q_norm.weight': random([4], 1), 'layers.5.self_attn.k_norm.weight': random([4], 2), query: random([3, 8], 4) }, { model_type: 'gemma3_text', num_attention_heads: 2 }, []],
};
for (const [library, module] of [['numpy', 'numpy'], ['pytorch', 'torch']]) {
  test(`${library}: the program of a layer reads the model's own file and computes what trace does`, (context) => {
    for (const [family, [layer, tensors, config, more]] of Object.entries(models)) {
      const own = mkdtempSync(join(folder, 'model-'));
      if (config) save(own, 'config.json', Buffer.from(JSON.stringify(config)));
      // In two shards, which the index names.
      const names = Object.keys(tensors);
      const parts = [names.filter((_, i) => i % 2 === 0), names.filter((_, i) => i % 2 === 1)];
      const map = {};
      parts.forEach((part, i) => {
        const name = `model-0000${i + 1}-of-00002.safetensors`;
        save(own, name, safetensors(Object.fromEntries(part.map((each) => [each, tensors[each]]))));
        for (const each of part) map[each] = name;
      });
      const index = save(own, 'model.safetensors.index.json', Buffer.from(JSON.stringify({ weight_map: map })));
      const options = [index, '--layer', layer, ...more];
      const { code: status, stdout, stderr } = run(['code', ...options, '--as', library]);
      assert.equal(status, 0, `${family}: ${stderr}`);
      const made = join(own, 'made.safetensors');
      if (runPython(module, save(own, 'layer.py', stdout), made) === undefined) return context.skip(`no Python here has ${module}`);
      const traced = join(own, 'traced.safetensors');
      assert.equal(run(['trace', ...options, '-o', traced]).code, 0);
      const wanted = readSafetensors(traced).tensors;
      const got = readSafetensors(made).tensors;
      assert.deepEqual([...got.keys()].sort(), [...wanted.keys()].sort(), family);
      for (const [name, { shape, data }] of wanted) {
        assert.deepEqual(got.get(name).shape, shape, `${family}: ${name}`);
        const largest = data.reduce((most, x) => Math.max(most, Number.isFinite(x) ? Math.abs(x) : 0), 1e-3);
        data.forEach((x, i) => assert.ok(x === got.get(name).data[i] || Math.abs(x - got.get(name).data[i]) <= 1e-5 * largest, `${family}: ${name}[${i}] ${x} ${got.get(name).data[i]}`));
      }
    }
  });
}

test('the tokens of a layer are read from where they lie, or written out', (context) => {
  const [layer, tensors, config] = models['GPT-2'];
  const own = mkdtempSync(join(folder, 'tokens-'));
  save(own, 'config.json', Buffer.from(JSON.stringify(config)));
  const file = save(own, 'model.safetensors', safetensors(tensors));
  const input = save(own, 'input.safetensors', safetensors({ query: random([3, 8], 11) }));
  const text = "{'descr': '>f4', 'fortran_order': False, 'shape': (3L, 8L), }";
  const data = Buffer.from(new Float32Array(random([3, 8], 11).data).buffer).swap32();
  const array = save(own, 'input.npy', Buffer.concat([Buffer.from('\x93NUMPY\x01\x00', 'latin1'), Buffer.from([text.length, 0]), Buffer.from(text), data]));
  const program = (...args) => {
    const { code: status, stdout, stderr } = run(['code', file, '--layer', layer, ...args]);
    assert.equal(status, 0, stderr);
    return stdout;
  };
  assert.match(program('--ids', '1,2'), /^    query_input = file\["wte\.weight"\]\[\[1, 2\]\]\[None\]/m);
  assert.match(program('--input', input), /^    query_input = file\["query"\]\[None\]/m);
  assert.match(program('--input', array), /^    query_input = np\.load\(".*input\.npy"\)\.astype\(np\.float32\)\.reshape\(1, 3, 8\)/m);
  assert.ok(!program('--no-causal').includes('key > query'));
  const made = join(own, 'made.safetensors');
  if (runPython('numpy', save(own, 'layer.py', program('--input', input)), made) === undefined) return context.skip('no Python here has numpy');
  assert.deepEqual(readSafetensors(made).tensors.get('query_input').data, random([3, 8], 11).data.map(Math.fround));
});

const refused = [
  [['code', small, '--layer', 'x'], `"${small}" has no attention with names that are known here (see attention-live layers --help).`],
  [['code', small, '--ids', '1'], '--ids is for --layer only.'],
  [['code', small, '--seed', '1'], '--seed is for --layer only.'],
  [['code', small, '--layer', 'x', '--ids', '1', '--text', 'a'], 'code takes --input, --ids or --text, one of them.'],
  [['code'], 'code needs a file (see attention-live code --help).'],
  [['code', small, '--as', 'jax'], '--as is "jax"; it must be numpy or pytorch.'],
  [['code', small, '--as'], '--as needs a value.'],
  [['code', small, '--heads', '3'], `"${small}": embed_dim 4 cannot be split into 3 heads; allowed: 1, 2, 4.`],
  [['code', small, '--softcap', '0'], '--softcap is "0"; it must be a number from 0.001 to 1000000.'],
  [['code', small, '--rope', '--heads', '4'],
    `"${small}": Rotary positions turn pairs of numbers, so head_dim must be even; it is 1.`],
  [['code', small, '--json'], '"--json" is not understood here (see attention-live --help).'],
];
for (const [args, sentence] of refused) {
  test(`refused: ${args.slice(1).join(' ').replace(small, 'IN')}`, () => assert.equal(complaint(args), sentence));
}

test('refused: gradients without a target', () => {
  assert.match(complaint(['code', small, '--gradients']), /The file has no tensor "target"/);
  assert.match(complaint(['code', join(folder, 'absent.safetensors')]), /absent\.safetensors/);
});

test('--help names the options of trace that it takes', () => {
  const { stdout } = run(['code', '--help']);
  for (const word of ['--as', 'numpy', 'pytorch', '--heads', '--kv-heads', '--causal', '--scale', '--rope', '--alibi', '--window',
    '--softcap', '--qk-norm', '--gradients', '--ignore-unknown']) assert.ok(stdout.includes(word), word);
});

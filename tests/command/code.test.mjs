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

const refused = [
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

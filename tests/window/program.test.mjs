// The attention on screen as a program in Python: it computes every tensor that the window shows, whatever was done to it.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { displayAndFolder, Script } from './support.mjs';

const python = fileURLToPath(new URL('../../tools/python', import.meta.url));
const comparison = fileURLToPath(new URL('program_numbers.py', import.meta.url));
const count = 200;

const on = displayAndFolder();

/** The same choices in every run. */
function choices(seed) {
  let state = seed;
  const below = (end) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * end);
  };
  return {
    below,
    one: (...all) => all[below(all.length)],
    chance: (part) => below(1000) < part * 1000,
    number: () => (below(4001) - 2000) / 1000,
  };
}

const mistakes = ['no-transpose', 'no-scale', 'softmax-over-queries', 'mask-after-softmax', 'mask-with-zero', 'keys-not-transposed',
  'naive-softmax', 'no-softmax'];

/** Changes that lead to a random state; what an example does not offer is left out when it is refused. */
function changes({ below, one, chance, number }) {
  const mistake = chance(0.5) ? one(...mistakes) : 'none';
  const square = mistake === 'keys-not-transposed'; // possible only with as many keys as numbers in a head
  const example = square ? 'pool-beats-badminton'
    : one('pool-beats-badminton', 'gender-and-number', 'you-are-welcome', 'your-sentence', 'your-sentence', 'anthony-hopkins');
  const attention = example === 'you-are-welcome' ? one('encoder_self_attention', 'decoder_self_attention', 'cross_attention') : 'attention';
  const list = [{ example }, { attention }];
  if (example === 'your-sentence') {
    const heads = one(1, 2, 3, 4);
    list.push({ embed_dim: 12, num_heads: heads, sentence: one('the fox saw the', 'a b c', 'we go to the sea and the hills') });
    if (chance(0.4)) list.push({ num_kv_heads: 1 });
    if (chance(0.3)) list.push({ kdim: one(8, 20) });
    if (chance(0.3)) list.push({ qk_norm: true });
    if (chance(0.3)) list.push({ rope: one(100, 10000) });
    if (chance(0.3)) list.push({ alibi: true });
    if (chance(0.3)) list.push({ softcap: one(0.5, 2) });
    if (chance(0.2)) list.push({ window: one(2, 3) });
    if (chance(0.2)) list.push({ sink: one(0, 0.5) });
  }
  if (example === 'pool-beats-badminton' && chance(0.5)) list.push({ variant: 'projected' });
  if (chance(0.3)) list.push({ position_encoding: chance(0.5) });
  if (chance(0.5)) list.push({ mask: one('none', 'padding', 'look-ahead', 'both') });
  if (chance(0.5)) list.push({ scale: one('sqrt-head-dim', 'sqrt-keys', 'none', 2.5) });
  if (chance(0.3)) list.push({ ablated_heads: { [attention]: [0] } });
  const edits = Array.from({ length: below(3) }, () => ({ tensor: one('query_input', 'q_proj_weight', 'v_proj_bias'), at: below(50), value: number() }));
  if (chance(0.3)) edits.push({ tensor: 'mask', at: below(50), value: chance(0.7) ? '-Infinity' : number() });
  if (chance(0.3)) edits.push({ tensor: 'attention_weights', at: below(50), value: 0.625 });
  if (square) list.push({ num_heads: 2, source_len: 2 });
  list.push({ mistake });
  const target = chance(0.4) ? { tensor: one('output', 'attention_weights'), at: below(50), value: number() } : null;
  // The loss may be in another attention than the one that is looked at.
  const look = example === 'you-are-welcome' ? one('encoder_self_attention', 'decoder_self_attention', 'cross_attention') : attention;
  return { list, edits, target, attention, look };
}

/** The index of a number in a tensor of that shape, whatever `at` is. */
function indexIn(shape, at) {
  const index = [];
  for (const length of [...shape].reverse()) {
    index.unshift(at % length);
    at = Math.floor(at / length);
  }
  return index;
}

/** Its numbers in index order; ∞ and NaN as JSON's texts. */
function dense({ shape, strides, offset, data }) {
  const size = shape.reduce((product, length) => product * length, 1);
  return Array.from({ length: size }, (_, at) => data[indexIn(shape, at).reduce((sum, step, axis) => sum + step * strides[axis], offset)]);
}

/** Goes to a random state, and gives what was done there. */
async function wander(script, chosen) {
  const done = new Set();
  const attempt = async (name, method, request) => {
    try {
      await script.ask(method, request);
      done.add(name);
    } catch {
      // What the example does not offer, or what another choice excludes.
    }
  };
  const { list, edits, target, attention, look } = changes(chosen);
  await script.ask('reset');
  for (const change of list) await attempt(change.mistake ?? Object.keys(change)[0], 'set', change);
  const shapeOf = async (tensor) => (await script.ask('tensor', { name: `${attention}.${tensor}` }).catch(() => null))?.shape;
  for (const { tensor, at, value } of edits) {
    const shape = await shapeOf(tensor);
    if (shape) await attempt(tensor, 'edit', { attention, tensor, index: indexIn(shape, at), value });
  }
  if (target) {
    const shape = await shapeOf(target.tensor);
    await attempt('target', 'set', { target: [{ attention, tensor: target.tensor, index: indexIn(shape, target.at), value: target.value }] });
  }
  await script.ask('set', { attention: look });
  if (look !== attention && done.has('target')) done.add('target elsewhere');
  return { attention: look, done };
}

/** The programs and the tensors of random states, in a file for each library. */
async function collect() {
  const script = new Script(on.display, '--example', 'pool-beats-badminton');
  const states = { numpy: [], pytorch: [] };
  const seen = new Map();
  const chosen = choices(7);
  while (states.numpy.length < count) {
    const { attention, done } = await wander(script, chosen);
    const code = await script.ask('program', { library: 'numpy' });
    if (/^IN = /m.test(code)) continue; // it reads a file: tests/browser/large_program.test.mjs
    for (const name of done) seen.set(name, (seen.get(name) ?? 0) + 1);
    const tensors = {};
    for (const whole of await script.ask('tensors')) {
      const [of, name] = whole.split('.');
      if (of !== attention) continue;
      const tensor = await script.ask('tensor', { name: whole });
      tensors[name] = { shape: tensor.shape, data: dense(tensor) };
    }
    const link = await script.ask('link');
    states.numpy.push({ code, tensors, link });
    states.pytorch.push({ code: await script.ask('program', { library: 'pytorch' }), tensors, link });
  }
  assert.equal(await script.end(), 0);
  for (const name of [...mistakes, 'rope', 'alibi', 'softcap', 'qk_norm', 'window', 'sink', 'kdim', 'num_kv_heads', 'ablated_heads', 'mask',
    'attention_weights', 'target', 'target elsewhere']) assert.ok(seen.get(name) >= 4, `${name} is chosen too rarely: ${seen.get(name)}`);
  for (const [library, all] of Object.entries(states)) await writeFile(join(on.folder, `${library}.json`), JSON.stringify(all));
}

// tools/install installs NumPy for the tests. PyTorch is too large for that: its programs run where it is installed.
const hasTorch = spawnSync(python, ['torch', '-c', 'pass']).status === 0;
let collected;
for (const [library, module] of [['numpy', 'numpy'], ...(hasTorch ? [['pytorch', 'torch']] : [])]) {
  test(`every tensor of ${count} random states, run by ${library}`, async (context) => {
    collected ??= collect();
    await collected;
    const file = join(on.folder, `${library}.json`);
    const { status, stdout, stderr } = spawnSync(python, [module, comparison, file], { encoding: 'utf8', maxBuffer: 1 << 26 });
    assert.equal(status, 0, stderr);
    const { compared, gradients, worst, wrong } = JSON.parse(stdout);
    context.diagnostic(`${compared} tensors, ${gradients} of them gradients, at most ${worst} apart`);
    assert.deepEqual(wrong, []);
    assert.ok(compared > 4000 && gradients > 500 && worst <= 1e-5, `${compared} tensors, ${gradients} gradients, ${worst}`);
  });
}

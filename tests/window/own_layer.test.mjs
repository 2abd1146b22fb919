// A file of a model in the desktop's window: given to the command, or dropped.

import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import { safetensors } from '../command/program.mjs';
import { Display, Script, run } from './support.mjs';

const numbers = (shape) => ({ shape, data: Array.from({ length: shape.reduce((a, b) => a * b, 1) }, (_, i) => ((i * 7) % 11) / 8 - 0.6) });
const gpt2 = (layer) => ({ [`h.${layer}.attn.c_attn.weight`]: numbers([4, 12]), [`h.${layer}.attn.c_proj.weight`]: numbers([4, 4]) });

let display;
let folder;
let model;
before(async () => {
  display = await Display.start();
  folder = await mkdtemp(join(tmpdir(), 'attention-live-layers-'));
  model = join(folder, 'model.safetensors');
  await writeFile(model, safetensors({ ...gpt2(0), ...gpt2(1) }));
});
after(async () => {
  await display?.stop();
  if (folder) await rm(folder, { recursive: true, force: true });
});

test('a file as an argument: its first attention, or the one that is named', async () => {
  const first = new Script(display, model);
  assert.deepEqual([(await first.ask('state')).example, (await first.ask('state')).variant], ['own-layer', 'h.0.attn']);
  // Weights are stored [in, out] and shown [out, in].
  const { data } = await first.ask('tensor', { name: 'q_proj_weight' });
  assert.deepEqual(data.slice(0, 4), [0, 12, 24, 36].map((i) => Math.fround(numbers([4, 12]).data[i])));
  assert.equal(await first.end(), 0);
  const named = new Script(display, model, '--layer', 'h.1.attn');
  assert.equal((await named.ask('state')).variant, 'h.1.attn');
  assert.equal(await named.end(), 0);
});

test('a dropped file is opened; what is wrong with it is said, and what was shown stays', async () => {
  const script = new Script(display);
  const { example } = await script.ask('state');
  const none = join(folder, 'none.safetensors');
  await writeFile(none, safetensors({ x: numbers([2]) }));
  assert.equal(await script.ask('drop', { path: none }), true);
  assert.match(await script.ask('message'), /^No attention was found in "none\.safetensors"\./);
  assert.equal((await script.ask('state')).example, example);
  assert.equal(await script.ask('drop', { path: model }), true);
  assert.equal((await script.ask('state')).variant, 'h.0.attn');
  assert.equal(await script.ask('drop', { path: join(folder, 'picture.png') }), false);
  assert.equal(await script.end(), 0);
});

test('with a tokenizer beside it, the tokens are those of a sentence', async () => {
  const own = await mkdtemp(join(folder, 'words-'));
  const file = join(own, 'model.safetensors');
  const words = ['[UNK]', 'the', 'fox', 'saw', 'owl', 'before'];
  await writeFile(file, safetensors({ ...gpt2(0), 'wte.weight': numbers([6, 4]) }));
  const alone = new Script(display, file);
  assert.deepEqual((await alone.ask('choices')).own_words, { kind: 'ids', typed: '' });
  await writeFile(join(own, 'vocab.txt'), words.join('\n'));
  assert.equal(await alone.ask('drop', { path: join(own, 'vocab.txt') }), true);
  const read = async (script) => {
    const { own_words: { kind }, query_tokens: tokens } = await script.ask('choices');
    assert.deepEqual([kind, tokens.join(' ')], ['text', 'the fox saw the owl before the owl saw the fox']);
    const { data } = await script.ask('tensor', { name: 'query_input' });
    assert.deepEqual(data.slice(4, 8), numbers([6, 4]).data.slice(8, 12).map(Math.fround));
  };
  await read(alone);
  assert.equal(await alone.end(), 0);
  const beside = new Script(display, file);
  await read(beside);
  assert.equal(await beside.end(), 0);
});

for (const [args, sentence] of [
  [() => [join(folder, 'no.safetensors')], /^attention-live: "no\.safetensors"( cannot be read|: Not a safetensors file)/],
  [() => [model, '--layer', 'h.2.attn'], /^attention-live: There is no attention "h\.2\.attn" in this file\.$/m],
]) {
  test(`refused: ${sentence}`, async () => {
    const { status, stderr } = await run(['window', '--script', ...args()], display.environment);
    assert.equal(status, 2);
    assert.match(stderr, sentence);
  });
}

// `translate`: what it prints and writes, and what it refuses.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { complaint, readSafetensors, run, safetensors, save, temporaryFolder } from './program.mjs';

const folder = temporaryFolder();
const sentence = 'He admired her as a great director.';

test('prints one line', () => {
  const { code, stdout, stderr } = run(['translate', sentence]);
  assert.deepEqual([code, stderr], [0, '']);
  assert.match(stdout, /^[^\n]+\n$/);
});

test('--json has tokens, candidates and alignments', () => {
  const made = JSON.parse(run(['translate', sentence, '--json']).stdout);
  assert.equal(`${made.text}\n`, run(['translate', sentence]).stdout);
  assert.equal(made.source.at(-1), '</s>');
  assert.equal(made.candidates.length, made.target.length);
  assert.equal(made.alignments.length, made.target.length);
  for (const row of made.alignments) {
    assert.equal(row.length, made.source.length);
    assert.ok(Math.abs(row.reduce((sum, weight) => sum + weight, 0) - 1) < 1e-5);
  }
  assert.ok(made.log_probability < 0);
});

test('--trace has every tensor of all twelve attentions', () => {
  const output = join(folder, 'trace.safetensors');
  assert.equal(run(['translate', sentence, '--trace', output]).code, 0);
  const { tensors } = readSafetensors(output);
  for (let layer = 0; layer < 4; ++layer) {
    for (const part of ['encoder', 'decoder', 'cross']) {
      const name = part === 'cross' ? `decoder.${layer}.cross_attention` : `${part}.${layer}.self_attention`;
      for (const tensor of ['q', 'k', 'v', 'q_heads', 'k_heads', 'v_heads', 'scores', 'scaled_scores',
        'attention_weights', 'head_outputs', 'merged', 'output']) assert.ok(tensors.has(`${name}.${tensor}`), `${name}.${tensor}`);
    }
  }
});

test('- is standard input: a line for each of its lines', () => {
  const { code, stdout, stderr } = run(['translate', '-'], { input: `Thank you.\n\nHello, Tom.\r\n \n${sentence}` });
  const alone = (text) => run(['translate', text]).stdout;
  assert.deepEqual([code, stderr], [0, '']);
  assert.equal(stdout, `${alone('Thank you.')}\n${alone('Hello, Tom.')}\n${alone(sentence)}`);
  assert.equal(run(['translate', '-'], { input: '' }).stdout, '');
});

test('- with --json: an object for each line', () => {
  const { stdout } = run(['translate', '-', '--json', '--beam', '2'], { input: `Thank you.\n${sentence}\n` });
  const alone = ['Thank you.', sentence].map((text) => run(['translate', text, '--json', '--beam', '2']).stdout);
  assert.equal(stdout, alone.join(''));
});

test('a beam does not stop at short translations that were never among its best', () => {
  const input = ["I won't go away.", "It won't take long.", 'He has changed his name.'].join('\n');
  const scores = (...options) => run(['translate', '-', '--json', ...options], { input }).stdout.trim().split('\n')
    .map((line) => JSON.parse(line))
    .map((made) => made.log_probability / made.target.length);
  const greedy = scores();
  scores('--beam', '4').forEach((score, i) => assert.ok(score >= greedy[i], `sentence ${i}: ${score}, greedy ${greedy[i]}`));
});

test('refused: a line that is too long, after those before it', () => {
  const { code, stdout, stderr } = run(['translate', '-'], { input: `Thank you.\n${'cat '.repeat(200)}\n` });
  assert.equal(code, 2);
  assert.equal(stdout, run(['translate', 'Thank you.']).stdout);
  assert.equal(stderr, 'attention-live: Line 2: The sentence has 200 tokens; at most 128 are translated.\n');
});

test('refused: a trace of standard input', () => {
  const path = join(folder, 'never.safetensors');
  // Without input: the command refuses before it reads, and writing to a closed pipe would fail here.
  assert.equal(complaint(['translate', '-', '--trace', path]),
    '--trace is for one sentence, not for standard input.');
});

for (const text of ['😀😀', 'привет мир', '漢字', '?!...', 'xqzzyx']) {
  test(`is no mistake: ${text}`, () => assert.equal(run(['translate', text]).code, 0));
}

test('refused: no words, and too many', () => {
  for (const text of ['', '   ']) assert.match(complaint(['translate', text]), /a word|empty|sentence/);
  assert.equal(complaint(['translate', 'cat '.repeat(200)]), 'The sentence has 200 tokens; at most 128 are translated.');
});

test('refused: weights that are truncated, or another file', () => {
  const own = readFileSync(new URL('../../tools/translator/translator.safetensors', import.meta.url));
  const cut = save(folder, 'cut.safetensors', own.subarray(0, own.length - 100));
  const other = save(folder, 'other.safetensors', safetensors({ query: { shape: [2, 2], data: [1, 2, 3, 4] } }));
  for (const path of [cut, other])
    assert.ok(complaint(['translate', sentence, '--weights', path]).startsWith(`${JSON.stringify(path)}: `));
});

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

test('--measure-heads: the mean shares of weight of each head, the same as of the traces', () => {
  const sentences = [sentence, 'Thank you.', 'Why not?'];
  const pairs = save(folder, 'pairs.tsv', Buffer.from(sentences.map((text) => `${text}\tHola.\n`).join('')));
  const { code, stdout } = run(['translate', '--measure-heads', pairs]);
  assert.equal(code, 0);
  const measured = JSON.parse(stdout);
  assert.equal(measured.sentences, 3);
  const traces = sentences.map((text, i) => {
    const path = join(folder, `heads${i}.safetensors`);
    assert.equal(run(['translate', text, '--trace', path]).code, 0);
    return readSafetensors(path).tensors;
  });
  assert.equal(Object.keys(measured.heads).length, 12);
  for (const [name, heads] of Object.entries(measured.heads)) {
    const self = name.endsWith('.self_attention');
    heads.forEach((shares, head) => {
      const rows = traces.flatMap((tensors) => {
        const { shape: [, , queries, keys], data } = tensors.get(`${name}.attention_weights`);
        return Array.from({ length: queries }, (_, query) => (
          { query, weights: [...data].slice((head * queries + query) * keys, (head * queries + query + 1) * keys) }))
          .slice(self ? 1 : 0);
      });
      const mean = (of) => rows.reduce((sum, { query, weights }) => sum + (of(weights, query) ?? 0), 0) / rows.length;
      const expected = [
        ...[-1, 0, 1].map((distance) => mean((weights, query) => (self ? weights[query + distance] : 0))),
        mean((weights) => weights[0]), mean((weights) => weights.at(-1)), mean((weights) => Math.max(...weights)),
      ];
      shares.forEach((share, i) => assert.ok(Math.abs(share - expected[i]) < 1e-6, `${name} ${head}: ${share}, ${expected[i]}`));
    });
  }
});

test('refused: --measure-heads with a sentence, or of a file without pairs', () => {
  const path = save(folder, 'no-pairs.tsv', Buffer.from('alone\n'));
  assert.equal(complaint(['translate', 'Hello.', '--measure-heads', path]),
    '--measure-heads takes no sentence, and of the other options only --weights.');
  assert.equal(complaint(['translate', '--measure-heads', path]),
    `${JSON.stringify(path)}: Line 1 has no two sentences with a tab between them.`);
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

test('refused: weights of the right form with another number', () => {
  const bytes = readFileSync(new URL('../../tools/translator/translator.safetensors', import.meta.url));
  const path = save(folder, 'copied.safetensors', bytes);
  assert.equal(run(['translate', sentence, '--weights', path]).code, 0);
  bytes[bytes.length - 1000] ^= 1;
  save(folder, 'copied.safetensors', bytes);
  assert.match(complaint(['translate', sentence, '--weights', path]), /has been changed, or comes from another version/);
});

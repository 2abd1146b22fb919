// The numbers of the translator are PyTorch's: tokens, logits, and the attention weights of all layers and heads.
// tools/translator/agree.py compares many more sentences.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { fixtures, readSafetensors, run, temporaryFolder } from './program.mjs';

const folder = temporaryFolder();
const weights = new URL('../../tools/translator/', import.meta.url);
const { tensors: expected, metadata } = readSafetensors(join(fixtures, 'translations.safetensors'));
const sentences = JSON.parse(metadata.sentences);
const every = Number(metadata.every);

const stored = readFileSync(new URL('translator.safetensors', weights));
const pieces = JSON.parse(stored.subarray(8, 8 + Number(stored.readBigUInt64LE(0)))).__metadata__.pieces.split('\n');
const tokens = ['<pad>', '<s>', '</s>', '<unk>', ...pieces];

function largestDifference(a, b) {
  assert.equal(a.length, b.length);
  return a.reduce((largest, number, i) => Math.max(largest, Math.abs(number - b[i])), 0);
}

test('the reference is of the weights that are here', () => {
  const recorded = readFileSync(new URL('translator.sha256', weights), 'utf8').split(' ')[0];
  assert.equal(metadata.weights, recorded, 'make fixtures');
});

for (const [place, sentence] of sentences.entries()) {
  test(`as PyTorch: ${sentence}`, () => {
    const output = join(folder, `${place}.safetensors`);
    const made = JSON.parse(run(['translate', sentence, '--json', '--trace', output]).stdout);
    for (const side of ['source', 'target']) {
      const right = expected.get(`${place}.${side}`).data.map((token) => tokens[token]);
      assert.deepEqual(made[side], right);
    }

    const { tensors } = readSafetensors(output);
    const { shape, data } = tensors.get('output.logits');
    assert.deepEqual(shape, [1, made.target.length, tokens.length]);
    const some = data.filter((_, i) => (i % tokens.length) % every === 0);
    const logits = largestDifference(some, expected.get(`${place}.logits`).data);
    assert.ok(logits <= 2e-3, `logits differ by ${logits}`);

    const attentions = [...expected.keys()].filter((name) => name.startsWith(`${place}.`) && name.endsWith('attention_weights'));
    assert.equal(attentions.length, 12);
    for (const name of attentions) {
      const weights = tensors.get(name.slice(name.indexOf('.') + 1));
      assert.deepEqual(weights.shape, expected.get(name).shape);
      const difference = largestDifference(weights.data, expected.get(name).data);
      assert.ok(difference <= 1e-4, `${name} differs by ${difference}`);
    }
  });
}

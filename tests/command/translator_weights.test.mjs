// The weights of the translator, which are in the repository: that they are those that were recorded, and how large.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { brotliCompressSync, constants } from 'node:zlib';

import { run } from './program.mjs';

const folder = new URL('../../tools/translator/', import.meta.url);
const weights = readFileSync(new URL('translator.safetensors', folder));
const metadata = JSON.parse(weights.subarray(8, 8 + Number(weights.readBigUInt64LE(0)))).__metadata__;

test('the weights are the recorded ones', () => {
  const recorded = readFileSync(new URL('translator.sha256', folder), 'utf8').split(' ')[0];
  assert.equal(createHash('sha256').update(weights).digest('hex'), recorded);
});

test('packed by brotli they have at most 3.6 MB', () => {
  const packed = brotliCompressSync(weights, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } });
  assert.ok(packed.length <= 3_600_000, `${packed.length} bytes`);
});

test('they say where they come from and how good they are', () => {
  assert.match(metadata.licence, /manythings\.org\/anki and tatoeba\.org, CC-BY 2\.0/);
  const [, bleu, rounded] = metadata.result.match(/held-out BLEU ([\d.]+), with rounded weights ([\d.]+)/);
  assert.ok(Number(rounded) >= 35, metadata.result);
  assert.ok(Math.abs(bleu - rounded) <= 0.5, metadata.result);
});

test('what their heads do over 500 held-out sentences is recorded, and of these weights', () => {
  const recorded = JSON.parse(readFileSync(new URL('heads.json', folder), 'utf8'));
  assert.equal(recorded.weights_sha256, createHash('sha256').update(weights).digest('hex'),
    'to be measured again by tools/translator/heads.py');
  assert.equal(recorded.sentences, 500);
  assert.equal(Object.keys(recorded.heads).length, 12);
  for (const heads of Object.values(recorded.heads)) {
    assert.equal(heads.length, 8);
    for (const shares of heads) assert.ok(shares.length === 6 && shares.every((share) => share >= 0 && share <= shares[5]), shares);
  }
});

test('they translate a sentence that was not learned from', () => {
  const { stdout } = run(['translate', 'He admired her as a great director.']);
  assert.equal(stdout, 'Él la admiró como un gran director.\n');
});

// `train`: its progress, its last line, and what it refuses.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { complaint, readSafetensors, run, save, temporaryFolder } from './program.mjs';

const folder = temporaryFolder();
const output = join(folder, 'weights.safetensors');
const reverse = ['train', '--task', 'reverse', '-o', output];

test('progress is on standard error, what was reached on standard output', () => {
  const { code, stdout, stderr } = run([...reverse, '--steps', '20']);
  assert.equal(code, 0);
  assert.match(stdout, /^held-out accuracy [01]\.\d{3} after 20 steps\n$/);
  assert.match(stderr, /^(step \d+: loss \d+\.\d{4}, held-out loss \d+\.\d{4}, accuracy [01]\.\d{3}\n){20}$/);
  const { tensors, metadata } = readSafetensors(output);
  assert.equal(metadata.task, 'reverse');
  assert.equal(metadata.result, stdout.trimEnd());
  assert.ok(tensors.has('embedding.weight'));
});

test('a checkpoint goes on with the same numbers', () => {
  const checkpoint = join(folder, 'checkpoint.safetensors');
  const resumed = join(folder, 'resumed.safetensors');
  run(['train', '--task', 'reverse', '-o', resumed, '--steps', '5', '--checkpoint', checkpoint]);
  const { stderr } = run(['train', '--task', 'reverse', '-o', resumed, '--steps', '9', '--checkpoint', checkpoint]);
  assert.match(stderr, /^goes on after 5 steps\n/);
  run([...reverse, '--steps', '9']);
  assert.deepEqual(readSafetensors(resumed).tensors, readSafetensors(output).tensors);
});

const never = join(folder, 'never.safetensors');
const noTabs = save(folder, 'no-tabs.tsv', 'Go. Ve.\n');
const rate = (value) => `--learning-rate is "${value}"; it must be a number above 0 and at most 10.`;
const task = (...rest) => ['train', '--task', 'reverse', '-o', never, ...rest];
const refused = [
  [['train', '--task', 'sing', '-o', never], 'There is no task "sing"; allowed: reverse, agree, look-back, translate.'],
  [['train', '--task', 'reverse'], 'train needs -o OUT.safetensors.'],
  [['train', '-o', never], 'train needs --task NAME: reverse, agree, look-back or translate.'],
  ...['0', '1e9', 'nan', 'x'].map((value) => [task('--learning-rate', value), rate(value)]),
  [task('--learning-rate=-1'), rate('-1')],
  [task('--steps', '0'), '--steps is "0"; it must be a whole number from 1 to 100000.'],
  [task('--steps', '100001'), '--steps is "100001"; it must be a whole number from 1 to 100000.'],
  [['train', '--task', 'translate', '-o', never, '--steps', '0'],
    '--steps is "0"; it must be a whole number from 1 to 1000000.'],
  [task('--data', noTabs), '--data is for --task translate.'],
  [['train', '--task', 'translate', '-o', never],
    '--task translate needs --data FILE: pairs of sentences, one pair a line, with a tab between them.'],
  [['train', '--task', 'translate', '-o', never, '--data', noTabs],
    `${JSON.stringify(noTabs)}: Line 1 has no two sentences with a tab between them.`],
];
for (const [args, sentence] of refused) {
  test(`refused: ${args.slice(1).filter((arg) => !arg.startsWith(folder)).join(' ')}`, () => {
    assert.equal(complaint(args), sentence);
    assert.ok(!existsSync(never));
  });
}

test('refused before the first step: files that cannot be written', () => {
  const present = save(folder, 'present.safetensors', 'what is there');
  const inNoFolder = join(folder, 'nowhere', 'weights.safetensors');
  const noFolder = `${JSON.stringify(inNoFolder)} cannot be written: No such file or directory.`;
  assert.equal(complaint(['train', '--task', 'reverse', '-o', inNoFolder]), noFolder);
  assert.equal(complaint(['train', '--task', 'reverse', '-o', folder]), `${JSON.stringify(folder)} cannot be written: it is a folder.`);
  assert.equal(complaint(['train', '--task', 'reverse', '-o', present, '--checkpoint', inNoFolder]), noFolder);
  assert.equal(readFileSync(present, 'utf8'), 'what is there');
  assert.ok(readdirSync(folder).every((name) => !name.startsWith('.attention-live')), 'nothing is left behind');
});

test('refused: weights that grow beyond all numbers, and where it began', () => {
  const args = task('--method', 'sgd', '--learning-rate', '10', '--steps', '60');
  const { code, stdout, stderr } = run(args);
  assert.equal(code, 2);
  assert.equal(stdout, '');
  assert.match(stderr, /\nattention-live: After \d+ steps [\w.]+ is the first tensor with a number that is not finite: /);
  assert.ok(!existsSync(never));
});

test('refused: --data that is not there', () => {
  const path = join(folder, 'nowhere.tsv');
  assert.ok(complaint(['train', '--task', 'translate', '-o', never, '--data', path]).includes('nowhere.tsv'));
});

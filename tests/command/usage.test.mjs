// What the arguments may be, and the one sentence that wrong ones get.
import assert from 'node:assert/strict';
import { openSync } from 'node:fs';
import { test } from 'node:test';

import { complaint, run, safetensors, save, temporaryFolder } from './program.mjs';

const folder = temporaryFolder();
const input = save(folder, 'in.safetensors', safetensors({ query: { shape: [2, 2], data: [1, 2, 3, 4] } }));

test('--version and --help', () => {
  assert.match(run(['--version']).stdout, /^attention-live \d+\.\d+\.\d+\n$/);
  for (const args of [['--help'], ['-h'], ['trace', '--help'], ['window', '--help'], ['examples', '--help']]) {
    const { code, stdout, stderr } = run(args);
    assert.deepEqual([code, stderr], [0, ''], args.join(' '));
    assert.match(stdout, /Usage: attention-live/);
  }
  for (const command of ['trace', 'examples', 'window']) assert.match(run(['--help']).stdout, new RegExp(`^  ${command} `, 'm'));
});

test('the help of trace names every option and every tensor that is read', () => {
  const { stdout } = run(['trace', '--help']);
  for (const word of ['--output', '--json', '--heads', '--kv-heads', '--causal', '--scale', 'sqrt-head-dim', 'sqrt-keys', 'none', '--query',
    '--ignore-unknown', '--example', '--variant', '--sentence', '--seed', '--embed-dim', 'in_proj_weight', 'in_proj_bias',
    'q_proj_weight', 'k_proj_weight', 'v_proj_weight', 'out_proj.weight', 'out_proj.bias', 'attn_mask', 'key_padding_mask',
    '--gradients', 'target', 'd_NAME', '--rope', '--alibi', '--window', '--softcap', '--qk-norm', 'q_norm_weight', 'k_norm_weight', '--sink', 'sinks']) {
    assert.ok(stdout.includes(word), word);
  }
});

const names = run(['examples']).stdout.split('\n').filter((line) => /^[a-z]/.test(line));
const examples = `allowed: ${names.join(', ')}.`;
const number = (option, value, from = 1, to = 1000000000) =>
  `${option} is "${value}"; it must be a whole number from ${from} to ${to}.`;
const scale = (value) =>
  `--scale is "${value}"; it must be sqrt-head-dim, sqrt-keys, none, or a number other than 0 that the scores are divided by.`;

const within = (option, value, from, to) => `${option} is "${value}"; it must be a number from ${from} to ${to}.`;
const rope = (value) => within('--rope', value, 1, 1000000000000);
const softcap = (value) => within('--softcap', value, '0.001', 1000000);

const wrong = [
  [['foo'], '"foo" is not understood here (see attention-live --help).'],
  [[''], '"" is not understood here (see attention-live --help).'],
  [['--bogus'], '"--bogus" is not understood here (see attention-live --help).'],
  [['a\x1b[31m\nb'], '"a\\u{1b}[31m\\u{a}b" is not understood here (see attention-live --help).'],
  [['x'.repeat(1000)], `"${'x'.repeat(60)}…" is not understood here (see attention-live --help).`],
  [['examples', 'more'], '"more" is not understood here (see attention-live --help).'],
  [['trace', input, 'second', 'third'], '"second" is not understood here (see attention-live --help).'],
  [['trace', input, '--json', 'window'], '"window" is not understood here (see attention-live --help).'],
  [['trace', '-x', input], '"-x" is not understood here (see attention-live --help).'],

  [['trace'], 'trace needs a file or --example ID (see attention-live trace --help).'],
  [['trace', '--json'], 'trace needs a file or --example ID (see attention-live trace --help).'],
  [['trace', input], 'trace needs -o OUT.safetensors or --json.'],
  [['trace', input, '--json', '-o', 'x'], 'trace takes -o or --json, not both.'],
  [['trace', input, '--example', 'your-sentence', '--json'], 'trace takes a file or --example, not both.'],
  [['trace', input, '-o'], '--output needs a value.'],
  [['trace', input, '-o', '--json'], '--output needs a value.'],
  [['trace', input, '--output='], '--output needs a value.'],
  [['trace', input, '-o', 'x', '-o', 'y'], '--output can be given only once.'],
  [['trace', input, '--json=3'], '--json takes no value.'],
  [['trace', input, '--heads', '--json'], number('--heads', '--json')],

  [['trace', input, '--json', '--heads', '0'], number('--heads', '0')],
  [['trace', input, '--json', '--heads', '-1'], number('--heads', '-1')],
  [['trace', input, '--json', '--heads', '2.0'], number('--heads', '2.0')],
  [['trace', input, '--json', '--heads', ' 2'], number('--heads', ' 2')],
  [['trace', input, '--json', '--heads', '99999999999999999999'], number('--heads', '99999999999999999999')],
  [['trace', input, '--json', '--heads', '2', '--kv-heads', '0'], number('--kv-heads', '0')],
  [['trace', input, '--json', '--heads', '2', '--kv-heads', 'all'], number('--kv-heads', 'all')],
  [['trace', input, '--json', '--kv-heads', '2'], `"${input}": 1 head cannot share 2 heads of keys and values; allowed: 1.`],
  [['trace', input, '--json', '--heads', '2', '--kv-heads', '1'],
    `"${input}": Without k_proj_weight its input is used as it is, so its width 2 must be num_kv_heads · head_dim, 1.`],
  [['trace', input, '--json', '--query', 'x'], number('--query', 'x', 0)],
  [['trace', input, '--json', '--query', '2'], 'There is no query 2; allowed are 0 to 1.'],
  [['trace', input, '--json', '--rope', '0'], rope('0')],
  [['trace', input, '--json', '--rope', '-5'], rope('-5')],
  [['trace', input, '--json', '--rope', 'nan'], rope('nan')],
  [['trace', input, '--json', '--rope', 'inf'], rope('inf')],
  [['trace', input, '--json', '--rope', '1e99'], rope('1e99')],
  [['trace', input, '--json', '--rope=x'], rope('x')],
  [['trace', input, '--json', '--rope='], '--rope needs a value.'],
  [['trace', input, '--json', '--rope', 'x'], '"x" is not understood here (see attention-live --help).'],
  [['trace', input, '--json', '--rope', '--rope'], '--rope can be given only once.'],
  [['trace', input, '--json', '--rope', '--heads', '2'],
    `"${input}": Rotary positions turn pairs of numbers, so head_dim must be even; it is 1.`],
  [['trace', input, '--json', '--softcap', '0'], softcap('0')],
  [['trace', input, '--json', '--softcap', '-1'], softcap('-1')],
  [['trace', input, '--json', '--softcap', 'nan'], softcap('nan')],
  [['trace', input, '--json', '--softcap', '1e7'], softcap('1e7')],
  [['trace', input, '--json', '--softcap'], '--softcap needs a value.'],
  [['trace', input, '--json', '--window', '0'], number('--window', '0')],
  [['trace', input, '--json', '--window', '-2'], number('--window', '-2')],
  [['trace', input, '--json', '--window', '1.5'], number('--window', '1.5')],
  [['trace', input, '--json', '--alibi=8'], '--alibi takes no value.'],
  [['trace', '--json', '--example', 'lazy-dog', '--alibi'],
    'lazy-dog has no sliding window or other variant of attention; your-sentence has them all.'],
  [['trace', input, '--json', '--scale', '0'], scale('0')],
  [['trace', input, '--json', '--scale', '-0.0'], scale('-0.0')],
  [['trace', input, '--json', '--scale', 'nan'], scale('nan')],
  [['trace', input, '--json', '--scale', 'inf'], scale('inf')],
  [['trace', input, '--json', '--scale', '1e99'], scale('1e99')],
  [['trace', input, '--json', '--scale', '2x'], scale('2x')],
  [['trace', input, '--json', '--scale', 'SQRT-KEYS'], scale('SQRT-KEYS')],

  [['trace', input, '--json', '--variant', 'x'], '--variant is for --example, not for a file.'],
  [['trace', input, '--json', '--sentence', 'x'], '--sentence is for --example, not for a file.'],
  [['trace', input, '--json', '--seed', '1'], '--seed is for --example, not for a file.'],
  [['trace', input, '--json', '--embed-dim', '4'], '--embed-dim is for --example, not for a file.'],
  [['trace', '--json', '--example', 'nothing'], `There is no example "nothing"; ${examples}`],
  [['trace', '--json', '--example', ''], `There is no example ""; ${examples}`],
  [['trace', '--json', '--example', 'your-sentence', '--ignore-unknown'], '--ignore-unknown is for files, not for an example.'],
  [['trace', '--json', '--example', 'your-sentence', '--seed', '4294967296'], number('--seed', '4294967296', 0, 4294967295)],

  [['window', '--example', 'x'], `There is no example "x"; ${examples}`],
  [['window', '--script=1'], '--script takes no value.'],
  [['window', 'x', 'y'], '"y" is not understood here (see attention-live --help).'],
  [['window', '--layer', 'x'], '--layer needs a file.'],
  [['window', 'x', '--example', 'counting'], 'window takes a file or --example, not both.'],
  ...['800', '800x', 'x600', '800x600x1', '99x600', '800x99999', '800X600', '800x-600'].map((size) => [
    ['window', '--size', size],
    `--size is "${size}"; it must be WIDTHxHEIGHT, both from 100 to 10000.`,
  ]),
];
for (const [args, sentence] of wrong) {
  test(`wrong: ${JSON.stringify(args.join(' ').replace(folder, '')).slice(0, 70)}`, () => {
    assert.equal(complaint(args), sentence);
  });
}

test('"--" ends the options', () => {
  assert.equal(complaint(['trace', '--json', '--', '--json']), '"--json" cannot be read: No such file or directory.');
});

test('standard output that takes nothing is an error', { skip: process.platform !== 'linux' }, () => {
  for (const args of [['trace', input, '--json'], ['examples'], ['--help'], ['--version']]) {
    const { code, stderr } = run(args, { stdio: ['ignore', openSync('/dev/full', 'w'), 'pipe'] });
    assert.equal(code, 2, args[0]);
    assert.equal(stderr, 'attention-live: Standard output cannot be written: No space left on device.\n');
  }
});

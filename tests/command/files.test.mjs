// Files that are wrong, hostile, or cannot be written: one sentence, no crash, and never half a file.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  chmodSync, lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, statSync, symlinkSync, truncateSync, writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { complaint, program, rawFile, readSafetensors, run, safetensors, save, temporaryFolder } from './program.mjs';

const folder = temporaryFolder();
const query = { shape: [1, 2, 2], data: [1, 2, 3, 4] };
const good = save(folder, 'good.safetensors', safetensors({ query }));

const entry = (shape, begin, end, dtype = 'F32') => ({ dtype, shape, data_offsets: [begin, end] });
const header = (tensors) => JSON.stringify(tensors);

const hostile = {
  'empty file': [Buffer.alloc(0), "Not a safetensors file: it has 0 bytes, fewer than the 8 that give the header's length."],
  'text file': [
    Buffer.from('Dear reader, this is a letter.'),
    /^Not a safetensors file, or cut short: its header's length is given as \d+ bytes, but only 22 follow\.$/,
  ],
  'length 2^64 − 1': [
    rawFile('{}', Buffer.alloc(0), 0xffffffffffffffffn),
    "Not a safetensors file, or cut short: its header's length is given as 18446744073709551615 bytes, but only 2 follow.",
  ],
  'header of 20 MB': [
    rawFile(`{${' '.repeat(20_000_000)}}`),
    'The header is 20000002 bytes long; at most 16777216 are read.',
  ],
  'cut short': [
    safetensors({ query }).subarray(0, -1),
    'The data of tensor "query" end at byte 16, beyond the file\'s 15 bytes of data.',
  ],
  'too long': [Buffer.concat([safetensors({ query }), Buffer.alloc(3)]), 'The last 3 bytes of the file belong to no tensor.'],
  'not JSON': [rawFile('{"query": oops}'), 'The header is not valid JSON at byte 10.'],
  'not UTF-8': [rawFile(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d])), 'The header is not valid UTF-8 at byte 2.'],
  'a million brackets': [rawFile('{"query":' + '['.repeat(1_000_000)), 'The header\'s entry "query" must be an object.'],
  'a million braces': [
    rawFile('{"a":'.repeat(1_000_000)),
    'Tensor "a" has the field "a"; allowed are dtype, shape and data_offsets.',
  ],
  'overlap': [
    rawFile(header({ query: entry([1, 2], 0, 8), key: entry([1, 2], 4, 12) }), Buffer.alloc(12)),
    'The data of tensors "query" and "key" overlap.',
  ],
  'gap': [
    rawFile(header({ query: entry([1, 2], 0, 8), key: entry([1, 2], 12, 20) }), Buffer.alloc(20)),
    'There is a gap of 4 bytes before the data of tensor "key".',
  ],
  'beyond the file': [
    rawFile(header({ query: entry([1, 2], 0, 8) }).replace('8]', '18446744073709551615]'), Buffer.alloc(8)),
    'The data of tensor "query" end at byte 18446744073709551615, beyond the file\'s 8 bytes of data.',
  ],
  'an axis of 2^60': [
    rawFile('{"query":{"dtype":"F32","shape":[1152921504606846976,4],"data_offsets":[0,8]}}', Buffer.alloc(8)),
    'The shape of tensor "query" must hold whole numbers from 0 to 2147483647.',
  ],
  'a product that overflows to 0': [
    rawFile(header({ query: entry([65536, 65536, 65536, 65536], 0, 0) })),
    'Tensor "query" has a shape of more numbers than any file can hold: [65536,65536,65536,65536].',
  ],
  'a shape with a million axes': [
    rawFile(header({ query: entry(Array(1_000_000).fill(1), 0, 4) }), Buffer.alloc(4)),
    'Tensor "query" has more than 6 dimensions, the most that are read.',
  ],
  'a name twice': [
    rawFile('{"query":' + header(entry([1], 0, 4)) + ',"query":' + header(entry([1], 0, 4)) + '}', Buffer.alloc(4)),
    'The header has tensor "query" twice.',
  ],
  'a name that writes to the terminal': [
    safetensors({ 'x\x1b]0;title\x07\n': { shape: [1], data: [0] } }),
    /^Tensor "x\\u\{1b\}\]0;title\\u\{7\}\\u\{a\}" is not known; allowed are query, /,
  ],
  'no query': [safetensors({ key: query }), 'The file has no tensor "query".'],
  'unknown name': [
    safetensors({ query, quary: query }),
    'Tensor "quary" is not known; allowed are query, key, value, in_proj_weight, q_proj_weight, k_proj_weight, v_proj_weight, ' +
      'in_proj_bias, out_proj.weight, out_proj.bias, attn_mask, key_padding_mask, q_norm_weight, k_norm_weight, sinks, ' +
      'rope_frequencies, position_bias, position_bias_table and target.',
  ],
  'integers': [
    safetensors({ query: { dtype: 'I32', shape: [1, 2], data: [1, 2] } }),
    'Tensor "query" has dtype "I32"; F32, F16, BF16, F64 and BOOL are read.',
  ],
  'NaN': [
    safetensors({ query: { shape: [1, 2, 2], data: [1, 2, NaN, 4] } }),
    'query is NaN at [0,1,0]; every number must be finite in float32.',
  ],
  'an infinite weight': [
    safetensors({ query, in_proj_weight: { shape: [6, 2], data: [...Array(11).fill(0), Infinity] } }),
    'in_proj_weight is ∞ at [5,1]; every number must be finite in float32.',
  ],
  'NaN in a mask': [
    safetensors({ query, attn_mask: { shape: [2, 2], data: [0, -Infinity, NaN, 0] } }),
    'attn_mask is NaN at [1,0]; a mask must hold finite numbers or −∞.',
  ],
  'more tokens than are computed': [
    safetensors({ query: { shape: [4097, 1], data: Array(4097).fill(0) } }),
    'The number of query tokens is 4097; at most 4096 is allowed.',
  ],
  'more scores than are computed': [
    safetensors({ query: { shape: [17, 4096, 1], data: Array(17 * 4096).fill(0) } }),
    'scores would have shape [17,1,4096,4096]; at most 268435456 numbers are allowed.',
  ],
};
for (const [name, [bytes, sentence]] of Object.entries(hostile)) {
  test(`hostile: ${name}`, () => {
    const path = save(folder, 'hostile.safetensors', bytes);
    const output = join(folder, 'never.safetensors');
    const prefix = `${JSON.stringify(path)}: `;
    // With the memory that a small file may take, so that what these claim could not be allocated.
    const said = complaint(['trace', path, '-o', output, '--causal'], { kilobytes: 1_000_000 });
    assert.ok(said.startsWith(prefix), said);
    const rest = said.slice(prefix.length);
    if (sentence instanceof RegExp) assert.match(rest, sentence);
    else assert.equal(rest, sentence);
    assert.ok(!readdirSync(folder).includes('never.safetensors'));
  });
}

test('--ignore-unknown passes over what nobody needs, whatever it is', () => {
  const path = save(folder, 'more.safetensors', safetensors({
    query,
    'layers.0.weight': { dtype: 'I32', shape: [2], data: [1, 2] },
    expected: { shape: [1], data: [NaN] },
  }));
  assert.match(complaint(['trace', path, '--json']), /Tensor "layers\.0\.weight" is not known/);
  const all = run(['trace', path, '--json', '--ignore-unknown']);
  assert.equal(all.code, 0);
  assert.equal(all.stdout, run(['trace', good, '--json']).stdout);
});

test('a file that cannot be read', () => {
  const missing = join(folder, 'missing.safetensors');
  assert.equal(complaint(['trace', missing, '--json']), `"${missing}" cannot be read: No such file or directory.`);
  assert.equal(complaint(['trace', folder, '--json']), `"${folder}" cannot be read: it is a folder.`);
  assert.equal(complaint(['trace', '', '--json']), '"" cannot be read: No such file or directory.');
});

test('a file larger than is read is refused unread', () => {
  const path = save(folder, 'large.safetensors', '');
  truncateSync(path, 2 ** 31 + 1);  // sparse
  assert.equal(complaint(['trace', path, '--json']), `"${path}" cannot be read: it has more than 2147483648 bytes.`);
});

test('a pipe can be read and written', { skip: process.platform === 'win32' }, () => {
  const shell = (script) => spawnSync('sh', ['-c', script, program, good], { encoding: 'buffer' });
  const read = shell('cat "$1" | "$0" trace /dev/stdin --json');
  assert.equal(read.status, 0, read.stderr.toString());
  assert.equal(read.stdout.toString(), run(['trace', good, '--json']).stdout);
  const written = shell('"$0" trace "$1" -o /dev/stdout | cat');
  const output = join(folder, 'same.safetensors');
  run(['trace', good, '-o', output]);
  assert.ok(written.stdout.length > 0);
  assert.deepEqual(written.stdout, readFileSync(output));
});

test('an output that cannot be written', () => {
  const inMissing = join(folder, 'missing', 'out.safetensors');
  assert.equal(complaint(['trace', good, '-o', inMissing]), `"${inMissing}" cannot be written: No such file or directory.`);
  assert.equal(complaint(['trace', good, '-o', folder]), `"${folder}" cannot be written: it is a folder.`);
  const below = join(good, 'out.safetensors');
  assert.equal(complaint(['trace', good, '-o', below]), `"${below}" cannot be written: Not a directory.`);
});

test('a full disk is named', { skip: process.platform !== 'linux' }, () => {
  assert.equal(complaint(['trace', good, '-o', '/dev/full']), '"/dev/full" cannot be written: No space left on device.');
});

test('the output is replaced as a whole, with its permissions', () => {
  const place = join(folder, 'place');
  mkdirSync(place);
  const output = join(place, 'out.safetensors');
  writeFileSync(output, 'old');
  chmodSync(output, 0o640);
  const before = statSync(output).ino;
  assert.equal(run(['trace', good, '-o', output]).code, 0);
  assert.ok(readSafetensors(output).tensors.has('output'));
  assert.notEqual(statSync(output).ino, before);  // a new file took the name
  assert.equal(statSync(output).mode & 0o777, 0o640);
  assert.deepEqual(readdirSync(place), ['out.safetensors']);
});

test('a failed run leaves the old output', () => {
  const output = save(folder, 'kept.safetensors', 'old');
  complaint(['trace', good, '-o', output, '--query', '7']);
  complaint(['trace', good, '-o', output, '--heads', '3']);
  assert.equal(readFileSync(output, 'utf8'), 'old');
});

test('a link to the output stays a link', { skip: process.platform === 'win32' }, () => {
  const target = save(folder, 'target.safetensors', 'old');
  const link = join(folder, 'link.safetensors');
  symlinkSync('target.safetensors', link);
  assert.equal(run(['trace', good, '-o', link]).code, 0);
  assert.ok(lstatSync(link).isSymbolicLink());
  assert.equal(readlinkSync(link), 'target.safetensors');
  assert.ok(readSafetensors(target).tensors.has('output'));
});

test('the output may be the input', () => {
  const path = save(folder, 'both.safetensors', readFileSync(good));
  assert.equal(run(['trace', path, '-o', path]).code, 0);
  assert.ok(readSafetensors(path).tensors.has('attention_weights'));
});

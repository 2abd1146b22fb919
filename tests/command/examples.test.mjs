// The built-in examples as files and as JSON.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';

import { complaint, readSafetensors, run, temporaryFolder } from './program.mjs';

const folder = temporaryFolder();

/** {id: [variant names]} as `examples` lists them: ids at the margin, variants below. */
function listed() {
  const { code, stdout, stderr } = run(['examples']);
  assert.deepEqual([code, stderr], [0, '']);
  const examples = {};
  let id = '';
  for (const line of stdout.trimEnd().split('\n')) {
    const variant = line.match(/^ {2}--variant ([a-z-]+): \S/);
    if (/^[a-z]/.test(line)) examples[(id = line)] = [];
    else if (variant) examples[id].push(variant[1]);
    else assert.match(line, /^ {2}\S.*\.$/);
  }
  return examples;
}
const examples = listed();

function json(id, ...args) {
  const { code, stdout, stderr } = run(['trace', '--example', id, '--json', ...args]);
  assert.deepEqual([code, stderr], [0, ''], id);
  return JSON.parse(stdout);
}

function file(id, ...args) {
  const output = join(folder, 'out.safetensors');
  const { code, stdout, stderr } = run(['trace', '--example', id, '-o', output, ...args]);
  assert.deepEqual([code, stdout, stderr], [0, '', ''], id);
  return readSafetensors(output);
}

test('the examples are listed in the order of the menu', () => {
  assert.deepEqual(Object.keys(examples), [
    'translator', 'pool-beats-badminton', 'you-are-welcome', 'anthony-hopkins', 'counting', 'lazy-dog', 'image-patches',
    'gender-and-number', 'your-sentence', 'reverse', 'agree', 'look-back',
  ]);
});

const special = { Infinity: Infinity, '-Infinity': -Infinity, NaN: NaN };
for (const [id, variants] of Object.entries(examples)) {
  for (const variant of variants.length > 0 ? variants : [null]) {
    test(`the file and --json agree: ${id} ${variant ?? ''}`, () => {
      const args = variant ? ['--variant', variant] : [];
      const { tensors, metadata } = file(id, ...args);
      const printed = json(id, ...args);
      const attentions = 'tensors' in printed ? { '': printed } : printed;
      const names = [];
      for (const [attention, { config, tensors: ours }] of Object.entries(attentions)) {
        const prefix = attention === '' ? '' : `${attention}.`;
        // The rows around the attentions of a layer are no attention: they have no configuration.
        const isLayer = /^(encoder|decoder)\.\d+$/.test(attention);
        assert.equal(config === undefined, isLayer, attention);
        assert.equal(metadata[`${prefix}num_heads`], isLayer ? undefined : String(config.num_heads));
        assert.equal(metadata[`${prefix}scale`], isLayer ? undefined : String(config.scale));
        for (const [name, { shape, data }] of Object.entries(ours)) {
          names.push(prefix + name);
          const written = tensors.get(prefix + name);
          assert.deepEqual(written.shape, shape, prefix + name);
          assert.equal(written.data.length, data.length);
          const differs = data.findIndex((cell, i) => !Object.is(special[cell] ?? Math.fround(cell), written.data[i]));
          assert.equal(differs, -1, `${prefix + name}: ${data[differs]} and ${written.data[differs]}`);
        }
      }
      assert.deepEqual(names, [...tensors.keys()]);
      assert.ok(names.length >= 20, `${names.length}`);
    });
  }
}

test('pool-beats-badminton has the printed numbers', () => {
  const { tensors, config } = json('pool-beats-badminton');
  const digits = (name, count) => tensors[name].data.map((cell) => cell.toFixed(count)).join(' ');
  assert.equal(config.scale, 'none');
  assert.equal(digits('query_input', 1), '0.5 0.1 0.1 0.2 0.1 0.5 0.2 0.1 0.5 0.1 0.2 0.1');
  assert.equal(digits('scores', 2), '0.31 0.14 0.30 0.14 0.31 0.15 0.30 0.15 0.31');
  assert.equal(
    digits('output', 4),
    '0.3809 0.2191 0.1647 0.1353 0.3516 0.2484 0.1687 0.1313 0.3801 0.2199 0.1652 0.1348',
  );
});

test('counting can be checked by eye', () => {
  assert.deepEqual(json('counting').tensors.q_heads.data, [1, 2, 3, 7, 8, 9, 13, 14, 15, 4, 5, 6, 10, 11, 12, 16, 17, 18]);
  const { tensors } = json('counting', '--variant', 'counting');
  assert.deepEqual(tensors.q_heads.shape, [1, 8, 9, 64]);
  assert.deepEqual(tensors.q_heads.data.slice(0, 64), Array.from({ length: 64 }, (_, i) => i + 1));
  assert.equal(tensors.q_heads.data.at(-1), 4608);
});

test('--scale changes an example and nothing else', () => {
  const plain = json('pool-beats-badminton');
  const scaled = json('pool-beats-badminton', '--scale', 'sqrt-head-dim');
  assert.equal(scaled.config.divisor, 2);
  assert.deepEqual(scaled.tensors.scores.data, plain.tensors.scores.data);
  const halves = plain.tensors.scores.data.map((cell) => Math.fround(cell) / 2);  // exact in binary
  assert.deepEqual(scaled.tensors.scaled_scores.data.map(Math.fround), halves);
  assert.deepEqual(json('pool-beats-badminton', '--scale', 'none'), plain);
});

test('you-are-welcome is three attentions, chained', () => {
  const three = json('you-are-welcome');
  assert.deepEqual(Object.keys(three),
    ['encoder_self_attention', 'decoder_self_attention', 'cross_attention', 'encoder.0', 'decoder.0']);
  const cross = three.cross_attention;
  assert.deepEqual(cross.tensors.key_input.data, cross.tensors.value_input.data);
  assert.equal(cross.config.key_len, three.encoder_self_attention.config.query_len);
  assert.equal(cross.config.query_len, three.decoder_self_attention.config.query_len);
  // Look-ahead in the decoder: query 0 of every sample and head sees key 0 alone.
  const { shape, data } = three.decoder_self_attention.tensors.attention_weights;
  for (let row = 0; row < data.length; row += shape[2] * shape[3]) {
    assert.deepEqual(data.slice(row, row + shape[3]), [1, ...Array(shape[3] - 1).fill(0)]);
  }
  const names = [...file('you-are-welcome').tensors.keys()];
  assert.deepEqual(names.filter((name) =>
    !/^((encoder_self|decoder_self|cross)_attention\.\w+|(encoder|decoder)\.0\.\w+(\.(weight|bias))?)$/.test(name)), []);
});

test('the layers around the attentions of you-are-welcome are there, step by step', () => {
  const all = json('you-are-welcome', '--heads', '3');
  const sum = (a, b) => a.data.map((x, i) => Math.fround(Math.fround(x) + Math.fround(b.data[i])));
  const numbers = ({ data }) => data.map(Math.fround);
  const layers = [
    { name: 'encoder', shape: [2, 3, 6], self: all.encoder_self_attention, reads: 'normed1', last: 'residual2' },
    { name: 'decoder', shape: [2, 2, 6], self: all.decoder_self_attention, reads: 'normed2', last: 'residual3' },
  ];
  for (const { name, shape, self, reads, last } of layers) {
    const layer = all[`${name}.0`];
    assert.deepEqual(Object.keys(layer), ['tensors']);
    const { tensors } = layer;
    const wide = [...shape.slice(0, 2), 12];
    for (const each of ['residual1', 'normed1', 'feed_forward', last, 'layer_output']) assert.deepEqual(tensors[each].shape, shape, each);
    for (const each of ['hidden', 'activated']) assert.deepEqual(tensors[each].shape, wide, each);
    assert.deepEqual(tensors['linear1.weight'].shape, [12, 6]);
    assert.deepEqual(tensors['linear2.weight'].shape, [6, 12]);
    assert.deepEqual(tensors.input.data, self.tensors.query_input.data);
    assert.deepEqual(tensors.self_attention.data, self.tensors.output.data);
    assert.deepEqual(numbers(tensors.residual1), sum(tensors.input, tensors.self_attention));
    assert.deepEqual(numbers(tensors[last]), sum(tensors[reads], tensors.feed_forward));
    assert.deepEqual(tensors.activated.data, tensors.hidden.data.map((x) => Math.max(0, x)));
    // A norm that was never trained: every token has mean 0 and variance 1.
    for (let at = 0; at < tensors.layer_output.data.length; at += 6) {
      const token = tensors.layer_output.data.slice(at, at + 6);
      assert.ok(Math.abs(token.reduce((total, x) => total + x)) < 1e-5);
      assert.ok(Math.abs(token.reduce((total, x) => total + x * x, 0) / 6 - 1) < 1e-3);
    }
  }
  const cross = all.cross_attention.tensors;
  const { tensors: decoder } = all['decoder.0'];
  assert.deepEqual(cross.key_input.data, all['encoder.0'].tensors.layer_output.data);
  assert.deepEqual(cross.query_input.data, decoder.normed1.data);
  assert.deepEqual(decoder.cross_attention.data, cross.output.data);
  assert.deepEqual(numbers(decoder.residual2), sum(decoder.normed1, decoder.cross_attention));
});

test('--causal reaches every attention of an example but cross_attention', () => {
  const before = json('you-are-welcome');
  const after = json('you-are-welcome', '--causal');
  const { shape, data } = after.encoder_self_attention.tensors.mask;
  for (let at = 0; at < data.length; ++at) {
    const [i, j] = [Math.floor(at / shape[3]) % shape[2], at % shape[3]];
    if (j > i) assert.equal(data[at], '-Infinity', `${at}`);
  }
  assert.notDeepEqual(after.encoder_self_attention.tensors.mask, before.encoder_self_attention.tensors.mask);
  assert.deepEqual(after.cross_attention.tensors.mask, before.cross_attention.tensors.mask);
});

test('--query adds weighted_values that sum to the head outputs', () => {
  const { tensors } = json('pool-beats-badminton', '--query', '2');
  const { shape, data } = tensors.weighted_values;
  assert.deepEqual(shape, [1, 1, 1, 3, 4]);
  const sums = [0, 1, 2, 3].map((d) => data[d] + data[4 + d] + data[8 + d]);
  sums.forEach((sum, d) => assert.ok(Math.abs(sum - tensors.head_outputs.data[8 + d]) < 1e-6));
  assert.match(complaint(['trace', '--example', 'you-are-welcome', '--json', '--query', '9']),
    /^encoder_self_attention: There is no query 9; allowed are 0 to \d+\.$/);
});

test('your-sentence takes a sentence, a seed and sizes', () => {
  const short = json('your-sentence', '--sentence', 'γνῶθι σεαυτόν', '--seed', '7', '--embed-dim', '6', '--heads', '3');
  assert.equal(short.config.query_len, 2);
  assert.equal(short.config.embed_dim, 6);
  assert.equal(short.config.num_heads, 3);
  assert.deepEqual(json('your-sentence', '--sentence', 'γνῶθι σεαυτόν', '--seed', '7', '--embed-dim', '6', '--heads', '3'), short);
  for (const sentence of ['-- hello', '--json', '-5', '--rope']) {
    assert.equal(json('your-sentence', '--sentence', sentence).config.query_len, sentence.split(' ').length, sentence);
  }
  const other = json('your-sentence', '--sentence', 'γνῶθι σεαυτόν', '--seed', '8', '--embed-dim', '6', '--heads', '3');
  assert.notDeepEqual(other.tensors.output.data, short.tensors.output.data);
});

test('your-sentence shares heads of keys and values', () => {
  const args = ['--embed-dim', '16', '--heads', '4'];
  const { config, tensors } = json('your-sentence', ...args, '--kv-heads', '2');
  assert.deepEqual([config.num_heads, config.num_kv_heads], [4, 2]);
  assert.deepEqual(tensors.k_proj_weight.shape, [8, 16]);
  const [, groups, keys, dim] = tensors.k_groups.shape;
  assert.deepEqual([groups, keys, dim], [2, config.key_len, 4]);
  for (const letter of ['k', 'v']) {
    const rows = (name, head) => tensors[name].data.slice(head * keys * dim, (head + 1) * keys * dim);
    for (let head = 0; head < 4; ++head) {
      assert.deepEqual(rows(`${letter}_heads`, head), rows(`${letter}_groups`, Math.floor(head / 2)), `${letter} ${head}`);
    }
  }
  const { tensors: written, metadata } = file('your-sentence', ...args, '--kv-heads', '2');
  assert.deepEqual(written.get('k_shared').shape, [1, 2, 2, config.key_len, 4]);
  assert.equal(metadata.num_kv_heads, '2');
  assert.deepEqual(json('your-sentence', ...args, '--kv-heads', '4'), json('your-sentence', ...args));
});

test('your-sentence takes keys and values from another sentence, of another width', () => {
  const own = json('your-sentence');
  const { config, tensors } = json('your-sentence', '--kdim', '12');
  assert.deepEqual([config.query_len, config.embed_dim], [own.config.query_len, own.config.embed_dim]);
  assert.deepEqual([config.key_len, config.kdim, config.vdim], [7, 12, 12]);
  assert.deepEqual(tensors.q_proj_weight, own.tensors.q_proj_weight);
  for (const letter of ['k', 'v']) assert.deepEqual(tensors[`${letter}_proj_weight`].shape, [8, 12], letter);
  assert.deepEqual(tensors.output.shape, own.tensors.output.shape);
  // With each variant, as in one sentence.
  const rows = Object.keys(json('your-sentence', '--rope', '--softcap', '3', '--qk-norm', '--kv-heads', '1').tensors);
  assert.deepEqual(Object.keys(
    json('your-sentence', '--kdim', '12', '--rope', '--softcap', '3', '--qk-norm', '--kv-heads', '1').tensors), rows);
});

test('anthony-hopkins names the rows that were given by hand', () => {
  const { given_weights: given, tensors } = json('anthony-hopkins', '--variant', 'article');
  assert.ok(given.length > 0);
  const printed = [0.06, 0.09, 0.05, 0.25, 0.18, 0.06, 0.09, 0.06, 0.15];
  const { shape, data } = tensors.attention_weights;
  for (const [sample, head, query] of given) {
    const row = ((sample * shape[1] + head) * shape[2] + query) * shape[3];
    assert.deepEqual(data.slice(row, row + shape[3]), printed);
  }
  assert.deepEqual(json('anthony-hopkins', '--variant', 'self').given_weights, []);
});

test('what an example does not offer, or not so, is a sentence', () => {
  const wrong = (id, ...args) => complaint(['trace', '--example', id, '--json', ...args]);
  assert.equal(wrong('you-are-welcome', '--sentence', 'x'), 'The example you-are-welcome has no sentence to choose.');
  assert.equal(wrong('you-are-welcome', '--kv-heads', '1'),
    'The example you-are-welcome has no number of heads for keys and values to choose.');
  assert.equal(wrong('your-sentence', '--heads', '4', '--kv-heads', '3'),
    'num_kv_heads 3 is not possible with 4 heads: choose one of 1, 2, 4.');
  assert.equal(wrong('you-are-welcome', '--kdim', '4'), 'The example you-are-welcome has no kdim to choose.');
  assert.equal(wrong('your-sentence', '--kdim', '7'), 'kdim 7 is not possible in your-sentence: choose an even number ' +
    'from 2 to 512, or 0 for keys and values of the same sentence.');
  assert.equal(wrong('pool-beats-badminton', '--variant', 'x'),
    'The example pool-beats-badminton has no variant "x"; allowed: plain, scaled, projected.');
  assert.equal(wrong('your-sentence', '--sentence', ''), 'The sentence is empty: give at least one word.');
  for (const args of [['--sentence', ' '], ['--sentence', 'word '.repeat(65)], ['--sentence', Buffer.from([0xff]).toString('latin1').repeat(2000)],
    ['--heads', '4', '--kv-heads', '3'], ['--heads', '3', '--embed-dim', '8'], ['--heads', '1000000000'], ['--embed-dim', '1000000000'], ['--embed-dim', '7']]) {
    assert.match(wrong('your-sentence', ...args), /^[A-Z_a-z].*\.$/, args.join(' '));
  }
});

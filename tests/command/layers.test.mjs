// Attentions of models: `layers` lists those of a file, `trace --layer` computes one.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { closeSync, ftruncateSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { complaint, program, rawFile, readSafetensors, run, safetensors, save, temporaryFolder } from './program.mjs';

const folder = temporaryFolder();
const numbers = (shape) => ({ shape, data: Array.from({ length: shape.reduce((a, b) => a * b, 1) }, (_, i) => ((i * 7) % 11) / 8 - 0.6) });
const linear = (name, out, wide) => ({ [`${name}.weight`]: numbers([out, wide]), [`${name}.bias`]: numbers([out]) });
const gpt2 = (layer, prefix = '') => ({
  [`${prefix}h.${layer}.attn.c_attn.weight`]: numbers([4, 12]),
  [`${prefix}h.${layer}.attn.c_attn.bias`]: numbers([12]),
  ...linear(`${prefix}h.${layer}.attn.c_proj`, 4, 4),
});
const small = save(folder, 'small.safetensors', safetensors({ ...gpt2(0), ...gpt2(10), ...gpt2(2), 'wte.weight': numbers([3, 4]) }));
const made = join(folder, 'made.safetensors');

/** Traces a layer into `made`; what standard error says, and the file. */
function trace(file, ...args) {
  const { code, stdout, stderr } = run(['trace', file, ...args, '-o', made]);
  assert.deepEqual([code, stdout], [0, ''], stderr);
  return { said: stderr.replaceAll('attention-live: ', '').trim().split('\n').filter(Boolean), ...readSafetensors(made) };
}

test('each family at real sizes gives the numbers of its formulas in NumPy and double', (context) => {
  const python = fileURLToPath(new URL('../../tools/python', import.meta.url));
  const script = fileURLToPath(new URL('model_layers.py', import.meta.url));
  if (spawnSync(python, ['numpy', '-c', 'pass']).status !== 0) return context.skip('no Python here has numpy');
  const { status, stdout, stderr } = spawnSync(python, ['numpy', script, program, mkdtempSync(join(folder, 'models-'))],
    { encoding: 'utf8', timeout: 300_000 });
  assert.equal(status, 0, stderr);
  const families = JSON.parse(stdout);
  assert.deepEqual(Object.keys(families),
    ['PyTorch', 'PyTorch, cross', 'PyTorch, widths', 'GPT-2', 'BERT', 'BART', 'T5', 'T5, narrow heads', 'Llama', 'Qwen3',
      'Qwen3, wide heads', 'Gemma', 'Llama 3', 'Phi-3', 'GPT-NeoX', 'Falcon', 'OLMo 2', 'Swin', 'ModernBERT', 'ModernBERT, local',
      'gpt-oss']);
  for (const [family, { size, worst }] of Object.entries(families)) {
    assert.ok(size > 0.1, `${family}: the outputs are too small to be compared: ${size}`);
    for (const [tensor, difference] of Object.entries(worst)) assert.ok(difference <= 2e-5, `${family}: ${tensor} ${difference}`);
  }
  assert.equal(families['gpt-oss'].said, '');
  assert.match(families.Llama.said, /Rotary positions have base 10000, which the file does not say/);
  assert.match(families.Qwen3.said, /^attention-live: Guessed from the names of its tensors, as no known model_type says it: [^\n]*\n$/);
});

test('the attentions are listed by layer', () => {
  const { code, stdout, stderr } = run(['layers', small]);
  assert.deepEqual([code, stderr], [0, '']);
  assert.deepEqual(stdout.split('\n'), [
    'h.0.attn   GPT-2  causal self-attention  embed_dim 4  1 head?  0.3 kB',
    'h.2.attn   GPT-2  causal self-attention  embed_dim 4  1 head?  0.3 kB',
    'h.10.attn  GPT-2  causal self-attention  embed_dim 4  1 head?  0.3 kB',
    '',
  ]);
});

test('what is not whole or not computed is said beside the others', () => {
  const file = save(folder, 'parts.safetensors', safetensors({
    ...gpt2(0), 'h.1.attn.c_attn.weight': numbers([4, 12]),
    'h.2.attn.c_attn.weight': numbers([4, 11]), ...linear('h.2.attn.c_proj', 4, 4),
  }));
  const { stdout } = run(['layers', file]);
  assert.match(stdout, /^h\.2\.attn +GPT-2 +causal self-attention +not computed: Tensor "h\.2\.attn\.c_attn\.weight" has shape \[4,11\], /m);
  assert.match(stdout, /^1 more not whole: "h\.1\.attn\.c_proj\.weight" is missing\.$/m);
  assert.match(complaint(['trace', file, '--layer', 'h.2.attn', '-o', made]), /"h\.2\.attn" is not computed: Tensor/);
});

test('only the header is read: a file of 20 GB is listed, and one layer traced, at once', () => {
  // A sparse file: the tensors are there, and take no room on the disk.
  const path = join(folder, 'large.safetensors');
  const header = {};
  let end = 0;
  const add = (name, shape) => {
    const bytes = 4 * shape.reduce((a, b) => a * b);
    header[name] = { dtype: 'F32', shape, data_offsets: [end, end += bytes] };
  };
  for (let layer = 0; layer < 32; ++layer) {
    add(`layers.${layer}.mlp.weight`, [14336, 10000]);
    for (const [part, out] of [['q', 256], ['k', 64], ['v', 64], ['o', 256]]) add(`layers.${layer}.self_attn.${part}_proj.weight`, [out, 256]);
  }
  const beginning = rawFile(JSON.stringify(header));
  const file = openSync(path, 'w');
  writeSync(file, beginning);
  ftruncateSync(file, beginning.length + end);
  closeSync(file);
  assert.ok(end > 18e9);
  const limit = { kilobytes: 600_000 }; // of memory
  const { stdout } = run(['layers', path], limit);
  assert.equal(stdout.trim().split('\n').length, 32);
  const { code } = run(['trace', path, '--layer', 'layers.31.self_attn', '-o', made], limit);
  assert.equal(code, 0);
  assert.ok(readSafetensors(made).tensors.get('output').data.every((x) => x === 0));
});

const guess = (what) => `Guessed from the names of its tensors, as no known model_type says it: ${what}.`;
const looksBack = guess('no token sees a later one');

test('random tokens are those of the seed, and it is said that they are', () => {
  const first = trace(small, '--layer', 'h.0.attn', '--heads', '2');
  assert.deepEqual(first.said, [looksBack, 'The tokens are random, seed 1.']);
  assert.equal(first.metadata.input, 'random, seed 1');
  assert.equal(first.metadata.layer, 'h.0.attn');
  assert.equal(first.metadata.num_heads, '2');
  assert.deepEqual(first.tensors.get('query_input').shape, [1, 8, 4]);
  const again = trace(small, '--layer', 'h.0.attn', '--heads', '2', '--seed', '1', '--tokens', '5');
  assert.deepEqual(again.tensors.get('query_input').data, first.tensors.get('query_input').data.slice(0, 20));
  const other = trace(small, '--layer', 'h.0.attn', '--heads', '2', '--seed', '2');
  assert.notDeepEqual(other.tensors.get('query_input').data, first.tensors.get('query_input').data);
});

test('GPT-2 looks back only, unless --no-causal is given', () => {
  const hidden = ({ tensors }) => tensors.get('attention_weights').data.filter((x) => x === 0).length;
  assert.equal(hidden(trace(small, '--layer', 'h.0.attn', '--tokens', '3')), 3);
  assert.equal(hidden(trace(small, '--layer', 'h.0.attn', '--tokens', '3', '--no-causal')), 0);
});

test('tokens of the file itself, of another file, of an array', () => {
  const query = { shape: [2, 4], data: [1, 0, 0, 2, 0.5, -1, 2, 0] };
  const own = save(folder, 'own.safetensors', safetensors({ ...gpt2(0), query }));
  const { tensors, said, metadata } = trace(own, '--layer', 'h.0.attn', '--heads', '2');
  assert.deepEqual([tensors.get('query_input').data, said, metadata.input], [query.data, [looksBack], own]);
  assert.match(trace(own, '--layer', 'h.0.attn', '--heads', '2', '--seed', '3').said[1], /random, seed 3/);
  const other = save(folder, 'other.safetensors', safetensors({ query: { shape: [1, 1, 4], data: [1, 2, 3, 4] } }));
  assert.deepEqual(trace(own, '--layer', 'h.0.attn', '--input', other).tensors.get('query_input').data, [1, 2, 3, 4]);
  const text = "{'descr': '<f8', 'fortran_order': False, 'shape': (1, 4), }";
  const data = Buffer.from(new Float64Array([4, 3, 2, 1]).buffer);
  const array = save(folder, 'array.npy', Buffer.concat([Buffer.from('\x93NUMPY\x01\x00', 'latin1'), Buffer.from([text.length, 0]), Buffer.from(text), data]));
  assert.deepEqual(trace(own, '--layer', 'h.0.attn', '--input', array).tensors.get('query_input').data, [4, 3, 2, 1]);
  const cut = save(folder, 'cut.npy', Buffer.concat([Buffer.from('\x93NUMPY\x01\x00', 'latin1'), Buffer.from([text.length, 0]), Buffer.from(text)]));
  assert.equal(complaint(['trace', own, '--layer', 'h.0.attn', '--input', cut, '-o', made]),
    `"${cut}": The array has shape [1,4], which takes 32 bytes, but 0 follow its header.`);
});

test('config.json in the same folder says how many heads there are, and the base of rotary positions', () => {
  const beside = mkdtempSync(join(folder, 'model-'));
  const projection = (part, rows, columns) => ({ [`self_attn.${part}_proj.weight`]: numbers([rows, columns]) });
  const file = save(beside, 'model.safetensors', safetensors(
    { ...projection('q', 16, 8), ...projection('k', 8, 8), ...projection('v', 8, 8), ...projection('o', 8, 16) }));
  const config = (text) => save(beside, 'config.json', Buffer.from(text));
  config('{"model_type": "llama", "num_attention_heads": 4, "num_key_value_heads": 2, "head_dim": 4, "rope_theta": 500000}');
  assert.match(run(['layers', file]).stdout, /embed_dim 8  4 heads, 2 for keys, head_dim 4  /);
  const { said, metadata } = trace(file, '--layer', 'self_attn');
  assert.deepEqual(said, ['The tokens are random, seed 1.']);
  assert.deepEqual([metadata.num_heads, metadata.num_kv_heads, metadata.rope], ['4', '2', '500000']);
  config('{"model_type": "llama", "num_attention_heads": 4, "rope_scaling": {"type": "other", "factor": 2}}');
  assert.match(trace(file, '--layer', 'self_attn').said[0], /^config\.json has rope_scaling of type "other", which is not computed/);
  const broken = config('{');
  assert.equal(trace(file, '--layer', 'self_attn').said[0], `"${broken}" is passed over: config.json is not a JSON object.`);
});

test('--ids takes rows of the embeddings', () => {
  const { tensors, said, metadata } = trace(small, '--layer', 'h.0.attn', '--heads', '2', '--ids', '2,0,2');
  const rows = numbers([3, 4]).data.map(Math.fround);
  assert.deepEqual(tensors.get('query_input').shape, [1, 3, 4]);
  assert.deepEqual(tensors.get('query_input').data, [...rows.slice(8), ...rows.slice(0, 4), ...rows.slice(8)]);
  assert.match(said[0], /rows of the model's embeddings, without positions/);
  assert.equal(metadata.input, 'embeddings of token ids');
});

/** A folder with a model of these tensors and this config: the path of its file. */
function model(tensors, config) {
  const own = mkdtempSync(join(folder, 'published-'));
  if (config) save(own, 'config.json', Buffer.from(typeof config === 'string' ? config : JSON.stringify(config)));
  return save(own, 'model.safetensors', safetensors(tensors));
}
const identity = (width) => ({ shape: [width, width], data: Array.from({ length: width * width }, (_, i) => (i % (width + 1) === 0 ? 1 : 0)) });
/** Projections that change nothing, by these names. */
const identities = (at, width, out, names = ['q_proj', 'k_proj', 'v_proj']) =>
  Object.fromEntries([...names, out].map((name) => [`${at}.${name}.weight`, identity(width)]));
const llama = (width = 2) => identities('model.layers.0.self_attn', width, 'o_proj');
/** The weights of head 0 for these tokens, a list for each query. */
function weightsOf(file, layer, rows, ...args) {
  const query = save(folder, 'rows.safetensors', safetensors({ query: { shape: [rows.length, rows[0].length], data: rows.flat() } }));
  const { tensors } = trace(file, '--layer', layer, '--input', query, ...args);
  const { shape, data } = tensors.get('attention_weights');
  return Array.from({ length: shape[2] }, (_, i) => data.slice(i * shape[3], (i + 1) * shape[3]));
}
function near(numbers, wanted) {
  assert.equal(numbers.length, wanted.length);
  numbers.forEach((number, i) => assert.ok(Math.abs(number - wanted[i]) < 5e-5, `${numbers} are not ${wanted}`));
}

test('sinks of the file are read, whatever --sink says', () => {
  const file = model({ ...llama(), 'model.layers.0.self_attn.sinks': { shape: [1], data: [0] } });
  for (const args of [[], ['--sink', '3']]) near(weightsOf(file, 'model.layers.0.self_attn', [[1, 0]], ...args)[0], [0.6698]);
});

test('a sliding window of config.json hides what is before it', () => {
  near(weightsOf(model(llama(), { sliding_window: 1 }), 'model.layers.0.self_attn', [[1, 0], [1, 0]])[1], [0, 1]);
});

test('a part of each head is turned where config.json says so', () => {
  const file = model(llama(4), { num_attention_heads: 1, rope_parameters: { rope_theta: 10000, partial_rotary_factor: 0.5 } });
  near(weightsOf(file, 'model.layers.0.self_attn', [[0, 0, 2, 0], [0, 0, 2, 0]])[1], [0.5, 0.5]);
});

test('model_type decides what a token sees: SigLIP both ways, XGLM back only', () => {
  const text = 'text_model.encoder.layers.0.self_attn';
  near(weightsOf(model(identities(text, 2, 'out_proj'), { model_type: 'siglip' }), text, [[1, 0], [1, 0]])[0], [0.5, 0.5]);
  const flat = 'model.layers.0.self_attn';
  near(weightsOf(model(identities(flat, 2, 'out_proj'), { model_type: 'xglm' }), flat, [[1, 0], [1, 0]])[0], [1, 0]);
});

test('each tower asks its own part of config.json', () => {
  const towers = ['text_model', 'vision_model'].map((name) => identities(`${name}.encoder.layers.0.self_attn`, 24, 'out_proj'));
  const file = model(Object.assign({}, ...towers), {
    model_type: 'clip', text_config: { num_attention_heads: 8 }, vision_config: { num_attention_heads: 12 },
  });
  const { stdout } = run(['layers', file]);
  assert.match(stdout, /^text_model\S+ +BART +causal self-attention +embed_dim 24 +8 heads /m);
  assert.match(stdout, /^vision_model\S+ +BART +self-attention +embed_dim 24 +12 heads /m);
});

test('one bad field of config.json does not spoil the others', () => {
  const layers = (config) => run(['layers', model(llama(8), config)]).stdout;
  assert.match(layers('{"num_attention_heads": 4, "x": Infinity}'), / 4 heads /);
  assert.match(layers('{"num_attention_heads": 4, "rope_theta": 100000000000.0}'), / 4 heads /);
  assert.match(layers('{"num_attention_heads": 4, "rope_theta": "many"}'), / 4 heads /);
  const { said } = trace(model(llama(8), '{"model_type": "llama", "num_attention_heads": 4, "rope_theta": "many"}'), '--layer', 'model.layers.0.self_attn');
  assert.equal(said[0], 'rope_theta of config.json is passed over: "many" is no number that can be used there.');
});

test('--ids takes the embeddings of the part that the layer stands in', () => {
  const rows = (number) => ({ shape: [2, 2], data: [number, 0, 0, number] });
  const file = model({
    'decoder.embed_tokens.weight': rows(5), 'encoder.embed_tokens.weight': rows(7),
    ...identities('encoder.layers.0.self_attn', 2, 'out_proj'), ...identities('decoder.layers.0.self_attn', 2, 'out_proj'),
  }, { model_type: 'marian' });
  const first = (layer) => trace(file, '--layer', layer, '--ids', '0').tensors.get('query_input').data[0];
  assert.deepEqual([first('encoder.layers.0.self_attn'), first('decoder.layers.0.self_attn')], [7, 5]);
  const whisper = model({ 'decoder.embed_tokens.weight': rows(5), ...identities('encoder.layers.0.self_attn', 2, 'out_proj') });
  assert.match(complaint(['trace', whisper, '--layer', 'encoder.layers.0.self_attn', '--ids', '0', '-o', made]), /There are no embeddings of 2 numbers/);
});

test('every tensor under the name of the attention that was not read is said', () => {
  const at = 'model.layers.0.self_attn';
  const file = model({ ...llama(), [`${at}.q_proj.lora_A.weight`]: numbers([1, 2]), [`${at}.rotary_emb.inv_freq`]: numbers([1]) }, { model_type: 'llama' });
  assert.equal(trace(file, '--layer', at, '--rope', '10000').said[0],
    `Not read, though it stands under its name and may change the attention: "${at}.q_proj.lora_A.weight".`);
  const text = 'text_model.encoder.layers.0.self_attn';
  const more = Object.fromEntries(Array.from({ length: 9 }, (_, i) => [`${text}.x${i}`, numbers([1])]));
  const said = trace(model({ ...identities(text, 2, 'out_proj'), ...more }, { model_type: 'siglip' }), '--layer', text).said[1];
  assert.ok(said.endsWith(`"${text}.x3", … (9).`), said);
});

/** A folder with a model in two shards: the paths of its index and of its second shard. */
function sharded(weightMap) {
  const own = mkdtempSync(join(folder, 'shards-'));
  const query = { shape: [2, 4], data: [1, 0, 0, 2, 0.5, -1, 2, 0] };
  const parts = [{ ...gpt2(0), 'h.1.attn.c_attn.weight': numbers([4, 12]), 'wte.weight': numbers([3, 4]) },
    { 'h.1.attn.c_attn.bias': numbers([12]), ...linear('h.1.attn.c_proj', 4, 4), query }];
  const names = ['model-00001-of-00002.safetensors', 'model-00002-of-00002.safetensors'];
  const said = Object.assign({}, ...parts.map((tensors, i) => Object.fromEntries(Object.keys(tensors).map((name) => [name, names[i]]))));
  const [, second] = parts.map((tensors, i) => save(own, names[i], safetensors(tensors)));
  const index = save(own, 'model.safetensors.index.json', Buffer.from(JSON.stringify({ metadata: { total_size: 1e300 }, weight_map: weightMap ?? said })));
  return { own, index, second, whole: save(own, 'whole.safetensors', safetensors(Object.assign({}, ...parts))) };
}

test('the shards that an index names are read as if they were one file', () => {
  const { index, second, whole } = sharded();
  const listed = run(['layers', whole]);
  assert.match(listed.stdout, /^h\.1\.attn +GPT-2/m);
  for (const path of [index, second]) {
    assert.deepEqual(run(['layers', path]), listed);
    for (const args of [[], ['--ids', '2,0']]) {
      const ask = ['--layer', 'h.1.attn', '--heads', '2', ...args];
      assert.deepEqual(trace(path, ...ask).tensors, trace(whole, ...ask).tensors);
    }
  }
});

test('a shard that is not there is said, and the others are read', () => {
  const { own, index, second } = sharded();
  rmSync(second);
  const { code, stdout, stderr } = run(['layers', index]);
  assert.equal(code, 0);
  assert.equal(stderr, 'attention-live: "model-00002-of-00002.safetensors", which model.safetensors.index.json names, is not there: attentions in it are not whole.\n');
  assert.match(stdout, /^h\.0\.attn .*\n1 more not whole: "h\.1\.attn\.c_proj\.weight" is missing\.\n$/);
  assert.equal(trace(index, '--layer', 'h.0.attn', '--heads', '2').said.length, 3);
  rmSync(join(own, 'model-00001-of-00002.safetensors'));
  assert.match(run(['layers', index]).stderr, /"\S+": None of the files that it names is there\.\n$/);
});

for (const [kind, map, sentence] of [
  ['that leaves its folder', { a: '../model.safetensors' }, 'The index names the file "../model.safetensors"; only .safetensors files in its own folder are read.'],
  ['of an absolute path', { a: '/etc/model.safetensors' }, 'The index names the file "/etc/model.safetensors"; only .safetensors files in its own folder are read.'],
  ['of other files', { a: 'passwd' }, 'The index names the file "passwd"; only .safetensors files in its own folder are read.'],
  ['without a map', {}, 'This is no index of shards: its "weight_map", which says in which file each tensor lies, is missing or not as it should be.'],
  ['of numbers', { a: 7 }, 'This is no index of shards: its "weight_map", which says in which file each tensor lies, is missing or not as it should be.'],
  ['of too many files', Object.fromEntries(Array.from({ length: 600 }, (_, i) => [`t${i}`, `m-${i}.safetensors`])), 'The index names more than 512 files, the most that are read.'],
]) {
  test(`hostile: an index ${kind}`, () => {
    const { index } = sharded(map);
    assert.equal(complaint(['layers', index]), `"${index}": ${sentence}`);
  });
}

test('hostile: an index of 17 MiB, and one that gives a tensor to the wrong shard', () => {
  const long = save(folder, 'long.safetensors.index.json', Buffer.alloc((1 << 24) + 1, ' '));
  assert.equal(complaint(['layers', long]), `"${long}": The index is longer than 16 MiB.`);
  const { index } = sharded({ 'h.0.attn.c_attn.weight': 'model-00002-of-00002.safetensors', query: 'model-00002-of-00002.safetensors' });
  assert.match(complaint(['layers', index]), /has no attention with names that are known here/);
});

test('--input of another width says which width the layer reads', () => {
  const file = save(folder, 'wide.safetensors', safetensors({ query: { shape: [1, 5], data: [1, 2, 3, 4, 5] } }));
  assert.equal(complaint(['trace', small, '--layer', 'h.0.attn', '--heads', '2', '--input', file, '-o', made]),
    `"${file}": The queries are 5 numbers wide; this attention reads 4.`);
  const at = 'decoder.layers.0.encoder_attn';
  const cross = model({ ...identities(at, 4, 'out_proj'), [`${at}.k_proj.weight`]: numbers([4, 3]), [`${at}.v_proj.weight`]: numbers([4, 3]) });
  const narrow = save(folder, 'narrow.safetensors', safetensors({ query: { shape: [1, 4], data: [1, 2, 3, 4] } }));
  assert.equal(complaint(['trace', cross, '--layer', at, '--heads', '2', '--input', narrow, '-o', made]),
    `"${narrow}": The keys are 4 numbers wide; this attention reads 3.`);
});

test("T5's table is that of the first block of its stack, for keys on both sides in the encoder alone", () => {
  const zeros = { shape: [1, 1], data: [0] };
  const stack = (name, table) => Object.assign({ [`${name}.block.0.layer.0.SelfAttention.relative_attention_bias.weight`]: { shape: [4, 1], data: table } },
    ...[0, 1].map((block) => Object.fromEntries([...'qkvo'].map((part) => [`${name}.block.${block}.layer.0.SelfAttention.${part}.weight`, zeros]))));
  const file = model({ ...stack('encoder', [0, 1, 2, 3]), ...stack('decoder', [0, -1, -2, -3]) },
    { model_type: 't5', num_heads: 1, d_kv: 1, relative_attention_num_buckets: 4, relative_attention_max_distance: 8 });
  const share = (scores) => scores.map((score) => Math.exp(score) / scores.reduce((sum, each) => sum + Math.exp(each), 0));
  const rows = [[1], [1], [1]];
  // Two buckets before and two behind: the key itself 0, before it 1, behind it 2 + 1.
  const encoder = weightsOf(file, 'encoder.block.1.layer.0.SelfAttention', rows);
  [[0, 3, 3], [1, 0, 3], [1, 1, 0]].forEach((scores, i) => near(encoder[i], share(scores)));
  // All four look back: 0, 1, and from 2 on in steps of the logarithm up to the distance 8.
  const decoder = weightsOf(file, 'decoder.block.1.layer.0.SelfAttention', rows);
  [[0], [-1, 0], [-2, -1, 0]].forEach((scores, i) => near(decoder[i].slice(0, i + 1), share(scores)));
  const alone = model(Object.fromEntries([...'qkvo'].map((part) => [`block.1.layer.0.SelfAttention.${part}.weight`, zeros])), { model_type: 't5' });
  assert.match(trace(alone, '--layer', 'block.1.layer.0.SelfAttention').said.join('\n'), /^The table of relative positions that its scores need is not in this file/m);
});

test("Swin's table is that beside the attention, for the tokens of a window", () => {
  const at = 'swin.encoder.layers.0.blocks.1.attention';
  const zeros = { shape: [1, 1], data: [0] };
  const file = model({
    ...Object.fromEntries(['self.query', 'self.key', 'self.value', 'output.dense'].map((part) => [`${at}.${part}.weight`, zeros])),
    [`${at}.self.relative_position_bias_table`]: { shape: [9, 1], data: [0, 1, 2, 3, 4, 5, 6, 7, 8] },
  }, { model_type: 'swin', num_heads: [1, 2] });
  const { said, tensors } = trace(file, '--layer', at);
  assert.deepEqual(tensors.get('query_input').shape, [1, 4, 1]);
  assert.match(said.join('\n'), /^In every second block Swin moves its windows/m);
  assert.ok(!said.join('\n').includes('T5'));
  const share = (scores) => scores.map((score) => Math.exp(score) / scores.reduce((sum, each) => sum + Math.exp(each), 0));
  // (row of the query − row of the key + 1) · 3 + the same of columns
  const weights = weightsOf(file, at, [[1], [1], [1], [1]]);
  near(weights[0], share([4, 3, 1, 0]));
  near(weights[3], share([8, 7, 5, 4]));
  assert.match(complaint(['trace', file, '--layer', at, '--tokens', '5', '-o', made]), /need M·M queries/);
});

test('LongRoPE divides the angles by one list, in longer texts by the other', () => {
  const scaling = (type) => ({ type, short_factor: [1, 2], long_factor: [4, 8] });
  const config = (type) => ({ model_type: 'phi3', num_attention_heads: 1, rope_theta: 100, max_position_embeddings: 4, original_max_position_embeddings: 2, rope_scaling: scaling(type) });
  const by = 1 + Math.log(2) / Math.log(2); // q and k each √ of it
  for (const type of ['longrope', 'su']) {
    const file = model(llama(4), config(type));
    const x = [1, 1, 0, 0];
    // The score of two like tokens that are `apart`: Σ cos(angle) over both pairs, / √4.
    const score = (apart, [first, second]) => (by * (Math.cos(apart / first) + Math.cos(apart * 100 ** -0.5 / second))) / 2;
    const share = (scores) => scores.map((each) => Math.exp(each) / scores.reduce((sum, one) => sum + Math.exp(one), 0));
    near(weightsOf(file, 'model.layers.0.self_attn', [x, x])[1], share([score(1, [1, 2]), score(0, [1, 2])]));
    near(weightsOf(file, 'model.layers.0.self_attn', [x, x, x])[2], share([2, 1, 0].map((apart) => score(apart, [4, 8]))));
  }
  const broken = model(llama(4), { ...config('longrope'), rope_scaling: { type: 'longrope', short_factor: [1] } });
  assert.match(trace(broken, '--layer', 'model.layers.0.self_attn').said[0], /rope_scaling of type "longrope", which is not computed/);
});

test('norms of queries and keys take their ε from config.json', () => {
  const at = 'model.layers.0.self_attn';
  const ones = { shape: [2], data: [1, 1] };
  const file = model({ ...llama(4), [`${at}.q_norm.weight`]: ones, [`${at}.k_norm.weight`]: ones }, { model_type: 'qwen3', rms_norm_eps: 0.5, num_attention_heads: 2 });
  const { tensors } = trace(file, '--layer', at, '--input', save(folder, 'one.safetensors', safetensors({ query: { shape: [1, 4], data: [1, 0, 0, 0] } })));
  near(tensors.get('q_normed').data, [1, 0, 0, 0]); // 1 / √(1/2 + 1/2)
});

test('a window of ModernBERT is on both sides, in its local layers', () => {
  const at = (layer) => `layers.${layer}.attn`;
  const packed = { shape: [6, 2], data: [1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1] };
  const file = model(Object.assign({}, ...[0, 1].map((layer) => ({ [`${at(layer)}.Wqkv.weight`]: packed, [`${at(layer)}.Wo.weight`]: identity(2) }))),
    { model_type: 'modernbert', num_attention_heads: 1, local_attention: 2, global_attn_every_n_layers: 3, global_rope_theta: 160000, local_rope_theta: 10000 });
  const rows = [[0, 0], [0, 0], [0, 0]];
  near(weightsOf(file, at(0), rows)[0], [1 / 3, 1 / 3, 1 / 3]);
  near(weightsOf(file, at(1), rows).flat(), [0.5, 0.5, 0, 1 / 3, 1 / 3, 1 / 3, 0, 0.5, 0.5]);
});

test('--text takes them by the tokenizer that lies beside the model', () => {
  const own = mkdtempSync(join(folder, 'words-'));
  const words = ['[UNK]', '[CLS]', '[SEP]', 'the', 'cat', '##s'];
  const file = save(own, 'model.safetensors', safetensors({ ...gpt2(0), 'wte.weight': numbers([words.length, 4]) }));
  const ask = ['trace', file, '--layer', 'h.0.attn', '--heads', '2', '--text', 'The cats', '-o', made];
  save(own, 'merges.txt', '#version: 0.2\nt h\n');
  assert.equal(complaint(ask), 'vocab.json and merges.txt belong together: vocab.json is missing.');
  save(own, 'vocab.json', '{"t": 0}');
  assert.equal(complaint(ask), '"merges.txt": The merge "t h" has or makes a token that is not in the vocabulary.');
  save(own, 'vocab.txt', words.join('\n'));
  const { tensors, said, metadata } = trace(file, '--layer', 'h.0.attn', '--heads', '2', '--text', 'The cats');
  const row = (id) => numbers([words.length, 4]).data.slice(4 * id, 4 * id + 4).map(Math.fround);
  assert.deepEqual(tensors.get('query_input').data, [1, 3, 4, 5, 2].flatMap(row));
  assert.equal(said[1], 'The text is "[CLS]" (1), "the" (3), "cat" (4), "##s" (5), "[SEP]" (2).');
  assert.equal(metadata.input, 'embeddings of "[CLS]" (1), "the" (3), "cat" (4), "##s" (5), "[SEP]" (2)');
  // Whatever begins a text: it may look like an option.
  const ids = (text) => trace(file, '--layer', 'h.0.attn', '--heads', '2', '--text', text).said[1];
  for (const text of ['-- the', '-the', '--the', '--', '-5', '--help', '--json', '-o', '--rope']) {
    assert.match(ids(text), /^The text is "\[CLS\]" \(1\), "\[UNK\]" \(0\),/, text);
  }
  // What lies beside the vocabulary is asked.
  save(own, 'tokenizer_config.json', JSON.stringify({ do_lower_case: false, cls_token: '##s' }));
  save(own, 'special_tokens_map.json', JSON.stringify({ sep_token: { content: 'cat', lstrip: true } }));
  save(own, 'added_tokens.json', JSON.stringify({ 'New': 2 }));
  assert.equal(ids('The the New'), 'The text is "##s" (5), "[UNK]" (0), "the" (3), "New" (2), "cat" (4).');
  save(own, 'tokenizer.json', JSON.stringify({ normalizer: { type: 'Other' }, model: { type: 'BPE', vocab: { t: 0 }, merges: [] } }));
  assert.equal(complaint(ask), '"tokenizer.json": The normalizer "Other" is not known here.');
});

const none = save(folder, 'none.safetensors', safetensors({ x: numbers([2]) }));
const refused = [
  [['layers'], 'layers needs a file (see attention-live layers --help).'],
  [['layers', none], `"${none}" has no attention with names that are known here (see attention-live layers --help).`],
  [['layers', folder], `"${folder}" cannot be read: it is a folder.`],
  [['layers', join(folder, 'no')], `"${join(folder, 'no')}" cannot be read: No such file or directory.`],
  [['layers', '/dev/null'], '"/dev/null" cannot be read: it is no regular file, and parts of it are needed.'],
  [['trace', small, '--layer', 'h.3.attn', '-o', made],
    `"${small}": There is no attention "h.3.attn"; attention-live layers lists them, for example "h.0.attn".`],
  [['trace', small, '--layer', 'h.0.attn', '--heads', '3', '-o', made],
    `"${small}": embed_dim 4 cannot be split into 3 heads; allowed: 1, 2, 4.`],
  [['trace', small, '--layer', 'h.0.attn', '--gradients', '-o', made],
    '--gradients needs a target, which the layer of a model does not have.'],
  [['trace', small, '--layer', 'h.0.attn', '--input', small, '-o', made], `"${small}": The file has no tensor "query".`],
  [['trace', small, '--layer', 'h.0.attn', '--input', small, '--seed', '1', '-o', made],
    '--seed is for random tokens, not for those of --input.'],
  [['trace', small, '--layer', 'h.0.attn', '--ids', '1,3', '-o', made],
    `"${small}": There is no token 3: "wte.weight" has 3 rows, counted from 0.`],
  [['trace', small, '--layer', 'h.0.attn', '--ids', '1,,2', '-o', made],
    '--ids is "1,,2"; it must be up to 4096 whole numbers with commas between them, such as 464,3290.'],
  [['trace', small, '--layer', 'h.0.attn', '--ids', '1', '--seed', '2', '-o', made],
    '--seed is for random tokens, not for those of --ids.'],
  [['trace', small, '--layer', 'h.0.attn', '--ids', '1', '--input', small, '-o', made], 'trace takes --input, --ids or --text, one of them.'],
  [['trace', small, '--layer', 'h.0.attn', '--text', 'a', '-o', made],
    `--text needs tokenizer.json, vocab.txt, or vocab.json with merges.txt in the folder of "${small}".`],
  [['trace', small, '--layer', 'h.0.attn', '--tokens', '0', '-o', made], '--tokens is "0"; it must be a whole number from 1 to 4096.'],
  [['trace', small, '--tokens', '2', '-o', made], '--tokens is for --layer only.'],
  [['trace', '--example', 'counting', '--layer', 'x', '-o', made], '--layer is for files, not for an example.'],
];
for (const [args, sentence] of refused) {
  test(`refused: ${args.map((each) => each.replace(folder, '')).join(' ')}`, () => assert.equal(complaint(args), sentence));
}

const foreign = {
  'a pointer of Git LFS': ['version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 9\n', /^This is a pointer of Git LFS, .* \(git lfs pull fetches it\), not a safetensors file\.$/],
  'a web page': ['<!doctype html><title>404</title>', /^This is a web page \(HTML\), /],
  GGUF: ['GGUF\x03\0\0\0\0\0\0\0', /^This is a GGUF file, /],
  ONNX: ['\x08\x07\x12\x07pytorch', /^This is an ONNX file, /],
  HDF5: ['\x89HDF\r\n\x1a\n\0\0', /^This is an HDF5 file, /],
  'a PyTorch .bin': ['PK\x03\x04\0\0\x08\x08\0\0', /^This is a ZIP archive or a pickle, as torch\.save .* writes one\.$/],
  'an older PyTorch .bin': ['\x80\x02\x8a\nl\xfc\x9c\x46', /^This is a ZIP archive or a pickle, /],
};
for (const [kind, [begins, sentence]] of Object.entries(foreign)) {
  test(`${kind} is named as what it is, wherever it is opened`, () => {
    const path = save(folder, 'foreign.safetensors', Buffer.from(begins, 'latin1'));
    for (const args of [['layers', path], ['trace', path, '--layer', 'x', '-o', made], ['trace', path, '-o', made], ['code', path],
      ['trace', small, '--layer', 'h.0.attn', '--heads', '2', '--input', path, '-o', made]]) {
      const said = complaint(args);
      assert.ok(said.startsWith(`"${path}": `), said);
      assert.match(said.slice(path.length + 4), sentence);
    }
  });
}

const header = JSON.stringify({ 'h.0.attn.c_attn.weight': { dtype: 'F32', shape: [4, 12], data_offsets: [0, 192] } });
const hostile = {
  'nothing at all': Buffer.alloc(0),
  'seven bytes': Buffer.alloc(7),
  'a length beyond the file': rawFile('{}', Buffer.alloc(0), 2 ** 40),
  'a header over the limit': rawFile(' '.repeat((1 << 24) + 1)),
  'no JSON': rawFile('{"a":'),
  'data cut short': rawFile(header, Buffer.alloc(100)),
  'data that belong to nothing': rawFile(header, Buffer.alloc(200)),
  'a shape that lies': rawFile(header.replace('12', '13'), Buffer.alloc(192)),
  'a shape beyond all files': rawFile(header.replace('[4,12]', '[2147483647,2147483647,2147483647]'), Buffer.alloc(192)),
};
for (const [name, bytes] of Object.entries(hostile)) {
  test(`hostile: ${name}`, () => {
    const path = save(folder, 'hostile.safetensors', bytes);
    const sentence = complaint(['layers', path]);
    assert.ok(sentence.startsWith(`"${path}"`) && sentence.endsWith('.') && sentence.length < 400, sentence);
    assert.equal(complaint(['trace', path, '--layer', 'h.0.attn', '-o', made]), sentence);
  });
}

test('hostile: a name that would reach the terminal, and a number that is none', () => {
  const name = 'a\u001b[31m.attn';
  const path = save(folder, 'escape.safetensors', safetensors({
    [`${name}.c_attn.weight`]: { shape: [1, 3], data: [1, NaN, 3] }, ...linear(`${name}.c_proj`, 1, 1),
  }));
  const { stdout } = run(['layers', path]);
  assert.ok(stdout.startsWith('"a\\u{1b}[31m.attn"  GPT-2'), JSON.stringify(stdout));
  assert.ok(!stdout.includes('\u001b'));
  const said = complaint(['trace', path, '--layer', name, '-o', made]);
  assert.match(said, /is NaN at \[0,1\]; every number must be finite in float32\.$/);
  assert.ok(!said.includes('\u001b'));
});

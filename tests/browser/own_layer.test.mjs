// Files of the reader's own: dropped, chosen or given by a script, an attention of them is shown; or a sentence.

import assert from 'node:assert/strict';
import { mkdtemp, open as openFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';

import { numberAt } from '../support/cells.mjs';
import { withPages } from './pages.mjs';
import { api, assertQuiet, open, settled, tensor } from './support.mjs';

/** The same numbers here and in the file. */
const numbers = (shape, seed) => ({
  shape, data: Float32Array.from({ length: shape.reduce((a, b) => a * b, 1) }, (_, i) => ((i * 7919 + seed * 104729) % 2003) / 1001 - 1),
});
function safetensors(tensors) {
  const header = {};
  let end = 0;
  for (const [name, { shape, data }] of Object.entries(tensors)) header[name] = { dtype: 'F32', shape, data_offsets: [end, end += data.byteLength] };
  const text = Buffer.from(JSON.stringify(header));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(text.length));
  return Buffer.concat([length, text, ...Object.values(tensors).map(({ data }) => Buffer.from(data.buffer))]);
}
function npy({ shape, data }) {
  const header = `{'descr': '<f4', 'fortran_order': False, 'shape': (${shape.join(', ')}), }`.padEnd(117) + '\n';
  return Buffer.concat([Buffer.from('\x93NUMPY\x01\x00\x76\x00', 'latin1'), Buffer.from(header), Buffer.from(data.buffer)]);
}
const width = 128;
const gpt2 = (layer) => ({
  [`h.${layer}.attn.c_attn.weight`]: numbers([width, 3 * width], layer),
  [`h.${layer}.attn.c_attn.bias`]: numbers([3 * width], layer + 50),
  [`h.${layer}.attn.c_proj.weight`]: numbers([width, width], layer + 100),
});
const model = { ...gpt2(0), ...gpt2(1), ...gpt2(10) };
const alone = { in_proj_weight: numbers([24, 8], 1), 'out_proj.weight': numbers([8, 8], 2), query: numbers([3, 8], 3) };
const files = {
  'model.safetensors': safetensors(model),
  'alone.safetensors': safetensors(alone),
  'llama.safetensors': safetensors(Object.fromEntries(['q', 'k', 'v', 'o'].map((part) => [`self_attn.${part}_proj.weight`, numbers([8, 8], 1)]))),
  'config.json': Buffer.from('{"num_attention_heads": 2, "rope_theta": 500000}'),
  'tokens.npy': npy(numbers([3, 8], 5)),
  'cut.npy': npy(numbers([3, 8], 5)).subarray(0, -6),
  'none.safetensors': safetensors({ x: numbers([2], 1) }),
  'cut.safetensors': safetensors(alone).subarray(0, 60),
  'text.safetensors': Buffer.from('These are words, whatever the name says, and more than eight of them.'),
  'model-00001-of-00002.safetensors': safetensors({ ...gpt2(0), 'h.1.attn.c_attn.weight': model['h.1.attn.c_attn.weight'] }),
  'model-00002-of-00002.safetensors': safetensors({ 'h.1.attn.c_attn.bias': model['h.1.attn.c_attn.bias'], 'h.1.attn.c_proj.weight': model['h.1.attn.c_proj.weight'] }),
  'model.safetensors.index.json': Buffer.from('{"weight_map": {}}'),
  'pointer.safetensors': Buffer.from('version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12\n'),
  'page.safetensors': Buffer.from('<!doctype html><title>Not found</title>'),
  'model.gguf': Buffer.from('GGUF\x03\0\0\0\0\0\0\0'),
  'model.onnx': Buffer.from('\x08\x07\x12\x07pytorch'),
  'model.h5': Buffer.from('\x89HDF\r\n\x1a\n\0\0', 'latin1'),
  'model.pt': Buffer.from('PK\x03\x04 and what torch.save writes after it'),
  'long.safetensors': (() => {
    const file = Buffer.alloc(2 ** 24 + 100, 0x20);
    file.writeBigUInt64LE(BigInt(2 ** 24 + 1));
    return file;
  })(),
};

const openPage = withPages({ server: {
  extra: { '/figure.html': `<!doctype html><meta charset="utf-8"><title>figure</title><link rel="icon" href="icon.svg">
    <script type="module" src="attention-live.js"></script><attention-live example="counting" step="scores"></attention-live>` },
  intercept(path, response) {
    if (path !== '/alone.safetensors') return false;
    response.writeHead(200, { 'Content-Type': 'application/octet-stream' });
    response.end(files['alone.safetensors']);
    return true;
  },
} });
let page;
let folder;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'attention-live-'));
  await Promise.all(Object.entries(files).map(([name, bytes]) => writeFile(join(folder, name), bytes)));
});
after(() => rm(folder, { recursive: true }));
beforeEach(async () => {
  page = await openPage.blank();
  await open(page, '/#example=counting&step=scores');
});

const state = () => api(page, 'state');
async function drop(names, x = 400, y = 300) {
  const cdp = await page.context().newCDPSession(page);
  const data = { items: [], files: [names].flat().map((name) => join(folder, name)), dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop']) await cdp.send('Input.dispatchDragEvent', { type, x, y, data });
}
const shown = async (variant) => {
  await page.waitForFunction((name) => attentionLive.state().variant === name, variant);
  await settled(page);
};
async function refused() {
  await page.waitForFunction(() => attentionLive.message() !== '');
  return api(page, 'message');
}

test('a dropped file is listed by layer, and the chosen one computed with its own weights', async () => {
  await drop('model.safetensors');
  await page.waitForSelector('dialog[open]');
  const rows = await page.$$eval('dialog li', (all) => all.map((row) => row.innerText.replaceAll('\u00a0', ' ').split('\n')));
  const said = 'GPT-2, causal self-attention, embed_dim 128, 2 heads (?), 263.7 kB';
  assert.deepEqual(rows, [['h.0.attn', said], ['h.1.attn', said], ['h.10.attn', said]]);
  await page.click('dialog li:nth-child(3) button');
  await shown('h.10.attn');

  const { example, step, num_heads: heads, masks } = await state();
  assert.deepEqual({ example, step, heads, masks }, { example: 'own-layer', step: 'scores', heads: 2, masks: { attention: 'look-ahead' } });
  const x = await tensor(page, 'query_input');
  const q = await tensor(page, 'q');
  const weight = model['h.10.attn.c_attn.weight'].data;
  const bias = model['h.10.attn.c_attn.bias'].data;
  for (const [token, column] of [[0, 0], [3, 77], [7, 127]]) {
    let sum = bias[column];
    for (let i = 0; i < width; ++i) sum += x.data[token * width + i] * weight[i * 3 * width + column];
    assert.ok(Math.abs(q.data[token * width + column] - sum) < 2e-5, `${token}, ${column}: ${q.data[token * width + column]} ${sum}`);
  }
  const description = await api(page, 'describe');
  assert.match(JSON.stringify(description), /h\.10\.attn \(GPT-2\) in model\.safetensors.*random numbers from seed 1/);
  for (const each of ['sentence', 'input', 'project', 'split', 'transpose', 'scale', 'mask', 'softmax', 'reweight', 'merge', 'output', 'overview']) {
    await api(page, 'set', { step: each });
    await settled(page);
    assert.equal(await api(page, 'message'), '');
  }
  await api(page, 'set', { mistake: 'no-transpose', num_heads: 4 });
  assert.equal((await state()).num_heads, 4);
  await api(page, 'undo');
  await api(page, 'undo');
  assert.equal((await state()).example, 'counting');
  assertQuiet(page);
});

test('a second file is one more variant, and undo leads back to the first', async () => {
  assert.equal(await page.evaluate(() => attentionLive.openFile('alone.safetensors')), 'attention');
  await shown('attention');
  assert.deepEqual([...(await tensor(page, 'query_input')).data], [...alone.query.data]);
  await drop('model.safetensors');
  await page.waitForSelector('dialog[open]');
  await page.click('dialog li button');
  await shown('h.0.attn');
  await api(page, 'undo');
  assert.equal((await state()).variant, 'attention');
  await api(page, 'set', { variant: 'h.0.attn' });
  assert.equal((await state()).embed_dim, 128);
});

test('files that are dropped together: heads of config.json, tokens of an array; and an array dropped later', async () => {
  await drop(['config.json', 'llama.safetensors', 'tokens.npy']);
  await shown('self_attn');
  const { num_heads: heads, rope } = await state();
  assert.deepEqual({ heads, rope }, { heads: 2, rope: 500000 });
  assert.deepEqual([...(await tensor(page, 'query_input')).data], [...numbers([3, 8], 5).data]);
  assert.match(JSON.stringify(await api(page, 'describe')), /The tokens are the rows of tokens\.npy\./);
  await page.evaluate(() => attentionLive.openFile('alone.safetensors'));
  await shown('attention');
  await drop('tokens.npy');
  await shown('attention (2)');
  assert.deepEqual([...(await tensor(page, 'query_input')).data], [...numbers([3, 8], 5).data]);
  assertQuiet(page);
});

test('the files of one model are opened together, as if they were one', async () => {
  await drop(['model-00002-of-00002.safetensors', 'model.safetensors.index.json', 'model-00001-of-00002.safetensors']);
  await page.waitForSelector('dialog[open]');
  assert.deepEqual(await page.$$eval('dialog li code', (all) => all.map(({ textContent }) => textContent)), ['h.0.attn', 'h.1.attn']);
  await page.click('dialog li:nth-child(2) button');
  await shown('h.1.attn');
  const bias = await tensor(page, 'q_proj_bias');
  const biases = Array.from({ length: width }, (_, i) => numberAt(bias, [i]));
  assert.deepEqual(biases, [...model['h.1.attn.c_attn.bias'].data.slice(0, width)]);
  const out = await tensor(page, 'out_proj_weight');
  assert.equal(numberAt(out, [0, 1]), model['h.1.attn.c_proj.weight'].data[width]);
  // What is whole in one of them alone is shown.
  await drop('model-00001-of-00002.safetensors');
  await shown('h.0.attn');
  assertQuiet(page);
});

test('a script says which layer; what is not there is refused', async () => {
  const say = (name, layer) => page.evaluate(async ([bytes, file, options]) => {
    const given = new File([new Uint8Array(bytes)], file);
    return attentionLive.openFile(given, options).then((shownName) => shownName, (cause) => `refused: ${cause.message}`);
  }, [[...files[name]], name, layer ? { layer } : {}]);
  assert.equal(await say('alone.safetensors', 'x'), 'refused: alone.safetensors has no attention x.');
  assert.equal(await say('model.safetensors', 'h.1.attn'), 'h.1.attn');
  assert.equal((await state()).variant, 'h.1.attn');
  assert.equal(await say('llama.safetensors', 'self_attn'), 'self_attn');
  assert.equal((await state()).rope, 10000);
  assert.equal(await page.evaluate(() => attentionLive.openFile('missing.safetensors').catch((cause) => cause.message)),
    'The file could not be downloaded: the server answered 404 for missing.safetensors.');
});

for (const [name, sentence] of [
  ['none.safetensors', /^No attention was found in "none\.safetensors"\./],
  ['cut.safetensors', /^"cut\.safetensors": Not a safetensors file, or cut short: its header's length is given as \d+ bytes, but only 52 follow\.$/],
  ['text.safetensors', /^"text\.safetensors": Not a safetensors file, or cut short: /],
  ['long.safetensors', /^"long\.safetensors": The header is \d+ bytes long; at most 16777216 are read\.$/],
  ['model.pt', /^"model\.pt": This is a ZIP archive or a pickle, .* safetensors\.torch\.save_file\(model\.state_dict\(\), "model\.safetensors"\) writes one\.$/],
  ['pointer.safetensors', /^"pointer\.safetensors": This is a pointer of Git LFS, .* not a safetensors file\.$/],
  ['page.safetensors', /^"page\.safetensors": This is a web page \(HTML\), /],
  ['model.gguf', /^"model\.gguf": This is a GGUF file, /],
  ['model.onnx', /^"model\.onnx": This is an ONNX file, /],
  ['model.h5', /^"model\.h5": This is an HDF5 file, /],
  ['model.safetensors.index.json', /^model\.safetensors\.index\.json only says which files the model lies in: open those together\.$/],
  ['model-00002-of-00002.safetensors', /^No attention was found in "model-00002-of-00002\.safetensors"\./],
  ['tokens.npy', /^tokens\.npy holds tokens: open an attention of a \.safetensors file first, or both together\.$/],
  ['cut.npy', /^"cut\.npy": The array has shape \[3,8\], which takes 96 bytes, but 90 follow its header\.$/],
]) {
  test(`refused, and what was shown stays: ${name}`, async () => {
    await drop(name);
    assert.match(await refused(), sentence);
    assert.equal((await state()).example, 'counting');
  });
}

test('a file of 3 GB opens at once: its header is read, and then one layer', async () => {
  const header = {};
  let end = 0;
  const add = (name, shape) => { header[name] = { dtype: 'F32', shape, data_offsets: [end, end += 4 * shape.reduce((a, b) => a * b)] }; };
  for (let layer = 0; layer < 36; ++layer) {
    add(`h.${layer}.attn.c_attn.weight`, [1024, 3072]);
    add(`h.${layer}.attn.c_proj.weight`, [1024, 1024]);
    add(`h.${layer}.mlp.c_fc.weight`, [4000, 4096]);
  }
  assert.ok(end > 2.9e9);
  const text = Buffer.from(JSON.stringify(header));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(text.length));
  const file = await openFile(join(folder, 'large.safetensors'), 'w'); // sparse: it takes no room on the disk
  await file.write(Buffer.concat([length, text]));
  await file.truncate(length.length + text.length + end);
  await file.close();

  const begun = Date.now();
  await drop('large.safetensors');
  await page.waitForSelector('dialog[open]');
  await page.fill('dialog input', 'h.35');
  assert.equal(await page.locator('dialog li').count(), 1);
  await page.click('dialog li button');
  await shown('h.35.attn');
  assert.ok(Date.now() - begun < 20_000, `${Date.now() - begun} ms`);
  assert.equal((await state()).num_heads, 16);
  assert.ok((await tensor(page, 'output')).data.every((x) => x === 0));
  assertQuiet(page);
});

test('a dialog that is closed changes nothing', async () => {
  await drop('model.safetensors');
  await page.waitForSelector('dialog[open]');
  await page.keyboard.press('Escape');
  await page.waitForSelector('dialog', { state: 'detached' });
  assert.equal((await state()).example, 'counting');
  assert.equal(await api(page, 'message'), '');
});

test('the list of examples says which files are meant, and opens the browser’s dialog; by keyboard from the mirror too', async () => {
  assert.equal((await api(page, 'choices')).examples.at(-1).id, 'own-layer');
  assert.equal((await api(page, 'choices')).examples.at(-1).loaded, false);
  await page.evaluate(() => attentionLive.chooseLayer());
  const asked = page.getByRole('dialog', { name: 'Open a layer of your own' });
  await asked.waitFor();
  for (const said of ['.safetensors', 'GPT-2', 'config.json', 'tokenizer.json', '[L, E]', 'save_file(model.state_dict()']) {
    assert.ok((await asked.textContent()).includes(said), said);
  }
  await page.keyboard.press('Escape');
  await asked.waitFor({ state: 'detached' });
  await page.evaluate(() => attentionLive.chooseLayer());
  const [dialog] = await Promise.all([page.waitForEvent('filechooser'), asked.getByRole('button', { name: 'Choose files…' }).press('Enter')]);
  await dialog.setFiles(join(folder, 'alone.safetensors'));
  await asked.waitFor({ state: 'detached' });
  await shown('attention');
  assert.equal((await api(page, 'choices')).examples.at(-1).loaded, true);
});

test('the element opens a file, too, and starts for it', async () => {
  await page.goto(`${page.origin}/figure.html`);
  const said = await page.evaluate(async () => {
    await customElements.whenDefined('attention-live');
    const figure = document.querySelector('attention-live');
    const variant = await figure.openFile('alone.safetensors');
    const { shape, data } = await figure.tensor('query_input');
    const wrong = await figure.openFile('alone.safetensors', { layer: 'x' }).catch((cause) => cause.message);
    return { variant, example: figure.state.example, shape, data: [...data], wrong };
  });
  assert.deepEqual(said, { variant: 'attention', example: 'own-layer', shape: [1, 3, 8], data: [...alone.query.data],
    wrong: 'alone.safetensors has no attention x.' });
});

test('a link to it says that the file is needed', async () => {
  const { problems } = await api(page, 'open', '#example=own-layer&step=softmax');
  assert.deepEqual(problems, ['This shows an attention of a file, which no link can hold: open the file first, then the link.']);
  assert.notEqual((await state()).example, 'own-layer');
  await page.evaluate(() => attentionLive.openFile('alone.safetensors'));
  await shown('attention');
  assert.deepEqual((await api(page, 'open', '#example=own-layer&step=softmax')).problems, []);
  await page.evaluate(() => {
    window.copied = [];
    navigator.clipboard.writeText = async (text) => { window.copied.push(text); };
  });
  await page.mouse.click(1092, 20); // Copy link
  await page.waitForFunction(() => window.copied.length === 1);
  assert.match(await page.evaluate(() => window.copied[0]), /#v=1&example=own-layer&step=softmax/);
  assert.equal(await api(page, 'message'),
    'The link cannot hold the file alone.safetensors: whoever opens it must open the file first.');
});

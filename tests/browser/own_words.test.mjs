// The tokens of an attention of a reader's own file by ids and by text: rows of the file's embeddings.

import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';

import { safetensors } from '../command/program.mjs';
import { withPages } from './pages.mjs';
import { api, assertQuiet, open, settled, tensor } from './support.mjs';

const numbers = (shape, seed) => ({ shape, data: Array.from({ length: shape.reduce((a, b) => a * b, 1) }, (_, i) => ((i * 7919 + seed * 104729) % 2003) / 1001 - 1) });
const words = ['[UNK]', '[CLS]', '[SEP]', 'the', 'fox', 'saw', 'owl', 'before', 'cat', '##s', '.'];
const width = 8;
const model = {
  'h.0.attn.c_attn.weight': numbers([width, 3 * width], 1), 'h.0.attn.c_proj.weight': numbers([width, width], 2),
  'wte.weight': numbers([words.length, width], 3),
};
const { 'wte.weight': rows, ...without } = model;
const files = {
  'model.safetensors': safetensors(model),
  'alone.safetensors': safetensors(without),
  'vocab.txt': Buffer.from(words.join('\n')),
  'tokenizer_config.json': Buffer.from(JSON.stringify({ do_lower_case: false, cls_token: 'owl', added_tokens_decoder: { 9: { content: 'Fox', rstrip: true } } })),
  'tokenizer.json': Buffer.from(JSON.stringify({
    pre_tokenizer: { type: 'WhitespaceSplit' }, model: { type: 'WordPiece', vocab: Object.fromEntries(words.map((word, id) => [word, id])) },
  })),
  'other/tokenizer.json': Buffer.from(JSON.stringify({ normalizer: { type: 'Nmt' }, model: { type: 'BPE', vocab: { a: 0 }, merges: [] } })),
};
const openPage = withPages({ server: {
  intercept(path, response) {
    const file = files[path.slice(1)];
    if (!file) return false;
    response.writeHead(200, { 'Content-Type': 'application/octet-stream' });
    response.end(file);
    return true;
  },
} });
let page;
let folder;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'attention-live-'));
  await Promise.all(['model.safetensors', 'vocab.txt', 'tokenizer.json', 'tokenizer_config.json'].map((name) => writeFile(join(folder, name), files[name])));
});
after(() => rm(folder, { recursive: true }));
beforeEach(async () => {
  page = await openPage.blank();
  await open(page, '/#example=counting&step=scores');
});

async function drop(names) {
  const cdp = await page.context().newCDPSession(page);
  const data = { items: [], files: names.map((name) => join(folder, name)), dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop']) await cdp.send('Input.dispatchDragEvent', { type, x: 400, y: 300, data });
}
const openModel = (options, file = 'model.safetensors') => page.evaluate(([given, more]) => (
  attentionLive.openFile(given, more).catch((cause) => `refused: ${cause.message}`)), [file, options]);
const type = (text) => page.evaluate((given) => attentionLive.typeWords(given).catch((cause) => `refused: ${cause.message}`), text);
const choices = () => api(page, 'choices');
async function assertReads(ids, labels) {
  await settled(page);
  const { shape, data } = await tensor(page, 'query_input');
  assert.deepEqual(shape, [1, ids.length, width]);
  assert.deepEqual([...data], ids.flatMap((id) => rows.data.slice(id * width, (id + 1) * width).map(Math.fround)));
  assert.deepEqual((await choices()).query_tokens, labels);
}

test('token ids choose rows of the embeddings, and name the tokens', async () => {
  assert.equal(await openModel({ ids: [3, 4, 3] }), 'h.0.attn: 3, 4, 3');
  await assertReads([3, 4, 3], ['3', '4', '3']);
  assert.match(JSON.stringify(await api(page, 'describe')), /tokens of .*3, 4, 3.* are rows of the model's embeddings, wte\.weight/);
  assert.equal(await type('10 0,5'), 'h.0.attn: 10 0,5');
  await assertReads([10, 0, 5], ['10', '0', '5']);
  assert.deepEqual((await choices()).own_words, { kind: 'ids', typed: '10 0,5' });
  assert.equal(await type('3, 11'), 'refused: There is no token 11: "wte.weight" has 11 rows, counted from 0.');
  assert.match(await type('the fox'), /^refused: "the fox" is no list of token ids/);
  assert.equal((await type(Array(70).fill(2).join())).slice(0, 8), 'h.0.attn');
  assert.equal((await api(page, 'state')).source_len, 64);
  await api(page, 'undo');
  await assertReads([10, 0, 5], ['10', '0', '5']);
  assertQuiet(page);
});

test('with a tokenizer beside it, a sentence is read, and any text can be typed', async () => {
  await drop(['model.safetensors', 'vocab.txt']);
  await page.waitForFunction(() => attentionLive.state().variant.startsWith('h.0.attn: '));
  const sentence = 'the fox saw the owl before the owl saw the fox';
  assert.deepEqual((await choices()).own_words, { kind: 'text', typed: sentence });
  await assertReads([1, 3, 4, 5, 3, 6, 7, 3, 6, 5, 3, 4, 2], ['[CLS]', ...sentence.split(' '), '[SEP]']);
  await type('Cats saw.');
  await assertReads([1, 8, 9, 5, 10, 2], ['[CLS]', 'cat', '##s', 'saw', '.', '[SEP]']);
  assert.equal(await openModel({ words: 'the dog', beside: ['vocab.txt'] }), 'h.0.attn: the dog');
  await assertReads([1, 3, 0, 2], ['[CLS]', 'the', '[UNK]', '[SEP]']);
  assertQuiet(page);
});

test('what lies beside a vocabulary is asked, in any order', async () => {
  await drop(['tokenizer_config.json', 'model.safetensors', 'vocab.txt']);
  await page.waitForFunction(() => attentionLive.state().variant.startsWith('h.0.attn: '));
  await type('The fox Fox  cat');
  await assertReads([6, 0, 4, 9, 8, 2], ['owl', '[UNK]', 'fox', 'Fox', 'cat', '[SEP]']);
  assert.equal(await openModel({ beside: ['tokenizer_config.json'] }), 'h.0.attn (2)', 'alone it is no tokenizer');
  assert.match(await type('the'), /^refused: "the" is no list of token ids/);
  await drop(['tokenizer_config.json']);
  await page.waitForFunction(() => attentionLive.message() !== '');
  assert.match(await api(page, 'message'), /^"tokenizer_config\.json" alone is no tokenizer/);
  assertQuiet(page);
});

test('a tokenizer that comes later is for the file that is shown', async () => {
  await drop(['tokenizer.json']);
  await page.waitForFunction(() => attentionLive.message() !== '');
  assert.equal(await api(page, 'message'), 'A tokenizer belongs to a model: open a .safetensors file first, or both together.');
  await openModel({});
  assert.deepEqual((await choices()).own_words, { kind: 'ids', typed: '' });
  await drop(['tokenizer.json']);
  await page.waitForFunction(() => attentionLive.state().variant.startsWith('h.0.attn: '));
  await type('owl fox');
  await assertReads([6, 4], ['owl', 'fox']);
});

test('what is wrong is said, and nothing changes', async () => {
  assert.equal(await openModel({ beside: ['other/tokenizer.json'] }), 'refused: "tokenizer.json": The normalizer "Nmt" is not known here.');
  assert.equal((await api(page, 'state')).example, 'counting');
  assert.equal(await type('1'), 'refused: Tokens are typed for the attention of a file: open a .safetensors file first.');
  await openModel({}, 'alone.safetensors');
  assert.equal((await choices()).own_words, null);
  assert.equal(await type('1'), 'refused: The file has no embeddings of this width: tokens cannot be typed.');
});

test('a field in the bar takes them, and one of Read as text', async () => {
  await openModel({ ids: [3] });
  await settled(page);
  await page.mouse.click(730, 20);
  await page.keyboard.press('Control+A');
  await page.keyboard.type('7, 8');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => attentionLive.state().variant.endsWith('7, 8'));
  await assertReads([7, 8], ['7', '8']);
  await page.getByRole('button', { name: 'Read as text' }).press('Enter');
  const field = page.getByLabel('Token ids');
  await field.fill('5, 6');
  await field.press('Enter');
  await page.waitForFunction(() => attentionLive.state().variant.endsWith('5, 6'));
  await assertReads([5, 6], ['5', '6']);
  await field.fill('5, x');
  await field.press('Enter');
  await page.waitForFunction(() => attentionLive.message() !== '');
  assert.match(await api(page, 'message'), /^"5, x" is no list of token ids/);
});

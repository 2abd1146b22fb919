// Opens a reader's .safetensors file: reads its header, asks which of its attentions is wanted, reads the parts of the
// file that this one lies in, and shows it. Loaded when a file is opened; the program knows what is in it
// (src/app/api/own_file.hpp).

import { Sentence } from '../compiled_code.mjs';
import { languageAround } from '../language.mjs';
import { chooseAttention } from './choose_dialog.mjs';
import { isTokenizerFile, isVocabularyFile, readTokenizer } from './tokenizer.mjs';
import { text } from '../../texts/own_layer.mjs';

const lengthBytes = 8;
const longestHeader = 2 ** 24; // max_header_bytes in src/files/safetensors.hpp

async function bytesOf(file, begin, end) {
  try {
    return new Uint8Array(await file.slice(begin, end).arrayBuffer());
  } catch (cause) { // it was moved or changed since it was chosen
    throw new Sentence(text.later('own_layer.file.not_read', { file: file.name, reason: cause.message }), { cause });
  }
}

/** The file up to the end of its header; of another kind of file, whose header would be too long, what tells the kind. */
async function beginningOf(file) {
  const length = await bytesOf(file, 0, lengthBytes);
  const claimed = length.length < lengthBytes ? 0n : new DataView(length.buffer).getBigUint64(0, true);
  if (claimed > BigInt(longestHeader) || claimed > BigInt(file.size)) return length;
  return bytesOf(file, 0, Math.min(file.size, lengthBytes + Number(claimed)));
}

/** The parts [begin, end][] of a file, one after another. */
async function partsOf(file, parts) {
  const bytes = new Uint8Array(parts.reduce((sum, [begin, end]) => sum + end - begin, 0));
  let at = 0;
  for (const [begin, end] of parts) {
    bytes.set(await bytesOf(file, begin, end), at);
    at += end - begin;
  }
  return bytes;
}

async function download(address) {
  let response;
  try {
    response = await fetch(address);
    if (response.ok) return new File([await response.blob()], new URL(address, location.href).pathname.split('/').pop());
  } catch (cause) {
    throw new Sentence(text.later('own_layer.file.connection'), { cause });
  }
  throw new Sentence(text.later('own_layer.file.address', { status: response.status, file: String(address) }));
}

const largestBeside = 2 ** 24; // more tokens than are shown, and a longer config.json than there is
const largestTokenizer = 2 ** 26; // max_tokenizer_bytes in src/files/tokenizers/tokenizer.hpp

/** A file that comes with another, whole; or its address. */
async function whole(given) {
  const file = given instanceof Blob ? given : await download(given);
  if (isTokenizerFile(file.name)) {
    if (file.size > largestTokenizer) throw new Sentence(text.later('own_layer.tokenizer.long'));
  } else if (file.size > largestBeside) throw new Sentence(text.later('own_layer.file.beside', { file: file.name }));
  return [file.name, await bytesOf(file, 0, file.size)];
}

const nameOf = (given) => (given instanceof Blob ? given.name : new URL(given, location.href).pathname);
const isModelFile = (given) => /\.safetensors$/i.test(nameOf(given));
/** model.safetensors.index.json, which is not needed: each file says itself what is in it. */
const isIndex = (given) => /\.safetensors\.index\.[\w.]*json$/i.test(nameOf(given));
const opened = (given) => (given instanceof Blob ? given : download(given));

/** What each program has open: by variant of own-layer, its file and the tokenizer that came with it. */
const sources = new WeakMap();

function sourceOf(program) {
  const { example, variant } = program.call('state');
  return example === 'own-layer' ? sources.get(program)?.get(variant) : undefined;
}
/** Remembers where what is shown came from. @returns {string} its variant */
function keep(program, source) {
  const { variant } = program.call('state');
  if (!sources.has(program)) sources.set(program, new Map());
  if (source) sources.get(program).set(variant, source);
  return variant;
}

/** Makes an array .npy the tokens of the attention that is shown: its variant. */
export async function openTokens(given, program) {
  const source = sourceOf(program);
  program.ownTokens(...await whole(given));
  return keep(program, source);
}

/**
 * Shows the attention of a file with other tokens: its variant.
 * @param {string} typed a text, where a tokenizer was opened with it; else token ids, "464, 3290"
 * @param {number[]} [ids] given by a script
 */
export async function typeTokens(typed, program, ids) {
  const source = sourceOf(program);
  if (!source) throw new Sentence(text.later('own_layer.words.no_file'));
  let words = { text: typed };
  if (ids) words = { text: [ids].flat().join(', '), ids };
  else if (source.tokenizer) words = { text: typed, ...source.tokenizer.encode(typed) };
  program.ownWords(words, await partsOf(source.file, program.ownWords(words)));
  return keep(program, source);
}

/** Gives the attention that is shown a tokenizer, and shows it with the tokens of a sentence: its variant. */
export async function openTokenizer(given, program, language) {
  const source = sourceOf(program);
  if (!source) throw new Sentence(text.later('own_layer.tokenizer.no_file'));
  source.tokenizer = await readTokenizer(await Promise.all(given.map(whole)), language);
  return typeTokens(source.sentence, program);
}

/**
 * @param {File | string | URL} given a file, or the address of one, which is downloaded whole
 * @param {import('../program.mjs').Program} program
 * @param {object} options
 * @param {string} [options.layer] the name of one of its attentions; else the reader is asked, unless there is only one
 * @param {(File | string | URL)[]} [options.beside] files that come with it: config.json, tokens as .npy, a tokenizer
 * @param {string} [options.words] a text, whose tokens it reads; needs a tokenizer beside it
 * @param {number[]} [options.ids] the same by token ids
 * @param {Element} [options.around] what the dialog belongs to
 * @returns {Promise<string | null>} the variant of own-layer that is shown; null where the reader chose none
 * @throws a Sentence that says why it cannot be shown
 */
export async function openOwnLayer(given, program, { layer, beside = [], words, ids, around } = {}) {
  // A model may lie in several files, its shards.
  const files = await Promise.all([...beside.filter(isModelFile), ...(isIndex(given) ? [] : [given])].map(opened));
  if (files.length === 0) throw new Sentence(text.later('own_layer.file.index', { file: nameOf(given) }));
  let [file] = files.slice(-1);
  if (/\.npy$/i.test(file.name)) return openTokens(file, program);
  const language = languageAround(around ?? document.body);
  const others = await Promise.all(beside.filter((each) => !isModelFile(each) && !isIndex(each)).map(whole));
  const parts = others.filter(([name]) => isTokenizerFile(name));
  if (isTokenizerFile(file.name)) return openTokenizer([given, ...beside.filter((each) => isTokenizerFile(nameOf(each)))], program, language);
  const tokenizer = parts.some(([name]) => isVocabularyFile(name)) ? await readTokenizer(parts, language) : null;
  const before = await Promise.all(files.slice(0, -1).map(async (each) => [each.name, each.size, await beginningOf(each)]));
  let described = program.ownFile(file.name, file.size, await beginningOf(file), before);
  if (before.length > 0) file = new File(files, file.name); // one behind the other; nothing is read yet
  for (const [name, bytes] of others) {
    if (!described.error) described = program.ownBeside(name, isTokenizerFile(name) ? new Uint8Array() : bytes);
  }
  const { error, attentions, incomplete, has_query: hasQuery, sentence } = described;
  if (error) throw new Sentence(error);
  let index = layer === undefined ? -1 : attentions.findIndex(({ name }) => name === layer);
  if (layer !== undefined && index < 0) throw new Sentence(text.later('own_layer.file.no_layer', { file: file.name, layer }));
  if (index < 0) index = attentions.length === 1 ? 0 : await chooseAttention(file.name, attentions, incomplete, around);
  if (index === null) return null;
  const { name, why, parts: places } = attentions[index];
  if (why) throw new Sentence(`${name}: ${why}`);
  program.ownLayer(index, await partsOf(file, places));
  const variant = keep(program, { file, tokenizer, sentence });
  if (words !== undefined || ids) return typeTokens(words, program, ids);
  const takesWords = program.call('choices').own_words;
  return tokenizer && takesWords && !hasQuery ? typeTokens(sentence, program) : variant;
}

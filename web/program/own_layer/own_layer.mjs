// Opens a reader's .safetensors file: reads its header, asks which of its attentions is wanted, reads the parts of the
// file that this one lies in, and shows it. Loaded when a file is opened; the program knows what is in it
// (src/app/api/own_file.hpp).

import { Sentence } from '../compiled_code.mjs';
import { chooseAttention } from './choose_dialog.mjs';
import { text } from '../../texts/own_layer.mjs';

const lengthBytes = 8;
const longestHeader = 2 ** 24; // max_header_bytes in src/files/safetensors.hpp

async function bytesOf(file, begin, end) {
  try {
    return new Uint8Array(await file.slice(begin, end).arrayBuffer());
  } catch (cause) { // it was moved or changed since it was chosen
    throw new Sentence(text('own_layer.file.not_read', { file: file.name, reason: cause.message }), { cause });
  }
}

/** The file up to the end of its header. */
async function beginningOf(file) {
  const length = await bytesOf(file, 0, lengthBytes);
  const claimed = length.length < lengthBytes ? 0n : new DataView(length.buffer).getBigUint64(0, true);
  if (claimed > BigInt(longestHeader) || claimed > BigInt(file.size)) {
    throw new Sentence(text('own_layer.file.header', { file: file.name }));
  }
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
    throw new Sentence(text('own_layer.file.connection'), { cause });
  }
  throw new Sentence(text('own_layer.file.address', { status: response.status, file: String(address) }));
}

const largestBeside = 2 ** 24; // more tokens than are shown, and a longer config.json than there is

/** A file that comes with another, whole; or its address. */
async function whole(given) {
  const file = given instanceof Blob ? given : await download(given);
  if (file.size > largestBeside) throw new Sentence(text('own_layer.file.beside', { file: file.name }));
  return [file.name, await bytesOf(file, 0, file.size)];
}

/** Makes an array .npy the tokens of the attention that is shown: its variant. */
export async function openTokens(given, program) {
  program.ownTokens(...await whole(given));
  return program.call('state').variant;
}

/**
 * @param {File | string | URL} given a file, or the address of one, which is downloaded whole
 * @param {import('../program.mjs').Program} program
 * @param {object} options
 * @param {string} [options.layer] the name of one of its attentions; else the reader is asked, unless there is only one
 * @param {(File | string | URL)[]} [options.beside] files that come with it: config.json, tokens as .npy
 * @param {Element} [options.around] what the dialog belongs to
 * @returns {Promise<string | null>} the variant of own-layer that is shown; null where the reader chose none
 * @throws a Sentence that says why it cannot be shown
 */
export async function openOwnLayer(given, program, { layer, beside = [], around } = {}) {
  const file = given instanceof Blob ? given : await download(given);
  if (/\.npy$/i.test(file.name)) return openTokens(file, program);
  const others = await Promise.all(beside.map(whole));
  let described = program.ownFile(file.name, file.size, await beginningOf(file));
  for (const other of others) if (!described.error) described = program.ownBeside(...other);
  const { error, attentions, incomplete } = described;
  if (error) throw new Sentence(error);
  let index = layer === undefined ? -1 : attentions.findIndex(({ name }) => name === layer);
  if (layer !== undefined && index < 0) throw new Sentence(text('own_layer.file.no_layer', { file: file.name, layer }));
  if (index < 0) index = attentions.length === 1 ? 0 : await chooseAttention(file.name, attentions, incomplete, around);
  if (index === null) return null;
  const { name, why, parts } = attentions[index];
  if (why) throw new Sentence(`${name}: ${why}`);
  program.ownLayer(index, await partsOf(file, parts));
  return program.call('state').variant;
}

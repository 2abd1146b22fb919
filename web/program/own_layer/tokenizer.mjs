// Tokenizers of a reader's model: text → token ids. The other side is src/main_tokenizer.cpp, a WebAssembly module of
// its own, which is loaded when the first one is opened.

import { Sentence } from '../compiled_code.mjs';
import { requestCode, tokenizerAddress } from '../files.mjs';
import { textsOf } from '../language.mjs';
import { text } from '../../texts/own_layer.mjs';

/** Whether a file's name says that it is one of a tokenizer: as files::is_tokenizer_file. */
export const isTokenizerFile = (name) => isVocabularyFile(name) || /(tokenizer_config|special_tokens_map|added_tokens)\.json$/.test(name);

/** Whether it is one without which there is no tokenizer: as files::is_vocabulary_file. */
export const isVocabularyFile = (name) => /(tokenizer\.json|vocab\.txt|vocab\.json|merges\.txt)$/.test(name);

let compiled = null;

/** Compiles the module once. After a failure the next call tries again. */
function compile() {
  const address = tokenizerAddress();
  const failed = (cause) => { throw new Sentence(text.later('own_layer.file.connection'), { cause }); };
  compiled ??= requestCode(address).catch(failed).then(async (response) => {
    if (!response.ok) throw new Sentence(text.later('own_layer.file.address', { status: response.status, file: address.pathname }));
    return WebAssembly.compile(await response.arrayBuffer().catch(failed));
  });
  compiled.catch(() => { compiled = null; });
  return compiled;
}

/** @param {[string, Uint8Array][]} files names and contents @returns {Promise<Tokenizer>} throws a Sentence about them */
export async function readTokenizer(files, language) {
  const module = await compile();
  const imports = {};
  for (const { module: from, name } of WebAssembly.Module.imports(module)) {
    imports[from] ??= {};
    // What a program could ask of a system, which this one does only when it ends.
    imports[from][name] = name === 'emscripten_notify_memory_growth' ? () => {} : () => { throw new WebAssembly.RuntimeError(name); };
  }
  const { exports } = await WebAssembly.instantiate(module, imports);
  exports._initialize?.();
  const tokenizer = new Tokenizer(exports);
  if (language !== 'en') tokenizer.speak(JSON.stringify(await textsOf(language)));
  for (const [name, bytes] of files) tokenizer.add(name, bytes);
  tokenizer.read();
  return tokenizer;
}

class Tokenizer {
  #exports;
  constructor(exports) {
    this.#exports = exports;
  }
  #give(...parts) {
    const bytes = parts.map((part) => (typeof part === 'string' ? new TextEncoder().encode(part) : part));
    const place = this.#exports.tokenizer_room(bytes.reduce((sum, { length }) => sum + length, 0));
    if (!place) throw new Sentence(text.later('own_layer.tokenizer.long'));
    const room = new Uint8Array(this.#exports.memory.buffer);
    let at = place;
    for (const part of bytes) {
      room.set(part, at);
      at += part.length;
    }
    return bytes[0].length;
  }
  #answer() {
    const { memory, tokenizer_answer: place, tokenizer_answer_length: length } = this.#exports;
    return new TextDecoder().decode(new Uint8Array(memory.buffer, place(), length()));
  }
  speak(texts) {
    this.#give(texts);
    this.#exports.tokenizer_language();
  }
  add(name, bytes) {
    this.#exports.tokenizer_add(this.#give(name, bytes));
  }
  read() {
    this.#exports.tokenizer_read();
    const why = this.#answer();
    if (why) throw new Sentence(why);
  }
  /** @returns {{ids: number[], words: string[]}} */
  encode(said) {
    this.#give(said);
    this.#exports.tokenizer_encode();
    const { error, ...encoding } = JSON.parse(this.#answer());
    if (error) throw new Sentence(error);
    return encoding;
  }
}

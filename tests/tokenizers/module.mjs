// The page's module of tokenizers, as web/program/own_layer/tokenizer.mjs calls it.
import { readFile } from 'node:fs/promises';

const compiled = new Map();

/**
 * @param {Record<string, Uint8Array | string>} files names and contents
 * @returns {Promise<{encode: (text: string) => {ids?: number[], words?: string[], error?: string}}>} throws what is wrong
 */
export async function readTokenizer(files, path) {
  if (!compiled.has(path)) compiled.set(path, await WebAssembly.compile(await readFile(path)));
  const module = compiled.get(path);
  const imports = {};
  for (const { module: from, name } of WebAssembly.Module.imports(module)) (imports[from] ??= {})[name] = () => {};
  const { exports } = await WebAssembly.instantiate(module, imports);
  exports._initialize?.();
  const give = (...parts) => {
    const bytes = parts.map((part) => Buffer.from(part));
    const whole = Buffer.concat(bytes);
    const place = exports.tokenizer_room(whole.length);
    new Uint8Array(exports.memory.buffer).set(whole, place);
    return bytes[0].length;
  };
  const answer = () => Buffer.from(exports.memory.buffer, exports.tokenizer_answer(), exports.tokenizer_answer_length()).toString();
  for (const [name, content] of Object.entries(files)) exports.tokenizer_add(give(name, content));
  exports.tokenizer_read();
  const wrong = answer();
  if (wrong) throw new Error(wrong);
  return {
    encode(text) {
      give(text);
      exports.tokenizer_encode();
      return JSON.parse(answer());
    },
  };
}

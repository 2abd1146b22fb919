// The compiled code, which comes in two parts: the first has what a reader meets first, the rest whatever else the
// program can do. Which part a function is in was found out by a rehearsal when the program was built
// (tools/split/split.mjs); in the first part's table of functions, stand-ins keep the places of those in the rest.

import { canFetchAtOnce, codeAddress, requestCode } from './files.mjs';

/** A reason that a reader can understand, to be shown as it is. */
export class Sentence extends Error {}

// The smallest module that uses a 128-bit vector: () -> v128 { i32.const 0; i8x16.splat }.
const simdModule = new Uint8Array([
  0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00, // magic, version
  0x01, 0x05, 0x01, 0x60, 0x00, 0x01, 0x7b, //       one type: () -> v128
  0x03, 0x02, 0x01, 0x00, //                         one function of that type
  0x0a, 0x08, 0x01, 0x06, 0x00, 0x41, 0x00, 0xfd, 0x0f, 0x0b, // its code
]);

/** "simd" or "baseline", or a Sentence where neither can run. */
export function chooseVariant() {
  if (typeof WebAssembly !== 'object' || typeof WebAssembly.instantiate !== 'function') {
    throw new Sentence(
      'This browser has no WebAssembly, which attention-live computes with; it may be switched off in the ' +
        'browser’s settings or be too old: any browser since 2021 has it.',
    );
  }
  return WebAssembly.validate(simdModule) ? 'simd' : 'baseline';
}

/** Tells how much of a download is there, from a copy of it. */
async function count(copy, onProgress) {
  const encoded = copy.headers.get('Content-Encoding');
  // The length of a compressed download says nothing about the bytes that come out of it.
  const total = encoded ? 0 : Number(copy.headers.get('Content-Length')) || 0;
  const reader = copy.body.getReader();
  for (let received = 0; ;) {
    const { done, value } = await reader.read();
    if (done) return;
    received += value.byteLength;
    onProgress(received, total);
  }
}

async function download(address) {
  let response;
  try {
    response = await requestCode(address);
  } catch {
    throw new Sentence(
      'The program could not be downloaded: the connection failed. Check the network, then try again.',
    );
  }
  if (!response.ok) {
    throw new Sentence(
      `The program could not be downloaded: the server answered ${response.status} for ${address.pathname}.`,
    );
  }
  return response;
}

/** The sentence for what a browser says when code is no good. */
export function notStarted(cause) {
  if (cause instanceof Sentence) return cause;
  const reason =
    cause instanceof WebAssembly.CompileError
      ? 'the browser refuses to compile it; a strict Content-Security-Policy must allow wasm-unsafe-eval'
      : 'the download broke off or was changed on the way';
  return new Sentence(`The program could not be started: ${reason}. (${cause.message})`, { cause });
}

async function compile(address, onProgress) {
  const response = await download(address);
  try {
    count(response.clone(), onProgress).catch(() => {}); // what breaks off is told below
    // A Response of our own, since not every host says application/wasm, which streaming compilation insists on. Its
    // body is the browser's, unread: where one of ours is broken off since the reader leaves, Firefox says so aloud.
    return await WebAssembly.compileStreaming(
      new Response(response.body, { headers: { 'Content-Type': 'application/wasm' } }),
    );
  } catch (cause) {
    throw notStarted(cause);
  }
}

/** Address → {module: Promise<WebAssembly.Module>, compiled: the module once it is there, listeners}. */
const shared = new Map();

/** One part's code, fetched and compiled once for all that run in the page. What failed is tried again. */
function sharedCode(variant, part, onProgress = () => {}) {
  const address = codeAddress(variant, part);
  let entry = shared.get(address.href);
  if (!entry) {
    const listeners = new Set();
    const tell = (received, total) => { for (const listener of listeners) listener(received, total); };
    entry = { listeners, module: compile(address, tell), compiled: null };
    shared.set(address.href, entry);
    const done = (module) => { // whoever listens would be kept for as long as the page
      listeners.clear();
      entry.listeners = null;
      entry.compiled = module;
    };
    entry.module.then(done, () => shared.delete(address.href));
  }
  entry.listeners?.add(onProgress);
  return entry;
}

/** @returns {Uint8Array} a file, while everything waits for it; throws the reason where it does not come */
function fetchAtOnce(address) {
  const request = new XMLHttpRequest();
  // An address of its own: a browser's cache holds a second request for the same one back for as long as 20 s, in the
  // hope that the first is answered.
  request.open('GET', `${address}?now`, false);
  request.overrideMimeType('text/plain; charset=x-user-defined'); // a byte is the last eight bits of a letter
  request.send();
  if (request.status !== 200) throw new Error(`The server answered ${request.status} for ${address.pathname}.`);
  return Uint8Array.from(request.responseText, (letter) => letter.charCodeAt(0) & 0xff);
}

/** Whether the browser compiles a module while a page waits: Chromium once did so for the smallest only. */
function compilesAtOnce() {
  const header = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00];
  const size = 8192; // of a section of nobody's, without a name: its length takes two bytes, its name's one
  try {
    return Boolean(new WebAssembly.Module(new Uint8Array([...header, 0, 0x80, 0x40, ...new Uint8Array(size)])));
  } catch {
    return false;
  }
}

const only = (exports, kind) => Object.values(exports).find((each) => each instanceof kind);

/** The code of one running program. */
export class Code {
  #variant = chooseVariant();
  #first;
  #rest = null;
  #exports = null;
  #complete = false;

  /**
   * Begins to download it.
   * @param {(received: number, total: number) => void} onProgress bytes of the first part; total 0 where it is not known
   * @param {boolean} whole the rest is needed from the start; or else it comes when `complete` is called, or when one
   *   of its functions is
   */
  constructor(onProgress, whole) {
    this.#first = sharedCode(this.#variant, 'first', onProgress).module;
    // Where nothing can be fetched and compiled while a function waits, none may have to.
    if (whole || !canFetchAtOnce || !compilesAtOnce()) this.#rest = sharedCode(this.#variant, 'rest').module;
    for (const part of [this.#first, this.#rest]) part?.catch(() => {}); // told where it is waited for
  }

  get variant() { return this.#variant; }

  /** @returns {Promise<WebAssembly.Instance>} ready to run */
  async instantiate(imports) {
    const standIn = (slot) => (...values) => {
      this.#completeAtOnce();
      return only(this.#exports, WebAssembly.Table).get(Number(slot))(...values);
    };
    const rest = new Proxy({}, { get: (_, slot) => standIn(slot) });
    const instance = await WebAssembly.instantiate(await this.#first, { ...imports, rest });
    this.#exports = instance.exports;
    if (this.#rest) await this.complete();
    return instance;
  }

  /** Fetches the rest, if it is not there, and puts it in its place. */
  async complete() {
    const module = await sharedCode(this.#variant, 'rest').module;
    if (this.#complete) return;
    await WebAssembly.instantiate(module, { first: this.#exports });
    this.#complete = true;
  }

  /** The same while a function waits for it. */
  #completeAtOnce() {
    if (this.#complete) return;
    const address = codeAddress(this.#variant, 'rest');
    const entry = shared.get(address.href) ?? { listeners: null, module: null, compiled: null };
    try {
      if (!entry.compiled) {
        // For all that want it from now on, and for those that wait for the other.
        entry.compiled = new WebAssembly.Module(fetchAtOnce(address));
        entry.module ??= Promise.resolve(entry.compiled);
        shared.set(address.href, entry);
      }
    } catch (cause) {
      throw new Sentence(
        `A part of the program could not be downloaded. Check the network, then try again. (${cause.message})`, { cause },
      );
    }
    new WebAssembly.Instance(entry.compiled, { first: this.#exports }); // takes the places in the table
    this.#complete = true;
  }
}

// The compiled code of the program, and whether this browser can run it.

import { codeAddress, requestCode } from './files.mjs';
import { text } from '../texts/program.mjs';

/** An error whose message can be shown to readers. */
export class Sentence extends Error {
  /** In the language of a figure. @type {(language: string) => string} */
  in;

  /** @param {string | ((language?: string) => string)} said a text, or one whose language is not known yet */
  constructor(said, options) {
    super(typeof said === 'string' ? said : said(), options);
    this.in = typeof said === 'string' ? () => said : said;
  }
}

// The smallest module that uses a 128-bit vector: () -> v128 { i32.const 0; i8x16.splat }.
const simdModule = new Uint8Array([
  0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00, // magic, version
  0x01, 0x05, 0x01, 0x60, 0x00, 0x01, 0x7b, //       one type: () -> v128
  0x03, 0x02, 0x01, 0x00, //                         one function of that type
  0x0a, 0x08, 0x01, 0x06, 0x00, 0x41, 0x00, 0xfd, 0x0f, 0x0b, // its code
]);

/** Throws a Sentence if this browser cannot run the code. */
export function checkBrowser() {
  if (typeof WebAssembly !== 'object' || typeof WebAssembly.instantiate !== 'function') {
    throw new Sentence(text.later('program.browser.webassembly'));
  }
  if (!WebAssembly.validate(simdModule)) {
    throw new Sentence(text.later('program.browser.simd'));
  }
}

/** Reports the progress of a download by reading a copy of it. Resolves with whether it is WebAssembly. */
async function count(copy, onProgress) {
  const encoded = copy.headers.get('Content-Encoding');
  // Content-Length of a compressed download is not the number of bytes that are read.
  const total = encoded ? 0 : Number(copy.headers.get('Content-Length')) || 0;
  const reader = copy.body.getReader();
  let start = '';
  for (let received = 0; ;) {
    const { done, value } = await reader.read();
    if (done) return start === '\0asm';
    start = (start + String.fromCharCode(...value.subarray(0, 4))).slice(0, 4);
    received += value.byteLength;
    onProgress(received, total);
  }
}

const notDownloaded = (reason) => new Sentence(text.later('program.download.failed', { reason }));

/**
 * Why a request failed of which the browser tells scripts nothing but that. Another host is asked once more, in the mode
 * that needs no permission: if it answers, permission is what was missing.
 */
async function whyFailed(address) {
  if (address.origin === location.origin) return text.later('program.download.connection');
  return fetch(address, { mode: 'no-cors', method: 'HEAD' }).then(
    () => text.later('program.download.not_allowed', { host: address.host, file: address.pathname }),
    // A policy may forbid that, too.
    () => text.later('program.download.not_reached', { host: address.host }),
  );
}

async function download(address, fresh) {
  let directive = '';
  const note = ({ blockedURI, effectiveDirective }) => {
    if (address.href.startsWith(blockedURI)) directive = effectiveDirective;
  };
  document.addEventListener('securitypolicyviolation', note);
  let response;
  try {
    response = await requestCode(address, { cache: fresh ? 'reload' : 'default' });
  } catch {
    await new Promise((resolve) => setTimeout(resolve)); // the browser tells of its policy after that
    if (directive) throw notDownloaded(text.later('program.download.policy', { directive }));
    throw notDownloaded(await whyFailed(address));
  } finally {
    document.removeEventListener('securitypolicyviolation', note);
  }
  if (!response.ok) {
    throw notDownloaded(text.later('program.download.status', { status: response.status, file: address.pathname }));
  }
  return response;
}

/** Whether the policy of the page forbids to compile anything. */
function forbidden() {
  try {
    return !new WebAssembly.Module(simdModule);
  } catch {
    return true;
  }
}

/** The sentence for an error while the program is compiled or begins. */
export function notStarted(cause, reason = text.later('program.start.damaged')) {
  if (cause instanceof Sentence) return cause;
  const why = forbidden() ? text.later('program.start.policy') : reason;
  return new Sentence(text.later('program.start.failed', { reason: why, error: cause.message }), { cause });
}

async function compile(onProgress, fresh) {
  const response = await download(codeAddress(), fresh);
  const type = response.headers.get('Content-Type');
  // What breaks off is told below.
  const counted = count(response.clone(), onProgress).then(
    (code) => (code ? text.later('program.start.incomplete') : text.later('program.start.other_type', { type })),
    () => text.later('program.start.broke_off'),
  );
  try {
    // A new Response, since streaming compilation needs the type application/wasm, which not every host sends. Its body
    // is the original one: if a stream of our own is cancelled because the reader leaves, Firefox reports an error.
    return await WebAssembly.compileStreaming(
      new Response(response.body, { headers: { 'Content-Type': 'application/wasm' } }),
    );
  } catch (cause) {
    throw notStarted(cause, await counted);
  }
}

let shared = null; // Promise<WebAssembly.Module>
const listeners = new Set();

/**
 * The code, fetched and compiled once for all instances in the page. After an error the next call tries again.
 * @param {(received: number, total: number) => void} onProgress bytes; total is 0 if unknown
 * @param {boolean} fresh it did not fit to the other files: it is fetched again, and not from the browser's cache
 * @returns {Promise<WebAssembly.Module>}
 */
export async function sharedCode(onProgress, fresh) {
  if (fresh) shared = null;
  shared ??= compile((...bytes) => { for (const listener of listeners) listener(...bytes); }, fresh).catch((cause) => {
    shared = null;
    throw cause;
  });
  listeners.add(onProgress);
  try {
    return await shared;
  } finally {
    listeners.delete(onProgress); // it would be kept for as long as the page
  }
}

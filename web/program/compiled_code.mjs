// The compiled code of the program, and whether this browser can run it.

import { codeAddress, requestCode } from './files.mjs';

/** A reason that a reader can understand, to be shown as it is. */
export class Sentence extends Error {}

// The smallest module that uses a 128-bit vector: () -> v128 { i32.const 0; i8x16.splat }.
const simdModule = new Uint8Array([
  0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00, // magic, version
  0x01, 0x05, 0x01, 0x60, 0x00, 0x01, 0x7b, //       one type: () -> v128
  0x03, 0x02, 0x01, 0x00, //                         one function of that type
  0x0a, 0x08, 0x01, 0x06, 0x00, 0x41, 0x00, 0xfd, 0x0f, 0x0b, // its code
]);

/** Throws a Sentence where the code cannot run. */
export function checkBrowser() {
  if (typeof WebAssembly !== 'object' || typeof WebAssembly.instantiate !== 'function') {
    throw new Sentence(
      'This browser has no WebAssembly, which attention-live needs; it may be switched off in the ' +
        'browser’s settings or be too old: any browser since 2023 has it.',
    );
  }
  if (!WebAssembly.validate(simdModule)) {
    throw new Sentence(
      'This browser is too old for attention-live, which computes with WebAssembly SIMD. Update the browser: any ' +
        'since 2023 has it.',
    );
  }
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

async function compile(onProgress) {
  const response = await download(codeAddress());
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

const listeners = new Set();
let shared = null; // Promise<WebAssembly.Module>

/**
 * The code, fetched and compiled once for all that run in the page. What failed is tried again.
 * @param {(received: number, total: number) => void} onProgress bytes; total 0 where it is not known
 * @returns {Promise<WebAssembly.Module>}
 */
export async function sharedCode(onProgress) {
  shared ??= compile((...bytes) => { for (const listener of listeners) listener(...bytes); }).catch((cause) => {
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

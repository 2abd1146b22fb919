// Where the files of the compiled program are, and how they are fetched. All modules ask this one, because a distribution
// replaces it: by one with hashed names, or with everything in one page. Other modules may refer to files of the site
// only as `new URL('../style.css', import.meta.url)`, literally, which is the form that the packaging understands.

/** The address of a page with this program alone, which copied links begin with. */
export const home = new URL('..', import.meta.url).href;

/** The WebAssembly. */
export const codeAddress = () => new URL('attention-live.wasm', import.meta.url);

/**
 * The program's script, a module whose default is Emscripten's factory.
 * @param {boolean} fresh the last one failed: not from a cache. A browser remembers a failed import, too, so it has its
 *   own address
 */
export function importScript(fresh) {
  const address = new URL('attention-live.mjs', import.meta.url);
  if (fresh) address.searchParams.set('retry', Date.now());
  return import(address.href);
}

/** A module whose import has failed, from the server anew. */
export const importAgain = (address) => import(`${address.replace(/\?.*/s, '')}?retry=${Date.now()}`);

/** @returns {URL | null} of the translator's weights, 3 MB; null where they are not included */
export const weightsAddress = () => new URL('translator.safetensors', import.meta.url);

/** The WebAssembly of tokenizers. */
export const tokenizerAddress = () => new URL('tokenizer.wasm', import.meta.url);

/** @returns {Promise<Response>} of either WebAssembly */
export const requestCode = (address, options) => fetch(address, options);

/** @returns {string | null} address of the picture EXAMPLE-STEP-THEME: none here, because they are made by the packaging */
export const posterAddress = () => null;

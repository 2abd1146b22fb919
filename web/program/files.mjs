// Where the files of the compiled program are, and how they are fetched. All modules ask this one, because a distribution
// replaces it: by one with hashed names, or with everything in one page. Other modules may refer to files of the site
// only as `new URL('../style.css', import.meta.url)`, literally, which is the form that the packaging understands.

/** The address of a page with this program alone, which copied links begin with. */
export const home = new URL('..', import.meta.url).href;

export const codeAddress = () => new URL('attention-live.wasm', import.meta.url);

/**
 * The program's script, a module whose default is Emscripten's factory.
 * @param {number} attempt 0 at first; a browser remembers a failed import, so each retry has its own address
 */
export function importScript(attempt) {
  const address = new URL('attention-live.mjs', import.meta.url);
  if (attempt > 0) address.searchParams.set('retry', attempt);
  return import(address.href);
}

/** @returns {Promise<Response>} of the WebAssembly */
export const requestCode = (address) => fetch(address);

/** @returns {string | null} address of the picture EXAMPLE-STEP-THEME: none here, because they are made by the packaging */
export const posterAddress = () => null;

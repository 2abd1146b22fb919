// Where the compiled program lies and how it is fetched. Everything that asks for a file of the program asks here, since
// a distribution puts a module of its own in the place of this one: hashed names, or a page with everything inside.
// Other modules may name a file of the site as `new URL('../style.css', import.meta.url)`, written out: the packaging
// follows that, and nothing else that is done with import.meta.

/** The address that the program can be opened at by itself: what a copied link begins with. */
export const home = new URL('..', import.meta.url).href;

export const scriptAddress = () => new URL('attention-live.mjs', import.meta.url);
export const codeAddress = () => new URL('attention-live.wasm', import.meta.url);

/** The module of a script: Emscripten's factory is its default. */
export const importScript = (address) => import(address.href);

/** @returns {Promise<Response>} of the WebAssembly */
export const requestCode = (address) => fetch(address);

/** @returns {URL | null} of the picture EXAMPLE-STEP-THEME; they are made when the site is packed, so here is none */
export const posterAddress = () => null;

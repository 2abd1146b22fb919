// Our modules of plain functions, instantiated.

const compiled = new Map(); // by address

/** What src/kernels/relaxed_kernel.js does in the page's script: this module has no script. */
function connectRelaxedKernel({ memory, __indirect_function_table: table }, code, length) {
  const bytes = new Uint8Array(memory.buffer, code, length);
  if (!WebAssembly.validate(bytes)) return 0;
  const kernel = new WebAssembly.Instance(new WebAssembly.Module(bytes), { env: { memory } }).exports;
  const place = table.grow(1);
  table.set(place, kernel.multiply_panel);
  return place;
}

/**
 * A new instance of a module that has no script of Emscripten's.
 * @param {string} address
 * @param {{strict?: boolean}} [options] strict: without relaxed SIMD, where the browser has it
 * @returns {Promise<WebAssembly.Exports>}
 */
export async function instantiate(address, { strict = false } = {}) {
  if (!compiled.has(address)) compiled.set(address, WebAssembly.compileStreaming(fetch(address)));
  const module = await compiled.get(address);
  let exports = null;
  const answers = {
    emscripten_notify_memory_growth() {},
    attention_connect_relaxed_kernel: (code, length) => (strict ? 0 : connectRelaxedKernel(exports, code, length)),
  };
  // The rest is what a program could ask of a system, and this one does not.
  const imports = {};
  for (const { module: from, name, kind } of WebAssembly.Module.imports(module)) {
    if (kind !== 'function') throw new Error(`${address} wants ${from}.${name}, which is no function.`);
    imports[from] ??= {};
    imports[from][name] = answers[name] ?? (() => { throw new Error(`${address} called ${name}.`); });
  }
  ({ exports } = await WebAssembly.instantiate(module, imports));
  exports._initialize?.();
  return exports;
}

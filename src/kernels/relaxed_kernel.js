// The JavaScript function that matmul_tile.cpp calls.
mergeInto(LibraryManager.library, {
  // Loads the module of the kernel for relaxed SIMD into the program's memory and returns a pointer to its function.
  // 0 where the browser does not support the instructions, or refuses to compile a module of this size synchronously
  // (Chromium before 115).
  attention_connect_relaxed_kernel__sig: 'iii',
  // Newer versions of Emscripten omit the table unless something depends on it.
  attention_connect_relaxed_kernel__deps: '$wasmTable' in LibraryManager.library ? ['$wasmTable'] : [],
  attention_connect_relaxed_kernel: function(code, length) {
    try {
      const kernel = new WebAssembly.Module(HEAPU8.slice(code, code + length));
      const { exports } = new WebAssembly.Instance(kernel, { 'env': { 'memory': wasmMemory } });
      const place = wasmTable.grow(1);
      wasmTable.set(place, exports['multiply_panel']);
      return place;
    } catch (cause) {
      return 0;
    }
  },
});

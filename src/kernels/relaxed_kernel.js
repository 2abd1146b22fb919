// What matmul_tile.cpp asks the engine.
mergeInto(LibraryManager.library, {
  // Compiles the module of the kernel for relaxed SIMD, to work in the program's memory, and gives its function a place
  // in the program's table. 0 where the engine does not know the instructions, or compiles nothing of that size while a
  // page waits (Chromium before 115).
  attention_connect_relaxed_kernel__sig: 'iii',
  // Newer compilers leave the table out of the script unless somebody asks for it.
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

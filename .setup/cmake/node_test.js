// Emscripten 3.1.6 asks fetch() for its .wasm even under Node, whose fetch() knows no files.
delete globalThis.fetch;

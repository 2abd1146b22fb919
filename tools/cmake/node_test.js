// Emscripten 3.1.6 uses fetch() for its .wasm even under Node, where fetch() cannot read files.
delete globalThis.fetch;
// Node has relaxed SIMD since version 21; version 20 has it behind a flag.
if (parseInt(process.versions.node, 10) >= 20) require('v8').setFlagsFromString('--experimental-wasm-relaxed-simd');
// GoogleTest reads its share of the tests from the environment, which Emscripten does not pass on by itself.
Module['preRun'] = [() => Object.assign(ENV, process.env)];

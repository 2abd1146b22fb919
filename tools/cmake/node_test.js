// Emscripten 3.1.6 asks fetch() for its .wasm even under Node, whose fetch() knows no files.
delete globalThis.fetch;
// Node has had relaxed SIMD since version 21, and before that if it is told to; a Node that knows nothing of it says so.
if (parseInt(process.versions.node, 10) >= 20) require('v8').setFlagsFromString('--experimental-wasm-relaxed-simd');
// GoogleTest asks the environment which share of the tests it runs; a program under Node has an environment of its own.
Module['preRun'] = [() => Object.assign(ENV, process.env)];

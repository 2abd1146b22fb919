// The pages of the benchmark, put together: our few modules with the peers' libraries in one script each, and the peers'
// WebAssembly beside it.

import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { build } from 'esbuild';

const here = fileURLToPath(new URL('.', import.meta.url));
const peers = join(here, 'peers', 'node_modules');

/** WebAssembly of the peers: path in the page → file. */
const binaries = {
  onnxruntime: ['onnxruntime/ort-wasm-simd-threaded.wasm',
    join(peers, 'onnxruntime-web', 'dist', 'ort-wasm-simd-threaded.wasm')],
  tfjs: ['tfjs/tfjs-backend-wasm-simd.wasm',
    join(peers, '@tensorflow', 'tfjs-backend-wasm', 'dist', 'tfjs-backend-wasm-simd.wasm')],
};

const html = (script) => Buffer.from(
  `<!doctype html><html lang="en"><meta charset="utf-8"><link rel="icon" href="data:,"><title>bench</title><script type="module" src="${script}">` +
    '</script>\n',
);

async function script(entry) {
  const { outputFiles } = await build({
    entryPoints: [join(here, 'page', entry)],
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    nodePaths: [peers],
    external: ['fs', 'path', 'os', 'crypto', 'perf_hooks', 'worker_threads'],
    write: false,
    legalComments: 'none',
    logLevel: 'error',
  });
  return Buffer.from(outputFiles[0].contents);
}

/**
 * The page that measures all engines.
 * @param {string} engine path of our engine's WebAssembly
 * @param {string} training path of our training's
 */
export async function measuringPage(engine, training) {
  return new Map([
    ['index.html', html('page.js')], ['page.js', await script('page.mjs')], ['engine.wasm', engine],
    ['training.wasm', training],
    binaries.onnxruntime, binaries.tfjs,
  ]);
}

/** The smallest page that shows a first result of one peer. @param {'onnxruntime' | 'tfjs'} peer */
export async function startingPage(peer) {
  return new Map([
    ['index.html', html('start.js')], ['start.js', await script(`start_${peer}.mjs`)], binaries[peer],
  ]);
}

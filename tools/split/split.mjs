#!/usr/bin/env node
// split.mjs WASM_SPLIT SCRIPT.mjs PROGRAM.wasm OUT: takes a linked program apart in two modules.
//
//   OUT/NAME.mjs         the script, as it is
//   OUT/NAME.wasm        what the first moments of the page need (rehearsal.mjs), and all numbers and letters
//   OUT/NAME-rest.wasm   the other functions; put beside it, they take the places that were kept for them
//
// The first part is less to download before something is seen; see web/program/code.mjs for how the rest gets there.

import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

import { rehearse } from './rehearsal.mjs';

// What Emscripten compiles for without being asked, by version; and SIMD. An optimised link does not note them down.
const features = ['sign-ext', 'mutable-globals', 'nontrapping-float-to-int', 'bulk-memory', 'simd']
  .map((name) => `--enable-${name}`);

async function main() {
  if (process.argv.length !== 6) throw new Error('Give wasm-split, the script, the program and the folder for the parts.');
  const [wasmSplit, script, program, out] = process.argv.slice(2);
  const name = basename(program, '.wasm');
  const scratch = mkdtempSync(join(tmpdir(), 'attention-live-split-'));
  try {
    const run = (...words) => execFileSync(wasmSplit, words, { stdio: ['ignore', 'inherit', 'inherit'] });
    const instrumented = join(scratch, 'instrumented.wasm');
    run(...features, '--instrument', program, '-o', instrumented);
    const { default: factory } = await import(pathToFileURL(resolve(script)).href);
    const profile = join(scratch, 'profile');
    writeFileSync(profile, await rehearse(factory, new WebAssembly.Module(readFileSync(instrumented))));
    run(...features, '--split', program, `--profile=${profile}`, '--import-namespace=first', '--placeholder-namespace=rest',
      '-o1', join(out, `${name}.wasm`), '-o2', join(out, `${name}-rest.wasm`));
    copyFileSync(script, join(out, `${name}.mjs`));
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

main().catch((cause) => {
  console.error(`split.mjs: ${cause.stack}`);
  process.exitCode = 1;
});

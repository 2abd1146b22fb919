#!/usr/bin/env node
// npm.mjs SITE OUT [--posters FOLDER]: the npm package, as a folder OUT/package and packed,
// OUT/attention-live-VERSION.tgz.
//
// The element: attention-live.js with what it loads, its types and the posters; and for notebooks the Python with
// the script that it puts into them.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { bundleModules, element, engineFiles, packageModule, programFiles } from './bundle.mjs';
import { wholeElement } from './single.mjs';
import { list, readPosters } from './site.mjs';

const repository = fileURLToPath(new URL('../..', import.meta.url));
const here = fileURLToPath(new URL('.', import.meta.url));

/** Name → content of all files of the package. */
async function contents(site, postersFolder) {
  const posters = readPosters(postersFolder);
  const { names, files: program } = await programFiles(site);
  const source = packageModule(names, [...posters.keys()]);
  const bundled = await bundleModules(site, [element], source, ''); // beside the element: see below
  const files = new Map([...bundled.files, ...[names.code, names.weights, names.tokenizer].map((name) => [name, program.get(name)])]);
  for (const [name, content] of await engineFiles(site)) files.set(name, content);
  for (const [name, content] of bundled.files) {
    // A bundler may put all of it into one file, and then an address is right only if all of them begin in one folder.
    if (name.includes('/') || /new URL\(["'`]\.\./.test(content)) throw new Error(`${name} is not beside ${element}.`);
  }
  for (const name of list(site)) {
    if (/\.d\.ts$|^notebook\//.test(name)) files.set(name, readFileSync(join(site, name)));
  }
  for (const [name, picture] of posters) files.set(`posters/${name}.webp`, picture);
  const { version } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8'));
  const { name, ...rest } = JSON.parse(readFileSync(join(here, 'npm-package.json'), 'utf8'));
  files.set('package.json', `${JSON.stringify({ name, version, ...rest }, null, 2)}\n`);
  files.set('README.md', readFileSync(join(here, 'npm-readme.md')));
  files.set('attention-live-whole.js', await wholeElement(site)); // what the notebook puts into its output
  files.set('attention-live.cjs', readFileSync(join(here, 'npm-server.cjs')));
  files.set('LICENSE', readFileSync(join(repository, 'LICENSE')));
  return files;
}

async function main() {
  const { values, positionals } = parseArgs({ options: { posters: { type: 'string' } }, allowPositionals: true });
  if (positionals.length !== 2) throw new Error('Give the folder of the built site and the folder to make.');
  const [site, out] = positionals.map((folder) => resolve(folder));
  if (!existsSync(join(site, element))) {
    throw new Error(`${positionals[0]} has no ${element}: build it first (make web).`);
  }
  rmSync(out, { recursive: true, force: true });
  const folder = join(out, 'package');
  for (const [name, content] of await contents(site, values.posters)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  const packed = execFileSync('npm', ['pack', '--silent', '--pack-destination', out], {
    cwd: folder, encoding: 'utf8',
  });
  const file = packed.trim().split('\n').at(-1);
  console.log(`${positionals[1]}/${file}: ${Math.round(readFileSync(join(out, file)).length / 1000)} kB`);
}

main().catch((cause) => {
  console.error(`attention-live: ${cause.message}`);
  process.exitCode = 1;
});

#!/usr/bin/env node
// make.mjs SITE OUT [--posters FOLDER]: packs the built site for any static host.
//
//   OUT/                      the pages, attention-live.js and, in files/, files with a hash in their names
//   OUT/*.br, *.gz            compressed copies of each file
//   OUT/sizes.json            bytes of every file, and of what each page needs until its first frame
//   OUT/attention-live.html   everything in one file
//   OUT/attention-live-whole.js   the element with everything in one script
//   OUT/posters/              the pictures of FOLDER
//
// The same input gives the same bytes.

import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

import { singleFile, wholeElement } from './single.mjs';
import { distribution, readPosters, write } from './site.mjs';

async function main() {
  const { values, positionals } = parseArgs({ options: { posters: { type: 'string' } }, allowPositionals: true });
  if (positionals.length !== 2) throw new Error('Give the folder of the built site and the folder to make.');
  const [site, out] = positionals.map((folder) => resolve(folder));
  if (!existsSync(join(site, 'index.html'))) {
    throw new Error(`${positionals[0]} has no index.html: build it first (make web).`);
  }
  const made = await distribution(site, readPosters(values.posters));
  made.files.set('attention-live.html', await singleFile(site));
  made.files.set('attention-live-whole.js', await wholeElement(site));
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  const { first, total, files } = await write(site, out, made);
  const kilobytes = (bytes) => `${(bytes / 1000).toFixed(0)} kB`;
  console.log(`${positionals[1]}: ${Object.keys(files).length} files, ${kilobytes(total.raw)}`);
  for (const [name, { brotli, gzip }] of Object.entries(first)) {
    console.log(`  ${name}: ${kilobytes(brotli)} until the first frame (brotli; gzip ${kilobytes(gzip)})`);
  }
}

main().catch((cause) => {
  console.error(`attention-live: ${cause.message}`);
  process.exitCode = 1;
});

// The service worker of one version, with the list of files that it keeps.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { transform } from 'esbuild';

/** @param {{version: string, needed: string[]}} made the version, and the names of its files */
export async function serviceWorker(site, { version, needed }) {
  const files = needed.map((name) => (name === 'index.html' ? './' : name));
  const { code } = await transform(readFileSync(join(site, 'service-worker.js'), 'utf8'), {
    minify: true, target: 'es2022', legalComments: 'none', charset: 'utf8',
    define: {
      ATTENTION_LIVE_VERSION: JSON.stringify(version),
      ATTENTION_LIVE_FILES: JSON.stringify(files),
    },
  });
  return Buffer.from(code);
}

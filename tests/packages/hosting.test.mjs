// Files on another origin than the page, with the policy and the header that docs/embedding.md prints.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';

import { assertQuiet } from '../browser/support.mjs';
import { dist, inChromium, packages, repository, withHost } from './support.mjs';

const guide = readFileSync(join(repository, 'docs', 'embedding.md'), 'utf8');
const printed = (start) => guide.split('\n').find((line) => line.startsWith(start));
const policy = printed("script-src 'self' https://figures.example.org");
const [name, value] = printed('Access-Control-Allow-Origin').split(': ');

describe('files from another origin', () => {
  for (const [title, headers] of [
    ['as the policy and the header that are printed allow', {}],
    ['under a strict embedder policy', { 'Cross-Origin-Embedder-Policy': 'require-corp' }],
  ]) {
    test(title, async () => {
      await withHost(dist, { policy: null, headers: { [name]: value } }, async (files) => {
        const extra = { '/page.html': `<!doctype html><html lang="en"><meta charset="utf-8"><title>course</title>
          <link rel="icon" href="icon.svg"><script type="module" src="${files.origin}/attention-live.js"></script>
          <attention-live id="runs" example="counting" step="split" load="eager"></attention-live>
          <attention-live id="waits" example="counting" step="split" load="click" theme="light"></attention-live></html>`,
        '/icon.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>' };
        const allowed = policy.replaceAll('https://figures.example.org', files.origin);
        await withHost(packages, { extra, policy: allowed, headers }, (host) => inChromium(async (page) => {
          await page.goto(`${host.origin}/page.html`);
          await page.evaluate(() => customElements.whenDefined('attention-live').then(() => document.querySelector('#runs').ready.then(() => {})));
          await page.locator('#waits img.picture').waitFor();
          assertQuiet(page);
          assert.deepEqual(page.heard.failed, []);
        }));
      });
    });
  }
});

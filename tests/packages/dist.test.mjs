// The static folder of `make dist`.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';

import { assertQuiet } from '../browser/support.mjs';
import { list } from '../../tools/dist/site.mjs';
import { dist, inChromium, packages, programState, repository, site, sizes, withHost } from './support.mjs';

const pages = () => list(dist).filter((name) => name.endsWith('.html') && name !== 'attention-live.html');

describe('the static folder', () => {
  test('has every file as it can travel, and an index that is right about all of them', () => {
    const { files, total, needed } = sizes();
    const present = list(dist).filter((name) => !/\.(br|gz)$/.test(name) && name !== 'sizes.json');
    assert.deepEqual(Object.keys(files).sort(), present);
    for (const name of present) {
      const content = readFileSync(join(dist, name));
      if (name.endsWith('.webp')) {
        assert.deepEqual(files[name], { raw: content.length, gzip: content.length, brotli: content.length });
        continue;
      }
      const [br, gz] = ['br', 'gz'].map((ending) => readFileSync(join(dist, `${name}.${ending}`)));
      assert.ok(brotliDecompressSync(br).equals(content), `${name}.br`);
      assert.ok(gunzipSync(gz).equals(content), `${name}.gz`);
      assert.deepEqual(files[name], { raw: content.length, gzip: gz.length, brotli: br.length });
    }
    assert.equal(total.raw, Object.values(files).reduce((sum, { raw }) => sum + raw, 0));
    assert.deepEqual(needed.filter((name) => !(name in files)), []);
  });

  test('has a hash in the name of whatever may be kept for ever, and only there', () => {
    for (const name of list(dist)) {
      const hashed = /-([0-9a-f]{10}|[A-Z0-9]{8})\.(js|css|wasm|safetensors)(\.br|\.gz)?$/.test(name);
      assert.equal(hashed, name.startsWith('files/'), name);
    }
  });

  test('has no inline script, style or handler, and the policy of the pages as they are written', () => {
    assert.ok(pages().length > 0);
    for (const name of pages()) {
      const html = readFileSync(join(dist, name), 'utf8');
      assert.doesNotMatch(html, /<script(?![^>]*\ssrc=)[^>]*>/, name);
      assert.doesNotMatch(html, /<style|\sstyle=|\son[a-z]+=/, name);
      const policy = (text) => /content="(default-src[^"]*)"/.exec(text)?.[1];
      assert.equal(policy(html), policy(readFileSync(join(site, name), 'utf8')), name);
      assert.match(policy(html), /script-src 'self' 'wasm-unsafe-eval'/);
    }
  });

  test('is the same, byte for byte, when it is made elsewhere and later', () => {
    const folder = mkdtempSync(join(tmpdir(), 'attention-live-again-'));
    try {
      cpSync(site, join(folder, 'a site'), { recursive: true });
      for (const name of readdirSync(join(folder, 'a site'))) utimesSync(join(folder, 'a site', name), 1e9, 1e9);
      execFileSync(process.execPath, [
        join(repository, 'tools/dist/make.mjs'), join(folder, 'a site'), join(folder, 'b'),
        '--posters', join(packages, 'posters'),
      ], { cwd: folder, env: { ...process.env, TZ: 'Asia/Tokyo', LC_ALL: 'C' } });
      assert.deepEqual(list(join(folder, 'b')), list(dist));
      for (const name of list(dist)) {
        assert.ok(readFileSync(join(folder, 'b', name)).equals(readFileSync(join(dist, name))), name);
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

describe('in a browser', () => {
  test('the page asks for just what the index says, compressed', async () => {
    await withHost(dist, {}, (host) => inChromium(async (page) => {
      await page.goto(`${host.origin}/?offline=no`);
      assert.equal((await programState(page)).step, 'sentence');
      assertQuiet(page);
      assert.deepEqual(page.heard.failed, []);
      assert.ok(page.heard.requests.every((url) => url.startsWith(`${host.origin}/`)), page.heard.requests.join('\n'));
      const { first, files } = sizes();
      // What keeps it all for later comes when the first frame is there; the icon whenever the browser likes, or never.
      const icon = 'icon.svg';
      const sent = host.sent.filter(({ path }) => !/offline|service-worker/.test(path) && path !== `/${icon}`);
      const names = sent.map(({ path }) => path.slice(1) || 'index.html');
      assert.deepEqual(names.sort(), first['index.html'].files.filter((name) => name !== icon).sort());
      assert.ok(sent.every(({ encoding }) => encoding === 'br'));
      // All of it is known from the page alone: nothing waits for another file to name it.
      const html = readFileSync(join(dist, 'index.html'), 'utf8');
      assert.deepEqual(names.filter((name) => name !== 'index.html' && !html.includes(`"${name}"`)), []);
      const bytes = sent.reduce((sum, each) => sum + each.bytes, 0);
      assert.equal(bytes, first['index.html'].brotli - files[icon].brotli);
    }));
  });

  test('a page in another language, which asks for its texts and for no others', async () => {
    await withHost(dist, {}, (host) => inChromium(async (page) => {
      await page.goto(`${host.origin}/index.de.html?offline=no#example=counting&step=split`);
      await programState(page);
      assert.equal(await page.locator('.attention-live').getAttribute('lang'), 'de');
      assert.equal(await page.locator('.attention-live-read').textContent(), 'Als Text lesen');
      const { first } = sizes();
      const more = host.sent.filter(({ path }) => !first['index.de.html'].files.includes(path.slice(1)) && !/offline|service-worker/.test(path));
      assert.equal(more.length, 2, more.map(({ path }) => path).join('\n'));
      assertQuiet(page);
    }));
  });

  test('a link', async () => {
    await withHost(dist, {}, (host) => inChromium(async (page) => {
      await page.goto(`${host.origin}/?offline=no#example=counting&variant=counting&step=split&head=3`);
      const { example, step, head } = await programState(page);
      assert.deepEqual({ example, step, head }, { example: 'counting', step: 'split', head: 3 });
      assertQuiet(page);
    }));
  });

  test('from a folder of a host, whatever its name', async () => {
    await withHost(packages, {}, (host) => inChromium(async (page) => {
      await page.goto(`${host.origin}/dist/?offline=no#step=mask`);
      assert.equal((await programState(page)).step, 'mask');
      assertQuiet(page);
    }));
  });

  test('the element in a page of somebody else, elsewhere on the host', async () => {
    const extra = {
      '/course/week-3/page.html': `<!doctype html><html lang="en"><meta charset="utf-8"><title>course</title>
        <link rel="icon" href="/dist/icon.svg"><script type="module" src="/dist/attention-live.js"></script>
        <h1>Week 3</h1><attention-live example="counting" step="split" load="eager"></attention-live></html>`,
    };
    await withHost(packages, { extra }, (host) => inChromium(async (page) => {
      await page.goto(`${host.origin}/course/week-3/page.html`);
      const data = await page.evaluate(async () => {
        await customElements.whenDefined('attention-live');
        const element = document.querySelector('attention-live');
        await element.ready;
        return [...(await element.tensor('query_input')).data.slice(0, 3)];
      });
      assert.deepEqual(data, [1, 2, 3]);
      assertQuiet(page);
      const { first } = sizes();
      const own = host.sent.map(({ path }) => path.replace(/^\/dist\//, ''))
        .filter((name) => /\.(js|wasm)$/.test(name));
      assert.deepEqual([...new Set(own)].sort(), [...first['attention-live.js'].files].sort());
    }));
  });

  test('a figure that waits shows the poster of its state, and asks for none that was not made', async () => {
    const figure = (id, rest) => `<attention-live id="${id}" theme="light" load="click" ${rest}></attention-live>`;
    const extra = {
      '/page.html': `<!doctype html><html lang="en"><meta charset="utf-8"><title>page</title>
        <link rel="icon" href="/dist/icon.svg"><script type="module" src="/dist/attention-live.js"></script>
        ${figure('made', 'example="counting" step="split"')} ${figure('other', 'example="counting" step="mask"')}
        ${figure('set', 'example="counting" step="split" query="1"')}</html>`,
    };
    await withHost(packages, { extra }, (host) => inChromium(async (page) => {
      await page.goto(`${host.origin}/page.html`);
      const width = await page.locator('#made img.picture').evaluate(async (picture) => {
        await picture.decode();
        return picture.naturalWidth;
      });
      assert.equal(width, 960);
      await page.waitForTimeout(300);
      const asked = host.sent.map(({ path }) => path).filter((path) => path.includes('poster'));
      assert.deepEqual(asked, ['/dist/posters/counting-split-light.webp']);
      assert.equal(await page.locator('#other img, #set img').count(), 0, 'their names stand there instead');
      assertQuiet(page);
    }));
  });
});

// The npm package: installed into otherwise empty projects, and used by a plain page and by servers.

import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';

import { assertQuiet } from '../browser/support.mjs';
import { Firefox } from '../support/firefox.mjs';
import { list } from '../../tools/dist/site.mjs';
import { inChromium, installed, repository, withHost } from './support.mjs';

const run = promisify(execFile);
let project;

const plain = `<!doctype html><html lang="en"><meta charset="utf-8"><title>plain</title>
  <link rel="icon" href="data:,">
  <script type="module" src="node_modules/attention-live/attention-live.js"></script>
  <attention-live example="counting" step="split" load="eager"></attention-live></html>`;

const policy = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data:";

/** What makes the folder of a bundler's name in the project. */
const builds = {
  webpack: ['node', 'webpack.js'],
  rollup: ['npx', 'rollup', '--config', 'rollup.config.js', '--silent'],
  esbuild: ['npx', 'esbuild', 'main.js', '--bundle', '--minify', '--format=esm', '--outdir=esbuild', '--log-level=warning'],
};

/** The components and types that docs/embedding.md shows: what stands there is what is built. */
const shown = { jsx: 'Figure.jsx', vue: 'Figure.vue', svelte: 'Figure.svelte', ts: 'attention-live-jsx.d.ts' };

/** What the figure of the page computes, once it runs. */
const counted = (page) => page.evaluate(async () => {
  await customElements.whenDefined('attention-live');
  const element = document.querySelector('attention-live');
  await element.ready;
  return [...(await element.tensor('query_input')).data.slice(0, 4)];
});

/** A page with a figure of the package, in Firefox. */
async function runsQuietly(firefox, address) {
  const page = await firefox.newPage();
  await page.goto(address);
  assert.deepEqual(await counted(page), [1, 2, 3, 4]);
  assertQuiet(page);
  assert.deepEqual(page.heard.failed, []);
  await page.close();
}

describe('the npm package', () => {
  before(async () => {
    project = await installed('projects');
    const guide = await readFile(join(repository, 'docs', 'embedding.md'), 'utf8');
    for (const [language, name] of Object.entries(shown)) {
      const [, ...snippets] = guide.split(`\`\`\`${language}\n`);
      assert.equal(snippets.length, 1, `one snippet in ${language}`);
      await writeFile(join(project, 'snippets', name), snippets[0].slice(0, snippets[0].indexOf('```')));
    }
  });
  after(() => rm(project, { recursive: true, force: true }));

  test('has what it names, and nothing that is only for our site', async () => {
    const folder = join(project, 'node_modules', 'attention-live');
    const described = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
    const { version } = JSON.parse(await readFile(join(repository, 'package.json'), 'utf8'));
    assert.equal(described.name, 'attention-live');
    assert.equal(described.version, version);
    const present = list(folder);
    const namesIn = (each) => (typeof each === 'string' ? [each] : Object.values(each).flatMap(namesIn));
    const named = namesIn(described.exports);
    for (const name of named.map((each) => each.slice(2)).filter((each) => !each.includes('*'))) {
      assert.ok(present.includes(name), name);
    }
    for (const name of ['README.md', 'LICENSE', 'notebook/attention_live.py', 'posters/counting-split-light.webp']) {
      assert.ok(present.includes(name), name);
    }
    assert.deepEqual(present.filter((name) => /offline|service-worker|index\.html|lesson|\.br$/.test(name)), []);
    for (const kind of ['dependencies', 'scripts', 'private']) assert.equal(described[kind], undefined, kind);
  });

  test('imported in Node, as a module and with require', async () => {
    const named = 'console.log(typeof it.AttentionLiveElement)';
    const ways = [
      ['--input-type=module', '-e', `import * as it from 'attention-live'; ${named}`],
      ['--input-type=commonjs', '-e', `const it = require('attention-live'); ${named}`],
    ];
    for (const way of ways) {
      const { stdout } = await run(process.execPath, way, { cwd: project });
      assert.equal(stdout, 'function\n');
    }
  });

  test('its engine computes in Node', async () => {
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', `
      import { trace } from 'attention-live/engine';
      const { tensors } = await trace({ query: [[1, 0], [0, 1]] });
      console.log(JSON.stringify(tensors.output.shape));`], { cwd: project });
    assert.equal(stdout, '[1,2,2]\n');
  });

  test('in a page that React makes on a server and goes on with in the browser', async () => {
    const folder = join(project, 'react');
    const vite = (...words) => run('npx', ['vite', 'build', '--logLevel', 'warn', ...words], { cwd: folder });
    await Promise.all([vite('--outDir', 'dist'), vite('--ssr', 'server.js', '--outDir', 'server')]);
    const { stdout } = await run(process.execPath, ['server/server.js'], { cwd: folder });
    assert.match(stdout, /<attention-live example="counting" step="split" load="eager"><\/attention-live>/);
    const extra = {
      '/made.html': `<!doctype html><html lang="en"><meta charset="utf-8"><title>React</title>
        <link rel="icon" href="data:,"><script type="module" src="client.js"></script>
        <div id="root">${stdout.trim()}</div></html>`,
    };
    await withHost(join(folder, 'dist'), { extra, policy: null }, (host) => inChromium(async (page) => {
      await page.goto(`${host.origin}/made.html`);
      assert.deepEqual(await counted(page), [1, 2, 3, 4]);
      await page.getByRole('button', { name: 'Scores' }).click();
      await page.locator('output', { hasText: 'scores' }).waitFor(); // the event reached React, in StrictMode
      assertQuiet(page);
      assert.deepEqual(page.heard.failed, []);
    }));
  });

  test('in a site that Astro renders: imported on its server and in the browser', async () => {
    const folder = join(project, 'astro');
    await run('npx', ['astro', 'build', '--silent'], {
      cwd: folder, env: { ...process.env, ASTRO_TELEMETRY_DISABLED: '1' },
    });
    const rendered = await readFile(join(folder, 'dist', 'index.html'), 'utf8');
    assert.match(rendered, /<h1 id="made">function<\/h1>/);
    assert.match(rendered, /<attention-live example="counting" step="split" load="eager">/);
    await withHost(join(folder, 'dist'), { policy: null }, (host) => inChromium(async (page) => {
      await page.goto(host.origin);
      assert.deepEqual(await counted(page), [1, 2, 3, 4]);
      assertQuiet(page);
      assert.deepEqual(page.heard.failed, []);
    }));
  });

  for (const framework of ['react', 'vue', 'svelte']) {
    test(`in a component of ${framework}, as the guide shows it: attributes and events`, async () => {
      const folder = join(project, 'snippets');
      await run('npx', ['vite', 'build', '--logLevel', 'warn'], {
        cwd: folder, env: { ...process.env, FRAMEWORK: framework },
      });
      const extra = {
        '/made.html': `<!doctype html><html lang="en"><meta charset="utf-8"><title>${framework}</title>
          <link rel="icon" href="data:,"><div id="root"></div><script type="module" src="page.js"></script></html>`,
      };
      await withHost(join(folder, 'built', framework), { extra, policy }, (host) => inChromium(async (page) => {
        await page.goto(`${host.origin}/made.html`);
        assert.deepEqual(await counted(page), [1, 2, 3, 4]);
        const state = () => page.evaluate(() => {
          const { example, step, query } = document.querySelector('attention-live').state;
          return [example, step, query];
        });
        assert.deepEqual(await state(), ['counting', 'split', 0]);
        await page.getByRole('button', { name: 'Next query' }).click();
        await page.waitForFunction(() => document.querySelector('attention-live').state.query === 1);
        await page.locator('output', { hasText: /^split$/ }).waitFor();
        await page.evaluate(() => document.querySelector('attention-live').setState({ step: 'scores' }).then(() => {}));
        await page.locator('output', { hasText: /^scores$/ }).waitFor();
        assert.deepEqual(await state(), ['counting', 'scores', 1]);
        assertQuiet(page);
        assert.deepEqual(page.heard.failed, []);
      }));
    });
  }

  test('Vue’s compiler is told of the tag by the line of the guide', async () => {
    const guide = await readFile(join(repository, 'docs', 'embedding.md'), 'utf8');
    const config = await readFile(join(project, 'snippets', 'vite.config.js'), 'utf8');
    const [line] = /^vue\(\{.*\}\)$/m.exec(guide);
    assert.ok(config.includes(line), line);
  });

  test('in TSX, with the types of the guide: what is right compiles, and each mistake is found', async () => {
    const folder = join(project, 'snippets');
    const { stdout } = await run('npx', ['tsc', '--pretty', 'false'], { cwd: folder }).catch((failure) => failure);
    const found = [...stdout.matchAll(/^(\S+)\((\d+),\d+\): error/gm)].map(([, file, line]) => `${file}:${line}`);
    const lines = (await readFile(join(folder, 'wrong.tsx'), 'utf8')).split('\n');
    const wrong = lines.flatMap((line, i) => (/^  </.test(line) ? [`wrong.tsx:${i + 1}`] : []));
    assert.deepEqual(found, wrong, stdout);
  });

  test('in a plain page, by the address in node_modules', async () => {
    await withHost(project, { extra: { '/plain.html': plain }, policy }, (host) => inChromium(async (page) => {
      await page.goto(`${host.origin}/plain.html`);
      assert.deepEqual(await counted(page), [1, 2, 3, 4]);
      await page.evaluate(() => { navigator.clipboard.writeText = async (text) => { window.copied = text; }; });
      await page.getByRole('button', { name: 'Read as text' }).press('Enter');
      await page.getByRole('button', { name: 'Copy link' }).press('Enter');
      // The package has no page, and does not pretend to have one.
      await page.waitForFunction(() => window.copied?.startsWith('#v=1&example=counting'));
      assertQuiet(page);
      assert.ok(page.heard.requests.every((url) => url.startsWith(host.origin) || url.startsWith('data:')));
    }));
  });

  test('in a Vite project that is built', async () => {
    await run('npx', ['vite', 'build', '--base', './', '--logLevel', 'warn'], { cwd: project });
    const built = list(join(project, 'dist'));
    assert.ok(built.some((name) => /attention-live.*\.wasm$/.test(name)), built.join('\n'));
    await withHost(join(project, 'dist'), { policy: null }, (host) => inChromium(async (page) => {
      await page.goto(host.origin);
      assert.deepEqual(await counted(page), [1, 2, 3, 4]);
      await page.locator('#waits img.picture').waitFor();
      assertQuiet(page);
      assert.deepEqual(page.heard.failed, []);
    }));
  });

  for (const [name, words] of Object.entries(builds)) {
    test(`in a project that ${name} builds`, async () => {
      const folder = join(project, name);
      await run(words[0], words.slice(1), { cwd: project });
      await cp(join(project, 'index.html'), join(folder, 'index.html'));
      if (name !== 'webpack') {
        const readme = await readFile(join(project, 'node_modules', 'attention-live', 'README.md'), 'utf8');
        const [line] = /^ *cp -r .* dist\/$/m.exec(readme);
        await run('sh', ['-c', line.replace(/dist\/$/, `${name}/`)], { cwd: project });
      }
      await withHost(folder, { policy }, (host) => inChromium(async (page) => {
        await page.goto(host.origin);
        assert.deepEqual(await counted(page), [1, 2, 3, 4]);
        await page.locator('#waits img.picture').waitFor();
        assertQuiet(page);
        assert.deepEqual(page.heard.failed, []);
      }));
    });
  }

  test('in Firefox: the plain page, and the Vite project that was built', async () => {
    const firefox = await Firefox.launch();
    try {
      await withHost(project, { extra: { '/plain.html': plain }, policy }, (host) => (
        runsQuietly(firefox, `${host.origin}/plain.html`)));
      await withHost(join(project, 'dist'), { policy: null }, (host) => runsQuietly(firefox, host.origin));
    } finally {
      await firefox.close();
    }
  });

  test('in Vite’s development server', async () => {
    const server = spawn('npx', ['vite', '--host', '127.0.0.1', '--port', '0'], {
      cwd: project, stdio: ['ignore', 'pipe', 'inherit'], detached: true, env: { ...process.env, NO_COLOR: '1' },
    });
    try {
      const origin = await new Promise((resolve, reject) => {
        let said = '';
        server.stdout.on('data', (data) => {
          said += data;
          const [found] = /http:\/\/127\.0\.0\.1:\d+/.exec(said) ?? [];
          if (found) resolve(found);
        });
        server.on('exit', () => reject(new Error(`vite ended: ${said}`)));
      });
      await inChromium(async (page) => {
        await page.goto(origin);
        assert.deepEqual(await counted(page), [1, 2, 3, 4]);
        assertQuiet(page);
      });
    } finally {
      process.kill(-server.pid, 'SIGTERM');
    }
  });
});

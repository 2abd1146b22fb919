// What the tests of the packages share: where they lie, and a host that sends the compressed files which lie ready.

import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { cp, mkdtemp, readFile, readdir } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { sharedBrowser } from '../browser/pages.mjs';
import { newPage, strictPolicy } from '../browser/support.mjs';

export const repository = fileURLToPath(new URL('../..', import.meta.url));
export const site = process.env.ATTENTION_LIVE_SITE ?? join(repository, 'build', 'web', 'site');
/** What tests/packages/make.mjs has made. */
export const packages = join(repository, 'build', 'packages');
export const dist = join(packages, 'dist');

if (!existsSync(join(dist, 'sizes.json'))) {
  throw new Error('The packages are not made yet: node tests/packages/make.mjs');
}

export const sizes = (folder = dist) => JSON.parse(readFileSync(join(folder, 'sizes.json'), 'utf8'));

const types = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
  '.webp': 'image/webp',
};

/**
 * Serves a folder as a careful host does: a strict policy, compressed files where the browser takes them.
 * @param {{extra?: Record<string, string>, policy?: string | null, port?: number, headers?: Record<string, string>}}
 *   options extra: path → text; headers: of every file.
 *   The answer has `folder`, which may be set to another one, `breaks`, which may be set to a function that says whether
 *   the connection breaks in the middle of a path's file, and `sent`: [{path, bytes, encoding}].
 */
export async function host(folder, { extra = {}, policy = strictPolicy, port = 0, headers: more = {} } = {}) {
  const it = { folder, breaks: () => false, sent: [] };
  const server = createServer(async (request, response) => {
    const path = new URL(request.url, 'http://localhost').pathname;
    const name = normalize(path.endsWith('/') ? `${path}index.html` : path);
    const headers = {
      'Content-Type': types[extname(name)] ?? 'text/plain',
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': name.startsWith('/files/') ? 'public, max-age=31536000, immutable' : 'no-cache',
      ...(policy ? { 'Content-Security-Policy': policy } : {}),
      ...more,
    };
    try {
      let body;
      if (path in extra) body = Buffer.from(extra[path]);
      else {
        const file = join(it.folder, name);
        const squeezed = /\bbr\b/.test(request.headers['accept-encoding'] ?? '') && existsSync(`${file}.br`);
        if (squeezed) headers['Content-Encoding'] = 'br';
        body = await readFile(squeezed ? `${file}.br` : file);
      }
      if (it.breaks(path)) {
        response.writeHead(200, { ...headers, 'Content-Length': body.length });
        response.write(body.subarray(0, body.length / 2), () => response.destroy());
        return;
      }
      it.sent.push({ path, bytes: body.length, encoding: headers['Content-Encoding'] ?? null });
      response.writeHead(200, { ...headers, 'Content-Length': body.length });
      response.end(body);
    } catch {
      response.writeHead(404, { 'Content-Type': 'text/plain' });
      response.end('not found');
    }
  });
  await new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  it.origin = `http://localhost:${server.address().port}`;
  it.close = () => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  };
  return it;
}

const run = promisify(execFile);

/** A copy of a folder of projects beside this file, with what its lock file names and our npm package; the caller removes it. */
export async function installed(name) {
  const tarball = (await readdir(join(packages, 'npm'))).find((file) => file.endsWith('.tgz'));
  const project = await mkdtemp(join(tmpdir(), `attention-live-${name}-`));
  const source = join(repository, 'tests', 'packages', name);
  await cp(source, project, { recursive: true, filter: (path) => path !== join(source, 'node_modules') });
  await cp(join(repository, '.npmrc'), join(project, '.npmrc'));
  await run('npm', ['ci', '--no-progress', '--prefer-offline'], { cwd: project });
  await run('npm', ['install', '--no-save', '--no-progress', '--prefer-offline', join(packages, 'npm', tarball)], { cwd: project });
  return project;
}

/** Runs `body` with a page in a profile of its own, and takes the profile down whatever happens. */
export async function inChromium(body, options = {}) {
  const browser = await sharedBrowser();
  const page = await newPage(browser, options);
  try {
    await body(page, browser);
  } finally {
    await page.context().close();
  }
}

/** Runs `body` with a host, and takes it down whatever happens. */
export async function withHost(folder, options, body) {
  const it = await host(folder, options);
  try {
    await body(it);
  } finally {
    await it.close();
  }
}

/** Waits for the full program of a page or frame and gives its state. */
export async function programState(page) {
  await page.waitForFunction(() => window.attentionLive);
  return page.evaluate(async () => {
    await window.attentionLive.ready;
    await window.attentionLive.settled();
    return window.attentionLive.state();
  });
}

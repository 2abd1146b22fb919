// A server on this machine for the pages of the benchmark: files as a careful static host sends them, packed by brotli
// at its best, and every byte counted.

import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';

import { compress } from '../../tools/dist/compress.mjs';
import { types } from '../browser/support.mjs';

/** The file packed, from the cache of an earlier run if it has been packed before: some take half a minute. */
async function packed(name, content, cache) {
  const stored = join(cache, `${createHash('sha256').update(content).digest('hex')}.br`);
  try {
    return await readFile(stored);
  } catch {
    const { br } = await compress(name, content);
    await mkdir(cache, { recursive: true });
    await writeFile(stored, br ?? content);
    return br ?? content;
  }
}

/**
 * @param {Map<string, Buffer | string>} files path from the top, without the slash → content, or the path of the file
 *   that has it
 * @param {{brotli?: string | null, headers?: Record<string, string>}} options brotli: the folder that keeps packed files;
 *   null sends everything as it is; headers: of every file
 * @returns {Promise<{origin: string, sent: {path: string, bytes: number}[], close: () => Promise<void>}>} sent: the
 *   bodies so far
 */
export async function serve(files, { brotli = null, headers = {} } = {}) {
  const ready = new Map();
  const sent = [];
  async function body(name) {
    if (!ready.has(name)) {
      const given = files.get(name);
      const content = typeof given === 'string' ? await readFile(given) : given;
      ready.set(name, brotli ? await packed(name, content, brotli) : content);
    }
    return ready.get(name);
  }
  if (brotli) for (const name of files.keys()) await body(name);

  const server = createServer(async (request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url, 'http://localhost').pathname));
    const name = (path.endsWith('/') ? `${path}index.html` : path).slice(1);
    if (!files.has(name)) {
      response.writeHead(404, { 'Content-Type': 'text/plain' }).end('not found');
      return;
    }
    const content = await body(name);
    sent.push({ path: name, bytes: content.length });
    response.writeHead(200, {
      'Content-Type': types[extname(name)] ?? 'application/octet-stream',
      'Content-Length': content.length,
      'Cache-Control': 'no-store',
      ...headers,
      ...(brotli && !/\.(webp|png|woff2|tgz)$/.test(name) ? { 'Content-Encoding': 'br' } : {}),
    });
    response.end(content);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${server.address().port}`,
    sent,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}

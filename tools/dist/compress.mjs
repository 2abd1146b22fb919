// Compressed copies of files, for hosts that serve them, and the index of sizes.

import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);
const packed = /\.(webp|png|woff2|tgz)$/; // a second packing would not make these smaller

/** The compressed copies of a file: {br, gz}, or nothing for formats that are compressed already. */
export async function compress(name, content) {
  if (packed.test(name)) return {};
  const [br, gz] = await Promise.all([
    brotli(content, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
        [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
        [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
      },
    }),
    zip(content, { level: constants.Z_BEST_COMPRESSION, memLevel: constants.Z_MAX_MEMLEVEL }),
  ]);
  return { br, gz };
}

/** The size of a file in bytes, uncompressed and compressed. */
export function sizeOf(content, { br, gz }) {
  return { raw: content.length, gzip: (gz ?? content).length, brotli: (br ?? content).length };
}

/** The sum of the sizes of several files. */
export function total(names, sizes) {
  const sum = { raw: 0, gzip: 0, brotli: 0 };
  for (const name of names) for (const key of Object.keys(sum)) sum[key] += sizes[name][key];
  return sum;
}

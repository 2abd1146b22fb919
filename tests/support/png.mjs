// Reads the pictures that Chromium and the window's screenshots are: PNG, 8 bits, RGB or RGBA, not interlaced.
// PNG (Portable Network Graphics) Specification, third edition (W3C), sections 5, 7 and 9.

import { inflateSync } from 'node:zlib';

function paeth(left, above, corner) {
  const estimate = left + above - corner;
  const [a, b, c] = [left, above, corner].map((value) => Math.abs(estimate - value));
  if (a <= b && a <= c) return left;
  return b <= c ? above : corner;
}

/** @returns {{width: number, height: number, at: (x: number, y: number) => number[]}} `at` gives [red, green, blue] */
export function decodePng(file) {
  if (file.toString('latin1', 1, 4) !== 'PNG') throw new Error('not a PNG');
  const packed = [];
  let header = null;
  for (let start = 8; start < file.length;) {
    const length = file.readUInt32BE(start);
    const type = file.toString('latin1', start + 4, start + 8);
    const body = file.subarray(start + 8, start + 8 + length);
    if (type === 'IHDR') header = body;
    if (type === 'IDAT') packed.push(body);
    start += length + 12;
  }
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const [depth, colour, , , interlaced] = header.subarray(8);
  const channels = { 2: 3, 6: 4 }[colour];
  if (depth !== 8 || !channels || interlaced) throw new Error(`a PNG of another kind: ${[...header]}`);

  const raw = inflateSync(Buffer.concat(packed));
  const stride = width * channels;
  const pixels = Buffer.alloc(stride * height);
  for (let y = 0; y < height; ++y) {
    const filter = raw[y * (stride + 1)];
    const line = y * stride;
    for (let x = 0; x < stride; ++x) {
      const left = x >= channels ? pixels[line + x - channels] : 0;
      const above = y > 0 ? pixels[line + x - stride] : 0;
      const corner = x >= channels && y > 0 ? pixels[line + x - stride - channels] : 0;
      const guess = [0, left, above, (left + above) >> 1, paeth(left, above, corner)][filter];
      pixels[line + x] = raw[y * (stride + 1) + 1 + x] + guess;
    }
  }
  return {
    width,
    height,
    at(x, y) {
      const place = Math.floor(y) * stride + Math.floor(x) * channels;
      return [...pixels.subarray(place, place + 3)];
    },
  };
}

/** How many different colours there are in a grid of points: 1 for a blank picture. */
export function coloursIn(picture, step = 4) {
  const seen = new Set();
  for (let y = 0; y < picture.height; y += step) {
    for (let x = 0; x < picture.width; x += step) seen.add(picture.at(x, y).join());
  }
  return seen.size;
}

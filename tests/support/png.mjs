// Reads the pictures that Chromium and the window's screenshots are: PNG, 8 bits, RGB or RGBA, not interlaced.
// PNG (Portable Network Graphics) Specification, third edition (W3C), sections 5, 7 and 9.

import { inflateSync } from 'node:zlib';

/** Undoes the filter of a line that lies in `pixels` from `line` on, where the line above it is done already. */
function unfilter(filter, pixels, line, stride, channels) {
  const left = (x) => (x >= channels ? pixels[line + x - channels] : 0);
  const above = (x) => (line > 0 ? pixels[line + x - stride] : 0);
  // One loop for each filter: this runs for every byte of every picture.
  if (filter === 1) {
    for (let x = channels; x < stride; ++x) pixels[line + x] += pixels[line + x - channels];
  } else if (filter === 2 && line > 0) {
    for (let x = 0; x < stride; ++x) pixels[line + x] += pixels[line + x - stride];
  } else if (filter === 3) {
    for (let x = 0; x < stride; ++x) pixels[line + x] += (left(x) + above(x)) >> 1;
  } else if (filter === 4) {
    for (let x = 0; x < stride; ++x) {
      const corner = x >= channels && line > 0 ? pixels[line + x - stride - channels] : 0;
      pixels[line + x] += paeth(left(x), above(x), corner);
    }
  }
}

function paeth(left, above, corner) {
  const estimate = left + above - corner;
  const a = Math.abs(estimate - left);
  const b = Math.abs(estimate - above);
  const c = Math.abs(estimate - corner);
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
    const start = y * (stride + 1);
    if (raw[start] > 4) throw new Error(`no filter of PNG: ${raw[start]}`);
    raw.copy(pixels, y * stride, start + 1, start + 1 + stride);
    unfilter(raw[start], pixels, y * stride, stride, channels);
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

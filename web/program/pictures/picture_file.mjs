// Reads the file of a picture. It is loaded when a reader chooses one.

import { text } from '../../texts/program.mjs';
import { Sentence } from '../compiled_code.mjs';

const largestFile = 32 * 2 ** 20; // bytes
const mostPixels = 64e6; // decoded, four bytes each: a small file can hold very many
const headerBytes = 2 ** 18; // of a file: its size in pixels lies behind a camera's notes
const largestSide = 1024; // pixels, as al_picture in src/main_web.cpp allows; the program makes it smaller still

/** A file name, shortened for an error message. */
function quoted(name) {
  const letters = [...name];
  return `“${letters.length > 60 ? `${letters.slice(0, 57).join('')}…` : name}”`;
}

/** Width and height of a JPEG: they stand in its first "start of frame". */
function sizeOfJpeg(view) {
  for (let at = 2; at + 9 < view.byteLength && view.getUint8(at) === 0xff;) {
    const marker = view.getUint8(at + 1);
    // Three of these sixteen are tables.
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) {
      return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    }
    at += 2 + view.getUint16(at + 2);
  }
  return null;
}

/** Width and height of a WebP, whose first chunk has them in one of three ways. */
function sizeOfWebp(view) {
  const kind = view.getUint8(15);
  const bits = (at) => view.getUint32(at, true);
  if (kind === 0x58) return { width: (bits(24) & 0xffffff) + 1, height: (bits(27) & 0xffffff) + 1 }; // VP8X
  if (kind === 0x4c) return { width: (bits(21) & 0x3fff) + 1, height: ((bits(21) >>> 14) & 0x3fff) + 1 }; // VP8L
  return { width: bits(26) & 0x3fff, height: (bits(26) >>> 16) & 0x3fff }; // VP8
}

/** {width, height} that the beginning of a picture's file tells; null where it is not known. */
function sizeOf(view) {
  if (view.byteLength < 32) return null;
  switch (view.getUint32(0)) {
    case 0x89504e47: return { width: view.getUint32(16), height: view.getUint32(20) }; // PNG
    case 0x47494638: return { width: view.getUint16(6, true), height: view.getUint16(8, true) }; // GIF
    case 0x52494646: return sizeOfWebp(view); // RIFF
    default: return view.getUint16(0) === 0xffd8 ? sizeOfJpeg(view) : null;
  }
}

/** ImageData of a file, no larger than needed; throws a Sentence. */
export async function decode(file) {
  if (file.size > largestFile) {
    throw new Sentence(text.later('program.picture.long', { file: quoted(file.name) }));
  }
  const { width, height } = sizeOf(new DataView(await file.slice(0, headerBytes).arrayBuffer())) ?? { width: 0, height: 0 };
  if (width * height > mostPixels) {
    throw new Sentence(text.later('program.picture.pixels', { file: quoted(file.name), width, height }));
  }
  let bitmap;
  try {
    bitmap = await createImageBitmap(file); // as it is, and not by an address: the page's policy allows no blob:
  } catch (cause) {
    throw new Sentence(text.later('program.picture.unknown', { file: quoted(file.name) }), { cause });
  }
  const scale = Math.min(1, largestSide / Math.max(bitmap.width, bitmap.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(bitmap.width * scale));
  canvas.height = Math.max(1, Math.round(bitmap.height * scale));
  const context = canvas.getContext('2d', { willReadFrequently: true }); // no way through the graphics card
  context.imageSmoothingQuality = 'high';
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  bitmap.close();
  return context.getImageData(0, 0, canvas.width, canvas.height);
}

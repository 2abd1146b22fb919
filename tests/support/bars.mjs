// What a frame, an edit, the memory and the first visit may cost. A bar is what we want, whatever is true today.

/** Milliseconds of our own code, WebGL left out, for each size that is measured. */
export const frameBars = {
  '9x512x8': { edit: 2, pan: 2 },
  '64x512x8': { edit: 8, pan: 4 },
  translator: { edit: 50 },
};

const mebibyte = 2 ** 20;
/** Bytes of linear memory with the trace. */
export const heapBars = {
  '9x512x8': 16 * mebibyte, '512x512x8': 64 * mebibyte, translator: 64 * mebibyte,
};

/**
 * Bytes on the wire, packed by brotli, until the first frame that can be used: 345 kB before the lesson had its first
 * step, 20 kB for that, 15 kB for gradients and learning, 20 kB for the operations of a translator.
 */
export const firstFrameBytes = 400_000;

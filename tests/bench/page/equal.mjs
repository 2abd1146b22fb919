// Whether two engines computed the same: no time is taken of one that did not.

export const tolerance = 1e-4;

/**
 * The largest difference, relative to the largest finite number of the tensor. Infinities must be the same ones; NaN
 * equals nothing.
 * @returns {number} ∞ where they do not have the same shape or the same infinities
 */
export function difference(expected, actual) {
  if (expected.length !== actual.length) return Infinity;
  let largest = 0;
  let scale = 0;
  for (let i = 0; i < expected.length; i += 1) {
    if (expected[i] === actual[i]) {
      if (Number.isFinite(expected[i])) scale = Math.max(scale, Math.abs(expected[i]));
      continue;
    }
    const apart = Math.abs(expected[i] - actual[i]);
    if (!Number.isFinite(apart)) return Infinity;
    largest = Math.max(largest, apart);
    scale = Math.max(scale, Math.abs(expected[i]));
  }
  return largest === 0 ? 0 : largest / scale;
}

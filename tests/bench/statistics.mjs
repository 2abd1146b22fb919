// What is made of the times.

/** @param {number[]} values @returns {number} NaN for none */
export function median(values) {
  if (values.length === 0) return NaN;
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** The smallest value that is at least as large as this part of them. @param {number[]} values @param {number} part */
export function percentile(values, part) {
  if (values.length === 0) return NaN;
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(part * sorted.length) - 1)];
}

/**
 * The median of a[i] / b[i]. Numbers of one round stand side by side, so what disturbed the machine in a round disturbed
 * both; rounds in which one of them is missing do not count.
 * @param {(number | null)[]} a
 * @param {(number | null)[]} b
 */
export function pairedRatio(a, b) {
  return median(a.map((value, i) => value / b[i]).filter((ratio, i) => a[i] != null && b[i] != null));
}

/** Whether times have stopped falling: none of the last three is 2 % better than the best before them. */
export function isLevel(times) {
  if (times.length < 6) return false;
  const best = Math.min(...times.slice(0, -3));
  return Math.min(...times.slice(-3)) > 0.98 * best;
}

/** Multiplies and adds, counted apart, of all six products of one layer, whatever a mask hides. */
export function operations({ tokens, embedDim }) {
  return 8 * tokens * embedDim * embedDim + 4 * tokens * tokens * embedDim;
}

/**
 * What is said of one engine in one case.
 * @param {{times: (number | null)[], ceilings: number[], size: object}} measured seconds of a run and operations a
 *   second of the ceiling, one for each round
 */
export function summary({ times, ceilings, size }) {
  const rates = times.map((seconds) => (seconds == null ? null : operations(size) / seconds));
  const taken = times.filter((seconds) => seconds != null);
  return {
    seconds: median(taken), best: Math.min(...taken), rounds: taken.length, rate: operations(size) / median(taken),
    ofCeiling: pairedRatio(rates, ceilings),
    // What both can do when nothing disturbs them: the one number that a busy machine leaves alone.
    bestOfCeiling: operations(size) / Math.min(...taken) / Math.max(...ceilings),
  };
}

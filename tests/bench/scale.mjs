// Geometry of the plot: logarithmic axes, their ticks, and labels that do not cover each other.

/** Maps [from, to] onto [start, end], both logarithmically spaced. */
export function logScale([from, to], [start, end]) {
  const width = Math.log(to / from);
  return (value) => start + ((end - start) * Math.log(value / from)) / width;
}

/** The powers of ten from `from` to `to`, the ends included. */
export function decades([from, to]) {
  const result = [];
  for (let power = Math.ceil(Math.log10(from) - 1e-9); power <= Math.log10(to) + 1e-9; power += 1) {
    result.push(10 ** power);
  }
  return result;
}

/** The smallest range of whole decades around the values. */
export function wholeDecades(values) {
  const lowest = Math.floor(Math.log10(Math.min(...values)));
  const highest = Math.ceil(Math.log10(Math.max(...values)));
  return [10 ** lowest, 10 ** Math.max(highest, lowest + 1)];
}

/** Positions at least `gap` apart, in the same order and as near to the wanted ones as pushing downwards allows. */
export function spread(wanted, gap) {
  const order = wanted.map((_, i) => i).sort((a, b) => wanted[a] - wanted[b]);
  const result = [...wanted];
  for (let i = 1; i < order.length; i += 1) {
    result[order[i]] = Math.max(result[order[i]], result[order[i - 1]] + gap);
  }
  return result;
}

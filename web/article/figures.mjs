// Access to a figure's present tensors, and notification when they may have changed.

/**
 * The index in `data` of one number of a tensor, or NaN if there is no such number.
 * @param {{shape: number[], strides: number[], offset: number}} tensor
 * @param {number[]} index
 */
export function place({ shape, strides, offset }, index) {
  if (index.length !== shape.length) return NaN;
  if (index.some((step, axis) => step < 0 || step >= shape[axis])) return NaN;
  return index.reduce((sum, step, axis) => sum + step * strides[axis], offset);
}

/** One number of a tensor, or undefined if there is no such number. */
export function at(tensor, ...index) {
  return tensor.data[place(tensor, index)];
}

/** The tensor of that name, or null if the figure's example has none. */
export async function tensorOrNull(figure, name) {
  try {
    return await figure.tensor(name);
  } catch {
    return null;
  }
}

/** The events after which numbers may have changed. */
const tellingEvents = ['start', 'statechange', 'edit'];
const quiet = 60; // milliseconds: a bar that is dragged changes in every frame

/**
 * Calls `callback` soon after a figure has started or its state or numbers have changed, once for several changes.
 * @returns a function that stops this
 */
export function follow(figure, callback) {
  let timer = 0;
  const soon = () => {
    clearTimeout(timer);
    timer = setTimeout(callback, quiet);
  };
  for (const name of tellingEvents) figure.addEventListener(name, soon);
  if (figure.running) soon();
  return () => {
    clearTimeout(timer);
    for (const name of tellingEvents) figure.removeEventListener(name, soon);
  };
}

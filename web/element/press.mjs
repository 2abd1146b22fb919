// Pictures of figures that have not run: what they are on paper, and in the page until they run. Drawn one after another in
// a page that has nothing else to do, once another figure has brought the program, so that nothing is loaded for them.

const most = 2 ** 24; // pixels in a page, 64 MB: a strict policy allows no pictures but canvases
let drawn = 0;
let busy = false;

/** Calls when the browser has nothing else to do; Safari does not say when that is. */
const whenIdle = (act) => (globalThis.requestIdleCallback ? requestIdleCallback(act, { timeout: 1000 }) : setTimeout(act, 200));

/**
 * Draws the first figure that lacks a picture, then the next ones.
 * @param {() => { draw: () => Promise<number> } | undefined} next the first that lacks one. `draw` ends without an error
 *   when there is a picture or can be none, with how many pixels it has
 */
export function press(next) {
  if (busy || drawn >= most || !next()) return;
  busy = true;
  whenIdle(async () => {
    const figure = next();
    if (figure) {
      drawn += await figure.draw();
    }
    busy = false;
    press(next);
  });
}

/**
 * What is drawn in a container of its own, which is not seen, of the size of `place`, before which it is for a while.
 * @param {(container: Element) => Promise<HTMLCanvasElement | null>} draw
 * @returns {Promise<HTMLCanvasElement | null>} null if it cannot be drawn
 */
export async function drawnBefore(place, draw) {
  const container = document.createElement('div');
  container.className = 'drawing';
  container.inert = true;
  place.before(container);
  const picture = await draw(container).catch(() => null);
  container.remove();
  return picture;
}

// CSS `zoom` of an element around: lengths of an element are in its own pixels, and places of events in those of the page.

/** How many of the page's pixels are one of the element's. */
export const zoomOf = (element) => element.currentCSSZoom ?? 1;

/** Where on the canvas an event happened, in the canvas's pixels. */
export function placeOn(canvas, { offsetX, offsetY }) {
  const zoom = zoomOf(canvas);
  return { x: offsetX / zoom, y: offsetY / zoom };
}

/** The same for an event, or a finger, that has no such place of its own. */
export function placeInside(canvas, { clientX, clientY }) {
  const box = canvas.getBoundingClientRect();
  return placeOn(canvas, { offsetX: clientX - box.x, offsetY: clientY - box.y });
}

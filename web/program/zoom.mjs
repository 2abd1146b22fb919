// CSS `zoom` and transforms of the elements around: lengths of an element are in its own pixels, and places of events in
// those of the page.

import { around } from './input/scrolling.mjs';

const most = 4; // times as sharp: what is drawn larger is soft, and not a burden for the graphics
const pause = 150; // milliseconds without a change: what moves is not made anew for each frame

/** How many of the page's pixels are one of the element's. Where it is turned, at least so many. */
export function scaleOf(element) {
  const seen = element.getBoundingClientRect();
  const own = getComputedStyle(element); // not offsetWidth, which is a whole number
  const scale = Math.max(...['width', 'height'].map((side) => seen[side] / parseFloat(own[side]) || 0));
  return Math.min(Math.round(scale * 1e4) / 1e4 || 1, most);
}

/** Where on the canvas an event happened, in the canvas's pixels. */
export function placeOn(canvas, { offsetX, offsetY }) {
  const zoom = canvas.currentCSSZoom ?? 1;
  return { x: offsetX / zoom, y: offsetY / zoom };
}

/** The same for an event, or a finger, that has no such place of its own. */
export function placeInside(canvas, { clientX, clientY }) {
  const box = canvas.getBoundingClientRect();
  return {
    x: ((clientX - box.x) * canvas.offsetWidth) / (box.width || 1),
    y: ((clientY - box.y) * canvas.offsetHeight) / (box.height || 1),
  };
}

/**
 * Calls `changed` when the elements around may have been transformed: by the size of the window, by a transition or an
 * animation, or by a script.
 */
export function watchTransforms(element, changed, signal) {
  let timer = 0;
  const later = () => {
    clearTimeout(timer);
    timer = setTimeout(changed, pause);
  };
  const observer = new MutationObserver(later);
  const roots = new Set([element.getRootNode()]);
  for (let box = around(element); box; box = around(box)) {
    observer.observe(box, { attributeFilter: ['style', 'class'] });
    roots.add(box.getRootNode()); // such events do not leave a shadow tree
  }
  for (const root of roots) {
    for (const kind of ['transitionend', 'animationend']) root.addEventListener(kind, later, { signal });
  }
  window.addEventListener('resize', later, { signal });
  element.addEventListener('pointerenter', later, { signal }); // whatever else it was
  signal.addEventListener('abort', () => {
    observer.disconnect();
    clearTimeout(timer);
  });
}

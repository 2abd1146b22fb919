// The wheel, and trackpads, which send the same events. In a page that scrolls it is the page's, except over a panel of the
// program that has more to show, once the reader has turned to the canvas. With Ctrl it zooms.

import { pageScrolls } from './scrolling.mjs';
import { placeOn } from '../zoom.mjs';
import { languageAround } from '../language.mjs';
import { text } from '../../texts/program.mjs';

/** Whether Cmd is what Ctrl is elsewhere. A function, because servers import this too, where there is no navigator. */
export const onMac = () => /^(Mac|iPhone|iPad)/.test(navigator.platform);

/** Wheel deltas in notches of a mouse wheel, positive away from the reader. WheelEvent.deltaMode: 0, 1, 2. */
const notch = [100, 3, 1]; // pixels, lines, pages

export function wheelNotches(event) {
  return { x: -event.deltaX / notch[event.deltaMode], y: -event.deltaY / notch[event.deltaMode] };
}

/** How much a wheel turn with Ctrl, which is also how a trackpad's pinch arrives, zooms. */
export function wheelZoom(event) {
  const pixels = (event.deltaY * 100) / notch[event.deltaMode];
  // A pinch sends a few pixels per event, a wheel a hundred per notch, which should zoom by about a quarter.
  const calm = Math.max(-25, Math.min(25, pixels));
  return Math.exp(-calm / 100);
}

const pause = 300; // milliseconds without the wheel: the next turn is meant for what lies under it
const shownFor = 1600; // milliseconds
let hintsLeft = 4; // a page says it a few times, and then no more

/** Shows a hint on how to zoom to readers who turn the wheel over the canvas and are not just scrolling past it. */
function wheelHint(canvas, signal) {
  const hint = document.createElement('div');
  hint.className = 'attention-live-hint';
  hint.setAttribute('aria-hidden', 'true'); // about the pointer alone
  hint.textContent = text.in(languageAround(canvas))(onMac() ? 'program.wheel.hint_on_mac' : 'program.wheel.hint');
  let last = -Infinity;
  let first = null; // event of the turn
  let begunHere = false;
  let timer = 0;
  document.addEventListener('wheel', (event) => {
    if (event.timeStamp - last > pause) {
      first = event;
      begunHere = false;
    }
    last = event.timeStamp;
  }, { capture: true, passive: true, signal });
  const hide = () => hint.classList.remove('shown');
  signal.addEventListener('abort', () => {
    clearTimeout(timer);
    hint.remove();
  });
  return {
    show(event) {
      begunHere ||= event === first; // in a closed shadow root its path tells nothing
      if (!begunHere || hint.classList.contains('shown') || hintsLeft === 0) return;
      hintsLeft -= 1;
      if (!hint.isConnected) canvas.after(hint);
      hint.getBoundingClientRect(); // so that it fades in the first time as well
      hint.classList.add('shown');
      timer = setTimeout(hide, shownFor);
    },
    hide,
  };
}

/**
 * @param {object} input canvas, program, signal, and
 * @param {() => boolean} input.engaged whether the reader has turned to the canvas
 * @param {boolean} input.guest whether a hint is due
 */
export function connectWheel({ canvas, program, engaged, guest, signal }) {
  const mac = onMac();
  const hint = guest ? wheelHint(canvas, signal) : null;
  canvas.addEventListener('wheel', (event) => {
    const { ctrlKey, shiftKey, altKey, metaKey } = event;
    const at = placeOn(canvas, event);
    if (ctrlKey || (mac && metaKey)) {
      event.preventDefault();
      hint?.hide();
      program.gesture(at.x, at.y, 0, 0, wheelZoom(event));
      return;
    }
    const panelScrolls = engaged() && program.panelScrolls(at.x, at.y, event.deltaY);
    if (!panelScrolls && pageScrolls(canvas)) {
      hint?.show(event);
      return;
    }
    event.preventDefault();
    hint?.hide();
    let { x, y } = wheelNotches(event);
    // With Shift some browsers swap the axes; swap them back, because ImGui does it for all.
    if (shiftKey && y === 0) [x, y] = [0, x];
    program.modifiers(ctrlKey, shiftKey, altKey, metaKey);
    program.pointer(0, at.x, at.y);
    program.wheel(x, y);
  }, { passive: false, signal });
}

// Touch. Two fingers move and zoom the stage. One finger acts as the mouse; on a figure in another page it scrolls that
// page instead, unless it pressed something that can be dragged. A finger held still shows what hovering shows.

import { pageScrolls } from './scrolling.mjs';
import { placeInside, placeOn } from '../zoom.mjs';

const touchSource = 1;
const rest = 500; // milliseconds until a finger that does not move only wants to look
const slack = 10; // CSS pixels that a resting finger may move
const enough = 24; // CSS pixels after which a finger moves the stage

/** The state, apart from the framing, which a drag on empty ground changes too. */
function documentOf(program) {
  const { framing, ...rest } = program.call('state');
  return { framing, rest: JSON.stringify(rest) };
}

export function connectTouch({ canvas, program, guest, signal }) {
  const fingers = new Map(); // pointerId → {x, y}, in the order in which they came
  let pressing = null; // the finger that is the mouse
  let pinched = false; // until the last finger has gone
  let looking = null; // the finger that rests on a cell
  let timer = 0;
  let start = null; // of the press: where, and when by the event's own time
  // Whether the page or the program gets the finger. In another page that is unknown until it moves.
  let undecided = null; // what the document was when it came down

  const pair = () => {
    const [a, b] = fingers.values();
    return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, span: Math.hypot(a.x - b.x, a.y - b.y) };
  };

  function press(pointerId) {
    pressing = pointerId;
    program.pointer(touchSource, start.x, start.y);
    program.button(0, true);
  }

  function takeBackPress() {
    clearTimeout(timer);
    undecided = null;
    if (pressing === null) return;
    pressing = null;
    program.pointerGone();
    program.button(0, false);
  }

  function look() {
    const finger = fingers.get(pressing);
    looking = pressing;
    takeBackPress(); // lifting the finger chooses nothing
    program.pointer(touchSource, finger.x, finger.y);
  }

  function forget(event) {
    if (looking === event.pointerId) looking = null; // what it showed stays until the next touch
    fingers.delete(event.pointerId);
    if (fingers.size === 0) pinched = false;
  }

  /** Handles the first move: if it drags or scrolls nothing, the press is cancelled and the finger is the page's. */
  function decide({ x, y }) {
    const far = Math.hypot(x - start.x, y - start.y);
    if (far < 3) return;
    clearTimeout(timer);
    const before = undecided;
    undecided = null;
    const scrolls = pageScrolls(canvas);
    const same = (framing) => JSON.stringify(framing) === JSON.stringify(before.framing);
    // In two moves, since the first one only starts the drag; so far that the stage would follow, where it may.
    const share = scrolls ? 1 : Math.max(1, enough / far);
    const drag = () => {
      for (const part of [share / 2, share]) {
        program.pointer(touchSource, start.x + (x - start.x) * part, start.y + (y - start.y) * part);
        program.settle();
      }
    };
    drag();
    if (program.fingerScrolls() || documentOf(program).rest !== before.rest) return;
    const finger = pressing;
    takeBackPress();
    program.settle();
    if (same(documentOf(program).framing)) return;
    program.call('set', { framing: before.framing }); // the plane went along, which is known once it is let go
    program.settle();
    if (scrolls) return;
    press(finger);
    program.settle();
    drag();
  }

  const isOurs = () => !undecided && (pressing !== null || looking !== null || pinched);

  // Only a listener that is not passive can prevent the browser from scrolling.
  canvas.addEventListener('touchstart', (event) => {
    if (event.touches.length > 1) event.preventDefault();
  }, { passive: false, signal });
  canvas.addEventListener('touchmove', (event) => {
    if (!event.cancelable) return;
    if (undecided) decide(placeInside(canvas, event.touches[0]));
    if (isOurs()) event.preventDefault();
  }, { passive: false, signal });

  return {
    down(event) {
      const at = placeOn(canvas, event);
      fingers.set(event.pointerId, at);
      if (fingers.size > 1) {
        looking = null;
        takeBackPress();
        pinched = true;
        return;
      }
      start = { ...at, time: event.timeStamp };
      if (guest) undecided = documentOf(program);
      program.modifiers(false, false, false, false);
      press(event.pointerId);
      timer = setTimeout(look, rest);
    },

    move(event) {
      const finger = fingers.get(event.pointerId);
      if (!finger) return;
      // Before the page hears of it, which a move that is ours does not reach: kept_input.mjs.
      if (undecided && event.pointerId === pressing) decide(placeOn(canvas, event));
      if (isOurs()) event.preventDefault();
      if (pinched && fingers.size >= 2) {
        const before = pair();
        Object.assign(finger, placeOn(canvas, event));
        const after = pair();
        const zoom = before.span > 0 && after.span > 0 ? after.span / before.span : 1;
        program.gesture(after.x, after.y, after.x - before.x, after.y - before.y, zoom);
        return;
      }
      Object.assign(finger, placeOn(canvas, event));
      if (event.pointerId === looking) {
        program.pointer(touchSource, finger.x, finger.y);
      } else if (event.pointerId === pressing) {
        if (Math.hypot(finger.x - start.x, finger.y - start.y) > slack) clearTimeout(timer);
        if (!undecided) program.pointer(touchSource, finger.x, finger.y);
      }
    },

    up(event) {
      if (event.pointerId === looking && event.timeStamp - start.time < rest) {
        press(event.pointerId); // it was lifted in time: the page was busy and heard of it late
      }
      if (event.pointerId === pressing) {
        clearTimeout(timer);
        undecided = null;
        pressing = null;
        const at = placeOn(canvas, event);
        program.pointer(touchSource, at.x, at.y);
        program.button(0, false);
        // Phones open their keyboard only during the tap, so the program must handle the tap now.
        program.settle();
      }
      forget(event);
    },

    cancel(event) {
      takeBackPress();
      forget(event);
    },

    get fingers() {
      return fingers.size;
    },
    stop: () => clearTimeout(timer),
  };
}

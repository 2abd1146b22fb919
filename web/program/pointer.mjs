// Mouse, pen, touch and wheel.

const source = { mouse: 0, touch: 1, pen: 2 };

// PointerEvent.buttons has the right button in bit 1 and the middle one in bit 2, as ImGui counts them.
const buttonCount = 5;

/** Wheel deltas in notches of a mouse wheel, positive away from the reader. WheelEvent.deltaMode: 0, 1, 2. */
const notch = [100, 3, 1]; // pixels, lines, pages

export function wheelNotches(event) {
  return { x: -event.deltaX / notch[event.deltaMode], y: -event.deltaY / notch[event.deltaMode] };
}

/** How much a wheel turn with Ctrl, which is also how a trackpad's pinch arrives, zooms. */
export function wheelZoom(event) {
  const pixels = (event.deltaY * 100) / notch[event.deltaMode];
  // A pinch sends a few pixels at a time, a wheel a hundred at once: one notch is to be about a quarter.
  const calm = Math.max(-25, Math.min(25, pixels));
  return Math.exp(-calm / 100);
}

/** True if turning the wheel over this element would scroll something of the page. */
function pageScrolls(element) {
  // Inside a frame it is the outer page that would scroll, and a frame cannot see whether it would.
  if (window.parent !== window) return true;
  const page = document.scrollingElement;
  if (page.scrollHeight > page.clientHeight || page.scrollWidth > page.clientWidth) {
    return getComputedStyle(page).overflowY !== 'hidden';
  }
  for (let box = element.parentElement; box && box !== page; box = box.parentElement) {
    if (box.scrollHeight > box.clientHeight && /auto|scroll/.test(getComputedStyle(box).overflowY)) return true;
  }
  return false;
}

export function connectPointer({ canvas, program, focused, takeFocus, signal }) {
  const on = (type, handler, options = {}) => canvas.addEventListener(type, handler, { signal, ...options });

  const tellModifiers = (event) => {
    const { ctrlKey, shiftKey, altKey, metaKey } = event;
    program.modifiers(ctrlKey, shiftKey, altKey, metaKey);
  };

  // ---- mouse and pen ----

  let held = 0; // PointerEvent.buttons as the program knows them
  const tellButtons = (buttons) => {
    for (let button = 0; button < buttonCount; ++button) {
      const bit = 1 << button;
      if ((buttons ^ held) & bit) program.button(button, (buttons & bit) !== 0);
    }
    held = buttons;
  };
  const tellPointer = (event) => {
    tellModifiers(event);
    program.pointer(source[event.pointerType] ?? 0, event.offsetX, event.offsetY);
    tellButtons(event.buttons); // a second button arrives as a move
  };

  on('pointerdown', (event) => {
    takeFocus();
    canvas.setPointerCapture(event.pointerId); // so that a release outside is told as well
    if (event.pointerType === 'touch') touchDown(event);
    else tellPointer(event);
  });
  on('pointermove', (event) => (event.pointerType === 'touch' ? touchMove(event) : tellPointer(event)));
  on('pointerup', (event) => (event.pointerType === 'touch' ? touchUp(event) : tellPointer(event)));
  on('pointercancel', (event) => {
    program.pointerGone(); // a press that is taken back must not become a click
    if (event.pointerType === 'touch') touchCancel(event);
    else tellButtons(0);
  });
  on('lostpointercapture', () => tellButtons(0));
  on('pointerleave', (event) => {
    if (event.pointerType !== 'touch' && event.buttons === 0) program.pointerGone();
  });
  // The focus is given above; the browser would take it from the field and select text of the page.
  on('mousedown', (event) => event.preventDefault());
  on('contextmenu', (event) => event.preventDefault());

  // ---- touch: one finger is the mouse, two are a gesture ----

  const fingers = new Map(); // pointerId → {x, y}, in the order in which they came
  let pressing = null; // the finger that is the mouse
  let pinched = false; // until the last finger has gone

  const pair = () => {
    const [a, b] = fingers.values();
    return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, span: Math.hypot(a.x - b.x, a.y - b.y) };
  };

  function touchDown(event) {
    fingers.set(event.pointerId, { x: event.offsetX, y: event.offsetY });
    if (fingers.size === 1) {
      pressing = event.pointerId;
      program.modifiers(false, false, false, false);
      program.pointer(source.touch, event.offsetX, event.offsetY);
      program.button(0, true);
    } else {
      takeBackPress();
      pinched = true;
    }
  }

  function touchMove(event) {
    const finger = fingers.get(event.pointerId);
    if (!finger) return;
    if (pinched && fingers.size >= 2) {
      const before = pair();
      Object.assign(finger, { x: event.offsetX, y: event.offsetY });
      const after = pair();
      const zoom = before.span > 0 && after.span > 0 ? after.span / before.span : 1;
      program.gesture(after.x, after.y, after.x - before.x, after.y - before.y, zoom);
    } else if (event.pointerId === pressing) {
      Object.assign(finger, { x: event.offsetX, y: event.offsetY });
      program.pointer(source.touch, event.offsetX, event.offsetY);
    }
  }

  function touchUp(event) {
    if (event.pointerId === pressing) {
      pressing = null;
      program.pointer(source.touch, event.offsetX, event.offsetY);
      program.button(0, false);
      // A phone opens its keyboard only from within the tap, so the program has to say now whether it takes text.
      program.settle();
    }
    forget(event);
  }

  function touchCancel(event) {
    takeBackPress();
    forget(event);
  }

  function takeBackPress() {
    if (pressing === null) return;
    pressing = null;
    program.pointerGone();
    program.button(0, false);
  }

  function forget(event) {
    fingers.delete(event.pointerId);
    if (fingers.size === 0) pinched = false;
  }

  // ---- wheel ----

  on('wheel', (event) => {
    if (event.ctrlKey) {
      event.preventDefault();
      program.gesture(event.offsetX, event.offsetY, 0, 0, wheelZoom(event));
      return;
    }
    if (!focused() && pageScrolls(canvas)) return;
    event.preventDefault();
    let { x, y } = wheelNotches(event);
    // With Shift some browsers turn the wheel sideways by themselves; ImGui does it for all of them.
    if (event.shiftKey && y === 0) [x, y] = [0, x];
    tellModifiers(event);
    program.pointer(source.mouse, event.offsetX, event.offsetY);
    program.wheel(x, y);
  }, { passive: false });

  // Safari tells a trackpad's pinch in events of its own; on a touch screen they come beside the pointers.
  let lastScale = 1;
  on('gesturestart', (event) => {
    event.preventDefault();
    lastScale = event.scale;
  });
  on('gesturechange', (event) => {
    event.preventDefault();
    if (fingers.size > 0) return;
    const box = canvas.getBoundingClientRect();
    program.gesture(event.clientX - box.x, event.clientY - box.y, 0, 0, event.scale / lastScale);
    lastScale = event.scale;
  });
}

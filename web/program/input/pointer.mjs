// Mouse and pen; sets up touch and wheel too.

import { connectTouch } from './touch.mjs';
import { connectWheel } from './wheel.mjs';
import { placeInside, placeOn } from '../zoom.mjs';

const source = { mouse: 0, touch: 1, pen: 2 };

// PointerEvent.buttons has the right button in bit 1 and the middle one in bit 2, as ImGui counts them.
const buttonCount = 5;
const slack = 3; // CSS pixels that the pointer may move in a click

/**
 * @param {object} input canvas, program, takeFocus, signal, and
 * @param {() => boolean} input.engaged whether the wheel is meant for the canvas
 * @param {boolean} input.guest whether it stands in somebody else's page
 */
export function connectPointer({ canvas, program, engaged, takeFocus, guest = false, signal }) {
  const on = (type, handler, options = {}) => canvas.addEventListener(type, handler, { signal, ...options });

  const tellModifiers = (event) => {
    const { ctrlKey, shiftKey, altKey, metaKey } = event;
    program.modifiers(ctrlKey, shiftKey, altKey, metaKey);
  };

  const touch = connectTouch({ canvas, program, guest, signal });
  signal.addEventListener('abort', touch.stop);
  connectWheel({ canvas, program, engaged, guest, signal });

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
    const { x, y } = placeOn(canvas, event);
    program.pointer(source[event.pointerType] ?? 0, x, y);
    tellButtons(event.buttons); // a second button arrives as a move
  };

  let pressed = null; // where
  const drags = ({ buttons, clientX, clientY }) => buttons && pressed &&
    Math.hypot(clientX - pressed.clientX, clientY - pressed.clientY) > slack;

  on('pointerdown', (event) => {
    pressed = event;
    takeFocus();
    canvas.setPointerCapture(event.pointerId); // so that a release outside is told as well
    if (event.pointerType === 'touch') touch.down(event);
    else tellPointer(event);
  });
  on('pointermove', (event) => {
    if (event.pointerType === 'touch') {
      touch.move(event);
    } else {
      if (drags(event)) event.preventDefault(); // tells kept_input.mjs that it is ours, and nothing else
      tellPointer(event);
    }
  });
  on('pointerup', (event) => (event.pointerType === 'touch' ? touch.up(event) : tellPointer(event)));
  on('pointercancel', (event) => {
    program.pointerGone(); // a press that is taken back must not become a click
    if (event.pointerType === 'touch') touch.cancel(event);
    else tellButtons(0);
  });
  on('lostpointercapture', () => tellButtons(0));
  on('pointerleave', (event) => {
    if (event.pointerType !== 'touch' && event.buttons === 0) program.pointerGone();
  });
  // The focus was set above. By default the browser would take it from the field and select text of the page.
  on('mousedown', (event) => event.preventDefault());
  on('contextmenu', (event) => event.preventDefault());

  // Safari has special events for a trackpad's pinch, which it also sends for two fingers on a touch screen.
  let lastScale = 1;
  on('gesturestart', (event) => {
    event.preventDefault();
    lastScale = event.scale;
  });
  on('gesturechange', (event) => {
    event.preventDefault();
    if (touch.fingers > 0) return;
    const { x, y } = placeInside(canvas, event);
    program.gesture(x, y, 0, 0, event.scale / lastScale);
    lastScale = event.scale;
  });
}

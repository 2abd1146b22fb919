// Passes input on the canvas to the program: pointer, wheel, touch, keys, text, clipboard and focus. Input that is not
// meant for the canvas is left to the page and the browser.

import { connectPointer } from './pointer.mjs';
import { connectKeyboard } from './keyboard.mjs';
import { onMac } from './wheel.mjs';

/**
 * @param {HTMLCanvasElement} canvas
 * @param {HTMLTextAreaElement} field invisible, over the canvas: it has the focus while the program takes text
 * @param {import('../program.mjs').Program} program
 * @param {{guest?: boolean, pageHasKeys?: () => boolean, look?: () => {dark: boolean, colours: object}}} options see boot.mjs
 * @returns the functions that the program calls, and `disconnect`
 */
export function connectInput(canvas, field, program, { guest = false, pageHasKeys, look } = {}) {
  const abort = new AbortController();
  const listening = { signal: abort.signal };
  const root = canvas.getRootNode();
  const focused = () => root.activeElement === canvas || root.activeElement === field;
  let wantsText = false;

  // Show a focus ring only after keyboard navigation; browsers would also show it when a script sets the focus.
  const byPointer = (yes) => canvas.classList.toggle('by-pointer', yes);
  // In somebody else's page the wheel over a panel needs a click: Tab takes readers through figures on their way
  // elsewhere.
  let clicked = false;
  canvas.addEventListener('pointerdown', () => {
    byPointer(true);
    clicked = true;
  }, { ...listening, capture: true });
  // Who has clicked knows where the keys go; a ring around the whole program would come with the first digit typed.
  for (const element of [canvas, field]) {
    element.addEventListener('keydown', ({ key }) => key === 'Tab' && byPointer(false), listening);
  }

  /** Gives the focus to the canvas, or to the field while the program takes text. */
  function takeFocus() {
    const target = wantsText ? field : canvas;
    if (root.activeElement !== target) target.focus({ preventScroll: true });
  }

  for (const element of [canvas, field]) {
    element.addEventListener('focus', () => {
      program.focus(true);
      if (wantsText && element === canvas) takeFocus();
    }, listening);
    element.addEventListener('blur', (event) => {
      if (event.relatedTarget === canvas || event.relatedTarget === field) return;
      byPointer(false);
      clicked = false;
      program.focus(false);
    }, listening);
  }

  let toldColours = '{}';
  function tellColours(given) {
    const told = JSON.stringify(given);
    if (told === toldColours) return;
    toldColours = told;
    try {
      program.call('colours', given);
    } catch (cause) {
      console.warn(`attention-live: the colours of the style sheet are not used. ${cause.message}`);
    }
  }

  const tellPreferences = () => {
    const { dark, colours } = look?.() ?? { dark: system.matches, colours: {} };
    program.preferences(dark, still.matches, onMac());
    tellColours(colours);
  };
  const system = matchMedia('(prefers-color-scheme: dark)');
  const still = matchMedia('(prefers-reduced-motion: reduce)');
  for (const query of [system, still]) query.addEventListener('change', tellPreferences, listening);
  tellPreferences();

  const engaged = () => focused() && (clicked || !guest);
  connectPointer({ canvas, program, engaged, takeFocus, guest, signal: abort.signal });
  const keyboard = connectKeyboard({
    canvas, field, program, guest, pageHasKeys, takeFocus, wantsText: () => wantsText, signal: abort.signal,
  });

  return {
    setCursor(name) {
      canvas.style.cursor = name;
    },

    /** The program begins or stops taking text; `height` is that of its caret in logical pixels. */
    setTextField(wanted, x, y, height) {
      wantsText = wanted;
      if (wanted) {
        // Input methods show their candidates beside the field, so it is moved to the caret.
        field.style.left = `${x}px`;
        field.style.top = `${y}px`;
        field.style.height = `${height}px`;
        field.style.fontSize = `${height * 0.9}px`;
      }
      if (focused()) takeFocus();
    },

    tellPreferences,
    setClipboard: keyboard.copy,
    disconnect: () => abort.abort(),
  };
}

// Keys, text and clipboard, while the canvas or its text field has the focus. Text comes from the field, because input
// methods, dead keys, AltGr, phone keyboards and paste only work in an editable element.

import { pageScrolls } from './scrolling.mjs';
import { onMac } from './wheel.mjs';

// The field's initial content: phones send no Backspace in an empty field.
const stop = '\u200b';

const editingKeys = new Set([
  'ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Home', 'End', 'Backspace', 'Delete', 'Enter',
]);
export const modifierKeys = new Set(['Shift', 'Control', 'Alt', 'AltGraph', 'Meta', 'CapsLock', 'NumLock']);

/**
 * Who handles a key: 'program', 'browser', or, for 'paste' and 'copy', the program by way of the browser's clipboard
 * events. Exported for tests.
 * @param {{key: string, ctrlKey: boolean, shiftKey: boolean, altKey: boolean, metaKey: boolean, altGraph: boolean}} event
 */
export function ownerOf(event, { takesText, onMac }) {
  const { key, shiftKey: shift } = event;
  if (modifierKeys.has(key)) return 'program';
  if (/^F\d+$/.test(key)) return key === 'F2' ? 'program' : 'browser'; // F2 edits, and no browser uses it
  const command = onMac ? event.metaKey : event.ctrlKey && !event.altGraph;
  const otherCommand = onMac ? event.ctrlKey : event.metaKey;
  const menu = event.altKey && !event.altGraph && !onMac; // Alt+letter, Alt+Left: menus and history
  if (otherCommand || menu) return 'browser';
  if (key === 'Tab') return takesText && !command ? 'program' : 'browser';
  if (key === 'Insert' && (shift || command)) return shift ? 'paste' : 'copy';
  if (command) {
    const letter = key.toLowerCase();
    if (letter === 'z') return 'program';
    if (editingKeys.has(key)) return 'program';
    if (shift) return 'browser';
    if (letter === 'v') return 'paste';
    if (letter === 'c' || letter === 'x') return 'copy';
    return letter === 'y' || letter === 'a' ? 'program' : 'browser';
  }
  return 'program';
}

/** True for a key that writes something: one character, whatever its length in UTF-16. */
const writes = (key) => [...key].length === 1;

/** AltGr, which Windows reports as Ctrl+Alt. */
export function isAltGraph(event) {
  if (event.getModifierState('AltGraph')) return true;
  return event.ctrlKey && event.altKey && writes(event.key) && !/^[a-z0-9]$/i.test(event.key);
}

/**
 * @param {() => void} input.takeFocus gives the focus to the canvas, or to the field while the program takes text
 * @param {boolean} input.guest it stands in somebody else's page, whose the keys are that it has no use for
 * @param {() => boolean} input.pageHasKeys that page has all keys but those that are typed into a field
 */
export function connectKeyboard({
  canvas, field, program, wantsText, takeFocus, guest = false, pageHasKeys = () => false, signal,
}) {
  const mac = onMac();
  const on = (element, type, handler) => element.addEventListener(type, handler, { signal });

  const clearField = () => {
    // Only if needed: writing to it makes the browser lay out the page.
    if (field.value === stop && field.selectionStart === stop.length && field.selectionEnd === stop.length) return;
    field.value = stop;
    field.setSelectionRange(stop.length, stop.length);
  };
  clearField();

  const press = (code) => {
    program.key(code, code, true);
    program.key(code, code, false);
  };

  const tellModifiers = (event) => {
    const altGraph = isAltGraph(event);
    program.modifiers(event.ctrlKey && !altGraph, event.shiftKey, event.altKey && !altGraph, event.metaKey);
    return altGraph;
  };

  let used = false; // the last key

  const keyDown = (event) => {
    if (event.isComposing || event.keyCode === 229) return; // the input method's
    const typing = wantsText();
    if (pageHasKeys() && !typing) return;
    const altGraph = tellModifiers(event);
    const { key, code, ctrlKey, shiftKey, altKey, metaKey } = event;
    const owner = ownerOf({ key, ctrlKey, shiftKey, altKey, metaKey, altGraph },
      { takesText: typing, onMac: mac });
    if (owner === 'browser' || owner === 'paste') return; // a paste event follows
    const known = program.key(code, key, true);
    if (owner === 'copy') {
      event.preventDefault();
      program.settle(); // the clipboard is open to a page only within the key press
      return;
    }
    if (modifierKeys.has(key)) return;
    const command = mac ? metaKey : ctrlKey && !altGraph;
    const written = writes(key) && !command;
    if (written && event.target === field) return; // its input event brings the text
    if (written) program.text(key);
    if (guest) {
      if (!event.repeat) used = typing ? known : program.settle(); // held down it goes on as it began
      if (!used && key === 'Escape') event.target.blur(); // nothing is chosen or in progress: it leaves the canvas
    } else {
      used = key !== 'Escape' && (written || known);
    }
    if (used) event.preventDefault(); // Space would scroll, ' and / would open a search
  };

  const keyUp = (event) => {
    tellModifiers(event);
    program.key(event.code, event.key, false);
    // macOS does not report the release of other keys while Cmd is held.
    if (event.key === 'Meta') program.releaseKeys();
  };

  /** Passes what was typed into the field to the program. */
  const flush = () => {
    const { value } = field;
    clearField();
    if (value === '') {
      press('Backspace');
      return;
    }
    // Phones may report Enter only as a line break.
    for (const [number, line] of value.replaceAll(stop, '').split('\n').entries()) {
      if (number > 0) press('Enter');
      if (line) program.text(line);
    }
  };

  on(field, 'input', (event) => {
    if (!event.isComposing) flush();
  });
  on(field, 'compositionstart', () => field.classList.add('composing'));
  on(field, 'compositionend', () => {
    field.classList.remove('composing');
    flush();
  });
  on(field, 'blur', clearField);

  // Where the program is all of the page, keys are for it from the start. A page that scrolls needs them itself.
  if (!guest) {
    on(document, 'keydown', (event) => {
      if (event.target !== document.body || pageScrolls(canvas)) return;
      const { key, ctrlKey, shiftKey, altKey, metaKey } = event;
      const state = { key, ctrlKey, shiftKey, altKey, metaKey, altGraph: isAltGraph(event) };
      if (modifierKeys.has(key) || ownerOf(state, { takesText: wantsText(), onMac: mac }) !== 'program') return;
      takeFocus();
      keyDown(event);
    });
  }

  let clipboardEvent = null;
  for (const element of [canvas, field]) {
    on(element, 'keydown', keyDown);
    on(element, 'keyup', keyUp);
    on(element, 'paste', (event) => {
      event.preventDefault();
      program.paste(event.clipboardData.getData('text/plain'));
    });
    // From a menu; key combinations are handled above.
    for (const [type, letter] of [['copy', 'c'], ['cut', 'x']]) {
      on(element, type, (event) => {
        clipboardEvent = event;
        program.modifiers(!mac, false, false, mac);
        press(letter);
        program.modifiers(false, false, false, false);
        program.settle();
        clipboardEvent = null;
      });
    }
  }

  /** For hosts without navigator.clipboard (plain http) or a frame that may not use it. */
  function copyByCommand(text) {
    const { activeElement } = canvas.getRootNode();
    field.value = text;
    field.focus({ preventScroll: true });
    field.select();
    clipboardEvent = null;
    const give = (event) => {
      event.clipboardData.setData('text/plain', text);
      event.preventDefault();
      event.stopImmediatePropagation();
    };
    document.addEventListener('copy', give, { capture: true });
    document.execCommand('copy');
    document.removeEventListener('copy', give, { capture: true });
    clearField();
    activeElement?.focus({ preventScroll: true });
  }

  return {
    copy(text) {
      if (clipboardEvent) {
        clipboardEvent.clipboardData.setData('text/plain', text);
        clipboardEvent.preventDefault();
      } else if (navigator.clipboard?.writeText) {
        navigator.clipboard.writeText(text).catch(() => copyByCommand(text));
      } else {
        copyByCommand(text);
      }
    },
  };
}

// A dialog before the page keeps all that is typed and turned there. Loaded with the first dialog.

import { keyKinds, kinds, stop, touchKinds } from './kept_input.mjs';

/** A key that has closed a dialog is released, or repeats, where the focus is then: that stays, too. */
function keepReleases(dialog) {
  const down = new Set();
  const follow = (event) => {
    const { type, code, repeat } = event;
    const anew = type === 'keydown' && !repeat;
    if (down.has(code) && !anew && !event.composedPath().includes(dialog)) {
      event.preventDefault();
      event.stopImmediatePropagation();
    }
    if (anew || type === 'keyup') down.delete(code);
    if (down.size === 0) for (const kind of keyKinds) window.removeEventListener(kind, follow, true);
  };
  dialog.addEventListener('keydown', ({ code }) => {
    down.add(code);
    for (const kind of keyKinds) window.addEventListener(kind, follow, true);
  });
}

/** A dialog before the page: all that is typed and turned there stays. */
export function keepAll(dialog) {
  keepReleases(dialog);
  for (const kind of [...keyKinds, ...touchKinds, ...Object.keys(kinds), 'wheel', 'change', 'submit']) dialog.addEventListener(kind, stop);
}

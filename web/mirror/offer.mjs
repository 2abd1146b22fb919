// A button that opens "Read as text" and is visible only with the focus. The rest is loaded when it is first opened.

import { adopt } from './mirror_styles.mjs';
import { offerAgain, part } from '../program/loading/part.mjs';
import { text } from '../texts/program.mjs';

/**
 * @param {HTMLElement} container of the canvas
 * @param {object} api of program/api.mjs
 * @returns {{disconnect: () => void}}
 */
export function offerMirror(container, api) {
  adopt(container.getRootNode());
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'attention-live-read';
  button.textContent = text.in(api.language)('program.mirror.open');
  button.setAttribute('aria-expanded', 'false');
  let mirror = null;
  let gone = false;

  async function open() {
    const { createMirror } = await part(() => import('./mirror.mjs'));
    if (gone) return;
    mirror ??= createMirror(container, api, {
      close() {
        mirror.hide();
        button.setAttribute('aria-expanded', 'false');
        button.focus();
      },
    });
    if (!mirror.element.isConnected) button.after(mirror.element);
    button.setAttribute('aria-expanded', 'true');
    mirror.show();
  }

  const tryToOpen = () => open().catch((cause) => { if (!gone) offerAgain(container, cause, tryToOpen, api.language); });
  button.addEventListener('click', () => {
    if (button.getAttribute('aria-expanded') === 'true') mirror?.close();
    else tryToOpen();
  });
  container.append(button); // the next one that Tab reaches after the canvas

  return {
    disconnect() {
      gone = true;
      container.querySelector(':scope > .attention-live-missing')?.remove();
      mirror?.disconnect();
      mirror?.element.remove();
      button.remove();
    },
  };
}

// Where the reader of the translator is, from the whole model to one cell, with a way back to each level.

import { textFor } from '../texts/mirror.mjs';
import { button, make } from './dom.mjs';

/**
 * @param {object} api of program/api.mjs
 * @param {(action: () => void) => boolean} ask carries out an action
 */
export function createPath(api, ask) {
  const text = textFor(api);
  const list = make('ol');
  const element = make('nav', { 'aria-label': text('mirror.path.label') }, [list]);
  let shown = '';
  return {
    element,

    update(path) {
      const now = JSON.stringify(path);
      if (now === shown) return;
      shown = now;
      element.hidden = path.length === 0;
      const had = list.contains(element.getRootNode().activeElement);
      list.replaceChildren(...path.map(({ label, here, to }) => make('li', {}, [
        button(label, () => ask(() => api.set(to)), { 'aria-current': here && 'location' }),
      ])));
      if (had) list.querySelector('[aria-current]')?.focus();
    },
  };
}

// What the example *your layer* needs, said before the browser asks for files.

import { make, openDialog } from '../dialog.mjs';
import { languageAround } from '../language.mjs';
import { text as texts } from '../../texts/own_layer.mjs';

// Python, the same in every language.
const program = `from safetensors.torch import save_file
save_file(model.state_dict(), "layer.safetensors")`;

/**
 * @param {() => void} choose opens the browser's dialog; called within a click
 * @param {Element} [around] what the dialog belongs to
 * @returns {HTMLDialogElement}
 */
export function askForFiles(choose, around = document.body) {
  const text = texts.in(languageAround(around));
  const button = (key, onclick, more) => make('button', { type: 'button', textContent: text(key), onclick, ...more });
  const dialog = openDialog(text('own_layer.files.heading'), [
    make('p', { textContent: text('own_layer.files.weights') }),
    make('p', { textContent: text('own_layer.files.save') }),
    make('pre', {}, [make('code', { textContent: program })]),
    make('p', { textContent: text('own_layer.files.beside') }),
    make('p', { textContent: text('own_layer.files.local') }),
    make('div', { className: 'row' }, [
      button('own_layer.files.choose', choose, { className: 'first', autofocus: true }),
      button('own_layer.dialog.close', () => dialog.close()),
    ]),
  ], around);
  return dialog;
}

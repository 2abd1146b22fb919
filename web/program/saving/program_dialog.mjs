// Shows the program that computes what is on screen, to be read, copied and saved.

import { make, openDialog } from '../dialog.mjs';
import { copyText } from '../../article/copy.mjs';
import { text as texts } from '../../texts/program.mjs';
import { languageAround } from '../language.mjs';
import { save } from './save.mjs';

const file = 'attention.py';
let shown = null; // a second press can come before the dialog of the first is there

/**
 * Puts a program on the clipboard and shows it.
 * @param {string} code
 * @param {string} library that it uses
 * @param {Element} around what the dialog belongs to
 * @param {{file: string, save: () => void} | ''} data the file that it reads, and what saves it
 */
export function showProgram(code, library, around, data) {
  const text = texts.in(languageAround(around));
  shown?.close();
  const told = make('p', { role: 'status' });
  const button = (key, onclick, more) => make('button', { type: 'button', textContent: text(key), onclick, ...more });
  const listing = make('pre', { tabIndex: 0, className: 'tall' }, [make('code', { textContent: code })]);
  const copy = async () => {
    told.textContent = text(await copyText(code) ? 'program.code.copied' : 'program.code.not_copied');
  };
  const dialog = openDialog(text('program.code.heading', { library, lines: code.trimEnd().split('\n').length }), [
    make('p', {
      textContent: data ? text('program.code.explained_with_data', { file, data: data.file }) : text('program.code.explained', { file }),
    }),
    listing,
    make('div', { className: 'row' }, [
      button('program.code.copy', copy, { className: 'first', autofocus: true }),
      button('program.code.save', () => save(file, new Blob([code], { type: 'text/x-python' }))),
      ...(data ? [make('button', {
        type: 'button', textContent: text('program.code.save_data', { data: data.file }), onclick: data.save,
      })] : []),
      button('program.code.close', () => dialog.close()),
      told,
    ]),
  ], around);
  shown = dialog;
  copy();
}

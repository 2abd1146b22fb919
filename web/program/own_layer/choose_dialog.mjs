// The dialog in which a reader chooses one of the attentions of a file.

import { make, openDialog } from '../dialog.mjs';
import { languageAround } from '../language.mjs';
import { text as texts } from '../../texts/own_layer.mjs';

const many = 12; // more are searched by name
const mostRows = 400; // at a time

const sizeOf = (bytes) => (bytes < 1e6 ? `${(bytes / 1e3).toFixed(1)}\u00a0kB` : `${(bytes / 1e6).toFixed(1)}\u00a0MB`);

function describe(text, { family, cross, causal, embed_dim, heads, guess, bytes, why }) {
  const kind = text(cross ? 'own_layer.row.cross' : causal ? 'own_layer.row.causal' : 'own_layer.row.self');
  if (why) return `${family}, ${kind}. ${why}`;
  const sizes = text(heads === 1 ? 'own_layer.row.one_head' : 'own_layer.row.sizes', {
    embed_dim, heads, guess: guess ? text('own_layer.row.guess') : '', size: sizeOf(bytes),
  });
  return `${family}, ${kind}, ${sizes}`;
}

/** @returns {Promise<number | null>} its index; null where the dialog is closed without a choice */
export function chooseAttention(file, attentions, incomplete, around = document.body) {
  const text = texts.in(languageAround(around));
  return new Promise((resolve) => {
    let chosen = null;
    const list = make('ul');
    const said = make('p', { role: 'status' });
    const show = (filter) => {
      const wanted = attentions.map((each, index) => ({ ...each, index })).filter(({ name }) => name.includes(filter));
      said.textContent = wanted.length === 0 ? text('own_layer.dialog.none', { filter }) : '';
      list.hidden = wanted.length === 0;
      list.replaceChildren(...wanted.slice(0, mostRows).map((each) => make('li', {}, [make('button', {
        type: 'button', disabled: each.why !== '',
        onclick: () => {
          chosen = each.index;
          dialog.close();
        },
      }, [make('code', { textContent: each.name || 'attention' }), make('small', { textContent: describe(text, each) })])])));
    };
    const filter = make('input', { type: 'search', spellcheck: false, oninput: () => show(filter.value) });
    const guesses = attentions.some(({ guess, why }) => guess && !why);
    const explanation = [text('own_layer.dialog.local'), ...(guesses ? [text('own_layer.dialog.heads')] : [])].join(' ');
    const close = make('button', { type: 'button', className: 'close', textContent: text('own_layer.dialog.close') });
    show('');
    const dialog = openDialog(text('own_layer.dialog.heading', { file }), [
      make('p', { textContent: explanation }),
      ...(attentions.length > many ? [make('label', {}, [text('own_layer.dialog.filter'), filter])] : []),
      list, said, ...(incomplete ? [make('p', { textContent: text('own_layer.dialog.incomplete', { count: incomplete }) })] : []), close,
    ], around);
    close.addEventListener('click', () => dialog.close());
    dialog.addEventListener('close', () => resolve(chosen));
  });
}

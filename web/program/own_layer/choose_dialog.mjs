// The dialog in which a reader chooses one of the attentions of a file.

import { adoptRules } from '../style.mjs';
import { text } from '../../texts/own_layer.mjs';

const rules = `
.attention-live-layers {
  --paper: #f6f5f1; --ink: #1b1f24; --quiet: #4f5761; --line: #8a8f98; --accent: #235a96;
  box-sizing: border-box; width: min(44rem, calc(100vw - 24px)); max-height: calc(100vh - 24px);
  padding: 20px 24px; border: 1px solid var(--line); border-radius: 12px; background: var(--paper); color: var(--ink);
  font: 15px/1.5 system-ui, sans-serif; flex-direction: column; gap: 12px; overflow-wrap: anywhere;
}
.attention-live-layers[open] { display: flex; }
@media (prefers-color-scheme: dark) {
  .attention-live-layers { --paper: #15181c; --ink: #e8e6e1; --quiet: #b3bac3; --line: #767e89; --accent: #8fc0f2; }
}
.attention-live-layers::backdrop { background: rgb(0 0 0 / 0.4); }
.attention-live-layers h2 { margin: 0; font-size: 20px; line-height: 1.3; }
.attention-live-layers p { margin: 0; color: var(--quiet); }
.attention-live-layers ul {
  margin: 0; padding: 0; list-style: none; overflow: auto; min-height: 6rem; border: 1px solid var(--line); border-radius: 8px;
}
.attention-live-layers li + li { border-top: 1px solid color-mix(in srgb, var(--line) 40%, transparent); }
.attention-live-layers li button {
  display: block; width: 100%; padding: 8px 12px; border: 0; background: transparent; color: inherit; font: inherit;
  text-align: start; cursor: pointer;
}
.attention-live-layers li button:hover:enabled { background: color-mix(in srgb, var(--accent) 12%, transparent); }
.attention-live-layers li button:disabled { cursor: default; color: var(--quiet); }
.attention-live-layers code { font: 14px/1.5 ui-monospace, monospace; }
.attention-live-layers small { display: block; color: var(--quiet); font-size: 13px; }
.attention-live-layers input, .attention-live-layers .close {
  padding: 6px 12px; border: 1px solid var(--line); border-radius: 8px; background: transparent; color: inherit; font: inherit;
}
.attention-live-layers label { display: flex; flex-wrap: wrap; gap: 8px; align-items: center; color: var(--quiet); }
.attention-live-layers label input { flex: 1 1 12rem; color: var(--ink); }
.attention-live-layers .close { align-self: flex-start; cursor: pointer; }
.attention-live-layers :focus-visible { outline: 2px solid var(--accent); outline-offset: -2px; }
@media (max-width: 600px) { .attention-live-layers { padding: 14px 12px; } }
`;

const many = 12; // more are searched by name
const mostRows = 400; // at a time

function make(tag, fields = {}, children = []) {
  const element = Object.assign(document.createElement(tag), fields);
  element.append(...children);
  return element;
}

const sizeOf = (bytes) => (bytes < 1e6 ? `${(bytes / 1e3).toFixed(1)}\u00a0kB` : `${(bytes / 1e6).toFixed(1)}\u00a0MB`);

function describe({ family, cross, causal, embed_dim, heads, guess, bytes, why }) {
  const kind = text(cross ? 'own_layer.row.cross' : causal ? 'own_layer.row.causal' : 'own_layer.row.self');
  if (why) return `${family}, ${kind}. ${why}`;
  const sizes = text(heads === 1 ? 'own_layer.row.one_head' : 'own_layer.row.sizes', {
    embed_dim, heads, guess: guess ? text('own_layer.row.guess') : '', size: sizeOf(bytes),
  });
  return `${family}, ${kind}, ${sizes}`;
}

/** @returns {Promise<number | null>} its index; null where the dialog is closed without a choice */
export function chooseAttention(file, attentions, incomplete, around = document.body) {
  adoptRules(document, rules);
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
      }, [make('code', { textContent: each.name || 'attention' }), make('small', { textContent: describe(each) })])])));
    };
    const filter = make('input', { type: 'search', spellcheck: false, oninput: () => show(filter.value) });
    const guesses = attentions.some(({ guess, why }) => guess && !why);
    const explanation = [text('own_layer.dialog.local'), ...(guesses ? [text('own_layer.dialog.heads')] : [])].join(' ');
    const heading = make('h2', { id: 'attention-live-layers-heading', textContent: text('own_layer.dialog.heading', { file }) });
    const close = make('button', { type: 'button', className: 'close', textContent: text('own_layer.dialog.close') });
    const dialog = make('dialog', { className: 'attention-live-layers', lang: around.lang }, [
      heading, make('p', { textContent: explanation }),
      ...(attentions.length > many ? [make('label', {}, [text('own_layer.dialog.filter'), filter])] : []),
      list, said, ...(incomplete ? [make('p', { textContent: text('own_layer.dialog.incomplete', { count: incomplete }) })] : []), close,
    ]);
    dialog.setAttribute('aria-labelledby', heading.id);
    close.addEventListener('click', () => dialog.close());
    dialog.addEventListener('close', () => {
      dialog.remove();
      resolve(chosen);
    });
    show('');
    around.ownerDocument.body.append(dialog);
    dialog.showModal();
  });
}

// What the program's dialogs have in common.

import { keepAll } from './input/kept_dialog.mjs';
import { adoptRules } from './style.mjs';

const rules = `
.attention-live-dialog {
  --paper: #f6f5f1; --ink: #1b1f24; --quiet: #4f5761; --line: #8a8f98; --accent: #235a96;
  box-sizing: border-box; width: min(44rem, calc(100vw - 24px)); max-height: calc(100vh - 24px);
  padding: 20px 24px; border: 1px solid var(--line); border-radius: 12px; background: var(--paper); color: var(--ink);
  font: 15px/1.5 system-ui, sans-serif; flex-direction: column; gap: 12px; overflow: auto; overflow-wrap: anywhere;
}
.attention-live-dialog[open] { display: flex; }
@media (prefers-color-scheme: dark) {
  .attention-live-dialog { --paper: #15181c; --ink: #e8e6e1; --quiet: #b3bac3; --line: #767e89; --accent: #8fc0f2; }
}
.attention-live-dialog::backdrop { background: rgb(0 0 0 / 0.4); }
.attention-live-dialog h2 { margin: 0; font-size: 20px; line-height: 1.3; }
.attention-live-dialog p { margin: 0; color: var(--quiet); }
.attention-live-dialog ul {
  margin: 0; padding: 0; list-style: none; overflow: auto; min-height: 6rem; border: 1px solid var(--line); border-radius: 8px;
}
.attention-live-dialog li + li { border-top: 1px solid color-mix(in srgb, var(--line) 40%, transparent); }
.attention-live-dialog li button {
  display: block; width: 100%; padding: 8px 12px; border: 0; background: transparent; color: inherit; font: inherit;
  text-align: start; cursor: pointer;
}
.attention-live-dialog li button:hover:enabled { background: color-mix(in srgb, var(--accent) 12%, transparent); }
.attention-live-dialog li button:disabled { cursor: default; color: var(--quiet); }
.attention-live-dialog code { font: 14px/1.5 ui-monospace, monospace; }
.attention-live-dialog pre {
  flex: none; margin: 0; padding: 8px 12px; overflow: auto; border: 1px solid color-mix(in srgb, var(--line) 40%, transparent); border-radius: 8px;
}
.attention-live-dialog:has(pre.tall) { width: min(70rem, calc(100vw - 24px)); }
.attention-live-dialog pre.tall { flex: 0 1 auto; min-height: 8rem; overflow-wrap: normal; }
.attention-live-dialog .row { display: flex; flex-wrap: wrap; gap: 8px 12px; align-items: center; }
.attention-live-dialog .first { border-color: var(--accent); }
.attention-live-dialog small { display: block; color: var(--quiet); font-size: 13px; }
.attention-live-dialog input, .attention-live-dialog .close, .attention-live-dialog .row button {
  padding: 6px 12px; border: 1px solid var(--line); border-radius: 8px; background: transparent; color: inherit; font: inherit;
}
.attention-live-dialog label { display: flex; flex-wrap: wrap; gap: 8px; align-items: center; color: var(--quiet); }
.attention-live-dialog label input { flex: 1 1 12rem; color: var(--ink); }
.attention-live-dialog .close { align-self: flex-start; }
.attention-live-dialog .close, .attention-live-dialog .row button { cursor: pointer; }
.attention-live-dialog :focus-visible { outline: 2px solid var(--accent); outline-offset: -2px; }
@media (max-width: 600px) { .attention-live-dialog { padding: 14px 12px; } }
`;

export function make(tag, fields = {}, children = []) {
  const element = Object.assign(document.createElement(tag), fields);
  element.append(...children);
  return element;
}

/**
 * Opens a dialog that is gone when it is closed.
 * @param {string} heading
 * @param {Node[]} content
 * @param {Element} around what it belongs to: its language
 * @returns {HTMLDialogElement}
 */
export function openDialog(heading, content, around) {
  const { ownerDocument: page, lang } = around;
  adoptRules(page, rules);
  const title = make('h2', { id: 'attention-live-dialog-heading', textContent: heading });
  const dialog = make('dialog', { className: 'attention-live-dialog', lang }, [title, ...content]);
  dialog.setAttribute('aria-labelledby', title.id);
  keepAll(dialog);
  dialog.addEventListener('close', () => dialog.remove());
  page.body.append(dialog);
  dialog.showModal();
  return dialog;
}

// The dialog that gives the code of embed_code.mjs for what is shown, with a preview of it.

import { home } from '../../program/files.mjs';
import { languageAround, languages } from '../../program/language.mjs';
import { adoptRules } from '../../program/style.mjs';
import { AttentionLiveElement } from '../element.mjs';
import { everyStep } from '../attributes.mjs';
import { attributesFor, elementCode, frameCode } from './embed_code.mjs';
import { text } from '../../texts/element.mjs';

const rules = `
.attention-live-embed {
  --paper: #f6f5f1; --ink: #1b1f24; --quiet: #4f5761; --line: #8a8f98; --accent: #235a96;
  box-sizing: border-box; width: min(44rem, calc(100vw - 24px)); max-height: calc(100vh - 24px); overflow: auto;
  padding: 20px 24px; border: 1px solid var(--line); border-radius: 12px; background: var(--paper); color: var(--ink);
  font: 15px/1.5 system-ui, sans-serif;
}
@media (prefers-color-scheme: dark) {
  .attention-live-embed { --paper: #15181c; --ink: #e8e6e1; --quiet: #b3bac3; --line: #767e89; --accent: #8fc0f2; }
}
.attention-live-embed::backdrop { background: rgb(0 0 0 / 0.4); }
.attention-live-embed h2 { margin: 0 0 12px; font-size: 20px; }
.attention-live-embed fieldset { display: flex; flex-wrap: wrap; gap: 4px 20px; margin: 0 0 8px; padding: 0; border: 0; }
.attention-live-embed legend { padding: 0; color: var(--quiet); }
.attention-live-embed textarea {
  display: block; box-sizing: border-box; width: 100%; height: 11em; margin: 4px 0 12px; padding: 8px; resize: vertical;
  border: 1px solid var(--line); border-radius: 8px; background: transparent; color: inherit;
  font: 13px/1.5 ui-monospace, monospace; overflow-wrap: anywhere;
}
.attention-live-embed .row { display: flex; flex-wrap: wrap; gap: 8px 12px; align-items: center; }
.attention-live-embed button {
  padding: 6px 16px; border: 1px solid var(--line); border-radius: 8px; background: transparent; color: inherit;
  font: inherit; cursor: pointer;
}
.attention-live-embed :focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.attention-live-embed .preview { margin: 16px 0 0; color: var(--quiet); }
@media (min-width: 1000px) {
  .attention-live-embed[open] { display: grid; grid-template-columns: 1fr 1fr; gap: 0 28px; width: min(76rem, calc(100vw - 48px)); }
  .attention-live-embed h2 { grid-column: 1 / -1; }
  .attention-live-embed .preview { margin: 0; }
}
.attention-live-embed attention-live { margin-top: 4px; border: 1px solid var(--line); min-height: 260px; }
@media (max-width: 600px) {
  .attention-live-embed { padding: 14px 12px; }
  .attention-live-embed attention-live { aspect-ratio: 2 / 3; }
}
`;

function make(tag, fields = {}, children = []) {
  const element = Object.assign(document.createElement(tag), fields);
  element.append(...children);
  return element;
}

/** A choice of one, at first the one of this value: {element, value}. */
function choice(name, legend, options, changed, first = options[0][0]) {
  const inputs = options.map(([value, label]) => {
    const input = make('input', { type: 'radio', name, value, checked: value === first, onchange: changed });
    return { input, label: make('label', {}, [input, ` ${label}`]) };
  });
  return {
    element: make('fieldset', {}, [make('legend', { textContent: legend }), ...inputs.map(({ label }) => label)]),
    get value() {
      return inputs.find(({ input }) => input.checked).input.value;
    },
  };
}

/** Whether an address leads to this device only, so that others could not open what is copied. */
function isLocal(address) {
  const { protocol, hostname } = new URL(address);
  return protocol === 'file:' || /^(localhost|127\..*|\[::1\])$/.test(hostname);
}

let open = null;

/**
 * Opens it for the present state.
 * @param {object} api of program/api.mjs; throws the program's sentence where the state is too large for a link
 * @returns {HTMLDialogElement}
 */
export function openEmbedDialog(api) {
  open?.close();
  if (!customElements.get('attention-live')) customElements.define('attention-live', AttentionLiveElement);
  adoptRules(document, rules);
  const link = api.link();
  const state = api.state();
  const { example, step } = api.describe();
  const offered = api.steps();

  const code = make('textarea', { readOnly: true, spellcheck: false });
  const said = make('span', { role: 'status' });
  const preview = make('div', { className: 'preview' });
  const update = () => {
    const attributes = attributesFor(link, state, shown.value, colours.value, steps.value.split(' ').filter(Boolean));
    const title = text('element.embed.figure', { example: example.label, step: step.title });
    code.value = kind.value === 'element' ? elementCode(home, attributes, spoken.value)
      : frameCode(home, attributes, title, spoken.value);
    said.textContent = '';
    const figure = document.createElement('attention-live');
    const label = text('element.embed.preview_of', { title });
    for (const [name, value] of [...attributes, ['label', label], ['lang', spoken.value]]) figure.setAttribute(name, value);
    preview.replaceChildren(text('element.embed.preview'), figure);
  };
  const kind = choice('attention-live-kind', text('element.embed.as'), [
    ['element', text('element.embed.as_element')], ['frame', text('element.embed.as_frame')],
  ], update);
  const shown = choice('attention-live-controls', text('element.embed.with'), [
    ['all', text('element.embed.with_all')], ['steps', text('element.embed.with_steps')],
    ['none', text('element.embed.with_stage')],
  ], update);
  const limited = offered.length < everyStep.length && offered.join(' ') !== state.step;
  const steps = choice('attention-live-steps', text('element.embed.steps'), [
    ['', text('element.embed.steps_all')], [state.step, text('element.embed.steps_one', { step: state.step })],
    ...(limited ? [[offered.join(' '), offered.join(', ')]] : []),
  ], update, offered.length < everyStep.length ? offered.join(' ') : '');
  const colours = choice('attention-live-theme', text('element.embed.colours'), [
    ['', text('element.embed.colours_now')], ['light', text('element.embed.colours_light')],
    ['dark', text('element.embed.colours_dark')],
  ], update);
  const spoken = choice('attention-live-language', text('element.embed.language'), Object.entries(languages), update,
    languageAround(document.documentElement));
  const copy = make('button', { type: 'button', textContent: text('element.embed.copy') });
  copy.addEventListener('click', async () => {
    code.select();
    try {
      await navigator.clipboard.writeText(code.value);
    } catch {
      document.execCommand('copy'); // plain http, or a frame that may not
    }
    said.textContent = text('element.embed.copied');
  });
  const close = make('button', { type: 'button', textContent: text('element.embed.close') });
  const warnings = isLocal(home) ? [make('p', { textContent: text('element.embed.local') })] : [];
  const heading = make('h2', { id: 'attention-live-embed-heading', textContent: text('element.embed.heading') });
  const dialog = make('dialog', { className: 'attention-live-embed' }, [
    heading,
    make('div', {}, [
      kind.element, shown.element, steps.element, colours.element, spoken.element, ...warnings,
      make('label', {}, [text('element.embed.code'), code]),
      make('div', { className: 'row' }, [copy, close, said]),
    ]),
    preview,
  ]);
  dialog.setAttribute('aria-labelledby', heading.id);
  close.addEventListener('click', () => dialog.close());
  dialog.addEventListener('close', () => {
    dialog.remove(); // the preview's memory goes with it
    open = null;
  });
  update();
  document.body.append(dialog);
  dialog.showModal();
  open = dialog;
  return dialog;
}

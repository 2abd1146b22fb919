// A small button that opens the dialog with the code for other pages. The program leaves room for it in its step bar.

import { adoptRules } from '../../program/style.mjs';
import { text } from '../../texts/element.mjs';

const rules = `
.attention-live-embed-button {
  position: absolute; right: 12px; bottom: 0; width: 32px; height: 32px; padding: 0; border: 1px solid transparent;
  border-radius: 8px; background: transparent; color: var(--quiet); font: 600 13px/1 system-ui, sans-serif;
  cursor: pointer;
}
.attention-live-embed-button:hover { border-color: var(--line); color: var(--ink); background: var(--paper); }
.attention-live-embed-button:focus-visible { outline: 2px solid var(--accent); }
/* On the line of the steps, which is higher where they have their names under them: src/draw/panels/steps_panel.cpp. */
@media (min-width: 1000px) and (min-height: 600px) {
  .attention-live:not(.attention-live-guest) > .attention-live-embed-button { right: 20px; bottom: 22px; }
}
/* A phone's step bar reaches into the corner. */
@media (max-width: 599px) { .attention-live-embed-button:not(:focus) { opacity: 0; pointer-events: none; } }
.attention-live:not(.attention-live-ready) > .attention-live-embed-button { display: none; }
@media (forced-colors: active) { .attention-live-embed-button { border-color: ButtonBorder; } }
`;

/** @param {HTMLElement} container of the program; it begins anew at each start, and the button comes back then */
export function offerEmbedding(container, open) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'attention-live-embed-button';
  button.textContent = '</>';
  button.addEventListener('click', (event) => {
    // Who pressed it with a pointer goes on with the program's keys when the dialog is closed.
    if (event.detail > 0) button.blur();
    open(event);
  });
  adoptRules(document, rules);
  container.addEventListener('attention-live-start', () => { // with the texts of its language
    button.title = text('element.embed.title');
    button.setAttribute('aria-label', text('element.embed.label'));
    container.append(button);
  });
}

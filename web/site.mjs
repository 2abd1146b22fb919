// The line under the program that says what to do next, with the links to the other pages. In somebody else's page, or in
// a file of its own, there are no others.

import { text } from './texts/program.mjs';

/** The address of this page in another language, with the present state; undefined where there is no such page. */
export function pageIn(language) {
  const page = document.querySelector(`link[rel="alternate"][hreflang="${language}"]`);
  return page ? page.href + location.hash : undefined;
}

/**
 * Another language is another page, and a file that was opened does not go there: whether its reader wants to go all the
 * same.
 * @param {{ example: string }} state of the program
 */
export function mayLeave({ example }) {
  return example !== 'own-layer' || window.confirm(text('program.language.own_layer'));
}

/**
 * @param {HTMLElement} container of the program
 * @param {() => { step: string, example: string }} state of the program, once it has started
 */
export function offerSite(container, state) {
  const line = document.querySelector('#site');
  if (!line) return;
  if (window.top !== window || !/^https?:$/.test(location.protocol)) {
    line.hidden = true;
    return;
  }
  const languages = line.querySelector('select');
  languages.value = document.documentElement.lang;
  languages.addEventListener('change', () => {
    if (mayLeave(state())) location.assign(pageIn(languages.value));
    else languages.value = document.documentElement.lang;
  });
  const says = [...line.querySelectorAll('[data-at]')];
  let scene;
  const follow = ({ detail }) => {
    // The canvas can be dark where the system is not.
    if (line.dataset.theme !== detail.theme) line.dataset.theme = detail.theme;
    if (scene === detail.scene) return;
    scene = detail.scene;
    // After the last step and on the map there is no next one.
    const { step } = state();
    const at = says.some((words) => words.dataset.at === step) ? step : 'step';
    for (const words of says) words.hidden = words.dataset.at !== at;
  };
  for (const name of ['attention-live-start', 'attention-live-change']) container.addEventListener(name, follow);
}

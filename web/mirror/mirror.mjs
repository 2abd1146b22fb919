// What the canvas shows, in words: headings, the step's text and formula, everything that can be chosen, and the
// matrices. It follows the program while it is open, once per change, and does nothing while it is not.

import { createControls } from './controls.mjs';
import { make, write } from './dom.mjs';
import { createMatrices } from './matrices.mjs';

const quiet = 120; // milliseconds in which changes are taken together: a step that plays changes with every frame

/**
 * @param {HTMLElement} container of the canvas, which tells of changes
 * @param {object} api of program/api.mjs
 * @param {{close: () => void}} owner
 */
export function createMirror(container, api, owner) {
  const heading = make('h2', { tabindex: '-1' });
  const place = make('p', { class: 'quiet' });
  const text = make('p');
  const formula = make('p');
  const worked = make('p');
  const shapes = make('p', { class: 'quiet' });
  const note = make('p', { class: 'quiet' });
  const said = make('p', { class: 'said', role: 'status' });
  const close = make('button', { type: 'button', text: 'Close the text', onclick: () => owner.close() });

  let open = false;
  let timer = 0;
  let step = '';
  let message = '';

  /** Says a sentence to those who listen; the same one again is said again. */
  function say(sentence) {
    said.textContent = said.textContent === sentence ? `${sentence}\u00a0` : sentence;
  }

  /** Does what was asked for, and says why where it cannot be done. */
  function ask(action) {
    try {
      action();
      update();
      return true;
    } catch (cause) {
      message = cause.message;
      say(cause.message);
      return false;
    }
  }

  const controls = createControls(api, { ask, say });
  const matrices = createMatrices(api, { ask, say });

  function update() {
    clearTimeout(timer);
    timer = 0;
    if (!open) return;
    const now = api.describe();
    const state = api.state();
    element.dataset.theme = state.theme;
    write(heading, now.step.title);
    write(place, `Step ${now.step.number} of ${now.step.count}, ${now.step.label}. Example: ${now.example.label}, ` +
      `${now.example.variant_label}.`);
    write(text, now.step.text);
    write(formula, `As a formula: ${now.step.spoken}.`);
    write(worked, `With numbers: ${now.step.worked}`);
    write(shapes, `Shapes: ${now.shapes}. ${now.axes}.`);
    note.hidden = !now.example.note;
    write(note, now.example.note ?? '');
    controls.update(api.choices(), state, now);
    matrices.update(now.blocks);
    if (step && step !== now.step.id) say(`Step ${now.step.number} of ${now.step.count}: ${now.step.title}`);
    step = now.step.id;
    if (now.message && now.message !== message) say(now.message);
    message = now.message;
  }

  const changed = () => {
    if (open && !timer) timer = setTimeout(update, quiet);
  };

  const element = make('section', { class: 'attention-live-mirror', 'aria-label': 'attention-live as text', hidden: true }, [
    heading, place, text, formula, worked, shapes, note,
    make('div', { class: 'bar' }, [close]),
    controls.element, matrices.element, said,
  ]);
  // The program's keys are the canvas's: none that is pressed here reaches it.
  element.addEventListener('keydown', (event) => {
    event.stopPropagation();
    if (event.key === 'Escape' && !event.defaultPrevented) owner.close();
  });

  return {
    element,
    show() {
      open = true;
      element.hidden = false;
      container.addEventListener('attention-live-change', changed);
      update();
      heading.focus();
    },
    hide() {
      open = false;
      clearTimeout(timer);
      timer = 0;
      element.hidden = true;
      container.removeEventListener('attention-live-change', changed);
    },
    close: owner.close,
    disconnect() {
      this.hide();
    },
  };
}

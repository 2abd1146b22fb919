// "Read as text": what the canvas shows as headings, the step's text and formula, controls and matrices. It is updated
// after each change while it is open.

import { createControls } from './controls.mjs';
import { button, make, write } from './dom.mjs';
import { createMatrices } from './matrices.mjs';
import { createTraining } from './training.mjs';

const quiet = 120; // milliseconds in which changes are taken together: a step that plays changes with every frame

/** What a translation says, and what the heads of an attention do with its sentence. */
function translated(translation, attention) {
  if (!translation) return [];
  const heads = translation.heads.filter((each) => each.attention === attention)
    .map(({ head, pattern, share }) => `head ${head} ${pattern} ${Math.round(share * 100)} %`);
  const unchanged = translation.unchanged ? [translation.unchanged.words] : [];
  return [`In Spanish: ${translation.text}`, ...unchanged, `Where these heads look: ${heads.join(', ')}.`];
}

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
  const sources = make('div', { class: 'bar' });
  const made = make('details', {}, [make('summary', { text: 'Go to a number that it was made of' }), sources]);
  const shapes = make('p', { class: 'quiet' });
  const note = make('p', { class: 'quiet' });
  const said = make('p', { class: 'said', role: 'status' });
  const close = make('button', { type: 'button', text: 'Close the text', onclick: () => owner.close() });

  let open = false;
  let timer = 0;
  let step = '';
  let message = '';

  /** Announces a sentence to screen readers, even if it is the same as before. */
  function say(sentence) {
    said.textContent = said.textContent === sentence ? `${sentence}\u00a0` : sentence;
  }

  /** Carries out an action and announces its error, if any. */
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
  const training = createTraining(api, ask);
  const matrices = createMatrices(api, { ask, say });

  let offered = '';
  /** A button for each number that the focus was made of; made anew only where it is another list. */
  function offerSources(list) {
    const wanted = JSON.stringify(list);
    if (wanted === offered) return;
    offered = wanted;
    made.hidden = list.length === 0;
    sources.replaceChildren(...list.map(({ attention, tensor, index, text: label }) => button(label, () => {
      let told = '';
      if (ask(() => { told = api.go({ attention, tensor, index }); })) say(`Selected: ${told}`);
      heading.focus();
    })));
  }

  function update() {
    clearTimeout(timer);
    timer = 0;
    if (!open) return;
    const now = api.describe();
    const state = api.state();
    element.dataset.theme = state.theme;
    element.part = 'text';
    write(heading, now.step.title);
    write(place, `Step ${now.step.number} of ${now.step.count}, ${now.step.label}. Example: ${now.example.label}, ` +
      `${now.example.variant_label}.`);
    write(text, now.step.text);
    write(formula, `As a formula: ${now.step.spoken}.`);
    write(worked, `With numbers: ${now.step.worked}`);
    offerSources(now.focus.sources);
    write(shapes, `Shapes: ${now.shapes}. ${now.axes}.`);
    note.hidden = !now.example.note && !now.translation;
    write(note, [...translated(now.translation, state.attention), now.example.note ?? ''].join(' '));
    training.update(now.training, state);
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
    heading, place, text, formula, worked, made, shapes, note,
    make('div', { class: 'bar' }, [close]),
    training.element, controls.element, matrices.element, said,
  ]);
  // Keys pressed here must not reach the program.
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

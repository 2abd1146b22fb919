// "Read as text": what the canvas shows as headings, the step's text and formula, controls and matrices. It is updated
// after each change while it is open.

import { createControls } from './controls.mjs';
import { button, make, write } from './dom.mjs';
import { createMatrices } from './matrices.mjs';
import { createPath } from './path.mjs';
import { createTraining } from './training.mjs';
import { textFor } from '../texts/mirror.mjs';

const quiet = 120; // milliseconds in which changes are taken together: a step that plays changes with every frame

/** What a translation says, and what the heads of an attention do with its sentence, or with held-out ones. */
function translated(text, translation, { attention, held_out_heads: heldOut }) {
  if (!translation) return [];
  const { held_out_sentences: count } = translation;
  const there = heldOut && count;
  const heads = translation.heads.filter((each) => each.attention === attention).map((each) => {
    const { pattern, share } = there ? each.held_out : each;
    return text('mirror.translation.head', { head: each.head, pattern, share: Math.round(share * 100) });
  });
  const unchanged = translation.unchanged ? [translation.unchanged.words] : [];
  return [
    text('mirror.translation.spanish', { sentence: translation.text }), ...unchanged,
    there ? text('mirror.translation.held_out', { count, heads: heads.join(', ') })
      : text('mirror.translation.heads', { heads: heads.join(', ') }),
  ];
}

/**
 * @param {HTMLElement} container of the canvas, which tells of changes
 * @param {object} api of program/api.mjs
 * @param {{close: () => void}} owner
 */
export function createMirror(container, api, owner) {
  const text = textFor(api);
  const heading = make('h2', { tabindex: '-1' });
  const place = make('p', { class: 'quiet' });
  const explanation = make('p');
  const formula = make('p');
  const worked = make('p');
  const sources = make('div', { class: 'bar' });
  const made = make('details', {}, [make('summary', { text: text('mirror.page.sources') }), sources]);
  const shapes = make('p', { class: 'quiet' });
  const note = make('p', { class: 'quiet' });
  const said = make('p', { class: 'said', role: 'status' });
  const close = make('button', { type: 'button', text: text('mirror.page.close'), onclick: () => owner.close() });

  let open = false;
  let timer = 0;
  let step = '';
  let message = '';
  let notice = '';

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
  const path = createPath(api, ask);
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
      const done = ask(() => { told = api.go({ attention, tensor, index }); });
      if (done) say(text('mirror.page.selected', { cell: told }));
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
    write(place, text('mirror.page.place', {
      ...now.step, example: now.example.label, variant: now.example.variant_label,
    }));
    path.update(now.path);
    write(explanation, now.step.text);
    write(formula, text('mirror.page.formula', { formula: now.step.spoken }));
    write(worked, text('mirror.page.worked', { equation: now.step.worked }));
    offerSources(now.focus.sources);
    write(shapes, text('mirror.page.shapes', now));
    note.hidden = !now.example.note && !now.translation;
    write(note, [...translated(text, now.translation, state), now.example.note ?? ''].join(' '));
    training.update(now.training, state);
    controls.update(api.choices(), state, now);
    matrices.update(now.blocks);
    if (step && step !== now.step.id) say(text('mirror.page.step', now.step));
    step = now.step.id;
    if (now.notice && now.notice !== notice) say(now.notice);
    notice = now.notice;
    if (now.message && now.message !== message) say(now.message);
    message = now.message;
  }

  const changed = () => {
    if (open && !timer) timer = setTimeout(update, quiet);
  };

  const label = text('mirror.page.label');
  const element = make('section', { class: 'attention-live-mirror', 'aria-label': label, hidden: true }, [
    heading, place, path.element, explanation, formula, worked, made, shapes, note,
    make('div', { class: 'bar' }, [close]),
    training.element, controls.element, matrices.element, said,
  ]);
  element.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || event.defaultPrevented) return;
    event.preventDefault(); // nor does it close a dialog around
    owner.close();
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

// Everything that can be chosen, as buttons and fields with names.

import { make, newId, selection, words, write } from './dom.mjs';

const button = (text, onclick) => make('button', { type: 'button', text, onclick });
const numbered = (name, count) => Array.from({ length: count }, (_, i) => ({ id: String(i), label: `${name} ${i + 1}` }));
/** Words of a sentence as choices; the place tells two of a word apart. */
const tokens = (list) => list.map((token, i) => ({ id: String(i), label: `${i + 1}: ${token}` }));

/**
 * @param {object} api of program/api.mjs
 * @param {(action: () => void) => boolean} ask does what was chosen
 */
export function createControls(api, ask) {
  const set = (part) => ask(() => api.set(part));
  const steps = make('ol');
  let order = [];
  let here = 0;
  let playing = false;
  const go = (to) => set({ step: order[to].id });
  const previous = button('Previous step', () => go(here - 1));
  const next = button('Next step', () => go(here + 1));
  const play = make('button', {
    type: 'button', text: 'Play the lesson', 'aria-pressed': 'false', onclick: () => ask(() => api.play(!playing)),
  });
  const undo = button('Undo', () => ask(() => api.undo()));
  const redo = button('Redo', () => ask(() => api.redo()));
  const reset = button('Reset to the example', () => ask(() => api.reset()));

  const fields = {
    example: selection('Example', (id) => set({ example: id })),
    variant: selection('Variant', (id) => set({ variant: id })),
    attention: selection('Attention', (id) => set({ attention: id })),
    head: selection('Head', (id) => set(id === 'all' ? { all_heads: true } : { head: Number(id), all_heads: false })),
    query: selection('Query', (id) => set({ query: Number(id) })),
    sample: selection('Sample of the batch', (id) => set({ sample: Number(id) })),
    mask: selection('Mask', (id) => set({ mask: id })),
    scale: selection('Scores are divided by', (id) => {
      if (id !== 'number') set({ scale: id });
    }),
    mistake: selection('Mistake made on purpose', (id) => set({ mistake: id })),
  };
  const sentenceId = newId();
  const sentence = make('input', { id: sentenceId, type: 'text', onchange: () => set({ sentence: sentence.value }) });
  const sentenceField = make('div', { class: 'field' }, [make('label', { for: sentenceId, text: 'Sentence' }), sentence]);

  function updateSteps(list, current) {
    if (order.map(({ id }) => id).join() !== list.map(({ id }) => id).join()) {
      order = list;
      steps.replaceChildren(...list.map(({ label }, i) => make('li', {}, [button(`${i + 1} ${label}`, () => go(i))])));
    }
    here = list.findIndex(({ id }) => id === current);
    [...steps.children].forEach((item, i) => {
      if (i === here) item.firstChild.setAttribute('aria-current', 'step');
      else item.firstChild.removeAttribute('aria-current');
    });
    enable(previous, here > 0);
    enable(next, here + 1 < list.length);
  }

  /** A button that has the focus keeps it: it is not disabled under the reader's fingers but says that it does nothing. */
  function enable(each, able) {
    const root = each.getRootNode();
    each.disabled = !able && root.activeElement !== each;
    if (each.disabled || able) each.removeAttribute('aria-disabled');
    else each.setAttribute('aria-disabled', 'true');
  }
  for (const each of [previous, next, undo, redo]) {
    each.addEventListener('click', (event) => {
      if (each.getAttribute('aria-disabled') === 'true') event.stopImmediatePropagation();
    }, { capture: true });
  }

  return {
    element: make('div', {}, [
      make('h3', { text: 'Steps' }),
      make('div', { class: 'bar' }, [previous, next, play]),
      steps,
      make('h3', { text: 'Choices' }),
      make('div', { class: 'fields' }, [...Object.values(fields).map((field) => field.element), sentenceField]),
      make('div', { class: 'bar' }, [undo, redo, reset]),
    ]),

    update(choices, state, now) {
      updateSteps(choices.steps, state.step);
      playing = now.playing;
      play.setAttribute('aria-pressed', String(playing));
      enable(undo, choices.can_undo);
      enable(redo, choices.can_redo);
      const example = choices.examples.find(({ id }) => id === state.example);
      fields.example.update(choices.examples, state.example);
      fields.variant.update(example.variants, state.variant);
      fields.attention.update(choices.attentions, state.attention);
      const heads = choices.heads > 1 ? [{ id: 'all', label: 'all heads' }, ...numbered('head', choices.heads)] : [];
      fields.head.update(heads, state.all_heads ? 'all' : String(state.head));
      fields.query.update(tokens(choices.query_tokens), String(state.query));
      fields.sample.update(numbered('sample', choices.samples), String(state.sample));
      fields.mask.update(choices.masks.map((id) => ({ id, label: words(id) })), state.mask);
      const typed = typeof state.scale === 'number' ? [{ id: 'number', label: String(state.scale) }] : [];
      fields.scale.update([...choices.scales, ...typed], typed.length ? 'number' : state.scale);
      fields.mistake.update(choices.mistakes, state.guessing ? 'none' : state.mistake);
      fields.mistake.element.hidden = state.guessing;
      sentenceField.hidden = !choices.has_sentence;
      if (sentence.value !== state.sentence && sentence.getRootNode().activeElement !== sentence) {
        sentence.value = state.sentence;
      }
      write(play, playing ? 'Stop playing' : 'Play the lesson');
    },
  };
}

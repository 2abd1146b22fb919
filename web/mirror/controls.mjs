// Everything that can be chosen, as buttons and fields with names.

import { entry, make, selection, toggle, words, write } from './dom.mjs';

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
    projection: selection('Followed where one stands for all', (id) => set({ projection: id })),
    mistake: selection('Mistake made on purpose', (id) => set({ mistake: id })),
  };
  /** A number goes as a number; anything else goes as it is, so that the program says what is wrong with it. */
  const typed = (field) => (text) => set({ [field]: text.trim() === '' || Number.isNaN(Number(text)) ? text : Number(text) });
  const numeric = { inputmode: 'decimal' };
  const entries = {
    divisor: entry('Or divided by the number', typed('scale'), numeric),
    embed_dim: entry('Width of a row, embed_dim', typed('embed_dim'), numeric),
    num_heads: entry('Number of heads', typed('num_heads'), numeric),
    seed: entry('Seed of the random numbers', typed('seed'), numeric),
    sentence: entry('Sentence', (text) => set({ sentence: text })),
  };
  const switches = {
    position_encoding: toggle('Position encoding is added', (on) => set({ position_encoding: on })),
    compare: toggle('The picture shows the differences to the original', (on) => set({ compare: on })),
  };
  const elements = (all) => Object.values(all).map(({ element }) => element);

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
      make('div', { class: 'fields' }, [...elements(fields), ...elements(entries)]),
      make('div', { class: 'bar' }, elements(switches)),
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
      const given = typeof state.scale === 'number' ? [{ id: 'number', label: String(state.scale) }] : [];
      fields.scale.update([...choices.scales, ...given], given.length ? 'number' : state.scale);
      fields.projection.update(['q', 'k', 'v'].map((id) => ({ id, label: id.toUpperCase() })), state.projection);
      fields.mistake.update(choices.mistakes, state.guessing ? 'none' : state.mistake);
      fields.mistake.element.hidden = state.guessing;
      entries.divisor.update(given.length ? String(state.scale) : '');
      entries.embed_dim.update(String(state.embed_dim));
      entries.num_heads.update(String(state.num_heads));
      entries.seed.update(String(state.seed), choices.has_seed);
      entries.sentence.update(state.sentence, choices.has_sentence);
      switches.position_encoding.update(state.position_encoding);
      switches.compare.update(state.compare, state.compare || choices.can_undo);
      write(play, playing ? 'Stop playing' : 'Play the lesson');
    },
  };
}

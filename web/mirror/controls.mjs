// Everything that can be chosen, as buttons and fields with names, in groups: what is computed, which heads take part,
// what is broken, and what is looked at.

import { button, entry, group, make, selection, toggle, words, write } from './dom.mjs';
import { createHeads } from './heads.mjs';
import { createLearn } from './learn.mjs';
import { createRiddle } from './riddle.mjs';
import { createSteps, deed, enable } from './steps.mjs';
import { textFor } from '../texts/mirror.mjs';

/** @param {string} key of a text with a place for a {number} */
const numbered = (text, key, count) => (
  Array.from({ length: count }, (_, number) => ({ id: String(number), label: text(key, { number }) })));
/** Words of a sentence as choices; the place tells two of a word apart. */
const tokens = (list) => list.map((token, i) => ({ id: String(i), label: `${i}: ${token}` }));
const elements = (all) => Object.values(all).map(({ element }) => element);

/** Choices that change numbers. */
function createComputed(api, ask) {
  const text = textFor(api);
  const decodings = [
    { id: '1', label: text('mirror.computed.greedy') }, { id: '4', label: text('mirror.computed.beam_of', { width: 4 }) },
  ];
  const set = (part) => ask(() => api.set(part));
  /** A number, or the text itself if it is none, so that the program reports the error. */
  const typed = (field) => (text) => set({ [field]: text.trim() === '' || Number.isNaN(Number(text)) ? text : Number(text) });
  const number = (label, field) => entry(label, typed(field), { inputmode: 'decimal' });
  const picture = make('div', { class: 'bar', role: 'group', 'aria-label': text('mirror.computed.picture') });
  const ours = button(text('mirror.computed.own_picture'), () => {
    if (set({ picture: '' })) picture.firstChild.focus();
  });
  picture.append(button(text('mirror.computed.choose_picture'), () => api.choosePicture()), ours);
  let said = []; // the tokens of the translation
  let finished = []; // the translations that a beam found
  let place = 0; // of the one whose choices are listed
  const another = button(text('mirror.computed.new_seed'), () => set({ seed: (api.state().seed + 1) % 2 ** 32 }));

  const fields = {
    example: selection(text('mirror.computed.example'), (id) => {
      const { loaded } = api.choices().examples.find((example) => example.id === id);
      if (loaded) set({ example: id });
      else if (id === 'own-layer') api.chooseLayer();
      else api.showTranslator();
    }),
    variant: selection(text('mirror.computed.variant'), (id) => set({ variant: id })),
    sentence: entry(text('mirror.computed.sentence'), (text) => set({ sentence: text })),
    own_words: entry('', (words) => {
      api.wordsTyped(words);
      return true;
    }),
    beam: selection(text('mirror.computed.beam'), (id) => set({ beam: Number(id) })),
    finished: selection(text('mirror.computed.finished'), (id) => set({ translation_begin: finished[Number(id)].tokens })),
    said: selection(text('mirror.computed.said'), (id) => {
      place = Number(id);
      showCandidates();
    }),
    candidate: selection(text('mirror.computed.candidate'), (id) => set({
      translation_begin: [...said.slice(0, place).map(({ token }) => token), Number(id)],
    })),
    source_len: number(text('mirror.computed.tokens'), 'source_len'),
    target_len: number(text('mirror.computed.target'), 'target_len'),
    embed_dim: number(text('mirror.computed.embed_dim'), 'embed_dim'),
    num_heads: number(text('mirror.computed.heads'), 'num_heads'),
    num_kv_heads: number(text('mirror.computed.kv_heads'), 'num_kv_heads'),
    kdim: number(text('mirror.computed.kdim'), 'kdim'),
    rope: number(text('mirror.computed.rope'), 'rope'),
    softcap: number(text('mirror.computed.softcap'), 'softcap'),
    window: number(text('mirror.computed.window'), 'window'),
    sink: number(text('mirror.computed.sink'), 'sink'),
    mask: selection(text('mirror.computed.mask'), (id) => set({ mask: id })),
    scale: selection(text('mirror.computed.scale'), (id) => {
      if (id !== 'number') set({ scale: id });
    }),
    divisor: number(text('mirror.computed.divisor'), 'scale'),
    seed: number(text('mirror.computed.seed'), 'seed'),
  };
  /** What the model could say in the chosen place, with what it says. */
  function showCandidates() {
    const here = said[place];
    const all = !here || here.candidates.some(({ token }) => token === here.token)
      ? here?.candidates ?? [] : [...here.candidates, here];
    fields.candidate.update(all.map(({ token, text, probability }) => (
      { id: String(token), label: `${text}: ${(probability * 100).toFixed(1)} %` })), String(here?.token));
  }
  const alibi = toggle(text('mirror.computed.alibi'), (on) => set({ alibi: on }));
  const norm = toggle(text('mirror.computed.qk_norm'), (on) => set({ qk_norm: on }));
  const sinks = toggle(text('mirror.computed.sinks'), (on) => set({ sink: on ? 0 : null }));
  const cache = toggle(text('mirror.computed.cache'), (on) => set(
    on ? { mask: 'look-ahead', step: 'project', show: 'auto' } : { mask: 'none' }));
  const position = toggle(text('mirror.computed.position'), (on) => set({ position_encoding: on }));

  return {
    element: group(text('mirror.computed.title'), [
      make('div', { class: 'fields' }, elements(fields)), make('div', { class: 'bar' }, [another, position.element, norm.element, alibi.element, sinks.element, cache.element]), picture,
    ]),

    update(choices, state, now) {
      const example = choices.examples.find(({ id }) => id === state.example);
      fields.example.update(choices.examples, state.example);
      fields.variant.update(example.variants, state.variant);
      fields.sentence.update(state.sentence, choices.has_sentence);
      const own = choices.own_words;
      write(fields.own_words.element.firstChild, text(own?.kind === 'text' ? 'mirror.computed.sentence' : 'mirror.computed.ids'));
      fields.own_words.update(own?.typed ?? '', own !== null);
      fields.beam.update(now.translation ? decodings : [], String(state.beam));
      finished = now.translation?.finished ?? [];
      fields.finished.update(finished.map((each, i) => ({ id: String(i), label: `${each.text} (${each.words})` })),
        String(finished.findIndex(({ shown }) => shown)));
      said = now.translation?.tokens ?? [];
      place = Math.min(place, Math.max(said.length - 1, 0));
      fields.said.update(tokens(said.map(({ text }) => text)), String(place));
      showCandidates();
      const source = state.target_len > 0 ? 'mirror.computed.source' : 'mirror.computed.tokens';
      write(fields.source_len.element.firstChild, text(source));
      fields.source_len.update(String(state.source_len), state.source_len > 0);
      fields.target_len.update(String(state.target_len), state.target_len > 0);
      fields.embed_dim.update(String(state.embed_dim));
      fields.num_heads.update(String(state.num_heads));
      fields.num_kv_heads.update(String(state.num_kv_heads), choices.has_kv_heads);
      fields.kdim.update(String(state.kdim), choices.has_kdim);
      fields.rope.update(String(state.rope), choices.has_attention_variants);
      fields.softcap.update(String(state.softcap), choices.has_attention_variants);
      fields.window.update(String(state.window), choices.has_attention_variants);
      fields.mask.update(choices.masks.map((id) => ({ id, label: words(id) })), state.mask);
      const given = typeof state.scale === 'number' ? [{ id: 'number', label: String(state.scale) }] : [];
      fields.scale.update([...choices.scales, ...given], given.length ? 'number' : state.scale);
      fields.divisor.update(given.length ? String(state.scale) : '');
      fields.seed.update(String(state.seed), choices.has_seed);
      another.hidden = !choices.has_seed;
      position.update(state.position_encoding);
      norm.update(state.qk_norm, choices.has_attention_variants);
      alibi.update(state.alibi, choices.has_attention_variants);
      sinks.update(state.sink !== null, choices.has_attention_variants);
      cache.update(['look-ahead', 'both'].includes(state.mask), choices.could_keep_tokens);
      fields.sink.update(String(state.sink), state.sink !== null);
      picture.hidden = state.example !== 'image-patches'; // the only one whose tokens are seen
      ours.hidden = state.picture === '';
    },
  };
}

/** Whether the sentence is drawn, with one head's weights or with the mean of all. */
const ofSentence = ({ step, show }) => step === 'sentence' && show !== 'matrices';

/** Choices of what is shown. */
function createLook(api, ask) {
  const text = textFor(api);
  const shows = [
    { id: 'auto', label: text('mirror.view.show_auto') }, { id: 'matrices', label: text('mirror.view.show_matrices') },
    { id: 'figure', label: text('mirror.view.show_figure') },
  ];
  const cards = [
    { id: 'cards', label: text('mirror.view.map_nothing') }, { id: 'split', label: text('mirror.view.map_split') },
    { id: 'scale', label: text('mirror.view.map_scale') },
    { id: 'all', label: text('mirror.view.map_both') },
  ];
  const themes = [
    { id: 'auto', label: text('mirror.view.theme_auto') }, { id: 'light', label: text('mirror.view.theme_light') },
    { id: 'dark', label: text('mirror.view.theme_dark') },
  ];
  const set = (part) => ask(() => api.set(part));
  const fields = {
    attention: selection(text('mirror.view.attention'), (id) => set({ attention: id })),
    head: selection(text('mirror.view.head'), (id) => (
      set(id === 'all' ? { all_heads: true, mean_heads: ofSentence(api.state()) }
        : { head: Number(id), all_heads: false, mean_heads: false }))),
    query: selection(text('mirror.view.query'), (id) => set({ query: Number(id) })),
    key: selection(text('mirror.view.key'), (id) => set({ key: Number(id) })),
    sample: selection(text('mirror.view.sample'), (id) => set({ sample: Number(id) })),
    projection: selection(text('mirror.view.projection'), (id) => set({ projection: id })),
    show: selection(text('mirror.view.show'), (id) => set({ show: id })),
    map: selection(text('mirror.view.map'), (id) => set({ map: id })),
    theme: selection(text('mirror.view.theme'), (id) => set({ theme: id })),
  };
  const switches = {
    all_samples: toggle(text('mirror.view.stack'), (on) => set({ all_samples: on })),
    shared_scale: toggle(text('mirror.view.shared_scale'), (on) => set({ shared_scale: on })),
    weights_to_one: toggle(text('mirror.view.to_one'), (on) => set({ weights_to_one: on })),
    sort_heads: toggle(text('mirror.view.sort'), (on) => set({ sort_heads: on })),
    held_out_heads: toggle(text('mirror.view.held_out'), (on) => set({ held_out_heads: on })),
    compare: toggle(text('mirror.view.compare'), (on) => set({ compare: on })),
  };

  return {
    element: group(text('mirror.view.title'), [
      make('div', { class: 'fields' }, elements(fields)), make('div', { class: 'bar' }, elements(switches)),
    ]),

    update(choices, state, now) {
      fields.attention.update(choices.attentions, state.attention);
      const all = { id: 'all', label: text('mirror.view.all_heads') };
      const heads = [all, ...numbered(text, 'mirror.view.head_number', choices.heads)];
      fields.head.update(choices.heads > 1 ? heads : [], (ofSentence(state) ? state.mean_heads : state.all_heads) ? 'all' : String(state.head));
      fields.query.update(tokens(choices.query_tokens), String(state.query));
      fields.key.update(tokens(choices.key_tokens), String(state.key));
      fields.sample.update(numbered(text, 'mirror.view.sample_number', choices.samples), String(state.sample));
      fields.projection.update(['q', 'k', 'v'].map((id) => ({ id, label: id.toUpperCase() })), state.projection);
      fields.show.update(shows, state.show);
      fields.map.update(state.step === 'overview' ? cards : [], state.map);
      fields.theme.update(themes, state.theme);
      switches.all_samples.update(state.all_samples, choices.samples > 1);
      switches.shared_scale.update(state.shared_scale);
      switches.weights_to_one.update(state.weights_to_one);
      switches.sort_heads.update(state.sort_heads, now.translation !== null && state.step === 'overview');
      switches.held_out_heads.update(state.held_out_heads, Boolean(now.translation?.held_out_sentences));
      switches.compare.update(state.compare, state.compare || choices.can_undo);
    },
  };
}

/**
 * @param {object} api of program/api.mjs
 * @param {{ask: (action: () => void) => boolean, say: (sentence: string) => void}} reader
 */
export function createControls(api, reader) {
  const text = textFor(api);
  const { ask, say } = reader;
  const parts = [createComputed(api, ask), createLook(api, ask), createHeads(api, ask), createRiddle(api, reader),
    createLearn(api, ask)];
  const steps = createSteps(api, ask);
  const undo = deed(text('mirror.choices.undo'), () => ask(() => api.undo()));
  const redo = deed(text('mirror.choices.redo'), () => ask(() => api.redo()));
  const reset = button(text('mirror.choices.reset'), () => ask(() => api.reset()));
  /** A button that removes the weights set by hand for the present query. */
  const release = button(text('mirror.choices.release'), () => {
    if (ask(() => api.set({ given_weights: rows().filter((row) => !row.here).map(({ row }) => row) }))) reset.focus();
  });
  /** Offered where they do not add up to 1 as they are. */
  const rescale = button(text('mirror.choices.rescale'), () => {
    const divided = ({ row, here }) => (here && total(row) > 0
      ? { ...row, weights: row.weights.map((weight) => weight / total(row)) } : row);
    if (ask(() => api.set({ given_weights: rows().map(divided) }))) release.focus();
  });
  const link = button(text('mirror.choices.copy_link'), () => ask(() => {
    api.copyText(api.home + api.link());
    const own = api.state().example === 'own-layer';
    say(text(own ? 'mirror.choices.link_without_file' : 'mirror.choices.link_copied'));
  }));

  const total = (row) => row.weights.reduce((sum, weight) => sum + weight, 0);

  /** The rows of attention_weights that are set by hand. */
  function rows(state = api.state()) {
    return state.given_weights.map((row) => ({
      row,
      here: row.attention === state.attention && row.sample === state.sample && row.query === state.query &&
        (state.all_heads || row.head === state.head),
    }));
  }

  return {
    element: make('div', {}, [
      steps.element,
      make('h3', { text: text('mirror.choices.title') }),
      ...parts.map(({ element }) => element),
      make('div', { class: 'bar' }, [undo, redo, reset, release, rescale, link]),
    ]),

    update(choices, state, now) {
      steps.update(choices, state, now);
      for (const part of parts) part.update(choices, state, now);
      enable(undo, choices.can_undo);
      enable(redo, choices.can_redo);
      const here = rows(state).filter((each) => each.here);
      release.hidden = here.length === 0;
      rescale.hidden = !here.some(({ row }) => total(row) > 0 && Math.abs(total(row) - 1) >= 0.0005);
    },
  };
}

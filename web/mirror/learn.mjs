// Targets, gradients and steps of gradient descent.

import { button, entry, group, make, toggle, words, write } from './dom.mjs';
import { enable, deed } from './steps.mjs';

const kinds = ['embeddings', 'q_proj_weight', 'k_proj_weight', 'v_proj_weight', 'out_proj_weight'];

/**
 * @param {object} api of program/api.mjs
 * @param {(action: () => void) => boolean} ask
 */
export function createLearn(api, ask) {
  const set = (part) => ask(() => api.set(part));
  const targets = toggle('Set targets: a number typed into output or attention_weights is what it should be',
    (on) => set({ learning: on }));
  const gradients = toggle('Show gradients in place of values', (on) => set({ gradients: on }));
  const rate = entry('Learning rate',
    (text) => set({ learning_rate: text.trim() === '' || Number.isNaN(Number(text)) ? text : Number(text) }),
    { inputmode: 'decimal' });
  const ticks = Object.fromEntries(kinds.map((kind) => [kind, toggle(`Learn ${words(kind)}`, (on) => {
    const { learns } = api.state();
    set({ learns: kinds.filter((each) => (each === kind ? on : learns.includes(each))) });
  })]));
  const step = deed('Learn: one step', () => ask(() => api.learn()));
  const play = deed('Learn step after step', () => ask(() => api.learn(!api.describe().learning?.learns)));
  const remove = deed('Remove the targets', () => set({ target: [] }));
  const loss = make('p', { role: 'status' });
  const update = make('p', {});
  const descent = make('div', {}, [
    loss, update, make('div', { class: 'bar' }, [step, play, remove]),
    make('div', { class: 'fields' }, [rate.element]), gradients.element,
    make('div', { class: 'bar' }, kinds.map((kind) => ticks[kind].element)),
  ]);

  return {
    element: group('Learning', [targets.element, descent]),

    update(choices, state, now) {
      targets.update(state.learning);
      descent.hidden = !now.learning;
      if (!now.learning) return;
      const { before } = now.learning;
      write(loss, `Loss ${now.learning.loss.toPrecision(4)}${before === null ? '' : `, before the last step ${before.toPrecision(4)}`}.`);
      write(update, now.learning.update && `Next step: ${now.learning.update}`);
      write(play, now.learning.learns ? 'Stop learning' : 'Learn step after step');
      enable(step, !now.learning.learns);
      gradients.update(state.gradients);
      rate.update(String(state.learning_rate));
      for (const kind of kinds) ticks[kind].update(state.learns.includes(kind), choices.learns.includes(kind));
    },
  };
}

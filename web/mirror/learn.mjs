// Targets, gradients and steps of gradient descent.

import { button, entry, group, make, toggle, words, write } from './dom.mjs';
import { enable, deed } from './steps.mjs';
import { textFor } from '../texts/mirror.mjs';

const kinds = ['embeddings', 'q_proj_weight', 'k_proj_weight', 'v_proj_weight', 'out_proj_weight'];

/**
 * @param {object} api of program/api.mjs
 * @param {(action: () => void) => boolean} ask
 */
export function createLearn(api, ask) {
  const text = textFor(api);
  const set = (part) => ask(() => api.set(part));
  const targets = toggle(text('mirror.learn.targets'),
    (on) => set({ learning: on }));
  const gradients = toggle(text('mirror.learn.gradients'), (on) => set({ gradients: on }));
  const rate = entry(text('mirror.learn.rate'),
    (text) => set({ learning_rate: text.trim() === '' || Number.isNaN(Number(text)) ? text : Number(text) }),
    { inputmode: 'decimal' });
  const tick = (kind) => toggle(text('mirror.learn.what', { what: words(kind) }), (on) => {
    const { learns } = api.state();
    set({ learns: kinds.filter((each) => (each === kind ? on : learns.includes(each))) });
  });
  const ticks = Object.fromEntries(kinds.map((kind) => [kind, tick(kind)]));
  const step = deed(text('mirror.learn.step'), () => ask(() => api.learn()));
  const play = deed(text('mirror.learn.play'), () => ask(() => api.learn(!api.describe().learning?.learns)));
  const remove = deed(text('mirror.learn.remove'), () => set({ target: [] }));
  const loss = make('p', { role: 'status' });
  const update = make('p', {});
  const descent = make('div', {}, [
    loss, update, make('div', { class: 'bar' }, [step, play, remove]),
    make('div', { class: 'fields' }, [rate.element]), gradients.element,
    make('div', { class: 'bar' }, kinds.map((kind) => ticks[kind].element)),
  ]);

  return {
    element: group(text('mirror.learn.title'), [targets.element, descent]),

    update(choices, state, now) {
      targets.update(state.learning);
      descent.hidden = !now.learning;
      if (!now.learning) return;
      const { before } = now.learning;
      const four = (number) => number?.toPrecision(4).replace('e+', 'e');
      const told = { loss: four(now.learning.loss), before: four(before) };
      write(loss, text(before === null ? 'mirror.learn.loss' : 'mirror.learn.loss_fell', told));
      write(update, now.learning.update && text('mirror.learn.next', now.learning));
      write(play, now.learning.learns ? text('mirror.learn.stop') : text('mirror.learn.play'));
      enable(step, !now.learning.learns);
      gradients.update(state.gradients);
      rate.update(String(state.learning_rate));
      for (const kind of kinds) ticks[kind].update(state.learns.includes(kind), choices.learns.includes(kind));
    },
  };
}

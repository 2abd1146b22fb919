// Training, where the example has a task: how far it is, in words, and buttons and fields for how it goes on.

import { button, entry, group, make, selection, write } from './dom.mjs';
import { textFor } from '../texts/mirror.mjs';
import { numberText } from '../texts/text.mjs';

/**
 * @param {object} api of program/api.mjs
 * @param {(action: () => void) => boolean} ask carries out an action
 */
export function createTraining(api, ask) {
  const text = textFor(api);
  const methods = [
    { id: 'sgd', label: text('mirror.training.sgd') }, { id: 'momentum', label: text('mirror.training.momentum') },
    { id: 'adam', label: text('mirror.training.adam') },
  ];
  const set = (part) => ask(() => api.set(part));
  const typed = (field) => (text) => set({ [field]: text.trim() === '' || Number.isNaN(Number(text)) ? text : Number(text) });
  const rule = make('p');
  const state = make('p');
  const curve = make('p', { class: 'quiet' });
  let on = false;
  const play = button(text('mirror.training.train'), () => ask(() => api.train(!on)), { 'aria-pressed': 'false' });
  const more = (by) => () => ask(() => api.set({ trained_steps: api.state().trained_steps + by }));
  const fields = {
    steps: entry(text('mirror.training.steps'), typed('trained_steps'), { inputmode: 'numeric' }),
    sequence: entry(text('mirror.training.sequence'), typed('sequence'), { inputmode: 'numeric' }),
    method: selection(text('mirror.training.method'), (method) => set({ method })),
    rate: entry(text('mirror.training.rate'), typed('training_rate'), { inputmode: 'decimal' }),
    batch: entry(text('mirror.training.batch'), typed('batch_size'), { inputmode: 'numeric' }),
  };
  const element = group(text('mirror.training.title'), [
    rule, state, curve,
    make('div', { class: 'bar' }, [
      play, button(text('mirror.training.step'), more(1)),
      button(text('mirror.training.restart'), () => set({ trained_steps: 0 })),
    ]),
    make('div', { class: 'fields' }, Object.values(fields).map((field) => field.element)),
  ]);

  return {
    element,
    update(now, { trained_steps, sequence, method, training_rate, batch_size }) {
      element.hidden = !now;
      if (!now) return;
      on = now.playing;
      write(play, on ? text('mirror.training.pause') : text('mirror.training.train'));
      play.setAttribute('aria-pressed', String(on));
      write(rule, now.rule);
      write(state, [now.text, now.trouble, now.answers].filter(Boolean).join(' '));
      const points = now.measured.map(({ steps, loss, accuracy }) => `${steps}: ${numberText(loss, 3)}, ${accuracy.toFixed(3)}`);
      write(curve, text('mirror.training.curve', { points: points.join('; ') }));
      fields.steps.update(String(trained_steps));
      fields.sequence.update(String(sequence));
      fields.method.update(methods, method);
      fields.rate.update(String(training_rate));
      fields.batch.update(String(batch_size));
    },
  };
}

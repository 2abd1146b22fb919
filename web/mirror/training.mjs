// Training, where the example has a task: how far it is, in words, and buttons and fields for how it goes on.

import { button, entry, group, make, selection, write } from './dom.mjs';

const methods = [['sgd', 'SGD'], ['momentum', 'momentum'], ['adam', 'Adam']].map(([id, label]) => ({ id, label }));

/**
 * @param {object} api of program/api.mjs
 * @param {(action: () => void) => boolean} ask carries out an action
 */
export function createTraining(api, ask) {
  const set = (part) => ask(() => api.set(part));
  const typed = (field) => (text) => set({ [field]: text.trim() === '' || Number.isNaN(Number(text)) ? text : Number(text) });
  const rule = make('p');
  const state = make('p');
  const curve = make('p', { class: 'quiet' });
  let on = false;
  const play = button('Train', () => ask(() => api.train(!on)), { 'aria-pressed': 'false' });
  const more = (by) => () => ask(() => api.set({ trained_steps: api.state().trained_steps + by }));
  const fields = {
    steps: entry('Trained steps', typed('trained_steps'), { inputmode: 'numeric' }),
    sequence: entry('Held-out sequence, from 0', typed('sequence'), { inputmode: 'numeric' }),
    method: selection('Method', (method) => set({ method })),
    rate: entry('Training rate', typed('training_rate'), { inputmode: 'decimal' }),
    batch: entry('Batch size', typed('batch_size'), { inputmode: 'numeric' }),
  };
  const element = group('Training', [
    rule, state, curve,
    make('div', { class: 'bar' }, [play, button('One step', more(1)), button('Back to step 0', () => set({ trained_steps: 0 }))]),
    make('div', { class: 'fields' }, Object.values(fields).map((field) => field.element)),
  ]);

  return {
    element,
    update(now, { trained_steps, sequence, method, training_rate, batch_size }) {
      element.hidden = !now;
      if (!now) return;
      on = now.playing;
      write(play, on ? 'Pause training' : 'Train');
      play.setAttribute('aria-pressed', String(on));
      write(rule, now.rule);
      write(state, [now.text, now.trouble, now.answers].filter(Boolean).join(' '));
      const points = now.measured.map(({ steps, loss, accuracy }) => `${steps}: ${loss.toFixed(3)}, ${accuracy.toFixed(3)}`);
      write(curve, `Held-out loss and accuracy by step: ${points.join('; ')}.`);
      fields.steps.update(String(trained_steps));
      fields.sequence.update(String(sequence));
      fields.method.update(methods, method);
      fields.rate.update(String(training_rate));
      fields.batch.update(String(batch_size));
    },
  };
}

// Mistakes made on purpose: choosing one, and guessing which one the program makes.

import { button, group, make, selection, write } from './dom.mjs';
import { textFor } from '../texts/mirror.mjs';

/**
 * @param {object} api of program/api.mjs
 * @param {{ask: (action: () => void) => boolean, say: (sentence: string) => void}} reader
 */
export function createRiddle(api, { ask, say }) {
  const text = textFor(api);
  const choice = selection(text('mirror.mistake.choice'), (id) => ask(() => api.set({ mistake: id })));
  const told = make('p', { class: 'quiet' });
  const start = button(text('mirror.mistake.guess'), begin);
  const question = make('p', {
    tabindex: '-1', text: text('mirror.mistake.question'),
  });
  const answers = make('div', { class: 'bar', role: 'group', 'aria-label': text('mirror.mistake.answers') });
  const giveUp = button(text('mirror.mistake.tell'), () => guess('none'));
  const open = make('div', {}, [choice.element, told, make('div', { class: 'bar' }, [start])]);
  const asked = make('div', { hidden: true }, [question, answers, make('div', { class: 'bar' }, [giveUp])]);
  let offered = '';

  function begin() {
    if (!ask(() => api.beginGuessing())) return;
    say(question.textContent);
    question.focus(); // the button that was pressed is gone
  }

  function guess(id) {
    let answer = '';
    if (ask(() => {
      answer = api.guess(id);
    })) say(answer);
  }

  return {
    element: group(text('mirror.mistake.title'), [open, asked]),

    update(choices, state) {
      const mistakes = choices.mistakes.filter(({ id }) => id !== 'none');
      const guessing = state.guessing && state.mistake !== 'none';
      if (offered !== JSON.stringify(mistakes)) {
        offered = JSON.stringify(mistakes);
        answers.replaceChildren(...mistakes.map(({ id, label }) => button(label, () => guess(id))));
      }
      const focused = asked.contains(asked.getRootNode().activeElement);
      open.hidden = guessing;
      asked.hidden = !guessing;
      if (focused && !guessing) start.focus(); // ended on the canvas, or undone
      choice.update(choices.mistakes, guessing ? 'none' : state.mistake);
      const made = choices.mistakes.find(({ id }) => id === state.mistake);
      told.hidden = guessing || state.mistake === 'none';
      write(told, guessing ? '' : made.text);
    },
  };
}

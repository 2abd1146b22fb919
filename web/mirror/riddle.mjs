// Mistakes made on purpose: choosing one, and the riddle that makes one at random and asks which.

import { button, group, make, selection, write } from './dom.mjs';

/** All numbers that come out, as one text. */
const outputs = (api) => api.choices().attentions
  .map(({ id }) => [...api.tensor(`${id}.output`).data].map((value) => value.toPrecision(5)).join())
  .join(';');

function shuffled(list) {
  const order = [...list];
  for (let i = order.length - 1; i > 0; i -= 1) {
    const j = Math.floor(Math.random() * (i + 1));
    [order[i], order[j]] = [order[j], order[i]];
  }
  return order;
}

/** Makes a mistake that changes what comes out and is not told, in one step of undo; false where none of them does. */
function makeOne(api, mistakes) {
  const before = api.state().mistake;
  if (before !== 'none') api.set({ mistake: 'none' });
  const right = outputs(api);
  if (before !== 'none') api.undo();
  for (const mistake of shuffled(mistakes)) {
    if (mistake === before) continue; // the reader knows it
    try {
      api.set({ mistake, guessing: true });
    } catch {
      continue; // shapes do not allow this one here
    }
    if (outputs(api) !== right) return true;
    api.undo();
  }
  api.set({ guessing: false });
  return false;
}

/**
 * @param {object} api of program/api.mjs
 * @param {{ask: (action: () => void) => boolean, say: (sentence: string) => void}} reader
 */
export function createRiddle(api, { ask, say }) {
  const choice = selection('Mistake made on purpose', (id) => ask(() => api.set({ mistake: id })));
  const told = make('p', { class: 'quiet' });
  const start = button('Guess which', begin);
  const question = make('p', {
    tabindex: '-1', text: 'One of these is being done wrong. Look at the numbers: which one?',
  });
  const answers = make('div', { class: 'bar', role: 'group', 'aria-label': 'Which one is being done wrong?' });
  const giveUp = button('Tell me', () => end(''));
  const open = make('div', {}, [choice.element, told, make('div', { class: 'bar' }, [start])]);
  const asked = make('div', { hidden: true }, [question, answers, make('div', { class: 'bar' }, [giveUp])]);
  let mistakes = [];
  let offered = '';

  function begin() {
    let made = false;
    const done = ask(() => {
      made = makeOne(api, mistakes.map(({ id }) => id));
    });
    if (!done) return;
    if (!made) {
      say('None of the mistakes changes a number here; choose a mask or another example.');
      return;
    }
    say(question.textContent);
    question.focus(); // the button that was pressed is gone
  }

  function answer({ id, label }) {
    if (id === api.state().mistake) end(`Right: ${label}. `);
    else say(`It is not “${label}”. Look again.`);
  }

  function end(verdict) {
    const { label, text } = mistakes.find(({ id }) => id === api.state().mistake);
    if (!ask(() => api.set({ guessing: false }))) return;
    say(verdict ? `${verdict}${text}` : `It was “${label}”. ${text}`);
    start.focus();
  }

  return {
    element: group('Break it', [open, asked]),

    update(choices, state) {
      mistakes = choices.mistakes.filter(({ id }) => id !== 'none');
      const guessing = state.guessing && state.mistake !== 'none';
      if (offered !== JSON.stringify(mistakes)) {
        offered = JSON.stringify(mistakes);
        answers.replaceChildren(...mistakes.map((each) => button(each.label, () => answer(each))));
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

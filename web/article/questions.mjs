// A question about a figure: <div data-check="NAME" data-figure="ID"> with a button and an <output>. After the first click
// the verdict is updated with the figure.

import { checks } from './checks.mjs';
import { follow } from './figures.mjs';
import { isOwnExample } from './numbers.mjs';

async function judge(figure, check) {
  await figure.tensor('output'); // a figure that does not run is started for it
  const state = figure.state;
  if (!isOwnExample(figure, state)) {
    return { right: false, text: 'The figure shows a different example now. Go back to the one in the text.' };
  }
  return check((name) => figure.tensor(name), state);
}

function connect(question, figure, check) {
  const [button, output] = [question.querySelector('button'), question.querySelector('output')];
  let asked = false;
  let round = 0;

  async function answer() {
    round += 1;
    const own = round;
    let verdict;
    try {
      verdict = await judge(figure, check);
    } catch (cause) {
      verdict = { right: false, text: cause.message };
    }
    if (own !== round) return; // a later change has been judged meanwhile
    const text = `${verdict.right ? 'Yes' : 'Not yet'}: ${verdict.text}`;
    if (output.textContent !== text) output.textContent = text;
    question.dataset.verdict = verdict.right ? 'right' : 'wrong';
  }

  button.addEventListener('click', () => {
    asked = true;
    answer();
  });
  follow(figure, () => {
    if (asked && figure.running) answer();
  });
}

/** Sets up the questions of the document. */
export function askQuestions(root = document) {
  for (const question of root.querySelectorAll('[data-check]')) {
    const figure = root.getElementById(question.dataset.figure);
    const check = checks[question.dataset.check];
    if (figure && check) connect(question, figure, check);
  }
}

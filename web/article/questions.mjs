// A question about figures: <div data-check="NAME" data-figure="ID [ID ...]"> with a button and an <output>. The first one
// is the question's own; what is changed in any of them answers it. After the first click the verdict is updated with the
// figures.

import { checks } from './checks.mjs';
import { follow } from './figures.mjs';
import { isOwnExample } from './numbers.mjs';
import { text } from '../texts/article.mjs';

async function judge(figure, check) {
  await figure.tensor('output'); // a figure that does not run is started for it
  const state = figure.state;
  if (!isOwnExample(figure, state)) {
    return { right: false, text: text('article.question.other_example') };
  }
  return check((name) => figure.tensor(name), state, figure);
}

function connect(question, figures, check) {
  const [button, output] = [question.querySelector('button'), question.querySelector('output')];
  let latest = figures.slice(0, 1); // the question's own and those that were changed, the last one first
  let asked = false;
  let round = 0;

  /** The first right verdict; else that of the figure that was changed last. */
  async function judgeAll() {
    let wrong = null;
    for (const figure of latest) {
      const verdict = await judge(figure, check);
      if (verdict.right) return verdict;
      wrong ??= verdict;
    }
    return wrong;
  }

  async function answer() {
    round += 1;
    const own = round;
    let verdict;
    try {
      verdict = await judgeAll();
    } catch (cause) {
      verdict = { right: false, text: cause.message };
    }
    if (own !== round) return; // a later change has been judged meanwhile
    const told = text(verdict.right ? 'article.question.right' : 'article.question.wrong', { verdict: verdict.text });
    if (output.textContent !== told) output.textContent = told;
    question.dataset.verdict = verdict.right ? 'right' : 'wrong';
  }

  button.addEventListener('click', () => {
    asked = true;
    answer();
  });
  for (const figure of figures) {
    figure.addEventListener('statechange', () => {
      latest = [figure, ...latest.filter((other) => other !== figure)];
    });
    follow(figure, () => {
      if (asked && figure.running) answer();
    });
  }
}

/** Sets up the questions of the document. */
export function askQuestions(root = document) {
  for (const question of root.querySelectorAll('[data-check]')) {
    const figures = question.dataset.figure.split(' ').map((id) => root.getElementById(id)).filter(Boolean);
    const check = checks[question.dataset.check];
    if (figures.length > 0 && check) connect(question, figures, check);
  }
}

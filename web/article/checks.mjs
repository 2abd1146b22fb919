// Checks the answers to the lesson's questions by the present numbers of a figure. Each verdict names these numbers.

import { at } from './figures.mjs';
import { text } from '../texts/article.mjs';
import { numberText } from '../texts/text.mjs';

const two = (number) => number.toFixed(2).replace('-', '−');
const percent = (number) => `${(number * 100).toFixed(number < 0.1 ? 1 : 0)} %`;
const near = (a, b, distance = 1e-4) => Math.abs(a - b) <= distance;
const axis = (tensor, number) => Array.from({ length: tensor.shape[number] }, (_, i) => i);

/**
 * @typedef {{right: boolean, text: string}} Verdict
 * @typedef {(tensor: (name: string) => Promise<object>, state: object, figure: HTMLElement) => Promise<Verdict>} Check
 */

/** How far a figure's training is, when it has reached the step that is shown. Null where it stopped before. */
async function trained(figure) {
  while (figure.running) {
    const { training } = await figure.describe();
    if (!training?.busy) return training;
    await new Promise((resolve) => { setTimeout(resolve, 150); });
  }
  return null;
}

const held = ({ steps, measured }) => measured.find((each) => each.steps === steps)?.accuracy ?? measured.at(-1).accuracy;
const few = { right: false, text: text('article.training.few') };
const stopped = { right: false, text: text('article.training.stopped') };

/** @type {Record<string, Check>} */
export const checks = {
  /** pool scores higher with beats than with badminton */
  async beats(tensor) {
    const scores = await tensor('scores');
    const [beats, badminton] = [at(scores, 0, 0, 0, 1), at(scores, 0, 0, 0, 2)];
    return {
      right: beats > badminton,
      text: text('article.beats.scores', { beats: two(beats), badminton: two(badminton) }),
    };
  },

  /** cat scores highest with itself */
  async cat(tensor) {
    const scores = await tensor('scores');
    const own = at(scores, 0, 0, 1, 1);
    const others = axis(scores, 3).filter((key) => key !== 1).map((key) => at(scores, 0, 0, 1, key));
    const highest = Math.max(...others);
    return {
      right: own > highest,
      text: text('article.cat.scores', { own: two(own), highest: two(highest) }),
    };
  },

  /** the scores are divided by 16, and by √D */
  async divisor(tensor, state) {
    const [scores, scaled, heads] = [await tensor('scores'), await tensor('scaled_scores'), await tensor('q_heads')];
    const width = heads.shape[3];
    const divisor = at(scores, 0, 0, 0, 0) / at(scaled, 0, 0, 0, 0);
    const byWidth = near(divisor, Math.sqrt(width), 1e-3);
    const right = near(divisor, 16, 1e-3) && byWidth && state.scale === 'sqrt-head-dim';
    const [, count, length] = heads.shape;
    const sentence = text('article.divisor.divided', { heads: count, width, tokens: length, divisor: two(divisor) });
    return { right, text: right ? `${sentence} ${text('article.divisor.right')}` : sentence };
  },

  /** pool's new row is badminton's */
  async only(tensor) {
    const [outputs, v, weights] = [await tensor('head_outputs'), await tensor('v'), await tensor('attention_weights')];
    const differences = axis(v, 2).map((column) => Math.abs(at(outputs, 0, 0, 0, column) - at(v, 0, 2, column)));
    return {
      right: differences.every((difference) => difference <= 1e-4),
      text: text('article.only.differ', {
        weight: percent(at(weights, 0, 0, 0, 2)), difference: Math.max(...differences).toFixed(3),
      }),
    };
  },

  /** in head 0, she gives king as much as queen, who still is what she was */
  async king(tensor) {
    const [weights, input] = [await tensor('attention_weights'), await tensor('query_input')];
    const [king, queen] = [at(weights, 0, 0, 6, 0), at(weights, 0, 0, 6, 1)];
    const queenStays = near(at(input, 0, 1, 1), 1);
    return {
      right: near(king, queen, 2e-3) && queenStays && queen > 0.1,
      text: text(queenStays ? 'article.king.gives' : 'article.king.queen_changed', {
        king: percent(king), queen: percent(queen),
      }),
    };
  },

  /** the chosen cell holds 11, after a right transpose */
  async eleven(tensor, state) {
    const cell = state.cell;
    const inHeads = cell !== null && /(^|\.)q_heads$/.test(cell.tensor);
    if (!inHeads) return { right: false, text: text('article.eleven.none') };
    if (state.mistake !== 'none') return { right: false, text: text('article.eleven.mistake') };
    const number = at(await tensor('q_heads'), ...cell.index);
    const [, head, token, column] = cell.index;
    return {
      right: number === 11,
      text: text('article.eleven.holds', { head, token, column, number }),
    };
  },

  /** Thanks sees its first padding token */
  async pad(tensor) {
    const weights = await tensor('encoder_self_attention.attention_weights');
    const seen = Math.max(...axis(weights, 1).map((head) => at(weights, 1, head, 0, 1)));
    return {
      right: seen > 0,
      text: seen > 0 ? text('article.pad.some', { share: percent(seen) }) : text('article.pad.nothing'),
    };
  },

  /** the first word sees the second, and the rest of the triangle is as it was */
  async first(tensor) {
    const weights = await tensor('attention_weights');
    const hidden = (query, key) => axis(weights, 1).every((head) => at(weights, 0, head, query, key) === 0);
    const open = [];
    for (const query of axis(weights, 2)) {
      for (const key of axis(weights, 3)) if (key > query && !hidden(query, key)) open.push(`${query},${key}`);
    }
    const right = open.length === 1 && open[0] === '0,1';
    if (right) {
      return { right, text: text('article.first.right', { share: percent(at(weights, 0, 0, 0, 1)) }) };
    }
    return {
      right,
      text: open.length === 0 ? text('article.first.closed') : text('article.first.open', { count: open.length }),
    };
  },

  /** De does not see welcome in any head; You gets its share of what is left */
  async forbid(tensor) {
    const name = 'cross_attention.attention_weights';
    const weights = await tensor(name);
    const [you, are, welcome] = [0, 1, 2].map((key) => at(weights, 0, 0, 0, key));
    const scores = await tensor('cross_attention.scaled_scores');
    const [eYou, eAre] = [0, 1].map((key) => Math.exp(at(scores, 0, 0, 0, key)));
    const share = eYou / (eYou + eAre);
    const right = welcome === 0 && you > 0 && are > 0 && near(you, share, 1e-3);
    return {
      right,
      text: right
        ? text('article.forbid.right', { you: two(you), are: two(are) })
        : text('article.forbid.wrong', { you: two(you), are: two(are), welcome: two(welcome) }),
    };
  },

  /** the loss is below half of what it was, by one number of badminton */
  async descent(tensor, state) {
    const loss = await tensor('loss').then(({ data, offset }) => data[offset], () => NaN);
    if (Number.isNaN(loss)) return { right: false, text: text('article.descent.no_target') };
    const others = state.edits.filter(({ tensor: name, index }) => !/input$|embedding$/.test(name) || index[1] !== 2);
    const right = loss < 0.00709 / 2 && state.edits.length === 1 && others.length === 0;
    const now = text('article.descent.loss', { loss: numberText(loss, 4) });
    if (right) return { right, text: `${now} ${text('article.descent.right')}` };
    return { right, text: others.length > 0 ? `${now} ${text('article.descent.others')}` : now };
  },

  /** reverse was trained and did not learn */
  async fail(tensor, state, figure) {
    const training = await trained(figure);
    if (!training) return stopped;
    if (training.steps < 100) return few;
    const accuracy = held(training);
    const reached = text('article.fail.reached', { steps: training.steps, share: percent(accuracy) });
    if (accuracy >= 0.5) return { right: false, text: `${reached} ${text('article.fail.learned')}` };
    const why = !state.position_encoding ? ` ${text('article.fail.positions')}`
      : state.training_rate > 0.03 ? ` ${text('article.fail.rate')}`
        : state.scale === 'none' ? ` ${text('article.fail.saturated')}` : '';
    return { right: true, text: reached + why };
  },

  /** look back was trained without positions */
  async order(tensor, state, figure) {
    const training = await trained(figure);
    if (!training) return stopped;
    if (state.position_encoding) return { right: false, text: text('article.order.positions') };
    if (training.steps < 100) return few;
    const accuracy = held(training);
    return {
      right: accuracy > 0.5,
      text: text('article.order.reached', { steps: training.steps, share: percent(accuracy) }),
    };
  },
};

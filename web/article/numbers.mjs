// Numbers in the prose that come from a figure: <span data-number="FIGURE WHAT INDEX">0.30</span>. The text in the page is
// shown without the program; its number of decimals and a % sign define the format.
//
//   WHAT  = tensor              scores, or encoder_self_attention.scores: the number at INDEX
//         | tensor "/" tensor   one number divided by another, both at INDEX
//         | "shape(" tensor ")" | "strides(" tensor ")"    of that axis
//         | "sum(" tensor ")"   over the last axis
//         | "dot(" tensor "/" tensor ")"    the sum of products over the last axis
//         | "slope(" tensor ")"    p(1 − p) of the number p at INDEX
//         | "accuracy"          on held-out sequences, of what the figure trains; without INDEX
//         | "held_out(" attention "," pattern ")"    the recorded share of head INDEX of the translator, "first_token"
//   INDEX = number *("," number), counted from 0; none for a tensor without axes
//
// With data-when="a part of a link", the number is the figure's in that state, and does not follow it: the reader has to go
// there to see it. tests/browser/article.test.mjs goes there for every one of them.

import { at, follow, tensorOrNull } from './figures.mjs';
import { text } from '../texts/article.mjs';

/** @returns {{figure: string, kind: string, tensors: string[], index: number[]}} what a data-number asks for */
export function parseNumber(text) {
  const [figure, what, index] = text.trim().split(/\s+/);
  const [, kind, name] = /^(shape|strides|sum|dot|slope)\((.+)\)$/.exec(what) ?? [what, 'number', what];
  return { figure, kind, tensors: name.split('/'), index: index ? index.split(',').map(Number) : [] };
}

/** @returns {number | undefined} what `asked` is in these tensors */
export function numberOf({ kind, index }, tensors) {
  if (kind === 'sum' || kind === 'dot') {
    const last = tensors[0].shape.at(-1);
    const product = (i) => tensors.reduce((made, tensor) => made * at(tensor, ...index, i), 1);
    return Array.from({ length: last }, (_, i) => product(i)).reduce((sum, each) => sum + each, 0);
  }
  if (kind === 'slope') {
    const p = at(tensors[0], ...index);
    return p * (1 - p);
  }
  if (kind !== 'number') return tensors[0][kind][index[0]];
  const [number, divisor] = tensors.map((tensor) => at(tensor, ...index));
  return tensors.length === 2 && number !== undefined ? number / divisor : number;
}

/** `number` with as many decimals as `like`, and in percent if `like` is. */
export function write(number, like) {
  if (!Number.isFinite(number)) return number < 0 ? '−∞' : '∞';
  const percent = like.includes('%');
  const decimals = (/\.(\d+)/.exec(like)?.[1] ?? '').length;
  const text = (percent ? number * 100 : number).toFixed(decimals);
  const isZero = Number(text) === 0;
  return `${isZero ? text.replace('-', '') : text.replace('-', '−')}${percent ? ' %' : ''}`;
}

const variants = new WeakMap();

/** Whether a figure still shows its first example and variant, for which the indices were written. */
export function isOwnExample(figure, state) {
  if (state.example !== figure.getAttribute('example')) return false;
  if (!variants.has(figure)) variants.set(figure, figure.getAttribute('variant') ?? state.variant);
  return state.variant === variants.get(figure);
}

/** Updates every data-number of the document from its figure. */
export function followNumbers(root = document) {
  const spans = new Map();
  for (const span of root.querySelectorAll('[data-number]:not([data-when])')) {
    const asked = parseNumber(span.dataset.number);
    const told = { span, asked, printed: span.textContent };
    spans.set(asked.figure, [...(spans.get(asked.figure) ?? []), told]);
  }
  for (const [id, list] of spans) {
    const figure = root.getElementById(id);
    if (figure) follow(figure, () => refresh(figure, list));
  }
}

async function refresh(figure, list) {
  if (!figure.running) return; // what it said last is still so
  const own = isOwnExample(figure, figure.state);
  const tensors = new Map();
  for (const name of new Set(list.flatMap(({ asked }) => asked.tensors))) {
    tensors.set(name, own ? await tensorOrNull(figure, name) : null);
  }
  for (const { span, asked, printed } of list) {
    const needed = asked.tensors.map((name) => tensors.get(name));
    const number = needed.includes(null) ? undefined : numberOf(asked, needed);
    const now = number === undefined ? printed : write(number, printed);
    if (span.textContent !== now) span.textContent = now;
    span.classList.toggle('changed', now !== printed);
    if (now === printed) span.removeAttribute('title');
    else span.title = text('article.number.before', { number: printed });
  }
}

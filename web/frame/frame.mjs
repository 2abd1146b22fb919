// The page inside a frame: one figure, and the messages of protocol.mjs. Messages are only accepted from the page around
// the frame and only sent to it, whatever its origin, because they contain nothing secret.

import { AttentionLiveElement } from '../element/element.mjs';
import { readResizer, resizable, writtenForCourse, writtenForResizer } from './heights.mjs';
import { attributesOf } from './parameters.mjs';
import { read, written } from './protocol.mjs';

if (!customElements.get('attention-live')) customElements.define('attention-live', AttentionLiveElement);

const outside = window.parent;
const figure = document.createElement('attention-live');

/** Sends a message to the page around. The target is "*", because the origin of a file or a sandbox is "null". */
function tell(type, fields, origin = '*') {
  if (outside !== window) outside.postMessage(written(type, fields), origin === 'null' || !origin ? '*' : origin);
}

/** The handler of each type of message; its result is the answer. */
const actions = {
  hello: () => ({ running: figure.running, link: figure.link }),
  set: ({ state, link }) => figure.setState(state ?? link),
  get({ what, name }) {
    if (what === 'tensor') return figure.tensor(name);
    return what === 'state' ? figure.state : figure.link;
  },
  play: () => figure.play(),
  pause: () => figure.pause(),
  focusCell: ({ cell }) => figure.focusCell(cell),
};

async function hear(event) {
  if (event.source !== outside || outside === window) return;
  const asked = readResizer(event.data);
  if (asked) {
    resizer = asked.id ?? resizer;
    tellResizer(asked.type);
    return;
  }
  const heard = read(event.data);
  if (!heard) return;
  const { type, id, problem, message } = heard;
  try {
    if (problem) throw new Error(problem);
    const result = await actions[type](message);
    if (id !== undefined) tell('answer', { id, result: result ?? null }, event.origin);
    if (type === 'hello') {
      // Send these again, because the page may not have listened when they were sent first.
      if (figure.running) tell('ready', { link: figure.link }, event.origin);
      tell('height', { height }, event.origin);
    }
  } catch (cause) {
    if (id !== undefined) tell('answer', { id, error: cause.message }, event.origin);
    else tell('error', { message: cause.message }, event.origin);
  }
}

/** The height that an element of the frame’s width would have, its lesson beside or under it included. */
let height = 0;
let resizer = null; // what iframe-resizer in the page around calls this frame, if it is there
function tellResizer(type) {
  if (resizer === null || height === 0) return;
  outside.postMessage(writtenForResizer(resizer, height, document.documentElement.clientWidth, type), '*');
}

function tellHeight() {
  const lesson = figure.shadowRoot.querySelector('.lesson');
  const { offsetWidth: width } = lesson?.previousElementSibling ?? document.documentElement;
  let wanted = Math.max(360, (width * 10) / 16);
  if (lesson) {
    const { paddingTop, paddingBottom, rowGap } = getComputedStyle(lesson);
    const parts = [...lesson.children].filter((part) => part.offsetHeight > 0);
    const gaps = parseFloat(rowGap) * (parts.length - 1) + parseFloat(paddingTop) + parseFloat(paddingBottom);
    const needs = parts.reduce((sum, part) => sum + part.offsetHeight, gaps); // it may be higher than what is in it
    wanted = lesson.offsetWidth < document.documentElement.clientWidth ? Math.max(wanted, needs) : wanted + needs;
  }
  wanted = Math.round(wanted);
  if (wanted === height) return;
  height = wanted;
  tell('height', { height });
  if (outside === window) return;
  outside.postMessage(writtenForCourse(height), '*');
  tellResizer('resize');
}

/** A lesson has come: each of its steps, and what is said to an answer, has its own height. */
function followLesson() {
  const lesson = figure.shadowRoot.querySelector('.lesson');
  lessons.disconnect();
  if (lesson) lessons.observe(lesson, { childList: true, subtree: true });
  tellHeight();
}
const lessons = new MutationObserver(tellHeight);

function begin() {
  const { attributes, problems } = attributesOf(location);
  for (const [name, value] of attributes) figure.setAttribute(name, value);
  for (const type of ['statechange', 'stepchange', 'edit', 'cellhover', 'error', 'lessonstep', 'lessonanswer']) {
    figure.addEventListener(type, ({ detail }) => tell(type, detail));
  }
  for (const type of ['lessonstep', 'error']) figure.addEventListener(type, followLesson);
  window.addEventListener('message', hear);
  document.querySelector('#attention-live').replaceChildren(figure);
  for (const message of problems) tell('error', { message });
  tellHeight();
  new ResizeObserver(tellHeight).observe(document.documentElement);
  if (outside !== window) outside.postMessage(resizable, '*');
  figure.ready.then(() => tell('ready', { link: figure.link }), () => {}); // `error` has told it
}
begin();

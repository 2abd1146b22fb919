// The page inside a frame: one figure, and the messages of protocol.mjs. Only the page around the frame is listened to,
// and what is told goes to it alone; nothing in it is secret, so it is told whatever its origin.

import { AttentionLiveElement } from '../element/element.mjs';
import { attributesOf } from './parameters.mjs';
import { read, written } from './protocol.mjs';

if (!customElements.get('attention-live')) customElements.define('attention-live', AttentionLiveElement);

const outside = window.parent;
const figure = document.createElement('attention-live');

/** To the page around; an origin such as a file's or a sandbox's is "null" and cannot be named. */
function tell(type, fields, origin = '*') {
  if (outside !== window) outside.postMessage(written(type, fields), origin === 'null' || !origin ? '*' : origin);
}

/** type → what is done; the result is the answer. */
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
  const heard = read(event.data);
  if (!heard) return;
  const { type, id, problem, message } = heard;
  try {
    if (problem) throw new Error(problem);
    const result = await actions[type](message);
    if (id !== undefined) tell('answer', { id, result: result ?? null }, event.origin);
    if (type === 'hello') {
      // The page may have begun to listen after they were told.
      if (figure.running) tell('ready', { link: figure.link }, event.origin);
      tell('height', { height }, event.origin);
    }
  } catch (cause) {
    if (id !== undefined) tell('answer', { id, error: cause.message }, event.origin);
    else tell('error', { message: cause.message }, event.origin);
  }
}

/** How high the frame would have to be to show the figure as an element of that width would be. */
let height = 0;
function tellHeight() {
  const wanted = Math.round(Math.max(360, (document.documentElement.clientWidth * 10) / 16));
  if (wanted === height) return;
  height = wanted;
  tell('height', { height });
}

function begin() {
  const { attributes, problems } = attributesOf(location);
  for (const [name, value] of attributes) figure.setAttribute(name, value);
  for (const type of ['statechange', 'stepchange', 'edit', 'cellhover', 'error']) {
    figure.addEventListener(type, ({ detail }) => tell(type, detail));
  }
  window.addEventListener('message', hear);
  document.querySelector('#attention-live').replaceChildren(figure);
  for (const message of problems) tell('error', { message });
  new ResizeObserver(tellHeight).observe(document.documentElement);
  figure.ready.then(() => tell('ready', { link: figure.link }), () => {}); // `error` has told it
}
begin();

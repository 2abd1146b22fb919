// The messages between a frame and the page around it, version 1 (docs/embedding.md explains them to authors):
//
//   {source: 'attention-live', version: 1, type, id?, …}
//
// to the frame:    hello {} · set {state} or {link} · get {what: 'state' | 'link' | 'tensor', name?} · play {} · pause {}
//                  · focusCell {cell: {tensor, index, attention?} | null}
// from the frame:  ready {link} · statechange {state, link, reason} · stepchange {step, example} · edit {edits}
//                  · cellhover {cell} · lessonstep {step, steps, title} · lessonanswer {step, right, value, distance,
//                  attempts} · error {message} · height {height} · answer {id, result} or {id, error}
//
// A message with an id, a text or a number, gets an answer with that id. Other messages are ignored, because other scripts
// may use the same window.

export const source = 'attention-live';
export const version = 1;

/** The longest message that is read, as JSON: as long as a state may be (src/document/state/state.hpp). */
export const longest = 2 ** 20; // bytes, counted as UTF-16 characters
const longestId = 100;

const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
const isText = (value) => typeof value === 'string';

/** Whether there is a valid id. */
const goodId = (id) => id === undefined || (isText(id) && id.length <= longestId) || Number.isFinite(id);

const gets = ['state', 'link', 'tensor'];

/** For each type a function that returns what is wrong with a message, or null. */
const checks = {
  hello: () => null,
  play: () => null,
  pause: () => null,
  set: ({ state, link }) => {
    if ((state === undefined) === (link === undefined)) return 'set needs either a state or a link.';
    if (state !== undefined && !isObject(state)) return 'state must be an object, such as {step: "softmax"}.';
    if (link !== undefined && !isText(link)) return 'link must be text, such as "#step=softmax".';
    return null;
  },
  get: ({ what, name }) => {
    if (!gets.includes(what)) return `what can be ${gets.join(', ')}.`;
    if (what === 'tensor' && !isText(name)) return 'name must be a tensor’s, such as "attention_weights".';
    return null;
  },
  focusCell: ({ cell }) => {
    if (cell === null) return null;
    const { tensor, index, attention } = isObject(cell) ? cell : {};
    const fits = isText(tensor) && Array.isArray(index) && index.length <= 8 && index.every(Number.isInteger) &&
      (attention === undefined || isText(attention));
    return fits ? null : 'cell must be {tensor, index}, or null for none.';
  },
};

/**
 * Parses a message; null if it is not for us.
 * @param {unknown} data of a MessageEvent
 * @returns {{type: string, id?: string | number, problem: string | null, message: object} | null}
 */
export function read(data) {
  if (!isObject(data) || data.source !== source || data.version !== version) return null;
  if (!isText(data.type) || !Object.hasOwn(checks, data.type) || !goodId(data.id)) return null;
  let text;
  try {
    text = JSON.stringify(data); // what JSON cannot say, the program could not be told either
  } catch {
    return null;
  }
  const { type, id } = data;
  if (text.length > longest) {
    return { type, id, problem: `The message is longer than ${longest} characters.`, message: {} };
  }
  const message = JSON.parse(text);
  return { type, id, problem: checks[type](message), message };
}

export const written = (type, fields = {}) => ({ source, version, type, ...fields });

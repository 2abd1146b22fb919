// Links as an author writes them, #step=softmax&query=2, taken apart: into parts, and into the part of a state that they
// name. src/document/link/link.hpp has the grammar; what a value may be, the program says.

const numberFields = new Set([
  'head', 'query', 'key', 'sample', 'scrub', 'seed', 'embed_dim', 'num_heads', 'source_len', 'target_len', 'scale',
]);
const switchFields = new Set([
  'all_heads', 'all_samples', 'shared_scale', 'compare', 'guessing', 'position_encoding',
]);
/** Those that have parts of their own: masks.cross_attention=padding. */
const objectFields = new Set(['masks', 'ablated_heads']);

/** The longest link, in characters: src/document/link/link.hpp. */
export const longestLink = 64 * 1024;

const numeric = /^-?\d+(\.\d+)?(e-?\d+)?$/i;

/** Limits what comes from outside before it stands in a sentence. */
export function quoted(text) {
  const letters = [...String(text)];
  return `“${letters.length > 40 ? `${letters.slice(0, 37).join('')}…` : letters.join('')}”`;
}

/**
 * The parts of a link, in order: [name, value], both decoded. Throws a sentence.
 * @param {string} link with or without its “#”
 * @returns {[string, string][]}
 */
export function partsOf(link) {
  if (link.length > longestLink) throw new Error(`The link is too long: at most ${longestLink} characters are allowed.`);
  const decode = (text) => {
    try {
      return decodeURIComponent(text.replaceAll('+', ' '));
    } catch {
      throw new Error(`${quoted(text)} is not readable in a link: a % stands before two hexadecimal digits.`);
    }
  };
  return link.replace(/^#/, '').split('&').filter(Boolean).map((part) => {
    const equals = part.indexOf('=');
    if (equals < 1) throw new Error(`${quoted(part)} is no part of a link: one looks like step=softmax.`);
    return [decode(part.slice(0, equals)), decode(part.slice(equals + 1))];
  });
}

/** Parts as a link. */
export function linkOf(parts) {
  const encode = (text) => encodeURIComponent(text).replaceAll('%20', '+').replaceAll('%2C', ',').replaceAll('%3A', ':');
  return `#${parts.map(([name, value]) => `${name}=${encode(value)}`).join('&')}`;
}

const numbers = (text) => text.split(',').map((each) => (numeric.test(each) ? Number(each) : each));

function place(text) {
  const index = numbers(text);
  if (!index.every(Number.isInteger)) throw new Error(`${quoted(text)} is no place in a tensor: one looks like 0,1,2.`);
  return index;
}

function cellOf(text) {
  if (text === 'null' || text === '') return null;
  const colon = text.indexOf(':');
  if (colon < 1) throw new Error(`${quoted(text)} is no cell: one looks like scores:0,1,2,0.`);
  return { tensor: text.slice(0, colon), index: place(text.slice(colon + 1)) };
}

function editsOf(text) {
  const edits = [];
  let attention;
  let tensor;
  for (const group of text.split(';').filter(Boolean)) {
    const equals = group.indexOf('=');
    const colon = group.slice(0, Math.max(equals, 0)).indexOf(':');
    if (colon > 0) {
      const names = group.slice(0, colon).split('.');
      tensor = names.pop();
      if (names.length > 0) attention = names.join('.');
    }
    if (equals < 1 || !tensor) {
      throw new Error(`${quoted(group)} is no edit; one looks like q_proj_weight:0,1=0.5 in a link.`);
    }
    const index = place(group.slice(colon + 1, equals));
    for (const value of group.slice(equals + 1).split(',')) {
      const number = value === '-inf' || value === '−∞' ? '-Infinity' : numbers(value)[0];
      edits.push({ ...(attention ? { attention } : {}), tensor, index: [...index], value: number });
      index[index.length - 1] += 1;
    }
  }
  return edits;
}

function json(name, text) {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`${quoted(`${name}=${text}`)} is not readable in a link.`);
  }
}

function valueOf(name, text) {
  if (name === 'cell') return cellOf(text);
  if (name === 'edits') return editsOf(text);
  if (name === 'given_weights' || (objectFields.has(name) && text.startsWith('{'))) return json(name, text);
  if (name === 'framing') return text === 'null' ? null : numbers(text);
  if (switchFields.has(name) && /^(true|false)$/.test(text)) return text === 'true';
  if (numberFields.has(name) && numeric.test(text)) return Number(text);
  return text;
}

/**
 * What a link names, as part of a state. Throws a sentence; whether the values are possible, the program says.
 * @param {string} link
 */
export function partialOf(link) {
  const state = Object.create(null); // a name is whatever somebody wrote, “constructor” as well
  for (const [name, value] of partsOf(link)) {
    if (name === 'v') {
      if (value !== '1') throw new Error(`The link is of version ${quoted(value)}, this program knows version 1.`);
      continue;
    }
    const [field, ...inside] = name.split('.');
    const part = inside.join('.');
    if (inside.length > 0 && !objectFields.has(field)) {
      throw new Error(`${quoted(name)} is no part of a link that this program knows.`);
    }
    if (inside.length > 0) state[field] ??= Object.create(null);
    const taken = inside.length > 0 ? typeof state[field] !== 'object' || part in state[field] : field in state;
    if (taken) throw new Error(`${quoted(name)} is in the link twice.`);
    if (inside.length === 0) state[field] = valueOf(field, value);
    else state[field][part] = field === 'ablated_heads' ? numbers(value) : value;
  }
  return state;
}

/**
 * Sets a part of a state. Edits that a link has without an attention mean the one that is looked at afterwards.
 * @param {object} api of program/api.mjs
 * @returns the new state; throws the program's sentence, and then nothing has changed
 */
export function setPartial(api, { edits, ...rest }) {
  if (!Array.isArray(edits) || edits.every((edit) => edit?.attention !== undefined)) {
    return api.set(edits === undefined ? rest : { ...rest, edits });
  }
  const before = api.state();
  const { attention } = api.set(rest);
  try {
    return api.set({ edits: edits.map((edit) => ({ attention, ...edit })) });
  } catch (cause) {
    api.set(before);
    throw cause;
  }
}

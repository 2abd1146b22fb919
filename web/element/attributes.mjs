// What an author writes at <attention-live>: attributes into a link to begin with, into changes, and into what is shown.

import { linkOf, partsOf, partialOf, quoted } from './link.mjs';

/** Attributes that are fields of the state. */
const fields = [
  'example', 'variant', 'step', 'attention', 'head', 'query', 'key', 'sample', 'seed', 'sentence', 'theme',
];

/** The parts of the program around its stage. */
export const allParts = ['bar', 'text', 'heads', 'legend', 'panel', 'steps'];
const controls = { all: allParts, steps: ['text', 'legend', 'steps'], none: [] };
const loads = ['visible', 'click', 'eager'];

/** What the element watches. */
export const observed = [...fields, 'state', 'controls', 'hide', 'load', 'label', 'poster'];
export const isField = (name) => name === 'state' || fields.includes(name);

/** Link parts of one attribute. */
function partsOfField(name, value) {
  if (name === 'state') return partsOf(value);
  if (name !== 'head') return [[name, value]];
  return value === 'all' ? [['all_heads', 'true']] : [['all_heads', 'false'], ['head', value]];
}

/**
 * Where the element begins, as a link: `state`, and the other attributes over it.
 * @param {(message: string) => void} complain told what could not be read
 */
export function startLink(element, complain) {
  const parts = new Map();
  for (const name of ['state', ...fields]) {
    const value = element.getAttribute(name);
    if (value === null) continue;
    try {
      for (const [field, text] of partsOfField(name, value)) if (field !== 'v') parts.set(field, text);
    } catch (cause) {
      complain(`${name}: ${cause.message}`);
    }
  }
  return parts.size > 0 ? linkOf([['v', '1'], ...parts]) : '';
}

/** The part of a state that the named attributes say. Throws a sentence. */
export function changeOf(element, names) {
  const change = {};
  // What is in one link goes first, as at the start.
  for (const name of ['state', ...fields].filter((each) => names.has(each))) {
    const value = element.getAttribute(name);
    if (value !== null) Object.assign(change, partialOf(linkOf(partsOfField(name, value))));
  }
  return change;
}

/** The parts that `controls` and `hide` leave. */
export function shownParts(element, complain) {
  const wanted = element.getAttribute('controls') ?? 'all';
  if (!Object.hasOwn(controls, wanted)) complain(`controls is ${quoted(wanted)}; it can be all, steps or none.`);
  const hidden = (element.getAttribute('hide') ?? '').split(/[\s,]+/).filter(Boolean);
  const unknown = hidden.find((part) => !allParts.includes(part));
  if (unknown) complain(`hide has ${quoted(unknown)}; it can have ${allParts.join(', ')}.`);
  return (controls[wanted] ?? allParts).filter((part) => !hidden.includes(part));
}

/** When it starts: "visible", "click" or "eager". */
export function loadOf(element, complain = () => {}) {
  const load = element.getAttribute('load') ?? 'visible';
  if (loads.includes(load)) return load;
  complain(`load is ${quoted(load)}; it can be visible, click or eager.`);
  return 'visible';
}

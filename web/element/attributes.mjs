// Converts the attributes of <attention-live> to a link to begin with, to changes, and to the parts that are shown.

import { languageAround } from '../program/language.mjs';

/** Attributes that are fields of the state. */
const fields = [
  'example', 'variant', 'step', 'attention', 'head', 'query', 'key', 'key-index', 'sample', 'seed', 'sentence', 'theme',
];
/** Second names of those that frameworks keep for themselves: React and Vue take `key` and pass it on to nobody. */
const fieldOf = { 'key-index': 'key' };

/** The longest link that the program reads, in characters. */
export const longestLink = 64 * 1024;

/** The parts of the program around its stage. */
export const allParts = ['bar', 'text', 'heads', 'legend', 'panel', 'steps'];
const controls = { all: allParts, steps: ['text', 'legend', 'steps'], none: [] };
const hideable = [...allParts, 'names'];
const besideLesson = ['heads', 'legend', 'steps']; // the lesson has the text
const loads = ['visible', 'click', 'eager'];
const owners = ['figure', 'page'];
/** As the program names them. */
export const everyStep = [
  'sentence', 'input', 'project', 'split', 'transpose', 'scores', 'scale', 'mask', 'softmax', 'reweight', 'merge', 'output',
  'overview',
];

/** The attributes that the element observes. */
export const observed = [...fields, 'state', 'src', 'page', 'controls', 'hide', 'steps', 'load', 'keys', 'label', 'lang', 'poster', 'autoplay'];
export const isField = (name) => name === 'state' || fields.includes(name);

/** Shortens text from outside for an error message. */
function quoted(text) {
  const letters = [...text];
  return `“${letters.length > 40 ? `${letters.slice(0, 37).join('')}…` : letters.join('')}”`;
}

const nameIn = (part) => part.split('=', 1)[0];

/**
 * The attributes as a link: `state`, with the others overriding it. Here a link is only known as parts between “&”, each
 * with a name before its “=”; the program checks the rest.
 * @param {(name: string) => boolean} wanted
 * @param {string[]} links that override `state`, and one another
 */
function linkOf(element, wanted, links = []) {
  const over = new URLSearchParams();
  for (const name of fields) {
    const value = wanted(name) ? element.getAttribute(name) : null;
    if (value === null) continue;
    if (name === 'head') for (const field of ['all_heads', 'mean_heads']) over.set(field, String(value === 'all'));
    if (name !== 'head' || value !== 'all') over.set(fieldOf[name] ?? name, value);
  }
  const state = (wanted('state') && element.getAttribute('state')) || '';
  const kept = [state, ...links].reduce((before, link) => {
    const parts = link.replace(/^#/, '').split('&');
    const named = new Set(parts.map(nameIn));
    return [...before.filter((part) => !named.has(nameIn(part))), ...parts];
  }, []).filter((part) => !over.has(nameIn(part)));
  return [...kept, over.toString()].filter(Boolean).join('&');
}

/**
 * The link that the element begins with; empty for the default.
 * @param {string[]} links that were set by scripts, over the attribute `state` and under the others
 */
export function startLink(element, links = []) {
  let link = linkOf(element, () => true, links);
  const [first] = offeredSteps(element);
  if (first && !/(^|&)step=/.test(link)) link = [link, `step=${first}`].filter(Boolean).join('&');
  return link && (/(^|&)v=/.test(link) ? `#${link}` : `#v=1&${link}`);
}

/** The changed attributes, as a link. */
export const changeOf = (element, names) => linkOf(element, (name) => names.has(name));

/** The parts that `controls` and `hide` leave. */
export function shownParts(element, complain) {
  const wanted = element.getAttribute('controls') ?? 'all';
  const chosen = Object.hasOwn(controls, wanted) ? controls[wanted] : allParts;
  if (chosen === allParts && wanted !== 'all') complain(`controls is ${quoted(wanted)}; it can be all, steps or none.`);
  const hidden = (element.getAttribute('hide') ?? '').split(/[\s,]+/).filter(Boolean);
  const unknown = hidden.find((part) => !hideable.includes(part));
  if (unknown) complain(`hide has ${quoted(unknown)}; it can have ${hideable.join(', ')}.`);
  const shown = element.hasAttribute('src') && !element.hasAttribute('controls') ? besideLesson : chosen;
  const parts = shown.filter((part) => !hidden.includes(part));
  return hidden.includes('names') ? [...parts, 'words'] : parts; // words instead of names
}

/** The steps that `steps` lets readers go to, in their order; empty for all. */
export function offeredSteps(element, complain = () => {}) {
  const named = (element.getAttribute('steps') ?? '').split(/[\s,]+/).filter(Boolean);
  const unknown = named.find((step) => !everyStep.includes(step));
  if (unknown) complain(`steps has ${quoted(unknown)}; it can have ${everyStep.join(', ')}.`);
  return everyStep.filter((step) => named.includes(step));
}

/** The address that copied links begin with: the attribute's, or the page's for all figures; undefined for the usual one. */
export function pageOf(element, complain) {
  const wanted = element.getAttribute('page') ?? document.querySelector('meta[name="attention-live-page"]')?.content;
  if (!wanted) return undefined;
  try {
    const { protocol, href } = new URL(wanted, document.baseURI);
    if (/^(https?|file):$/.test(protocol)) return href.replace(/#.*/s, '');
  } catch {
    // It is told below.
  }
  complain(`page is ${quoted(wanted)}; it must be the address of a page.`);
  return undefined;
}

/** When it starts: "visible", "click" or "eager". */
export function loadOf(element, complain = () => {}) {
  const load = element.getAttribute('load') ?? 'visible';
  if (loads.includes(load)) return load;
  complain(`load is ${quoted(load)}; it can be visible, click or eager.`);
  return 'visible';
}

/** Whose the keys are that are no text for a field: "figure", which leaves the page those that it has no use for, or "page". */
export function keysOf(element, complain = () => {}) {
  const keys = element.getAttribute('keys') ?? 'figure';
  if (owners.includes(keys)) return keys;
  complain(`keys is ${quoted(keys)}; it can be figure or page.`);
  return 'figure';
}

/** What `mount` is told of the attributes at each start. */
export const optionsOf = (element, complain) => ({
  parts: shownParts(element, complain),
  steps: offeredSteps(element, complain),
  page: pageOf(element, complain),
  label: element.getAttribute('label') ?? undefined,
  guest: true,
  pageHasKeys: () => keysOf(element) === 'page',
  language: languageAround(element),
});

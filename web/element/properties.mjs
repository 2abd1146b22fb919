// Properties that mirror the attributes, for frameworks that set a property where there is one: figure.step = 'softmax'.

import { observed } from './attributes.mjs';

/** "key-index" as scripts write it: keyIndex. */
const inScripts = (name) => name.replace(/-(\w)/g, (_, letter) => letter.toUpperCase());

// Every element has `lang`; `state` takes more than text, and gives the state of now.
const mirrored = observed.filter((name) => name !== 'lang' && name !== 'state');

/** As frameworks set attributes: true is one without a value; false, null and undefined are none. */
function write(element, name, value) {
  if (value === null || value === undefined || value === false) element.removeAttribute(name);
  else element.setAttribute(name, value === true ? '' : String(value));
}

/** Gives a class of elements a property for each attribute: its text, or null where it is not there. */
export function mirrorAttributes({ prototype }) {
  for (const name of mirrored) {
    Object.defineProperty(prototype, inScripts(name), {
      configurable: true,
      enumerable: true,
      get() { return name === 'autoplay' ? this.hasAttribute(name) : this.getAttribute(name); },
      set(value) { write(this, name, value); },
    });
  }
}

/** What was set before the element was defined hides the properties: it is taken off, and set through them. */
export function setAgain(element) {
  for (const name of [...mirrored.map(inScripts), 'state', 'link']) {
    if (!Object.hasOwn(element, name)) continue;
    const value = element[name];
    delete element[name];
    element[name] = value;
  }
}

// What is shown while a figure does not run: its last picture, the poster of exactly its state, or a plain panel with the
// names of example and step.

import { posterAddress } from '../program/files.mjs';

const usual = { example: 'you-are-welcome', step: 'overview' };
const known = /^[a-z][a-z0-9-]{0,40}$/; // an id, and nothing that could lead to another file

/** {example, step, alone}: alone if the link says nothing else but the theme. */
function sceneOf(link) {
  const named = new URLSearchParams(link.replace(/^#/, ''));
  const id = (name) => (known.test(named.get(name) ?? '') ? named.get(name) : usual[name]);
  return {
    example: id('example'),
    step: id('step'),
    alone: [...named.keys()].every((name) => ['v', 'example', 'step', 'theme'].includes(name)),
  };
}

const words = (id) => id.replaceAll('-', ' ').replace(/^./, (letter) => letter.toUpperCase());

/** The layer under the program. */
export class Poster {
  constructor() {
    this.element = document.createElement('div');
    this.element.className = 'still';
    this.element.setAttribute('aria-hidden', 'true');
  }

  /** The last picture of the program, a canvas. */
  showPicture(canvas) {
    canvas.className = 'picture';
    this.element.replaceChildren(canvas);
  }

  /**
   * @param {string} link of the state that is waited for
   * @param {{wanted: string | null, dark: boolean, label: string | null}} options wanted: the attribute `poster`; label:
   *   shown in place of the names of example and step
   */
  show(link, { wanted, dark, label }) {
    const { example, step, alone } = sceneOf(link);
    const panel = document.createElement('p');
    panel.className = 'panel';
    const [first, second] = [document.createElement('strong'), document.createElement('span')];
    first.textContent = label ?? words(example);
    second.textContent = words(step);
    panel.append(first, ...(label ? [] : [second]));
    this.element.replaceChildren(panel);
    const own = wanted !== null && wanted !== 'on' && wanted !== '';
    if (wanted === 'off' || (!own && !alone)) return;
    const address = own ? wanted : posterAddress(`${example}-${step}-${dark ? 'dark' : 'light'}`);
    if (!address) return;
    const picture = document.createElement('img');
    picture.className = 'picture';
    picture.alt = '';
    picture.decoding = 'async';
    if (!own) picture.crossOrigin = 'anonymous'; // as its script came: a strict embedder policy asks for it
    picture.addEventListener('load', () => panel.replaceWith(picture), { once: true }); // a missing one is no error
    picture.src = address;
  }

  clear() {
    this.element.replaceChildren();
  }
}

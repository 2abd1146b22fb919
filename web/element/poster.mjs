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
  #panel = null;
  #awaits = false; // the poster is on its way

  constructor() {
    this.element = document.createElement('div');
    this.element.className = 'still';
    this.element.setAttribute('aria-hidden', 'true');
  }

  /** The last picture of the program, a canvas. */
  showPicture(canvas) {
    this.clear();
    canvas.className = 'picture';
    this.element.append(canvas);
  }

  /** Whether it is the names of example and step, where a picture can stand. */
  get isPlain() {
    return this.#panel !== null && !this.#awaits;
  }

  /** A picture of the state that is waited for, in the place of its names; of `poster="off"` only on paper. */
  fill(canvas, onPaper) {
    if (!this.isPlain) return;
    canvas.className = onPaper ? 'picture paper' : 'picture';
    if (onPaper) this.#panel.after(canvas);
    else this.#panel.replaceWith(canvas);
    this.#panel = null;
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
    this.#panel = panel;
    this.#awaits = false;
    const own = wanted !== null && wanted !== 'on' && wanted !== '';
    if (wanted === 'off' || (!own && !alone)) return;
    const address = own ? wanted : posterAddress(`${example}-${step}-${dark ? 'dark' : 'light'}`);
    if (!address) return;
    const picture = document.createElement('img');
    picture.className = 'picture';
    picture.alt = '';
    picture.decoding = 'async';
    if (!own) picture.crossOrigin = 'anonymous'; // as its script came: a strict embedder policy asks for it
    this.#awaits = true;
    picture.addEventListener('load', () => {
      panel.replaceWith(picture);
      if (this.#panel === panel) this.#panel = null;
    }, { once: true });
    picture.addEventListener('error', () => { // a missing one is no error
      if (this.#panel === panel) this.#awaits = false;
    }, { once: true });
    picture.src = address;
  }

  clear() {
    this.#panel = null;
    this.#awaits = false;
    this.element.replaceChildren();
  }
}

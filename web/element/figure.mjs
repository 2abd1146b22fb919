// One figure: a program that can be stopped, which releases its GL context, and resumed with the same state. Changes wait
// while it is stopped.

import { mount } from '../program/boot.mjs';
import { asksForTranslator } from '../program/translator.mjs';
import { longestLink } from './attributes.mjs';
import { connectEvents } from './events.mjs';

const mostWaiting = 256; // changes that wait for the start
const mostKept = 50; // steps of undo, and of redo, that outlive a stop

/** Applies a part of a state, or a link. */
const applied = (change) => (api) => (typeof change === 'string' ? api.change(change) : api.set(change));

export class Figure {
  #container;
  #emit;
  #told;
  #options;
  #api = null; // while it runs
  #starting = null; // promise of the start under way
  #waiting = []; // {change, reason, stays, resolve, reject}
  #events = null;
  #reason = '';
  #playing = false;
  #link; // the link that it resumes with
  #state = null; // the last state
  #large = false; // its state is too large for a link
  #history = null; // {links, here}: what undo and redo went through, and which of them is the present one
  #failure = null; // why it cannot run, until it runs
  #before = null; // {link, after}: what to go back to after a link was pointed to
  #drawn = false;
  #seen = true;
  /** Whether its picture can be drawn without running it: a lesson's and the translator's need what they load first. */
  get canBeDrawn() {
    return !this.running && this.prepare === null && !this.#large && !asksForTranslator(this.#link) &&
      !this.#waiting.some(({ change }) => asksForTranslator(change));
  }

  /**
   * Draws what it will show, in a container of its own, and tells nobody.
   * @returns {Promise<HTMLCanvasElement | null>} rejects with the reason
   */
  async draw(container) {
    const api = mount(container, { ...this.#options(), link: () => this.#link, mirror: false, autoplay: false });
    try {
      await api.ready;
      for (const { change } of this.#waiting) applied(change)(api);
      await api.settled();
      return api.picture();
    } finally {
      api.dispose();
    }
  }

  /** Called with the API at each start, before the first frame; returns whether that has set the state. */
  prepare = null;
  #held = ''; // what begins when it is in sight: 'play', 'autoplay' for one step, or nothing

  /**
   * @param {HTMLElement} container that the program is put into
   * @param {string} link where it begins
   * @param {(type: string, detail: object) => void} emit
   * @param {{drawn: () => void, failed: (cause: Error, picture: HTMLCanvasElement | null) => void}} told drawn: at each
   *   start when the first frame is there; failed: it cannot run, or cannot go on; the reader is then offered to try
   *   again, and the picture is the last one
   * @param {() => object} options of `mount`, asked for at each start
   */
  constructor(container, link, emit, told, options) {
    this.#container = container;
    this.#link = link;
    this.#emit = emit;
    this.#told = told;
    this.#options = options;
  }

  /** The program's API, or null while it does not run. */
  get api() {
    return this.#api;
  }

  get running() {
    return this.#api !== null || this.#starting !== null;
  }

  /** Whether its first frame has been drawn. */
  get drawn() {
    return this.#drawn;
  }

  /** Why it cannot run; null if it can, as far as is known. */
  get failure() {
    return this.#failure;
  }

  get link() {
    return this.#api ? this.#api.link() : this.#link;
  }

  get state() {
    return this.#api ? this.#api.state() : this.#state;
  }

  /** Sets the link that it begins with, if it has never run. */
  set start(link) {
    if (!this.#state && !this.running) this.#link = link;
  }

  /** Resolves when the first frame is drawn. Rejects with the reason; the reader is then offered to try again. */
  run() {
    this.#starting ??= this.#run();
    return this.#starting;
  }

  async #run() {
    const options = { ...this.#options(), link: () => this.#resumed() };
    const api = mount(this.#container, options);
    this.#mounted = api;
    const told = (event) => {
      // Until now it could come into sight, or go out of it.
      if (options.autoplay && !this.#seen) this.#held = 'autoplay';
      this.#once = options.autoplay && this.#seen;
      options.autoplay = this.#once;
      this.#began(event.detail.problems);
    };
    const broke = (event) => {
      options.autoplay = false; // not once more where the reader tries again
      this.#broke(event.detail);
    };
    this.#container.addEventListener('attention-live-start', told);
    this.#container.addEventListener('attention-live-broken', broke);
    this.#unlisten = () => {
      this.#container.removeEventListener('attention-live-start', told);
      this.#container.removeEventListener('attention-live-broken', broke);
    };
    // If the first attempt fails and the reader tries again, `attention-live-start` comes later.
    await api.ready;
    if (this.#mounted !== api) throw new Error('The figure was stopped while it was starting.');
  }

  /** The link that it goes on with; where none can hold its state, that is set when it has started. */
  #resumed() {
    if (this.#history && !this.prepare) return this.#history.links[0];
    if (!this.#large) return this.#link;
    return this.#state.example === 'own-layer' ? '' : `#example=${this.#state.example}`;
  }

  #once = false; // what plays is the first step, once
  #mounted = null;
  #unlisten = null;

  /** The program has started but not drawn: applies the changes that waited, so that the first frame shows them. */
  #began(problems) {
    const api = this.#mounted;
    this.#api = api;
    try {
      const isSet = this.prepare?.(api);
      if (this.#history && !this.prepare) this.#walkAgain(api);
      else if (this.#large && !isSet) api.set(this.#state);
    } catch (cause) {
      problems = [...problems, cause.message];
    }
    for (const message of problems) this.#emit('error', { message });
    this.#events?.disconnect();
    const emit = (type, detail) => {
      if (type === 'statechange') this.#keep(detail.state, detail.link);
      this.#emit(type, detail);
    };
    this.#events = connectEvents(this.#container, api, emit, () => {
      const reason = this.#reason || (this.#playing ? 'play' : 'reader');
      this.#reason = '';
      return reason;
    });
    for (const { change, reason, resolve, reject } of this.#waiting.splice(0)) {
      this.change(change, reason).then(resolve, reject);
    }
    if (this.#playing) this.play(true);
    this.#failure = null;
    this.#emit('start', {});
    api.ready.then(() => {
      if (this.#api !== api) return; // it was stopped meanwhile
      this.#drawn = true;
      this.#told.drawn();
    }, () => {});
  }

  /** Keeps a state for the next start. `link` is null if it is too large for one. */
  #keep(state, link) {
    this.#state = state;
    // The numbers of a lesson are in no link.
    this.#large = link === null || (this.prepare !== null && state.example === 'own-layer');
    if (link !== null) this.#link = link;
  }

  #keepPresent() {
    const state = this.#api.state();
    try {
      this.#keep(state, this.#api.link());
    } catch {
      this.#keep(state, null);
    }
  }

  /** Keeps what undo and redo of a program that ends go through; nothing where no link can hold it. */
  #walk(api) {
    this.#history = null;
    if (this.#large || this.prepare) return;
    try {
      let later = 0;
      for (; later < mostKept && api.choices().can_redo; later += 1) api.redo();
      const links = [api.link()];
      while (links.length <= later + mostKept && api.choices().can_undo) {
        api.undo();
        links.unshift(api.link());
      }
      if (links.length > 1) this.#history = { links, here: links.length - 1 - later };
    } catch {
      // Some of it was more than a link can hold.
    }
  }

  /** The program has begun where the history does. */
  #walkAgain(api) {
    const { links, here } = this.#history;
    this.#history = null;
    for (const link of links.slice(1)) api.open(link);
    for (let back = links.length - 1 - here; back > 0; back -= 1) api.undo();
    api.set(this.#state); // with the view that it was left with
  }

  #broke(message) {
    const picture = this.#mounted.picture();
    try {
      this.#keepPresent();
    } catch {
      // It answers no more, or never ran: it goes on from what was told last.
    }
    this.#events?.disconnect();
    this.#events = null;
    this.#api = null;
    this.#drawn = false;
    this.#failure = new Error(message);
    this.#emit('error', { message });
    for (const { reject } of this.#waiting.splice(0)) reject(this.#failure);
    this.#told.failed(this.#failure, picture);
  }

  /** Stops it and keeps its state. @returns the last picture, or null */
  stop() {
    const api = this.#mounted;
    if (!api) return null;
    let picture = null;
    if (this.#api) {
      this.#events?.flush();
      this.#keepPresent();
      picture = api.picture();
    }
    this.#unlisten();
    this.#events?.disconnect();
    this.#events = null;
    const ran = this.#api !== null;
    if (ran) this.#walk(this.#api);
    this.#api = null;
    this.#drawn = false;
    this.#failure = null;
    this.#mounted = null;
    this.#starting = null;
    api.dispose();
    if (ran) this.#emit('stop', {});
    return picture;
  }

  /** Rejects the changes that wait, but for those that stay until it is in a page again. */
  end() {
    this.stop();
    this.forget();
    const all = this.#waiting;
    this.#waiting = all.filter(({ stays }) => stays);
    for (const { stays, reject } of all) {
      if (!stays) reject(new Error('The figure was taken out of the page before it started.'));
    }
  }

  /** @param {(api: object) => object} act gives the new state */
  #now(act, reason) {
    const before = JSON.stringify(this.#api.state());
    const state = act(this.#api);
    // The event comes with the next frame, which is drawn only if something changed.
    if (JSON.stringify(state) !== before) this.#reason = reason;
    return state;
  }

  /**
   * Shows a link while it is pointed to. null goes back to the state before, unless that was changed since.
   * @param {string | null} link
   * @param {(link: string) => void} follow it
   */
  hover(link, follow) {
    if (!this.#api) return;
    const kept = this.#before;
    this.#before = null;
    if (link !== null) {
      const before = this.link;
      follow(link);
      this.#before = { link: before, after: this.link };
    } else if (kept && kept.link !== kept.after && this.link === kept.after) {
      this.act((api) => api.open(kept.link).state, 'link');
    }
  }

  /** What was pointed to stays. */
  forget() {
    this.#before = null;
  }

  /** Something that gives a new state; only while it runs. */
  act(act, reason = 'script') {
    return this.#now(act, reason);
  }

  /**
   * A part of a state, or a link that names one. Rejects with a sentence, and then nothing has changed.
   * @param {boolean} stays where the figure is taken out of the page before it has started
   * @returns {Promise<object>} the new state, once the figure runs
   */
  async change(change, reason = 'script', stays = false) {
    if (typeof change === 'string') {
      if (change.length > longestLink) throw new Error(`The link is too long: at most ${longestLink} characters are allowed.`);
    } else if (change === null || typeof change !== 'object' || Array.isArray(change)) {
      throw new TypeError('A state is an object, such as {step: "softmax"}, or a link, such as "#step=softmax".');
    }
    if (this.#api && asksForTranslator(change)) await this.#api.addTranslator();
    if (this.#api) return this.#now(applied(change), reason);
    if (this.#failure) throw this.#failure;
    if (this.#waiting.length >= mostWaiting) {
      throw new Error(`More than ${mostWaiting} changes wait for the figure to start.`);
    }
    const kept = typeof change === 'string' ? change : structuredClone(change);
    return new Promise((resolve, reject) => this.#waiting.push({ change: kept, reason, stays, resolve, reject }));
  }

  play(on) {
    this.#playing = on;
    this.#once = false;
    this.#held = on && !this.#seen ? 'play' : '';
    if (!this.#held) this.#api?.play(on);
  }

  /** Whether it is in sight. Out of sight nothing plays: the reader would miss it. */
  see(yes) {
    this.#seen = yes;
    if (!this.#api) return;
    if (yes) {
      if (this.#held === 'autoplay') this.#api.autoplay();
      else if (this.#held) this.#api.play(true);
      this.#held = '';
    } else if (this.#api.describe().playing) {
      this.#held = this.#once ? 'autoplay' : 'play';
      this.#api.play(false);
    }
  }
}

// The element <attention-live>. Its attributes, properties, methods and events are described in attention-live.d.ts.

import { keepInput } from '../program/input/kept_input.mjs';
import { languageAround, loadTexts } from '../program/language.mjs';
import { adoptRules } from '../program/style.mjs';
import { changeOf, isField, keysOf, loadOf, observed, offeredSteps, optionsOf, pageOf, shownParts, startLink } from './attributes.mjs';
import { fullScreenButton, startButton } from './buttons.mjs';
import { dispatch } from './events.mjs';
import { Figure } from './figure.mjs';
import { join, leave, rearrange } from './fleet.mjs';
import { layersOf } from './layers.mjs';
import { Lessons } from './lessons.mjs';
import { Poster } from './poster.mjs';
import { drawnBefore } from './press.mjs';
import { Promises } from './promises.mjs';
import { mirrorAttributes, setAgain } from './properties.mjs';
import { checkProse, connectProse } from './prose.mjs';
import { darkRules, nameParts, rules } from './element_styles.mjs';
import { followAgain, followTheme, isDark, lookOf } from './theme.mjs';

const moved = 100; // milliseconds that an element may be out of the page and live on: a framework is moving it

/** The functions that links in the prose call. */
const handles = new WeakMap();
let proseChecked = false;

const mostEarly = 256; // values of `state` and `link` that wait for a page

// A server that renders a page imports this too: it has no elements, and makes none.
export class AttentionLiveElement extends (globalThis.HTMLElement ?? Object) {
  static observedAttributes = observed;

  #container = document.createElement('div');
  #poster = new Poster();
  #go = startButton(() => this.#call());
  #full = fullScreenButton(this);
  #figure;
  #member;
  #changed = new Set(); // attributes, since they were read
  #early = []; // what `state` and `link` were set to since it is in no page
  #links = []; // those of them that it begins with
  #leaving = 0;
  #joined = false;
  #clicked = false; // for load="click": it was clicked
  #called = false; // clicked but not running yet: others may be stopped for it
  #passedOver = false; // other figures run because they are nearer
  #asked = 'no'; // the last call of start() or stop(): 'start', 'stop', or 'no' for neither
  #promises = new Promises();
  #undrawable = false; // where its picture could not be drawn, it is not tried again
  #look = ''; // now, as JSON
  #lessons = new Lessons(this, {
    figure: () => this.#figure, emit: (...event) => this.#emit(...event), ask: (question) => this.#ask(question),
  });
  #abort = null;

  constructor() {
    super();
    const parts = [this.#poster.element, this.#container, this.#go.element, this.#full.element];
    this.attachShadow({ mode: 'open' }).append(layersOf(...parts));
    keepInput(this.shadowRoot, this, () => keysOf(this) === 'page');
    this.#member = {
      element: this,
      wanted: () => this.#wanted(),
      pinned: () => this.#called || this.#promises.some || this.matches(':fullscreen') ||
        (this.#figure.running && this.matches(':focus-within')),
      asked: () => this.#asked === 'start',
      running: false,
      start: () => this.#run(),
      stop: () => this.#rest(),
      passOver: (yes) => {
        if (this.#passedOver === yes) return;
        this.#passedOver = yes;
        this.#showButtons();
      },
      see: (yes) => this.#figure.see(yes),
      isPlain: () => this.#poster.isPlain && !this.#undrawable && this.#figure.canBeDrawn && this.#container.clientWidth > 0,
      draw: () => this.#draw(),
    };
    // At its first start: later ones find the same attributes.
    const complainOnce = (message) => this.#figure.state ?? this.#complain(message);
    const told = { drawn: () => this.#drawn(), failed: (...what) => this.#failed(...what) };
    this.#figure = new Figure(this.#container, '', (type, detail) => this.#emit(type, detail), told, () => ({
      ...optionsOf(this, complainOnce),
      look: () => lookOf(this, this.#container),
      autoplay: this.#playsNow(),
    }));
    const show = (link) => this.#try(() => link, 'link');
    handles.set(this, {
      follow: (link) => {
        this.#figure.forget();
        show(link);
      },
      hover: (link) => this.#figure.hover(link, show),
    });
  }

  // ---- connecting to the page ----

  connectedCallback() {
    clearTimeout(this.#leaving);
    if (this.#joined) { // it was moved
      followAgain(this);
      if (this.#figure.drawn) this.#settle();
      return;
    }
    setAgain(this);
    this.#joined = true;
    adoptRules(this.shadowRoot, rules);
    if (!proseChecked) checkProse();
    proseChecked = true;
    this.#abort = new AbortController();
    const { signal } = this.#abort;
    document.addEventListener('fullscreenchange', () => this.#showButtons(), { signal });
    const fresh = this.#figure.state === null;
    const early = this.#early.splice(0);
    // A figure that begins takes links as the attribute `state`: a step may belong to the example that one names.
    if (fresh && early.every((each) => typeof each === 'string')) this.#links.push(...early.splice(0));
    if (fresh) for (const check of [loadOf, keysOf]) check(this, (message) => this.#complain(message));
    this.#begins();
    this.#look = '';
    this.#theme();
    followTheme(this, () => {
      if (this.#theme() && !this.#figure.running && !this.#figure.state) this.#showStill();
    }, signal);
    this.#showStill();
    this.#showButtons();
    this.#speak();
    join(this.#member);
    this.#lessons.resume();
    if (!fresh) this.#takeAttributes();
    this.#changed.clear();
    for (const each of early) this.#try(() => each);
  }

  disconnectedCallback() {
    clearTimeout(this.#leaving);
    this.#leaving = setTimeout(() => this.#left(), moved);
  }

  /** Called when the element is moved by `moveBefore`: it goes on as it is. */
  connectedMoveCallback() { followAgain(this); }

  adoptedCallback() {
    clearTimeout(this.#leaving);
    this.#left();
  }

  #left() {
    if (!this.#joined) return;
    this.#joined = false;
    leave(this.#member);
    this.#abort.abort();
    this.#lessons.leave();
    this.#rest(false);
    this.#figure.end();
    this.#settle('The figure was taken out of the page before it started.');
    this.#poster.clear();
  }

  attributeChangedCallback(name, before, value) {
    if (before === value) return;
    if (this.#joined && this.#changed.size === 0) queueMicrotask(() => this.#takeAttributes());
    this.#changed.add(name);
  }

  /** Applies all attributes that changed together, because a step may belong to a new example. */
  #takeAttributes() {
    if (!this.#joined) return;
    const names = new Set(this.#changed);
    this.#changed.clear();
    const complain = (message) => this.#complain(message);
    if (names.has('theme')) this.#theme();
    for (const [name, check] of [['load', loadOf], ['keys', keysOf]]) if (names.has(name)) check(this, complain);
    if (names.has('controls') || names.has('hide')) this.#figure.api?.parts(shownParts(this, complain));
    if (names.has('steps')) this.#figure.api?.steps(offeredSteps(this, complain));
    if (names.has('src')) this.#lessons.take();
    if (names.has('page')) this.#figure.api?.page(pageOf(this, complain));
    const label = this.getAttribute('label');
    if (names.has('label') && label !== null) this.#canvas?.setAttribute('aria-label', label);
    // A program takes its language when it starts.
    if (names.has('lang') && this.#figure.running) this.#rest();
    if (names.has('lang')) this.#speak();
    if ([...names].some(isField)) {
      if (!this.#figure.running && !this.#figure.state) this.#begins();
      else this.#try(() => (
        names.has('theme') && !this.hasAttribute('theme') ? `theme=auto&${changeOf(this, names)}` : changeOf(this, names)
      ));
    }
    if (!this.#figure.running && !this.#figure.state) this.#showStill();
    this.#update();
  }

  /** Says what a figure that has never run begins with. */
  #begins() {
    this.#figure.start = startLink(this, this.#links);
  }

  /** Applies a change, now or when it runs. What is wrong is told by an event. */
  #try(make, reason = 'script') {
    try {
      this.#figure.change(make(), reason, true).catch((cause) => {
        if (cause !== this.#figure.failure) this.#complain(cause.message); // that has been told
      });
    } catch (cause) {
      this.#complain(cause.message);
    }
  }

  // ---- running ----

  /** Whether to play now: with the attribute `autoplay`, and only at the first start. */
  #playsNow() {
    return this.hasAttribute('autoplay') && this.#figure.state === null;
  }

  /** The reader clicked to start this figure. */
  #call() {
    this.#clicked = true;
    this.#called = true;
    this.#asked = 'no';
    this.#update();
    const focus = () => this.focus({ preventScroll: true });
    this.#untilRuns(true).then(focus).catch(() => {}).then(() => {
      this.#called = false;
      rearrange();
    });
  }

  #wanted() {
    if (this.#asked === 'start' || this.#promises.some) return 'now';
    if (this.#asked === 'stop') return 'no';
    const load = loadOf(this);
    if (load === 'click') return this.#clicked ? 'near' : 'no';
    return load === 'eager' ? 'now' : 'near';
  }

  #run() {
    this.#member.running = true;
    this.#showButtons();
    const runs = this.#figure.run();
    nameParts(this.#container);
    return runs;
  }

  #drawn() {
    nameParts(this.#container);
    this.#poster.clear();
    this.#showButtons();
    this.#promises.keep(this);
    if (this.isConnected) this.#settle(); // else it is being moved, or has been taken out
  }

  #failed(cause, picture) {
    if (picture) this.#poster.showPicture(picture);
    this.#showButtons();
    this.#promises.fail(cause);
    this.#settle(cause);
  }

  #untilRuns(drawn) {
    const runs = this.#promises.untilRuns(drawn);
    this.#update();
    return runs;
  }

  /** Answers the calls that wait; see Promises.settle. */
  #settle(...why) {
    this.#promises.settle(...why);
    rearrange(); // it had its place for them
  }

  /** Stops: releases the GL context and keeps the last picture. */
  #rest(shown = true) {
    const focused = this.shadowRoot.activeElement !== null;
    const picture = this.#figure.stop();
    this.#member.running = false;
    if (picture) this.#poster.showPicture(picture);
    else if (shown) this.#showStill();
    this.#showButtons();
    if (focused && shown) this.blur();
  }

  #update() {
    this.#showButtons();
    rearrange();
  }

  #showStill() {
    const english = languageAround(this) === 'en'; // as the posters are, and the names of examples and steps
    this.#poster.show(this.#figure.state ? '#state=' : this.#figure.link, {
      wanted: this.getAttribute('poster') ?? (english ? null : 'off'),
      label: english ? null : this.getAttribute('label'),
      dark: isDark(this),
    });
  }

  /** Draws the picture of a state that has not run. @returns its pixels */
  async #draw() {
    const { link } = this.#figure;
    const picture = await drawnBefore(this.#container, (place) => this.#figure.draw(place));
    if (!picture) this.#undrawable = true;
    else if (this.#figure.link === link) this.#poster.fill(picture, this.getAttribute('poster') === 'off');
    return picture ? picture.width * picture.height : 0;
  }

  #showButtons() {
    const { running } = this.#figure;
    const language = languageAround(this);
    this.#go.update(running || !(this.#passedOver || this.#wanted() === 'no'), language);
    this.#full.update(running, language);
  }

  /** Names the buttons in the figure's language, once its texts are here. */
  #speak() {
    loadTexts(languageAround(this)).then(() => this.#showButtons(), () => {});
  }

  /** Follows the theme. @returns whether it is another one than before */
  #theme() {
    const look = lookOf(this, this.#container);
    if (JSON.stringify(look) === this.#look) return false;
    this.#look = JSON.stringify(look);
    this.#container.dataset.theme = look.dark ? 'dark' : 'light';
    adoptRules(this.shadowRoot, darkRules, look.dark);
    this.#figure.api?.preferences();
    return true;
  }

  get #canvas() {
    return this.#container.querySelector('canvas');
  }

  // ---- events ----

  #emit(type, detail) {
    if (type === 'start') {
      if (this.#promises.failed) this.#promises.renew(); // it was tried again
      this.#settle(null, ({ drawn }) => !drawn);
    }
    dispatch(this, type, detail);
  }

  #complain(message) {
    this.#emit('error', { message });
  }

  // ---- methods for scripts ----

  get state() {
    return this.#figure.state;
  }

  set state(value) {
    if (value === null || value === undefined) return; // a framework takes its attribute away
    if (this.#joined) this.#try(() => value);
    else if (this.#early.length < mostEarly) this.#early.push(value);
    else this.#complain(`More than ${mostEarly} changes wait for the figure to be in a page.`);
  }

  get link() {
    return this.#figure.link || startLink(this, this.#links);
  }

  set link(value) {
    this.state = value === null || value === undefined ? value : String(value);
  }

  get ready() { return this.#promises.ready; }

  get running() { return Boolean(this.#figure.api); }

  async setState(change) {
    return this.#figureNow().change(change);
  }

  async focusCell(cell) {
    if (cell === null) return this.setState({ cell: null });
    if (typeof cell !== 'object') throw new TypeError('A cell is {tensor, index}, or null.');
    const { attention, tensor, index } = cell;
    return this.setState({ ...(attention === undefined ? {} : { attention }), cell: { tensor, index } });
  }

  tensor(name) { return this.#ask((api) => api.tensor(String(name))); }
  program(library) { return this.#ask((api) => api.program(String(library))); }

  openFile(file, options) { return this.#ask((api) => api.openFile(file, options)); }

  typeWords(words) { return this.#ask((api) => api.typeWords(words)); }

  async openLesson(lesson) {
    this.#figureNow();
    return this.#lessons.open(lesson);
  }

  describe() {
    return this.#ask((api) => api.describe());
  }

  /** A call that only the running program can answer. It is started if necessary. */
  async #ask(question) {
    const figure = this.#figureNow();
    if (figure.failure) throw figure.failure;
    if (!figure.api) await this.#untilRuns(false);
    if (!figure.api) throw new Error('The figure was stopped before it answered.');
    return question(figure.api);
  }

  #figureNow() {
    if (!this.#joined) throw new Error('The figure is not in a page: put it into one first.');
    return this.#figure;
  }

  play() {
    this.#figureNow().play(true);
  }

  pause() {
    this.#figureNow().play(false);
  }

  async start() {
    const figure = this.#figureNow();
    this.#asked = 'start';
    if (figure.failure) this.#rest(); // and from the beginning
    if (!figure.drawn) await this.#untilRuns(true);
    return this;
  }

  stop() {
    this.#asked = 'stop';
    if (!this.#joined) return;
    this.#settle('The figure was stopped before it ran.', ({ drawn }) => drawn);
    this.#update();
    if (this.#figure.running) this.#rest();
  }

  focus(options) {
    if (this.#canvas) this.#canvas.focus(options);
    else this.#go.element.focus(options);
  }

  blur() {
    this.shadowRoot.activeElement?.blur();
  }
}

mirrorAttributes(AttentionLiveElement);
if (globalThis.document) connectProse((figure) => handles.get(figure));

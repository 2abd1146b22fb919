// Puts attention-live into an element of a page: makes the canvas, checks what the browser supports, loads the program
// while showing the progress, and shows errors as a sentence. A page may have several instances; they share nothing.

import { offerMirror } from '../mirror/offer.mjs';
import { createApi } from './api.mjs';
import { Sentence } from './compiled_code.mjs';
import { home } from './files.mjs';
import { connectInput } from './input/input.mjs';
import { languageAround, loadTexts, useLanguage } from './language.mjs';
import { connectPictures } from './pictures/pictures.mjs';
import { connectPaper } from './paper.mjs';
import { offerAgain, part } from './loading/part.mjs';
import { Program } from './program.mjs';
import { adoptStyle } from './style.mjs';
import { Surface } from './surface.mjs';
import { addTranslator, asksForTranslator, showTranslator } from './translator.mjs';
import { text as texts } from '../texts/program.mjs';

function make(tag, className, attributes = {}) {
  const element = document.createElement(tag);
  element.className = className;
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}

/** The elements inside the container: the canvas, the invisible text field, and the progress or error before them. */
function build(container) {
  const canvas = make('canvas', 'attention-live-canvas', { tabindex: '0', role: 'application' });
  const field = make('textarea', 'attention-live-text', {
    tabindex: '-1',
    rows: '1',
    autocomplete: 'off',
    autocapitalize: 'off',
    autocorrect: 'off',
    spellcheck: 'false',
    enterkeyhint: 'done',
  });
  const status = make('div', 'attention-live-status', { role: 'status' });
  const sentence = make('p', 'attention-live-sentence');
  const progress = make('progress', 'attention-live-progress');
  const again = make('button', 'attention-live-again', { type: 'button' });
  again.hidden = true;
  status.append(sentence, progress, again);
  container.replaceChildren(canvas, field, status);
  return { canvas, field, status, sentence, progress, again };
}

/** Says what these elements are. @param {string} [label] of the canvas, if it has its own */
function name({ canvas, field, progress, again }, text, label) {
  canvas.setAttribute('aria-label', label ?? text('program.canvas.label'));
  field.setAttribute('aria-label', text('program.canvas.field'));
  progress.setAttribute('aria-label', text('program.loading.label'));
  again.textContent = text('program.loading.again');
}

const removed = () => new Sentence(texts.later('program.stopped.removed'));

function kilobytes(bytes) {
  return `${Math.round(bytes / 1000)} kB`;
}

/** The detail of a change event: little, because it is made within the frame. */
const lookOf = (program) => ({ scene: program.scene(), theme: program.theme() });

/**
 * Events on the container: `attention-live-start` as soon as everything is computed and before it is drawn
 * (detail.problems: sentences about what of the link could not be used), `attention-live-frame` after every frame,
 * `attention-live-change` after a frame with another document in it (detail.scene: another number for another example
 * or step; detail.theme: 'auto', 'light' or 'dark') and `attention-live-broken` (detail: the sentence) when it cannot
 * run or go on; the reader is offered to try again.
 *
 * @param {HTMLElement} container of any size; the canvas follows it
 * @param {object} options
 * @param {() => string} [options.link] the link to begin with, see api.mjs; empty for the default
 * @param {string} [options.page] the address that copied links begin with
 * @param {string[] | null} [options.parts] which parts are shown around the stage; null for all
 * @param {string[]} [options.steps] the steps that readers can go to; empty for all
 * @param {boolean} [options.mirror] false: without "Read as text"
 * @param {string} [options.language] "en", "de" or "es"; the page's around the container where it is left out
 * @param {string} [options.label] the name of the canvas for screen readers
 * @param {boolean} [options.autoplay] plays the first step once, until any input; not with reduced motion
 * @param {boolean} [options.guest] it is part of another page, which gets wheel, touch and keys unless the reader has
 *   clicked into the canvas
 * @param {() => boolean} [options.pageHasKeys] whether that page has all keys but those that are typed into a field
 * @param {() => {dark: boolean, colours: {paper?: string, ink?: string, accent?: string}}} [options.look] whether dark
 *   colours are preferred, else the system is asked; and the colours of the site around it, each as #1b2c3d
 * @param {(language: string) => void} [options.chooseLanguage] shows the page in another language; offered if given
 * @param {() => Promise<void>} [options.renew] loads the page anew, where that helps and keeps the state; rejects if the
 *   server cannot be reached
 * @returns the API, whose `ready` tells when it can be used
 */
export function mount(container, options = {}) {
  const {
    link = () => '', page: linked = home, parts: shown = null, steps = [], mirror = true, label, guest = false,
    pageHasKeys, look, chooseLanguage, renew = () => Promise.reject(), language = languageAround(container),
  } = options;
  const text = texts.in(language);
  const parts = build(container);
  name(parts, text, label);
  adoptStyle(container.getRootNode());
  container.classList.add('attention-live');
  container.dir = 'ltr'; // as all its languages are written; the page around it may not be
  container.classList.toggle('attention-live-guest', guest);
  const instance = { program: null, surface: null, input: null, pictures: null, mirror: null };
  let begun = true; // the files of the last attempt fit together: everything was computed with them
  let disposed = false;
  let broken = null; // why the running program broke
  const ending = new AbortController();
  connectPaper(container, () => instance.surface?.paper() ?? null, ending.signal);

  function showLoading(received, total) {
    if (container.classList.contains('attention-live-failed')) return; // the download goes on for other figures
    parts.sentence.textContent = total
      ? text('program.loading.part', { received: kilobytes(received), total: kilobytes(total) })
      : received ? text('program.loading.received', { received: kilobytes(received) }) : text('program.loading.begins');
    if (total) parts.progress.setAttribute('value', Math.min(received / total, 1));
    else parts.progress.removeAttribute('value');
  }

  function showFailure(cause) {
    const sentence =
      cause instanceof Sentence ? cause.in(language) : text('program.stopped.error', { error: cause.message });
    container.classList.add('attention-live-failed');
    container.classList.remove('attention-live-ready');
    parts.status.setAttribute('role', 'alert');
    parts.sentence.textContent = sentence;
    parts.progress.hidden = true;
    parts.again.hidden = false;
    container.dispatchEvent(new CustomEvent('attention-live-broken', { detail: sentence }));
  }

  function disconnect() {
    instance.input?.disconnect();
    instance.pictures?.disconnect();
    instance.surface?.disconnect();
    instance.mirror?.disconnect();
    // The surface holds the context until `dispose`.
    Object.assign(instance, { program: null, input: null, pictures: null, mirror: null });
  }

  /** The running program failed for good: it is not called any more, and the page shows why. */
  function stop(cause) {
    broken = cause;
    disconnect();
    showFailure(cause);
  }

  /** The context was taken away and does not come back. The program can still be asked for its state. */
  function withoutContext() {
    broken = new Sentence(texts.later('program.stopped.graphics'));
    showFailure(broken);
    disconnect();
    parts.canvas.addEventListener('webglcontextrestored', tryAgain, { once: true });
  }

  /** Opens a link, so that there is nothing to undo, and says so with what else could not be. */
  function begin(link, without = []) {
    const { program } = instance;
    // The program refuses longer links with a sentence, for which this much of one is enough.
    const { problems } = link ? program.call('open', { link: link.slice(0, 100_000), begins: true }) : { problems: [] };
    container.dispatchEvent(
      new CustomEvent('attention-live-start', { detail: { ...lookOf(program), problems: [...without, ...problems] } }),
    );
  }

  /** @param {boolean} fresh the files of the last attempt did not start */
  async function start(fresh) {
    container.classList.remove('attention-live-failed', 'attention-live-ready');
    parts.status.setAttribute('role', 'status');
    parts.progress.hidden = false;
    parts.again.hidden = true;
    showLoading(0, 0);
    let unspoken = null; // why it speaks English, where that is not its language
    const english = (cause) => { unspoken = cause; };
    const speaks = loadTexts(language).then(() => name(parts, text, label), english);
    let told = 0;
    let film = null; // the one that is being recorded
    let filming = null; // that its beginning is done
    const drawn = () => {
      film?.add();
      container.dispatchEvent(new CustomEvent('attention-live-frame'));
      const changes = instance.program?.changes();
      if (changes === undefined || changes === told) return;
      told = changes;
      container.dispatchEvent(
        new CustomEvent('attention-live-change', { detail: lookOf(instance.program) }),
      );
    };
    const surface = new Surface(parts.canvas, { drawn, gone: withoutContext, keeps: guest });
    const read = (place, length) => page.text(place, length);
    // Loaded when a reader saves something.
    const refuse = (cause) => instance.program?.refuse(
      cause instanceof Sentence ? cause.in(language) : text('program.stopped.error', { error: cause.message }));
    const saved = (how, ...what) => part(() => import('./saving/save.mjs')).then((module) => module[how](...what)).catch(refuse);
    const page = {
      broken: stop,
      requestFrame: () => surface.requestFrame(),
      requestFrameIn: (seconds) => surface.requestFrameIn(seconds),
      setCursor: (place, length) => instance.input?.setCursor(read(place, length)),
      setTextField: (...where) => instance.input?.setTextField(...where),
      setClipboard: (place, length) => instance.input?.setClipboard(read(place, length)),
      choosePicture: () => instance.pictures?.choose(),
      chooseLayer: () => instance.pictures?.chooseLayer(),
      wordsTyped: (words) => instance.pictures?.wordsTyped(words),
      showProgram: (place, length, library, libraryLength, reads, readsLength) => {
        const [code, name, file] = [read(place, length), read(library, libraryLength), read(reads, readsLength)];
        const data = file && { file, save: () => instance.program.call('save', { as: 'safetensors' }) };
        part(() => import('./saving/program_dialog.mjs'))
          .then(({ showProgram }) => showProgram(code, name, container, data)).catch(refuse);
      },
      hasLanguages: Boolean(chooseLanguage),
      chooseLanguage: (place, length) => chooseLanguage(read(place, length)),
      loadTranslator: () => { showTranslator(instance.program, instance); },
      saveFile: (name, nameLength, type, typeLength, place, length) => saved(
        'save', read(name, nameLength), new Blob([page.bytes(place, length)], { type: read(type, typeLength) }),
      ),
      beginFilm: (...place) => {
        const { canvas } = parts;
        const scale = canvas.width / canvas.clientWidth;
        filming = part(() => import('./saving/film.mjs'))
          .then(({ Film }) => { film = new Film(canvas, place.map((each) => each * scale)); }).catch(refuse);
      },
      endFilm: (name, length) => {
        const title = read(name, length);
        filming.then(() => {
          film?.end(title);
          film = null;
        });
      },
      savePicture: (name, nameLength, width, height, place) => saved(
        'savePicture', read(name, nameLength), width, height, page.bytes(place, width * height * 4),
      ),
    };
    const program = await Program.start(parts.canvas, page, showLoading, fresh);
    // Without the texts it speaks English.
    await useLanguage(program, language).then(() => { container.lang = language; }, english);
    program.language = language;
    await speaks;
    let without = null; // why there is no translator, where the link asks for it
    if (asksForTranslator(link())) await addTranslator(program).catch((cause) => { without = cause; });
    if (disposed) throw removed();
    instance.input = connectInput(parts.canvas, parts.field, program, { guest, pageHasKeys, look });
    instance.pictures = connectPictures(container, program, guest);
    instance.program = program;
    program.address(api.home);
    if (shown) program.call('parts', { parts: shown });
    if (steps.length > 0) program.call('steps', { steps });
    begin(link(), without ? [without.in?.(language) ?? without.message] : []);
    told = program.changes();
    if (disposed) throw removed();
    const plays = options.autoplay && api.autoplay(); // from the first frame on
    instance.surface = surface;
    // After the computation, because creating a context can take longer than everything before.
    if (!surface.connect(program)) {
      disconnect();
      throw new Sentence(texts.later('program.browser.webgl'));
    }
    container.classList.add('attention-live-ready');
    begun = true;
    surface.go();
    if (unspoken) {
      offerAgain(container, unspoken, () => {
        renewCanvas();
        attemptStart();
      }, language);
    }
    if (mirror) instance.mirror = offerMirror(container, api);
    // The observer may report another size where pixels are scaled, and then another frame is drawn at once.
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    if (!plays) await surface.settled(); // what plays is not settled for a while
    if (instance.program !== program) throw broken ?? removed();
  }

  const calls = createApi(instance);
  const api = Object.assign(calls, {
    /** As createApi has it. The document is the same, but what is said beside the canvas lists the steps. */
    steps: ((offer) => (list) => {
      const offered = offer(list);
      container.dispatchEvent(new CustomEvent('attention-live-change', { detail: lookOf(instance.program) }));
      return offered;
    })(calls.steps),
    /** What it speaks, and what is said beside it. */
    language,
    /** The address that copied links begin with. */
    home: linked,
    /** Sets it. */
    page(address = home) {
      api.home = address;
      instance.program?.address(address);
    },

    /** Shows what a link says as if the program had started with it: there is nothing to undo. */
    begin: (link) => begin(link),

    /** The answer of `options.look` may be another one now. */
    preferences: () => instance.input?.tellPreferences(),

    /**
     * Loads the weights of the translator, 3 MB, and makes it one of the examples. Rejects with the reason if it cannot.
     * @param {(share: number) => void} [onProgress] how much has come, 0 to 1, where the server says how much there is
     */
    async addTranslator(onProgress) {
      await api.ready;
      await addTranslator(instance.program, onProgress);
    },
    /** The same, told to the reader as it comes; then the example is shown, or why it cannot be. */
    showTranslator: () => showTranslator(instance.program, instance),

    /** Plays the step once, until any input. Not with reduced motion. @returns whether it does */
    autoplay() {
      const may = !matchMedia('(prefers-reduced-motion: reduce)').matches;
      if (may) instance.program.call('play', { on: true, once: true });
      return may;
    },

    /** Removes it from the page and frees memory, listeners and the GL context. */
    dispose() {
      disposed = true;
      ending.abort();
      disconnect();
      instance.surface?.release();
      container.replaceChildren();
      container.classList.remove('attention-live-ready', 'attention-live-failed', 'attention-live-guest');
    },
  });

  /** Nothing of the last attempt is used any more. */
  function renewCanvas() {
    disconnect();
    if (!instance.surface) return;
    // A canvas has one context for its whole life.
    instance.surface.release();
    instance.surface = null;
    const canvas = parts.canvas.cloneNode();
    parts.canvas.replaceWith(canvas);
    parts.canvas = canvas;
  }

  function attemptStart() {
    const fresh = !begun;
    begun = false;
    api.ready = start(fresh).then(() => api);
    // Reject the promise of callers that wait for the start.
    api.ready.catch(async (cause) => {
      await loadTexts(language).catch(() => {}); // in which it is told
      if (disposed || cause === broken) return;
      if (!begun) disconnect(); // it is not called any more
      // Not even with files fresh from the server: after a new version came there, those of the page may be older.
      if (fresh && !begun && await renew().then(() => true, () => false)) return;
      showFailure(cause);
    });
  }
  function tryAgain() {
    if (disposed || !container.classList.contains('attention-live-failed')) return;
    renewCanvas();
    attemptStart();
  }
  parts.again.addEventListener('click', tryAgain);
  attemptStart();
  return api;
}

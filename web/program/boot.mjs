// Puts attention-live into an element of a page: makes the canvas, checks what the browser can do, loads the program
// with its progress shown, and says in a sentence what went wrong where something did. Everything belongs to the one
// instance, so that a page may hold several.

import { offerMirror } from '../mirror/offer.mjs';
import { createApi } from './api.mjs';
import { home } from './files.mjs';
import { connectInput } from './input.mjs';
import { connectPictures } from './pictures.mjs';
import { Program, Sentence, chooseVariant } from './program.mjs';
import { save, savePicture } from './save.mjs';
import { Surface, openContext } from './surface.mjs';

function make(tag, className, attributes = {}) {
  const element = document.createElement(tag);
  element.className = className;
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}

/** The elements inside the container: the canvas, the unseen text field, and what is told before they can be used. */
function build(container) {
  const canvas = make('canvas', 'attention-live-canvas', {
    tabindex: '0',
    role: 'application',
    'aria-label': 'attention-live: multi-head attention, every matrix and number, computed as you change them',
  });
  const field = make('textarea', 'attention-live-text', {
    tabindex: '-1',
    rows: '1',
    autocomplete: 'off',
    autocapitalize: 'off',
    autocorrect: 'off',
    spellcheck: 'false',
    enterkeyhint: 'done',
    'aria-label': 'Text for the field that is being edited',
  });
  const status = make('div', 'attention-live-status', { role: 'status' });
  const sentence = make('p', 'attention-live-sentence');
  const progress = make('progress', 'attention-live-progress', { 'aria-label': 'Loading' });
  const again = make('button', 'attention-live-again', { type: 'button' });
  again.textContent = 'Try again';
  again.hidden = true;
  status.append(sentence, progress, again);
  container.replaceChildren(canvas, field, status);
  return { canvas, field, status, sentence, progress, again };
}

function kilobytes(bytes) {
  return `${Math.round(bytes / 1000)} kB`;
}

/**
 * Events on the container: `attention-live-title` (detail: the title), `attention-live-start` before the first frame and
 * `attention-live-change` after a frame with another document in it (detail.scene: another number for another example or
 * step).
 *
 * @param {HTMLElement} container of any size; the canvas follows it
 * @param {{link?: () => string, parts?: string[] | null, mirror?: boolean}} options link: what to begin with, see
 *   api.mjs; empty for the usual start; parts: what is shown around the stage, null for all of it; mirror: false leaves
 *   out what people read who cannot see the canvas
 * @returns the API, whose `ready` tells when it can be used
 */
export function mount(container, { link = () => '', parts: shown = null, mirror = true } = {}) {
  const parts = build(container);
  const instance = { program: null, surface: null, input: null, pictures: null, mirror: null };
  let attempt = 0;

  function showLoading(received, total) {
    parts.sentence.textContent = total
      ? `Loading attention-live: ${kilobytes(received)} of ${kilobytes(total)}`
      : `Loading attention-live${received ? `: ${kilobytes(received)}` : ' …'}`;
    if (total) parts.progress.setAttribute('value', Math.min(received / total, 1));
    else parts.progress.removeAttribute('value');
  }

  function showFailure(cause) {
    const sentence =
      cause instanceof Sentence ? cause.message : `The program stopped: ${cause.message}`;
    container.classList.add('attention-live-failed');
    container.classList.remove('attention-live-ready');
    parts.status.setAttribute('role', 'alert');
    parts.sentence.textContent = sentence;
    parts.progress.hidden = true;
    parts.again.hidden = false;
  }

  function disconnect() {
    instance.input?.disconnect();
    instance.pictures?.disconnect();
    instance.surface?.disconnect();
    instance.mirror?.disconnect();
    Object.assign(instance, { program: null, surface: null, input: null, pictures: null, mirror: null });
  }

  /** The running program broke: nothing more is asked of it, and the page says so. */
  function stop(cause) {
    disconnect();
    showFailure(cause);
  }

  async function start() {
    container.classList.remove('attention-live-failed', 'attention-live-ready');
    parts.status.setAttribute('role', 'status');
    parts.progress.hidden = false;
    parts.again.hidden = true;
    showLoading(0, 0);
    chooseVariant();
    const gl = openContext(parts.canvas);
    if (!gl) {
      throw new Sentence(
        'This browser gives no WebGL2, which attention-live draws with. Update the browser, or switch on hardware ' +
          'acceleration in its settings.',
      );
    }
    let told = 0;
    const surface = new Surface(parts.canvas, gl, () => {
      const changes = instance.program?.changes();
      if (changes === undefined || changes === told) return;
      told = changes;
      container.dispatchEvent(
        new CustomEvent('attention-live-change', { detail: { scene: instance.program.scene() } }),
      );
    });
    const text = (place, length) => page.text(place, length);
    const page = {
      broken: stop,
      requestFrame: () => surface.requestFrame(),
      setCursor: (place, length) => instance.input?.setCursor(text(place, length)),
      setTextField: (...where) => instance.input?.setTextField(...where),
      setClipboard: (place, length) => instance.input?.setClipboard(text(place, length)),
      choosePicture: () => instance.pictures?.choose(),
      saveFile: (name, nameLength, type, typeLength, place, length) => save(
        text(name, nameLength), new Blob([page.bytes(place, length)], { type: text(type, typeLength) }),
      ),
      savePicture: (name, nameLength, width, height, place) => savePicture(
        text(name, nameLength), width, height, page.bytes(place, width * height * 4),
      ),
      setTitle: (place, length) => container.dispatchEvent(
        new CustomEvent('attention-live-title', { detail: text(place, length) }),
      ),
    };
    const program = await Program.start(parts.canvas, page, showLoading, attempt);
    instance.input = connectInput(parts.canvas, parts.field, program);
    instance.pictures = connectPictures(container, program);
    instance.program = program;
    program.address(home);
    if (shown) program.call('parts', { parts: shown });
    // Longer ones are refused with a sentence; that needs no more of them than this.
    if (link()) program.call('open', { link: link().slice(0, 100_000) });
    told = program.changes();
    container.dispatchEvent(new CustomEvent('attention-live-start', { detail: { scene: program.scene() } }));
    instance.surface = surface;
    surface.connect(program);
    container.classList.add('attention-live-ready');
    if (mirror) instance.mirror = offerMirror(container, api);
    // The observer tells the canvas's size after layout, which is when the first frame is drawn.
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    await surface.settled();
  }

  const api = createApi(instance);

  function attemptStart() {
    api.ready = start().then(() => api);
    api.ready.catch(showFailure); // a caller that waits for it is told as well
  }
  parts.again.addEventListener('click', () => {
    attempt += 1;
    disconnect();
    attemptStart();
  });
  attemptStart();
  return api;
}

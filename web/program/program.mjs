// Starts the WebAssembly program and calls its exported functions.

import { Sentence, checkBrowser, notStarted, sharedCode } from './compiled_code.mjs';
import { codeAddress, importScript } from './files.mjs';
import { text } from '../texts/program.mjs';

/** The exported functions. Each calls `onBroken` if the program fails for good: out of memory, or a bug. */
function guarded(exports, onBroken) {
  const names = Object.keys(exports).filter((name) => name.startsWith('_al_'));
  return Object.fromEntries(names.map((name) => [name, (...values) => {
    try {
      return exports[name](...values);
    } catch (cause) {
      onBroken(cause);
      throw cause;
    }
  }]));
}

/** One running program with a memory of its own. */
export class Program {
  #memory;
  #exports;
  #encoder = new TextEncoder();
  #decoder = new TextDecoder();

  /**
   * Downloads, compiles and starts the program for a canvas. It then has computed everything and answers calls. It
   * draws once it has a window.
   * @param {HTMLCanvasElement} canvas
   * @param {object} page functions that the program calls; see surface.mjs and input.mjs
   * @param {(received: number, total: number) => void} onProgress bytes; total is 0 if unknown
   * @param {boolean} fresh the files of the last attempt did not start
   */
  static async start(canvas, page, onProgress, fresh = false) {
    checkBrowser();
    const code = sharedCode(onProgress, fresh); // beside the script, not after it
    code.catch(() => {}); // told where it is waited for
    let factory;
    try {
      factory = (await importScript(fresh)).default;
    } catch (cause) {
      await code; // which fails for the same reason, and knows it
      const { origin, host } = codeAddress(); // the script lies beside it
      const why = !host || origin === location.origin
        ? text.later('program.download.script') : text.later('program.download.script_of', { host });
      throw new Sentence(text.later('program.download.failed', { reason: why }), { cause });
    }
    const program = new Program();
    // The program passes strings as address and length.
    page.text = (place, length) => program.#text(place, length);
    page.bytes = (place, length) => new Uint8Array(program.#memory.buffer, place, length).slice();
    const instance = await new Promise((resolve, reject) => {
      const settings = {
        canvas,
        page,
        noExitRuntime: true,
        instantiateWasm(imports, receive) {
          code.then((module) => WebAssembly.instantiate(module, imports)).then((made) => {
            // An optimised link shortens its name, so it is found by its type.
            program.#memory = Object.values(made.exports).find((item) => item instanceof WebAssembly.Memory);
            receive(made);
          }).catch((cause) => reject(notStarted(cause)));
          return {};
        },
        onAbort: (what) => reject(new Sentence(text.later('program.start.stopped', { what }))),
      };
      factory(settings).then(resolve, reject);
    });
    program.#exports = guarded(instance, page.broken);
    return program;
  }

  #text(place, length) {
    return this.#decoder.decode(new Uint8Array(this.#memory.buffer, place, length));
  }

  /** Writes strings into the scratch buffer for the next call; returns their lengths in bytes. */
  #write(...strings) {
    const parts = strings.map((string) => this.#encoder.encode(string));
    const length = parts.reduce((sum, part) => sum + part.length, 0);
    const place = this.#exports._al_scratch(length);
    const room = new Uint8Array(this.#memory.buffer, place, length);
    let start = 0;
    for (const part of parts) {
      room.set(part, start);
      start += part.length;
    }
    return parts.map((part) => part.length);
  }

  /** A method of the program's API (src/app/api/api.hpp); throws its sentence. `revive` as in JSON.parse. */
  call(method, argument = {}, revive = undefined) {
    const [methodLength, argumentLength] = this.#write(method, JSON.stringify(argument));
    const place = this.#exports._al_call(methodLength, argumentLength);
    const answer = JSON.parse(this.#text(place, this.#exports._al_answer_length()), revive);
    if ('error' in answer) throw new Error(answer.error);
    return answer.result;
  }

  /** A tensor with a copy of its numbers as they lie in memory: element i is data[offset + Σ index·stride]. */
  tensor(name) {
    const place = this.#exports._al_tensor(this.#write(name)[0]);
    // TensorForPage in src/main_web.cpp, word by word.
    const word = new Uint32Array(this.#memory.buffer, place, 22);
    const [found, rank, offset, run, length, nameAt, nameLength, viewAt, viewLength] = word;
    if (!found) throw new Error(this.#text(nameAt, nameLength));
    return {
      name: this.#text(nameAt, nameLength),
      shape: [...word.subarray(10, 10 + rank)],
      strides: [...word.subarray(16, 16 + rank)],
      offset,
      data: new Float32Array(this.#memory.buffer, run, length).slice(),
      viewOf: this.#text(viewAt, viewLength) || null,
    };
  }

  /** Lays the texts of another language over English. @param {string} json keys and texts */
  useLanguage(json) {
    const why = this.#text(this.#exports._al_language(this.#write(json)[0]), this.#exports._al_answer_length());
    if (why) throw new Sentence(why);
  }

  /** What it speaks, and what is said beside it. */
  language = 'en';

  /** Whether `translator` is one of the examples. */
  hasTranslator = false;

  /** Makes it one. Throws why not. @param {Uint8Array} weights the file of them */
  useTranslator(weights) {
    const place = this.#exports._al_translator_room(weights.length);
    new Uint8Array(this.#memory.buffer, place, weights.length).set(weights);
    const why = this.#text(this.#exports._al_translator(), this.#exports._al_answer_length());
    if (why) throw new Sentence(why);
    this.hasTranslator = true;
  }

  /** Room for a part of a reader's file, with that part in it. */
  #own(bytes) {
    const place = this.#exports._al_own_room(bytes.length);
    if (place) new Uint8Array(this.#memory.buffer, place, bytes.length).set(bytes);
  }
  /**
   * What is in a file of `size` bytes that begins so, and in the other files of the model, [name, size, beginning] each,
   * which lie before it: OwnFile::described in src/app/api/own_file.hpp, or {error}.
   */
  ownFile(name, size, beginning, before = []) {
    for (const [shard, bytes, head] of before) {
      this.#own(head);
      this.#exports._al_own_shard(bytes, this.#write(shard)[0]);
    }
    this.#own(beginning);
    const place = this.#exports._al_own_file(size, this.#write(name)[0]);
    return JSON.parse(this.#text(place, this.#exports._al_answer_length()));
  }
  /** Takes a file that was chosen with it: OwnFile::add_beside. What is in the first one then, or {error}. */
  ownBeside(name, bytes) {
    this.#own(bytes);
    const place = this.#exports._al_own_beside(this.#write(name)[0]);
    return JSON.parse(this.#text(place, this.#exports._al_answer_length()));
  }
  /** Makes an array .npy the tokens of the attention that is shown. Throws why it cannot. */
  ownTokens(name, bytes) {
    this.#own(bytes);
    const why = this.#text(this.#exports._al_own_tokens(this.#write(name)[0]), this.#exports._al_answer_length());
    if (why) throw new Sentence(why);
  }
  /**
   * Where the rows of tokens lie in the file of the attention that is shown: {places}; with their bytes, shows it with
   * them. Throws why it cannot.
   */
  ownWords(words, rows) {
    if (rows) this.#own(rows);
    const place = this.#exports._al_own_words(this.#write(JSON.stringify(words))[0], Boolean(rows));
    const { error, places } = JSON.parse(this.#text(place, this.#exports._al_answer_length()));
    if (error) throw new Sentence(error);
    return places;
  }
  /** Shows one of its attentions, of whose parts these are the bytes. Throws why it cannot. */
  ownLayer(index, bytes) {
    this.#own(bytes);
    const why = this.#text(this.#exports._al_own_layer(index), this.#exports._al_answer_length());
    if (why) throw new Sentence(why);
  }

  /** Grows whenever anything in the document changed. */
  changes = () => this.#exports._al_changes();
  /** A number that differs for each example and step. */
  scene = () => this.#exports._al_scene();
  /** The chosen theme: 'auto', 'light' or 'dark'. */
  theme = () => ['auto', 'light', 'dark'][this.#exports._al_theme()];
  /** Sets the address that copied links begin with. */
  address(address) {
    this.#exports._al_address(this.#write(address)[0]);
  }
  /** Prepares the first frame for a canvas of this size, in device pixels, before it has a GL context. */
  prepare = (width, height, ratio) => this.#exports._al_prepare(width, height, ratio);
  /** The canvas has this size, in device pixels, and a GL context. False if the program cannot use it. */
  openWindow = (width, height) => this.#exports._al_open_window(width, height) !== 0;
  animationFrame = () => this.#exports._al_animation_frame() !== 0;
  wake = () => this.#exports._al_wake();
  drawAgain = () => this.#exports._al_draw_again();
  /** Handles all input at once. Whether a key outside of its fields had something to do. */
  settle = () => this.#exports._al_settle() !== 0;
  surface = (width, height, ratio) => this.#exports._al_surface(width, height, ratio);
  preferences = (dark, reducedMotion, mac) => this.#exports._al_preferences(dark, reducedMotion, mac);
  contextLost = () => this.#exports._al_context_lost();
  contextRestored = () => this.#exports._al_context_restored();
  pointer = (source, x, y) => this.#exports._al_pointer(source, x, y);
  pointerGone = () => this.#exports._al_pointer_gone();
  /** Whether a finger scrolls a panel of the program. */
  fingerScrolls = () => this.#exports._al_finger_scrolls() !== 0;
  /** Whether a panel lies there that has more to show in the direction of `y`: below for y > 0. */
  panelScrolls = (x, at, y) => this.#exports._al_panel_scrolls(x, at, y) !== 0;
  button = (button, down) => this.#exports._al_button(button, down);
  wheel = (x, y) => this.#exports._al_wheel(x, y);
  gesture = (x, y, panX, panY, zoom) => this.#exports._al_gesture(x, y, panX, panY, zoom);
  modifiers = (ctrl, shift, alt, meta) => this.#exports._al_modifiers(ctrl, shift, alt, meta);
  releaseKeys = () => this.#exports._al_release_keys();
  focus = (focused) => this.#exports._al_focus(focused);

  key(code, key, down) {
    const [codeLength, keyLength] = this.#write(code, key);
    return this.#exports._al_key(codeLength, keyLength, down) !== 0;
  }
  text(text) {
    this.#write(text);
    this.#exports._al_text();
  }
  /** Passes on the reader's picture, an ImageData of at most 1024 × 1024 pixels. */
  picture({ data, width, height }) {
    const place = this.#exports._al_scratch(data.length);
    new Uint8Array(this.#memory.buffer, place, data.length).set(data);
    this.#exports._al_picture(data.length, width, height);
  }
  refuse(sentence) {
    this.#exports._al_refused(this.#write(sentence)[0]);
  }
  /** Shows a sentence for a while, or with an empty one, none any more. */
  notify(sentence) {
    this.#exports._al_notify(this.#write(sentence)[0]);
  }
  paste(text) {
    this.#write(text);
    this.#exports._al_paste();
  }
}

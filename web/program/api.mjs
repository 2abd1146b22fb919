// The API for pages and tests. It calls the methods of the program (src/app/api/api.hpp).

const specialNumbers = { Infinity, '-Infinity': -Infinity, NaN };

/** The fields of an answer that hold numbers. ∞ and NaN come as text, because JSON has no such numbers. */
const numberFields = new Set([
  'value', 'values', 'result', 'range', 'maximum', 'denominator', 'divisor', 'weights', 'number',
]);

function toNumber(value) {
  if (Array.isArray(value)) return value.map(toNumber);
  return typeof value === 'string' && value in specialNumbers ? specialNumbers[value] : value;
}

function revive(key, value) {
  return numberFields.has(key) ? toNumber(value) : value;
}

/** @param {{program: import('./program.mjs').Program | null, surface: import('./surface.mjs').Surface | null}} instance */
export function createApi(instance) {
  function running() {
    if (!instance.program) throw new Error('attention-live is not running: wait for its `ready`, and see what the page says.');
    return instance.program;
  }
  const call = (method, argument) => running().call(method, argument, revive);

  return {
    /**
     * Resolves with this object when the first frame has been drawn; rejects with the reason where it cannot be.
     * When the reader tries again, this is a new promise.
     */
    ready: null, // set by boot.mjs

    /** Everything that makes the present view, as plain data. */
    state: () => call('state'),
    /** Changes the given fields of the state. If one of them is not possible, throws and changes nothing. */
    set: (partialState) => call('set', partialState),
    /** The present view as the part of an address behind its “#”: what is not in it is as the example has it. */
    link: () => call('link'),
    /** Opens a link. Returns {state, problems: string[]} with a sentence for each part that could not be used. */
    open: (link) => call('open', { link }),
    /** Applies a link to the present state, like `set`. If some of it is not possible, throws and changes nothing. */
    change: (link) => call('change', { link }),
    /** Edits a cell of an input, a weight or a mask: {attention, tensor, index, value}. */
    edit: (change) => call('edit', { ...change, value: forJson(change.value) }),
    undo: () => call('undo'),
    redo: () => call('redo'),
    /**
     * One step of gradient descent or several, from the target that is set: every number that learns becomes
     * w − learning_rate · gradient. With true or false: starts or stops learning, which the reader sees.
     */
    learn: (steps = 1) => call('learn', typeof steps === 'boolean' ? { on: steps } : { steps }),
    reset: () => call('reset'),

    /**
     * Reads a lesson's file: {title, language, steps: {text, begins, question: {kind, text} | null}[], words}, or
     * {wrong: {line, column, message}}. `begins`: the step has a state of its own. `files`: those that lessonFiles
     * names, in base64.
     */
    lesson: (written, files = {}) => call('lesson', { text: written, files }),
    /** The names of the files with numbers that a lesson needs. */
    lessonFiles: (written) => call('lesson_files', { text: written }),
    /** Shows a step of it; with `keep` only what may be changed is as it says. Returns the state. */
    lessonStep: (step, keep = false) => call('lesson_step', { step, keep }),
    /** Judges an answer: {right, value, distance, said, hint}. */
    lessonAnswer: (step, typed = undefined) => call('lesson_answer', typed === undefined ? { step } : { step, typed }),
    lessonEnd: () => call('lesson_end'),

    /** Makes a random mistake that changes the output, for the reader to guess; throws if there is none. */
    beginGuessing: () => call('begin_guessing'),
    /** Returns the answer to a guess, the id of a mistake. The right one ends the game, and 'none' gives it up. */
    guess: (mistake) => call('guess', { mistake }),

    /** The names of all tensors: "encoder_self_attention.q". */
    tensors: () => call('tensors'),
    /**
     * One tensor, "q" or "cross_attention.q", with a copy of the run of numbers it lies in:
     * {name, shape, strides, offset, data: Float32Array, viewOf}. Element i is data[offset + Σ i·strides].
     */
    tensor: (name) => running().tensor(name),
    /** What is on screen as a program in Python, with 'numpy' or 'pytorch'. Many numbers are read from a file. */
    program: (library) => call('program', { library }),
    /** Where a cell's number came from: {attention, tensor, index}. */
    provenance: (cell) => call('provenance', cell),

    /**
     * A cell's provenance as a sentence: {text, name, value, editable, given} of {attention?, tensor, index}.
     * Long sums are folded, with the number of terms left out. given: the names of up to four editable cells that a
     * computed one depends on.
     */
    explain: (cell) => call('explain', cell),
    /**
     * A window of at most 16 × 16 numbers of a tensor: {values, texts}, row by row, of
     * {attention?, tensor, corner, row_axis, column_axis, rows, columns}; the axes as `describe` tells them.
     */
    cells: (part) => call('cells', part),
    /**
     * What is shown, in words: {example, step: {id, label, title, text, formula, spoken, worked},
     * attention, path, shapes, blocks, chosen, focus, playing, learning, training, speed, changed, notice, message}.
     * `learning` is null without a target, else {loss, before, first, steps, update, learns}: the loss, before the last
     * step and before the first of so many in a row. `training` is null where the
     * example has no task, else {rule, playing, busy, steps, reached, text, trouble, answers, measured: {steps, loss,
     * accuracy}[]}. The path, of the translator, leads from the whole of it down to what is shown: {label, here, to}[],
     * with `to` for `set`. `changed` is a sentence about the last
     * edit, empty when other numbers changed since. The focus is the cell that all of it is about, {attention, tensor,
     * index, text, sources: {attention, tensor, index, text}[]}. A block is a matrix on the stage: {attention, tensor,
     * title, shape, head, rows, columns, row_labels, column_labels, editable, corner, row_axis, column_axis, part}, its
     * part as Python writes it: “[0, 1, :, :]”.
     */
    describe: () => call('describe'),
    /** What can be chosen now: examples, steps, attentions, heads, samples, tokens, masks, scales, mistakes, … */
    choices: () => call('choices'),
    /**
     * Shows these parts around the stage: some of 'bar', 'text', 'heads', 'legend', 'panel', 'steps'. With 'words',
     * captions are words (“queries”) instead of tensors' names and shapes.
     */
    parts: (list) => call('parts', list ? { parts: list } : {}),
    /** Offers these steps, by their names, to the reader: to them lead the bar, keys and playing. An empty list: all. */
    steps: (list) => call('steps', list ? { steps: list } : {}),
    /** Starts or stops playing the lesson, at half, normal or double `speed`. */
    play: (on = true, speed = undefined) => call('play', speed === undefined ? { on } : { on, speed }),
    /** Trains the network of an example with a task, or pauses. `describe().training` tells how far it is. */
    train: (on = true) => call('train', { on }),
    /**
     * Saves the matrix of a tensor of the attention on screen as 'png' or 'svg', {tensor, head?, as}; without a tensor,
     * all that the stage shows. {as: 'webm'} plays the step and saves it as a film. {as: 'safetensors'} saves every
     * tensor, as `attention-live trace` writes them.
     */
    save: (wanted) => call('save', wanted),
    /** Selects a cell of the attention that is looked at, {tensor, index}, and goes to the step that shows it. */
    go: (cell) => call('go', cell),
    /** The cell under the pointer: {attention, tensor, index}, or null. */
    pointed: () => call('pointed'),

    /** What is drawn at a point of the canvas, in CSS pixels. */
    probe: (x, y) => call('probe', { x, y }),
    /** Every block of the last frame with its rectangle on the canvas. */
    blocks: () => call('blocks'),
    /** The colour scale that is shown: whose it is, its range and the words at its ends; null before the first frame. */
    legend: () => call('legend'),
    /** The sentence about bad input that is on screen, or "". */
    message: () => call('message'),
    /** Opens the browser's dialog to choose a picture. Must be called within a few seconds of a click. */
    choosePicture: () => instance.pictures?.choose(),
    /** The same for files with the attentions of a model, after a dialog that says which are meant. */
    chooseLayer: () => instance.pictures?.chooseLayer(),
    /** As if the reader had typed these tokens for the attention of a file: what is wrong becomes the `message`. */
    wordsTyped: (words) => instance.pictures?.wordsTyped(words),
    /**
     * Shows an attention of a .safetensors file as the example own-layer: docs/files.md.
     * @param {File | string | URL} file or its address
     * @param {{layer?: string, beside?: (File | string | URL)[], words?: string, ids?: number[]}} [options] which; else
     *   the reader is asked, unless there is only one; the files that come with it, the model's other shards,
     *   config.json, a tokenizer and an array .npy of tokens; and a text or ids as its tokens
     * @returns {Promise<string | null>} its name, or null where the reader chose none; rejects with the reason
     */
    openFile: async (file, { layer, beside, words, ids } = {}) => {
      running();
      return instance.pictures.openLayer(file, { layer, beside, words, ids });
    },
    /**
     * Shows the attention of a file with other tokens.
     * @param {string} words a text, where a tokenizer was opened with it; else token ids with commas between them
     * @returns {Promise<string>} its name; rejects with the reason
     */
    typeWords: async (words) => {
      running();
      return instance.pictures.typeWords(String(words));
    },
    /** Copies a text to the clipboard if the browser allows it. Must be called from a click or a key. */
    copyText: (text) => instance.input?.setClipboard(text),

    /** Pastes a block of numbers at the chosen cell, as Ctrl+V on the canvas does. An error becomes the `message`. */
    paste: (text) => {
      const program = running();
      program.settle(); // the cell that was just chosen has its place
      program.paste(text);
      program.settle();
    },

    /** A canvas with a copy of what is drawn now; null if nothing can be drawn. */
    picture: () => instance.surface?.picture() ?? null,
    /** Frames drawn since the start. */
    get frames() {
      return instance.program ? call('frames') : 0;
    },
    /** Resolves when all requested frames have been drawn. */
    settled: async () => {
      running();
      await instance.surface.settled();
    },
  };
}

/** JSON has no −∞, which a mask cell may hold; the program reads it as text. */
function forJson(value) {
  return typeof value === 'number' && !Number.isFinite(value) ? String(value) : value;
}

// Pictures that the reader chooses or drops, and files with the attentions of a model. The browser decodes pictures, and
// the program gets the pixels; nothing is sent anywhere.

import { Sentence } from '../compiled_code.mjs';
import { part } from '../loading/part.mjs';
import { text } from '../../texts/program.mjs';

/**
 * @param {HTMLElement} container files can be dropped anywhere on it
 * @param {import('./program.mjs').Program} program
 * @param {boolean} guest see boot.mjs
 * @returns `choose` and `chooseLayer`, to be called within a few seconds of a click or a key, `openLayer`,
 *   `typeWords`, `wordsTyped` and `disconnect`
 */
export function connectPictures(container, program, guest) {
  const abort = new AbortController();
  const { signal } = abort;
  const input = document.createElement('input');
  input.type = 'file';
  input.accept = 'image/*';
  input.hidden = true;
  container.append(input);

  const inItsLanguage = (opened) => opened.catch((cause) => {
    throw cause instanceof Sentence ? new Sentence(cause.in(program.language), { cause }) : cause;
  });
  const refuse = (cause) => program.refuse(cause instanceof Sentence
    ? cause.in(program.language) : text.in(program.language)('program.stopped.error', { error: cause.message }));
  const ownLayer = () => part(() => import('../own_layer/own_layer.mjs'));

  let latest = 0;
  /** A file with attentions, or its address. */
  const openLayer = (file, options) => inItsLanguage(
    ownLayer().then(({ openOwnLayer }) => openOwnLayer(file, program, { around: container, ...options })));
  /** Other tokens for the attention that is shown, as the reader typed them. */
  const typeWords = (words) => inItsLanguage(ownLayer().then(({ typeTokens }) => typeTokens(words, program)));
  /** The same from the program's own field, which shows what is wrong. */
  async function wordsTyped(words) {
    try {
      await typeWords(words);
    } catch (cause) {
      refuse(cause);
    }
  }
  /** A picture, or a file with attentions and what comes with it. */
  async function take(files) {
    // Those of other kinds are refused with a sentence that says what they are.
    const isLayer = ({ name }) => /\.(safetensors|pt|pth|ckpt|bin|npz|gguf|onnx|h5|hdf5|tflite)$/i.test(name);
    const file = [...files].find(isLayer) ?? files[0];
    if (!file) return;
    latest += 1;
    const mine = latest;
    const current = () => mine === latest && !signal.aborted;
    try {
      if (isLayer(file) || /\.npy$|\.safetensors\.index\.[\w.]*json$|(tokenizer|vocab|tokenizer_config|special_tokens_map|added_tokens)\.json$|(vocab|merges)\.txt$/i.test(file.name)) {
        await openLayer(file, { beside: [...files].filter((each) => each !== file) });
        return;
      }
      const { decode } = await part(() => import('./picture_file.mjs')); // few readers choose one
      const pixels = await decode(file);
      if (current()) program.picture(pixels);
    } catch (cause) {
      if (!current()) return;
      refuse(cause);
    }
  }

  input.addEventListener('change', () => take(input.files), { signal });

  const hasFiles = (event) => event.dataTransfer?.types.includes('Files');
  const invite = (yes) => container.classList.toggle('attention-live-drop', yes);
  // A page that takes files itself must not take this one too.
  const ours = (event) => guest && event.stopPropagation();
  for (const type of ['dragenter', 'dragover']) {
    container.addEventListener(type, (event) => {
      if (!hasFiles(event)) return;
      ours(event);
      event.preventDefault();
      event.dataTransfer.dropEffect = 'copy';
      invite(true);
    }, { signal });
  }
  container.addEventListener('dragleave', (event) => {
    if (hasFiles(event)) ours(event);
    if (!container.contains(event.relatedTarget)) invite(false);
  }, { signal });
  container.addEventListener('drop', (event) => {
    invite(false);
    if (!hasFiles(event)) return;
    ours(event);
    event.preventDefault();
    take(event.dataTransfer.files);
  }, { signal });
  // Dropped beside it, a file would make the browser leave the page and lose the reader's changes. Other pages decide
  // themselves.
  for (const type of guest ? [] : ['dragover', 'drop']) {
    window.addEventListener(type, (event) => {
      if (event.defaultPrevented || !hasFiles(event)) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = 'none';
    }, { signal });
  }

  return {
    openLayer,
    typeWords,
    wordsTyped,
    /** Says first which files are meant: the browser's dialog says nothing of it. */
    async chooseLayer() {
      const layers = document.createElement('input');
      Object.assign(layers, { type: 'file', accept: '.safetensors,.json,.txt,.npy,.pt,.pth,.ckpt,.bin,.npz,.gguf,.onnx,.h5', multiple: true });
      try {
        const { askForFiles } = await part(() => import('../own_layer/file_dialog.mjs'));
        const dialog = askForFiles(() => layers.click(), container);
        layers.addEventListener('change', () => {
          dialog.close();
          take(layers.files);
        }, { signal });
      } catch {
        layers.addEventListener('change', () => take(layers.files), { signal });
        layers.click();
      }
    },
    choose() {
      input.value = ''; // the same file once more is a choice as well
      input.click();
    },
    disconnect() {
      abort.abort();
      invite(false);
      input.remove();
    },
  };
}

// Pictures that the reader chooses or drops. The browser decodes them, and the program gets the pixels; nothing is sent
// anywhere.

import { Sentence } from './compiled_code.mjs';

const largestFile = 32 * 2 ** 20; // bytes
const largestSide = 1024; // pixels, as al_picture in src/main_web.cpp allows; the program makes it smaller still

/** A file name, shortened for an error message. */
function quoted(name) {
  const letters = [...name];
  return `“${letters.length > 60 ? `${letters.slice(0, 57).join('')}…` : name}”`;
}

/** ImageData of a file, no larger than needed; throws a Sentence. */
async function decode(file) {
  if (file.size > largestFile) {
    throw new Sentence(`${quoted(file.name)} is larger than 32 MiB; take a smaller picture.`);
  }
  let bitmap;
  try {
    bitmap = await createImageBitmap(file); // as it is, and not by an address: the page's policy allows no blob:
  } catch (cause) {
    throw new Sentence(
      `${quoted(file.name)} is not a picture this browser can read; PNG, JPEG, WebP and GIF are.`, { cause },
    );
  }
  const scale = Math.min(1, largestSide / Math.max(bitmap.width, bitmap.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(bitmap.width * scale));
  canvas.height = Math.max(1, Math.round(bitmap.height * scale));
  const context = canvas.getContext('2d', { willReadFrequently: true }); // no way through the graphics card
  context.imageSmoothingQuality = 'high';
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  bitmap.close();
  return context.getImageData(0, 0, canvas.width, canvas.height);
}

/**
 * @param {HTMLElement} container files can be dropped anywhere on it
 * @param {import('./program.mjs').Program} program
 * @param {boolean} guest see boot.mjs
 * @returns `choose`, to be called within a few seconds of a click or a key, and `disconnect`
 */
export function connectPictures(container, program, guest) {
  const abort = new AbortController();
  const { signal } = abort;
  const input = document.createElement('input');
  input.type = 'file';
  input.accept = 'image/*';
  input.hidden = true;
  container.append(input);

  let latest = 0;
  async function take(file) {
    if (!file) return;
    latest += 1;
    const mine = latest;
    const current = () => mine === latest && !signal.aborted;
    try {
      const pixels = await decode(file);
      if (current()) program.picture(pixels);
    } catch (cause) {
      if (!(cause instanceof Sentence)) throw cause;
      if (current()) program.refusePicture(cause.message);
    }
  }

  input.addEventListener('change', () => take(input.files[0]), { signal });

  const hasFiles = (event) => event.dataTransfer?.types.includes('Files');
  const invite = (yes) => container.classList.toggle('attention-live-drop', yes);
  for (const type of ['dragenter', 'dragover']) {
    container.addEventListener(type, (event) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = 'copy';
      invite(true);
    }, { signal });
  }
  container.addEventListener('dragleave', (event) => {
    if (!container.contains(event.relatedTarget)) invite(false);
  }, { signal });
  container.addEventListener('drop', (event) => {
    invite(false);
    if (!hasFiles(event)) return;
    event.preventDefault();
    take(event.dataTransfer.files[0]);
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

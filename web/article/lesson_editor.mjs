// The page for authors: an editor of lessons, which shows the lesson while one types.

import { copyText } from './copy.mjs';
import { elementCode, frameAddress, frameCode } from './embedding.mjs';
import { languageAround, speak } from '../program/language.mjs';
import { text } from '../texts/article.mjs';

const pause = 400; // milliseconds without a key until it is read
const fileName = 'lesson.json';
const byId = (id) => document.getElementById(id);
const [figure, field, said, there, made] = ['lesson-figure', 'lesson-text', 'lesson-said', 'lesson-there', 'lesson-made'].map(byId);
const site = new URL('.', location.href);
await customElements.whenDefined('attention-live');
await speak(languageAround(document.documentElement)).catch(() => {});

let timer = 0;
let shown = ''; // the example of the lesson that is shown, as JSON
let wrong = null; // {line, column}

/** Where a line and a column, which count characters, are in the text. */
function placeOf({ line, column }) {
  const lines = field.value.split('\n');
  const before = lines.slice(0, line - 1).reduce((sum, each) => sum + each.length + 1, 0);
  return before + [...(lines[line - 1] ?? '')].slice(0, column - 1).join('').length;
}

function exampleOf(written) {
  try {
    const { example } = JSON.parse(written);
    return typeof example === 'object' ? JSON.stringify(example) : '';
  } catch {
    return shown;
  }
}

async function show() {
  const written = field.value;
  const example = exampleOf(written);
  // A program keeps every example that it was given: for another one there is another program.
  if (shown && example !== shown && figure.running) {
    figure.stop();
    figure.start().catch(() => {});
  }
  shown = example;
  try {
    const { steps } = await figure.openLesson(written);
    if (written !== field.value) return;
    wrong = null;
    said.textContent = text('article.lesson.right', {
      steps: steps.length, questions: steps.filter(({ question }) => question).length,
    });
  } catch (cause) {
    if (written !== field.value) return; // a later text is being read
    wrong = cause.line ? cause : null;
    said.textContent = wrong ? text('article.lesson.wrong', cause) : cause.message;
  }
  said.dataset.kind = wrong ? 'error' : '';
  there.hidden = !wrong;
  field.setAttribute('aria-invalid', String(wrong !== null));
}

field.addEventListener('input', () => {
  clearTimeout(timer);
  timer = setTimeout(show, pause);
});

there.addEventListener('click', () => {
  const place = placeOf(wrong);
  field.focus();
  field.setSelectionRange(place, place + 1);
  const height = parseFloat(getComputedStyle(field).lineHeight);
  field.scrollTop = Math.max(0, (wrong.line - 4) * height);
});

function write() {
  const kind = document.querySelector('[name="lesson-for"]:checked').value;
  const attributes = { src: fileName };
  made.textContent = kind === 'frame' ? frameCode({ ...attributes, label: text('article.lesson.title') }, site)
    : kind === 'link' ? `${frameAddress(attributes, site)}\n` : elementCode(attributes, site);
  byId('lesson-copied').textContent = '';
}
byId('lesson-for').addEventListener('change', write);

byId('lesson-copy').addEventListener('click', async () => {
  const done = await copyText(made.textContent);
  byId('lesson-copied').textContent = text(done ? 'article.copy.done' : 'article.copy.refused');
});

byId('lesson-save').addEventListener('click', () => {
  const address = URL.createObjectURL(new Blob([field.value], { type: 'application/json' }));
  Object.assign(document.createElement('a'), { href: address, download: fileName }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
});

byId('lesson-open').addEventListener('change', async ({ target }) => {
  const [file] = target.files;
  if (!file) return;
  field.value = await file.text();
  target.value = '';
  show();
});

write();
// What the reader has typed meanwhile, or the browser has kept, stays.
if (!field.value) {
  const language = languageAround(document.documentElement);
  const name = language === 'en' ? 'first-lesson.json' : `first-lesson.${language}.json`;
  const fetched = fetch(new URL(`lessons/${name}`, site)).then((response) => (response.ok ? response.text() : ''));
  const pattern = await fetched.catch(() => ''); // the reader leaves
  field.value ||= pattern;
}
show();

// The page for authors: a form that sets a figure, the code for it, and a log of the figure's events.

import { copyText } from './copy.mjs';
import { elementCode, frameCode, proseCode, restOfLink } from './embedding.mjs';
import { at } from './figures.mjs';
import { showFigures } from './links.mjs';
import { languageAround, speak } from '../program/language.mjs';
import { text } from '../texts/article.mjs';

const byId = (id) => document.getElementById(id);
const [figure, form, made, told] = ['figure', 'form', 'made', 'told'].map(byId);
const site = new URL('.', location.href);
await customElements.whenDefined('attention-live');
await speak(languageAround(document.documentElement)).catch(() => {});

/** The form as attributes, without empty ones. */
function attributes() {
  return Object.fromEntries(new FormData(form));
}

/** Fields that the reader may also change in the figure, which then updates the form. */
const shared = ['example', 'step', 'query', 'theme'];

function code() {
  const chosen = attributes();
  const kind = document.querySelector('[name="made-for"]:checked').value;
  if (kind === 'prose') return proseCode(figure.link);
  const rest = figure.running ? restOfLink(figure.link, chosen) : '';
  const all = { ...chosen, ...(rest ? { state: rest } : {}) };
  return kind === 'frame' ? frameCode(all, site) : elementCode(all, site);
}

const named = form.elements.label;
let suggested = named.value;
let about = '';

/** Until the author has given a label, it says what the figure shows. */
function suggestLabel() {
  const [example, step] = [form.elements.example, form.elements.step].map((field) => field.selectedOptions[0]?.text ?? '');
  const now = `${example}: ${step}`;
  if (about !== '' && about !== now && named.value === suggested) {
    suggested = named.value = now;
    figure.setAttribute('label', now);
  }
  about = now;
}
suggestLabel();

function write() {
  const text = code();
  if (made.textContent !== text) made.textContent = text;
  byId('copied').textContent = '';
}

form.addEventListener('submit', (event) => event.preventDefault());
form.addEventListener('change', ({ target }) => {
  if (!target.checkValidity()) return;
  if (target.name === 'example') { // another example starts fresh, and may have other heads and queries
    form.elements.head.value = '';
    form.elements.query.value = '';
    figure.removeAttribute('head');
    figure.removeAttribute('query');
  }
  if (target.value === '') figure.removeAttribute(target.name);
  else figure.setAttribute(target.name, target.value);
  suggestLabel();
  write();
});

/** Updates the form from the figure, but for a field in which the reader is typing. */
figure.addEventListener('statechange', ({ detail: { state } }) => {
  for (const name of shared) {
    const field = form.elements[name];
    const value = String(state[name]);
    const isOwn = field === document.activeElement || (name === 'query' && field.value === '');
    if (!isOwn && field.value !== value) field.value = value;
  }
  suggestLabel();
  write();
});
figure.addEventListener('start', write);
byId('made-for').addEventListener('change', write);

byId('copy').addEventListener('click', async () => {
  const done = await copyText(made.textContent);
  byId('copied').textContent = text(done ? 'article.copy.done' : 'article.copy.refused');
});

const tellings = {
  start: () => '',
  stop: () => '',
  statechange: ({ reason, link }) => `reason: ${reason}, link: ${link}`,
  stepchange: ({ step, example }) => `step: ${step}, example: ${example}`,
  edit: ({ edits }) => `edits: ${JSON.stringify(edits)}`,
  cellhover: ({ cell }) => `cell: ${cell ? `${cell.tensor}[${cell.index}]` : null}`,
  error: ({ message }) => message,
};
for (const [type, tell] of Object.entries(tellings)) {
  figure.addEventListener(type, ({ detail }) => {
    const more = tell(detail ?? {});
    const text = `event ${type}${more && ': '}${more}`;
    told.textContent = text.length > 160 ? `${text.slice(0, 159)}…` : text;
    told.dataset.kind = type;
  });
}

/** Runs the script that the page shows as an example. */
byId('run').addEventListener('click', async () => {
  const result = byId('result');
  try {
    await figure.start();
    await figure.setState({ example: 'you-are-welcome', step: 'softmax', query: 1 });
    const weights = await figure.tensor('attention_weights');
    result.textContent = `[${weights.shape.join(', ')}] ${at(weights, 0, 0, 1, 2)}`;
  } catch (cause) {
    result.textContent = cause.message;
  }
});

showFigures();
write();

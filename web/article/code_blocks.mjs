// Blocks of code generated from a figure's present state: <div class="code" data-code="attention | split"
// data-figure="ID">. They are updated with the figure; “Copy” copies what is shown.

import { copyText } from './copy.mjs';
import { follow } from './figures.mjs';
import { numpy, torch } from './literals.mjs';
import { splitTensors, splitting } from './split_code.mjs';
import { text } from '../texts/article.mjs';

const dialects = { NumPy: numpy, PyTorch: torch };

/** What each kind of block shows of a figure: a promise of the code. */
const kinds = {
  attention: (figure, library) => figure.program(library.toLowerCase()),
  split: async (figure, library) => {
    const tensors = await Promise.all(splitTensors.map((name) => figure.tensor(name)));
    return splitting(Object.fromEntries(splitTensors.map((name, i) => [name, tensors[i]])), dialects[library]);
  },
};

function make(tag, properties = {}, children = []) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}

/** The choice of the library, as radio buttons for keyboard and screen readers. */
function choice(name, chosen) {
  const fieldset = make('fieldset', {}, [make('legend', { textContent: text('article.code.library') })]);
  for (const label of Object.keys(dialects)) {
    const radio = make('input', { type: 'radio', name, value: label, checked: label === chosen });
    fieldset.append(make('label', {}, [radio, label]));
  }
  return fieldset;
}

function connect(block, figure, codeOf) {
  const label = figure.getAttribute('label');
  const libraries = choice(`library-of-${block.dataset.figure}-${block.dataset.code}`, 'NumPy');
  const copy = make('button', { type: 'button', textContent: text('article.copy.label'), disabled: true });
  const told = make('output');
  const code = make('code', { textContent: `# ${text('article.code.later')}\n` });
  const pre = make('pre', { tabIndex: 0 }, [code]);
  pre.setAttribute('role', 'region');
  pre.setAttribute('aria-label', text('article.code.label', { figure: label }));
  block.replaceChildren(make('div', { className: 'code-bar' }, [libraries, told, copy]), pre);

  let round = 0;
  let found = null; // the code of each library, or a comment that says why there is none
  function show() {
    const chosen = libraries.querySelector('input:checked').value;
    code.textContent = found.comment ?? found[chosen];
    block.dataset.ready = chosen;
    copy.disabled = found.comment !== undefined;
  }
  async function refresh() {
    round += 1;
    const own = round;
    const names = Object.keys(dialects);
    const now = await Promise.all(names.map((name) => codeOf(figure, name)))
      .then((codes) => Object.fromEntries(names.map((name, i) => [name, codes[i]])))
      .catch((reason) => ({ comment: `# ${reason.message}\n` })); // a mistake is to be guessed, for one
    if (own !== round) return; // a later change is being read
    found = now;
    told.textContent = '';
    show();
  }
  follow(figure, () => {
    if (figure.running) refresh(); // otherwise the code of what it showed last stays
  });
  // A reader may come to it without having seen its figure, which then starts for it.
  new IntersectionObserver((seen, observer) => {
    if (!seen.some(({ isIntersecting }) => isIntersecting)) return;
    observer.disconnect();
    if (!found) refresh();
  }).observe(block);
  libraries.addEventListener('change', () => (found ? show() : refresh()));
  copy.addEventListener('click', async () => {
    told.textContent = text(await copyText(code.textContent) ? 'article.copy.done' : 'article.copy.refused');
  });
}

/** Fills the code blocks of the document. */
export function showCode(root = document) {
  for (const block of root.querySelectorAll('[data-code]')) {
    const figure = root.getElementById(block.dataset.figure);
    const kind = kinds[block.dataset.code];
    if (figure && kind) connect(block, figure, kind);
  }
}

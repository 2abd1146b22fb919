// Blocks of code generated from a figure's present state: <div class="code" data-code="attention | split"
// data-figure="ID">. They are updated with the figure; “Copy” copies what is shown.

import { attention, attentionTensors, numpy, splitTensors, splitting, torch } from './figure_code.mjs';
import { copyText } from './copy.mjs';
import { follow, tensorOrNull } from './figures.mjs';
import { text } from '../texts/article.mjs';

const kinds = {
  attention: { write: attention, needs: attentionTensors },
  split: { write: splitting, needs: splitTensors },
};
const dialects = { NumPy: numpy, PyTorch: torch };

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

async function sourceOf(figure, needs) {
  const tensors = {};
  for (const name of needs) {
    const tensor = await tensorOrNull(figure, name);
    if (tensor) tensors[name] = tensor;
  }
  return { state: figure.state, tensors };
}

function connect(block, figure, { write, needs }) {
  const label = figure.getAttribute('label');
  const libraries = choice(`library-of-${block.dataset.figure}-${block.dataset.code}`, 'NumPy');
  const copy = make('button', { type: 'button', textContent: text('article.copy.label'), disabled: true });
  const told = make('output');
  const code = make('code', { textContent: `# ${text('article.code.later')}\n` });
  const pre = make('pre', { tabIndex: 0 }, [code]);
  pre.setAttribute('role', 'region');
  pre.setAttribute('aria-label', text('article.code.label', { figure: label }));
  block.replaceChildren(make('div', { className: 'code-bar' }, [libraries, told, copy]), pre);

  let source = null;
  let round = 0;
  function show() {
    const chosen = libraries.querySelector('input:checked').value;
    code.textContent = write(source, dialects[chosen]);
    block.dataset.ready = chosen;
    copy.disabled = false;
  }
  async function refresh() {
    round += 1;
    const own = round;
    const found = await sourceOf(figure, needs);
    if (own !== round || !found.tensors.q_heads) return; // a later change is being read, or it does not start
    source = found;
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
    if (!source) refresh();
  }).observe(block);
  libraries.addEventListener('change', () => (source ? show() : refresh()));
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

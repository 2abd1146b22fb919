// What the start page shows first, whether this browser has seen it before, and that it goes over to the translator.

import { text } from './texts/program.mjs';

/**
 * What an address without a link opens: eight words of six numbers, all 0, 0.9 or 1, in which “she” takes from the three
 * female words and, in the other head, from the singular ones. Links that name no example mean another one, as ever.
 */
export const beginning = '#v=1&example=gender-and-number&step=sentence';

const key = 'attention-live-visited';

/** True on the first visit of a browser; never in a frame or where nothing can be stored. */
export function isFirstVisit() {
  if (window.top !== window) return false;
  try {
    if (localStorage.getItem(key) !== null) return false;
    localStorage.setItem(key, 'yes');
    return localStorage.getItem(key) !== null;
  } catch {
    return false;
  }
}

const translator = '#v=1&example=translator&step=sentence&attention=cross_attention_3&mean_heads=true';
const reading = 8000; // milliseconds for what is still there to be read, after it has come or has played to its end
/** What a reader does who has begun with something. */
const acts = ['pointerdown', 'keydown', 'wheel', 'click', 'input', 'paste', 'drop'];

function make(tag, children, className = '') {
  const element = document.createElement(tag);
  element.className = className;
  element.append(...children);
  return element;
}

/** The same words in full, and where there is no room for them. */
function both(long, short) {
  const brief = make('span', [short], 'short');
  brief.setAttribute('aria-hidden', 'true');
  return [make('span', [long], 'long'), brief];
}

/** What the line under the program says about the translator. Without that line, which a page of somebody else hides, nothing. */
function notice() {
  const line = document.querySelector('#site');
  const place = document.createElement('span');
  place.className = 'translator';
  place.setAttribute('role', 'status');
  line?.querySelector('p').after(place);
  return {
    tell(share) {
      const far = { share: share > 0 ? `${Math.floor(share * 10) * 10} %` : '…' };
      // Not for those who are read the page, who would hear each of them.
      const words = make('span', both(text('program.beginning.loading', far), text('program.beginning.loading_short', far)));
      words.setAttribute('aria-hidden', 'true');
      place.replaceChildren(words);
    },
    offer(show) {
      const button = make('button', both(text('program.beginning.show'), text('program.beginning.show_short')));
      button.type = 'button';
      button.addEventListener('click', show);
      place.replaceChildren(button);
    },
    /** After it went over: what this is, and the way back, until the reader does something. */
    went(back) {
      const button = make('button', [text('program.beginning.back')]);
      button.type = 'button';
      button.addEventListener('click', back);
      place.replaceChildren(make('span', [text('program.beginning.went'), ' '], 'long'), button);
      if (!place.isConnected) line?.querySelector('p').after(place);
    },
    remove: () => place.remove(),
  };
}

/**
 * Loads the translator's weights after the first frame, and shows it when they are here: nothing was chosen yet, so there
 * is nothing to undo, and the address stays without a link. It waits until what is there was played and could be read, and
 * then says what has changed, with a way back. To a reader who has begun with something it is offered. Both are said in the
 * line under the program, where they cover nothing. It is not loaded in a frame, nor where data is to be saved; where it
 * cannot be, all stays as it is.
 * @param {HTMLElement} container of the program
 * @param {object} api of boot.mjs
 */
export function goOverToTranslator(container, api) {
  if (window.top !== window || navigator.connection?.saveData) return;
  let begun = false;
  const begin = () => { begun = true; };
  for (const act of acts) addEventListener(act, begin, { capture: true, once: true, passive: true });
  const point = () => { begun ||= api.frames > 0 && api.pointed() !== null; };

  container.addEventListener('attention-live-start', async () => {
    const start = api.link();
    const line = notice();
    container.addEventListener('attention-live-frame', point);
    try {
      await api.ready;
      const read = api.settled().then(() => new Promise((resolve) => { setTimeout(resolve, reading); }));
      line.tell(0);
      await api.addTranslator(line.tell);
      line.offer(() => api.showTranslator());
      const shown = () => {
        if (api.state().example !== 'translator') return;
        container.removeEventListener('attention-live-change', shown);
        line.remove();
      };
      container.addEventListener('attention-live-change', shown);
      shown();
      await read;
      point();
      const { example } = api.state();
      if (example === 'translator') return;
      if (begun || api.link() !== start) return;
      api.begin(translator);
      await api.settled();
      shown();
      line.went(() => api.set({ example }));
      container.addEventListener('attention-live-change', line.remove, { once: true });
    } catch {
      line.remove(); // it is in the list of examples; who chooses it is told why it does not come
    } finally {
      container.removeEventListener('attention-live-frame', point);
    }
  }, { once: true });
}

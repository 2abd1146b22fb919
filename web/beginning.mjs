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
const reading = 60; // seconds for what is still there to be read, after all has come and was played to its end
const counted = 10; // the last of them, which are counted: a number that changes all the time distracts who reads
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
  /** Puts it into the line; `news`: what is on screen changes, or has changed, which must be seen. */
  const fill = (children, news = false) => {
    place.classList.toggle('news', news);
    place.replaceChildren(...children);
  };
  return {
    tell(share) {
      const far = { share: share > 0 ? `${Math.floor(share * 10) * 10} %` : '…' };
      // Not for those who are read the page, who would hear each of them.
      const words = make('span', both(text('program.beginning.loading', far), text('program.beginning.loading_short', far)));
      words.setAttribute('aria-hidden', 'true');
      fill([words]);
    },
    offer(show) {
      const button = make('button', both(text('program.beginning.show'), text('program.beginning.show_short')));
      button.type = 'button';
      button.addEventListener('click', show);
      const focused = place.contains(document.activeElement);
      fill([button]);
      if (focused) button.focus();
    },
    /** In the last seconds before it goes over: when, and a button to stay. @returns what tells the seconds left */
    announce(stay) {
      const count = make('span', []);
      count.setAttribute('aria-hidden', 'true'); // who is read the page hears it once
      const button = make('button', both(text('program.beginning.stay'), text('program.beginning.stay_short')));
      button.type = 'button';
      button.addEventListener('click', stay);
      const focused = place.contains(document.activeElement);
      fill([make('span', [text('program.beginning.soon')], 'unseen'), count, ' ', button], true);
      if (focused) button.focus();
      return (seconds) => count.replaceChildren(
        ...both(text('program.beginning.soon_in', { seconds }), text('program.beginning.soon_short', { seconds })));
    },
    /** After it went over: what this is, and the way back, until the reader does something. */
    went(back) {
      const button = make('button', [text('program.beginning.back')]);
      button.type = 'button';
      button.addEventListener('click', back);
      fill([make('span', [text('program.beginning.went'), ' '], 'long'), button], true);
      if (!place.isConnected) this.place();
    },
    place: () => line?.querySelector('p').after(place),
    remove: () => place.remove(),
  };
}

/** Back at what the page began with, the translator is offered until it is shown. */
function again(line, api) {
  line.place();
  line.offer(() => {
    line.remove();
    api.showTranslator();
  });
}

/**
 * Loads the translator's weights after the first frame, and shows it when they are here: nothing was chosen yet, so there
 * is nothing to undo, and the address stays without a link. It is offered while what is there is played and can be read;
 * then the last seconds are counted beside a button to stay, and after that the line says what has changed, with a way back.
 * To a reader who has begun with something it stays an offer. All is said in the line under the program, where it covers nothing. It is not loaded in a
 * frame, nor where data is to be saved; where it cannot be, all stays as it is.
 * @param {HTMLElement} container of the program
 * @param {object} api of boot.mjs
 */
export function goOverToTranslator(container, api) {
  if (window.top !== window || navigator.connection?.saveData) return;
  let begun = false;
  let wake = () => {};
  const begin = () => {
    begun = true;
    wake();
  };
  /** Waits a second, or until the reader begins with something. */
  const wait = () => new Promise((resolve) => {
    wake = resolve;
    setTimeout(resolve, 1000);
  });
  // A press on the line's own button acts when it is complete: else its end would be one on the button that comes next.
  const act = ({ target }) => { if (!target.closest?.('.translator')) begin(); };
  for (const each of acts) addEventListener(each, act, { capture: true, passive: true });
  const point = () => { if (api.frames > 0 && api.pointed() !== null) begin(); };

  container.addEventListener('attention-live-start', async () => {
    const start = api.link();
    const line = notice();
    container.addEventListener('attention-live-frame', point);
    try {
      await api.ready;
      line.tell(0);
      await api.addTranslator(line.tell);
      const offer = () => line.offer(() => api.showTranslator());
      offer();
      const shown = () => {
        if (api.state().example !== 'translator') return;
        container.removeEventListener('attention-live-change', shown);
        line.remove();
      };
      container.addEventListener('attention-live-change', shown);
      shown();
      await api.settled();
      point();
      const byScript = () => { if (api.link() !== start) begin(); };
      byScript();
      container.addEventListener('attention-live-change', byScript);
      if (!begun) {
        let tell = null;
        for (let left = reading; !begun && left > 0; --left) {
          if (left <= counted) tell ??= line.announce(begin);
          tell?.(left);
          await wait();
        }
      }
      container.removeEventListener('attention-live-change', byScript);
      const { example } = api.state();
      if (example === 'translator') return;
      if (begun) {
        offer();
        return;
      }
      api.begin(translator);
      await api.settled();
      shown();
      line.went(() => api.set({ example }));
      container.addEventListener('attention-live-change', () => {
        line.remove();
        if (api.state().example === example) again(line, api);
      }, { once: true });
    } catch {
      line.remove(); // it is in the list of examples; who chooses it is told why it does not come
    } finally {
      container.removeEventListener('attention-live-frame', point);
    }
  }, { once: true });
}

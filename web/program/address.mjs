// Keeps the address of the page and the state of the program in step, for the page that is nothing but attention-live.
// Each new step or example is an entry of the browser's history; other changes replace the present entry.

import { asksForTranslator } from './translator.mjs';

const quiet = 300; // milliseconds without a change until the address follows

/**
 * @param {HTMLElement} container that attention-live was mounted in
 * @param {object} api of api.mjs
 * @param {string} beginning the link that an address without one stands for
 */
export function followAddress(container, api, beginning) {
  let linked = null; // what the address stands for: the link that the program would write for it
  let opened = location.hash; // as it stands there; typed by hand it may be another spelling
  let start = ''; // what an address without a link opens when the browser comes back to it
  let scene = null;
  let timer = 0;
  let changed = 0; // when it last did, by the clock of the page

  /** The present link, or null where the state is too large for an address. */
  function present() {
    try {
      return api.link();
    } catch {
      return null;
    }
  }

  function plays() {
    try {
      return api.describe().playing;
    } catch {
      return false; // it does not run any more
    }
  }

  function follow(asNewEntry) {
    clearTimeout(timer);
    timer = 0;
    const link = present();
    if (link === null || link === linked) return;
    try {
      if (asNewEntry) history.pushState(null, '', link);
      else history.replaceState(null, '', link);
    } catch {
      return; // Safari allows a hundred changes in thirty seconds; the next change tries again
    }
    linked = link;
    opened = location.hash;
  }

  container.addEventListener('attention-live-change', ({ detail }) => {
    if (detail.scene !== scene) {
      scene = detail.scene;
      follow(true);
      return;
    }
    changed = performance.now();
    if (timer === 0) timer = setTimeout(followOnceQuiet, quiet);
  });

  // One timer for many changes, because restarting it at each would cost time in every frame.
  function followOnceQuiet() {
    let left = changed + quiet - performance.now();
    // Not while the rest of the program is still to come, nor while a step plays, which changes the state in every frame.
    if (left <= 0 && (container.hasAttribute('aria-busy') || plays())) left = quiet;
    if (left > 0) timer = setTimeout(followOnceQuiet, left);
    else follow(false);
  }

  /** Back, forward, or a link typed into the address bar. */
  async function open() {
    if (!api.frames || location.hash === opened) return; // not started yet, or told already
    const asked = location.hash;
    opened = asked;
    clearTimeout(timer);
    timer = 0;
    // Where it cannot come, the program says that it has no such example.
    if (asksForTranslator(asked)) await api.addTranslator().catch(() => {});
    if (!api.frames || location.hash !== asked) return;
    api.open((opened || start).slice(0, 100_000));
    linked = present(); // so that the change it makes is no change to the address
  }
  // For a typed link browsers send one of these events, or both.
  addEventListener('popstate', open);
  addEventListener('hashchange', open);

  container.addEventListener('attention-live-start', ({ detail }) => {
    opened = location.hash;
    linked = present() ?? '';
    start = opened ? beginning : linked;
    scene = detail.scene;
  });
}

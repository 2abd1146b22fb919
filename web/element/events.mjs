// Turns changes of the running program into events of the element.

const pause = 50; // milliseconds between two tellings of the state; the last one is always told

/**
 * Dispatches an event of an element. It bubbles; `error` as far as the document, because what arrives at the window's
 * `onerror` is taken for an error of a script.
 */
export function dispatch(element, type, detail) {
  const event = new CustomEvent(type, { bubbles: true, composed: true, detail });
  const stop = (heard) => { if (heard === event) heard.stopPropagation(); };
  const page = element.ownerDocument;
  if (type === 'error') page.addEventListener(type, stop);
  element.dispatchEvent(event);
  page.removeEventListener(type, stop);
}

/**
 * @param {HTMLElement} container of the program
 * @param {object} api of program/api.mjs, ready
 * @param {(type: string, detail: object) => void} emit
 * @param {() => string} reason why the state changes; called for each event
 * @returns {{flush: () => void, disconnect: () => void}} flush: sends pending events at once
 */
export function connectEvents(container, api, emit, reason) {
  const abort = new AbortController();
  const listening = { signal: abort.signal };
  let timer = 0;
  let last = 0;
  let scene = '';
  let edits = '';
  let hovered = 'null';

  const sceneOf = (state) => JSON.stringify([state.step, state.example]);
  function begin() {
    const state = api.state();
    scene = sceneOf(state);
    edits = JSON.stringify(state.edits);
  }

  function tell() {
    clearTimeout(timer);
    timer = 0;
    last = performance.now();
    const state = api.state();
    let link = null; // larger than a link can be
    try {
      link = api.link();
    } catch {}
    emit('statechange', { state, link, reason: reason() });
    if (sceneOf(state) !== scene) {
      scene = sceneOf(state);
      emit('stepchange', { step: state.step, example: state.example });
    }
    const now = JSON.stringify(state.edits);
    if (now !== edits) {
      edits = now;
      emit('edit', { edits: state.edits });
    }
  }

  container.addEventListener('attention-live-change', () => {
    const wait = last + pause - performance.now();
    if (wait <= 0) tell();
    else timer ||= setTimeout(tell, wait);
  }, listening);

  container.addEventListener('attention-live-frame', () => {
    const cell = api.pointed();
    const now = JSON.stringify(cell);
    if (now === hovered) return;
    hovered = now;
    emit('cellhover', { cell });
  }, listening);

  begin();
  return {
    flush: () => timer && tell(),
    disconnect() {
      clearTimeout(timer);
      abort.abort();
      if (hovered !== 'null') emit('cellhover', { cell: null });
    },
  };
}

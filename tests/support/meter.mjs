// What the page does and how long it takes, told from inside: every frame with its draw calls, the time spent in our own
// code and the time spent inside WebGL, and what was asked of the browser's clock. To be put into a page before anything
// of it runs.

/**
 * @typedef {object} Frame one frame of the program, with the events that led to it
 * @property {number} own milliseconds of JavaScript and WebAssembly, without what WebGL's functions took
 * @property {number} gl milliseconds inside WebGL's functions
 * @property {number} draws draw calls
 * @property {boolean} changed the document is another than in the frame before
 * @property {number} events how many events had come since the frame before
 */

/**
 * For page.addInitScript: leaves `window.meter`. Its clock is `performance.now()`, which is fine only where the page is
 * isolated (see `isolated`).
 */
export function installMeter() {
  const frames = [];
  let counted = {};
  let asked = {};
  let memory = null;
  let depth = 0; // of our callbacks: one may dispatch an event that another listens to
  let now = null; // what has happened since the last frame
  const begin = () => { now = { own: 0, gl: 0, draws: 0, changed: false, events: 0, drawn: false }; };
  begin();
  let waiting = [];
  const tellWaiting = () => {
    for (const each of waiting) if (frames.filter(each.wanted).length >= each.count) each.resolve();
    waiting = waiting.filter((each) => frames.filter(each.wanted).length < each.count);
  };
  const count = (kind, name) => { kind[name] = (kind[name] ?? 0) + 1; };

  /** Runs one of the page's callbacks and adds up the time it takes. */
  function timed(callback, self, values, isEvent) {
    if (depth > 0) return callback.apply(self, values);
    depth += 1;
    if (isEvent) now.events += 1;
    const inside = now.gl;
    const start = performance.now();
    try {
      return callback.apply(self, values);
    } finally {
      now.own += performance.now() - start - (now.gl - inside);
      depth -= 1;
      if (now.drawn) {
        const { own, gl, draws, changed, events } = now;
        frames.push({ own, gl, draws, changed, events });
        begin();
        tellWaiting();
      }
    }
  }

  for (const name of ['requestAnimationFrame', 'setTimeout', 'setInterval', 'requestIdleCallback']) {
    const original = window[name];
    window[name] = (callback, ...rest) => {
      count(asked, name);
      return original.call(window, (...values) => {
        count(counted, name);
        return timed(callback, window, values, false);
      }, ...rest);
    };
  }

  const wrappers = new WeakMap();
  const { addEventListener, removeEventListener } = EventTarget.prototype;
  const wrapped = (listener) => {
    if (listener === null || listener === undefined) return listener;
    if (!wrappers.has(listener)) {
      wrappers.set(listener, function heard(event) {
        const call = typeof listener === 'function' ? listener : listener.handleEvent;
        return timed(call, typeof listener === 'function' ? this : listener, [event], true);
      });
    }
    return wrappers.get(listener);
  };
  // Assigned and not defined: the program replaces the first of them for a moment, and puts back what it found.
  EventTarget.prototype.addEventListener = function add(type, listener, options) {
    return addEventListener.call(this, type, wrapped(listener), options);
  };
  EventTarget.prototype.removeEventListener = function remove(type, listener, options) {
    return removeEventListener.call(this, type, wrapped(listener), options);
  };
  addEventListener.call(window, 'attention-live-frame', () => { now.drawn = true; }, true);
  addEventListener.call(window, 'attention-live-change', () => { now.changed = true; }, true);

  const gl = WebGL2RenderingContext.prototype;
  for (const name of Object.getOwnPropertyNames(gl)) {
    const { value: original } = Object.getOwnPropertyDescriptor(gl, name);
    if (typeof original !== 'function' || name === 'constructor') continue;
    const draws = name.startsWith('draw') && name !== 'drawBuffers' ? 1 : 0;
    gl[name] = function measured(...values) {
      const start = performance.now();
      try {
        return original.apply(this, values);
      } finally {
        now.gl += performance.now() - start;
        now.draws += draws;
      }
    };
  }

  const { instantiate } = WebAssembly;
  WebAssembly.instantiate = async (...values) => {
    const instance = await instantiate.apply(WebAssembly, values);
    memory ??= Object.values(instance.exports).find((each) => each instanceof WebAssembly.Memory);
    return instance;
  };

  window.meter = {
    /** Forgets what has been so far. */
    reset() {
      frames.length = 0;
      counted = {};
      asked = {};
      begin();
    },
    /** @returns {Frame[]} since the last reset */
    frames: () => [...frames],
    /** Resolves when, since the last reset, there are `count` frames with another document or after an event. */
    until: (kind, count) => new Promise((resolve) => {
      waiting.push({ wanted: (frame) => (kind === 'changed' ? frame.changed : frame.events > 0), count, resolve });
      tellWaiting();
    }),
    /** How often the clock was asked for a call back, and how often it called, since the last reset. */
    clock: () => ({ asked: { ...asked }, called: { ...counted } }),
    /** Bytes of the program's linear memory. */
    heap: () => memory.buffer.byteLength,
  };
}

/** Headers that isolate a page, so that its clock tells microseconds. */
export const isolated = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
};

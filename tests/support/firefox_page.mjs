// A page of the tests' Firefox, with those methods of a page of Playwright that the tests use: what is written for one
// browser runs in the other.

import { until } from './until.mjs';

const keyNames = {
  Backspace: '\ue003', Tab: '\ue004', Enter: '\ue007', Shift: '\ue008', Control: '\ue009', Alt: '\ue00a',
  Escape: '\ue00c', PageUp: '\ue00e', PageDown: '\ue00f', End: '\ue010', Home: '\ue011', ArrowLeft: '\ue012', ArrowUp: '\ue013',
  ArrowRight: '\ue014', ArrowDown: '\ue015', Delete: '\ue017',
};

function codeOf(key) {
  if (Object.hasOwn(keyNames, key)) return keyNames[key];
  if ([...key].length === 1) return key;
  throw new Error(`no key ${key}: one of ${Object.keys(keyNames).join(', ')}, or a character`);
}

/** A value as BiDi writes it down, as JavaScript has it. */
function plain({ type, value }) {
  if (type === 'null') return null;
  if (type === 'array' || type === 'set') return value.map(plain);
  if (type === 'object') return Object.fromEntries(value.map(([key, item]) => [key, plain(item)]));
  if (type === 'number' && typeof value === 'string') return Number(value.replace('-0', '0'));
  return value;
}

export class FirefoxPage {
  /** What the page and its frames said and asked for, as in tests/browser/support.mjs. */
  heard = { console: [], errors: [], requests: [], failed: [] };
  #send;
  #at = [0, 0];

  /**
   * @param {(method: string, params: object) => Promise<object>} send one command of BiDi
   * @param {string} context of the page
   * @param {string} [origin] of the pages that it is to show
   */
  constructor(send, context, origin) {
    this.#send = send;
    this.id = context;
    this.origin = origin;
    const act = (kind, actions) => this.#act(kind, actions);
    this.keyboard = {
      down: (key) => act('key', [{ type: 'keyDown', value: codeOf(key) }]),
      up: (key) => act('key', [{ type: 'keyUp', value: codeOf(key) }]),
      /** "Shift+Tab" */
      press: (keys) => {
        const codes = keys.split('+').map(codeOf);
        return act('key', [
          ...codes.map((value) => ({ type: 'keyDown', value })),
          ...codes.reverse().map((value) => ({ type: 'keyUp', value })),
        ]);
      },
      type: (text) => act('key', [...text].flatMap((value) => [{ type: 'keyDown', value }, { type: 'keyUp', value }])),
    };
    const move = (x, y) => {
      this.#at = [Math.round(x), Math.round(y)];
      return { type: 'pointerMove', x: this.#at[0], y: this.#at[1] };
    };
    const down = { type: 'pointerDown', button: 0 };
    const up = { type: 'pointerUp', button: 0 };
    this.mouse = {
      move: (x, y) => act('pointer', [move(x, y)]),
      down: () => act('pointer', [down]),
      up: () => act('pointer', [up]),
      click: (x, y) => act('pointer', [move(x, y), down, up]),
      wheel: (deltaX, deltaY) => act('wheel', [{ type: 'scroll', x: this.#at[0], y: this.#at[1], deltaX, deltaY }]),
    };
  }

  #act(kind, actions) {
    return this.#send('input.performActions', { context: this.id, actions: [{ type: kind, id: kind, actions }] });
  }

  /** Writes an event of BiDi down. */
  hear(method, params) {
    if (method === 'network.beforeRequestSent') this.heard.requests.push(params.request.url);
    else if (method === 'network.fetchError') this.heard.failed.push(params.request.url);
    else if (method === 'network.responseCompleted') {
      if (params.response.status >= 400) this.heard.failed.push(`${params.response.status} ${params.request.url}`);
    } else if (params.type === 'javascript' && params.level === 'error') this.heard.errors.push(params.text);
    else this.heard.console.push(`${params.level === 'warn' ? 'warning' : params.level}: ${params.text}`);
  }

  async goto(url) {
    await this.#send('browsingContext.navigate', { context: this.id, url, wait: 'complete' });
  }

  /**
   * The value of a function that runs in the page with arguments that JSON can carry, or of a script that is given as
   * text; promises are waited for.
   */
  async evaluate(work, ...values) {
    const answer = await this.#send('script.evaluate', {
      expression: typeof work === 'string' ? work : `(${work})(...${JSON.stringify(values)})`,
      target: { context: this.id }, awaitPromise: true, resultOwnership: 'none',
      serializationOptions: { maxObjectDepth: 10 },
    });
    if (answer.type === 'exception') throw new Error(answer.exceptionDetails.text);
    return plain(answer.result);
  }

  /** Waits until a function that runs in the page gives something true. */
  async waitForFunction(work, value = null) {
    await until(() => this.evaluate(`Promise.resolve((${work})(${JSON.stringify(value)})).then(Boolean)`), String(work));
  }

  waitForTimeout(milliseconds) {
    return new Promise((resolve) => { setTimeout(resolve, milliseconds); });
  }

  /** The frames that stand in this page, to evaluate in; what they say, the page hears. */
  async frames() {
    const { contexts } = await this.#send('browsingContext.getTree', { root: this.id });
    return contexts[0].children.map(({ context }) => new FirefoxPage(this.#send, context, this.origin));
  }

  setViewportSize({ width, height }) {
    return this.#send('browsingContext.setViewport', { context: this.id, viewport: { width, height } });
  }

  /** The page as PNG. */
  async screenshot() {
    const { data } = await this.#send('browsingContext.captureScreenshot', { context: this.id });
    return Buffer.from(data, 'base64');
  }

  async close() {
    await this.#send('browsingContext.close', { context: this.id });
  }
}

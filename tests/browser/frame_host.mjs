// What the tests of embed.html share: the page around the frame, and what is said to it.

import assert from 'node:assert/strict';

/** An author's page with a frame that has the attributes. */
export const hostPage = (attributes) => `<!doctype html><html lang="en"><meta charset="utf-8"><title>Week 3</title>
  <link rel="icon" href="data:,"><script src="/host.js"></script>
  <h1>Week 3</h1><iframe id="frame" width="800" height="500" ${attributes}></iframe></html>`;
/** Beside it: every message is written down, and what is asked gets its answer. */
export const hostScript = `window.heard = [];
  addEventListener('message', ({ data, origin, source }) => {
    if (data && data.source === 'attention-live') window.heard.push({ ...data, origin, own: source === document.getElementById('frame').contentWindow });
  });
  window.say = (message) => document.getElementById('frame').contentWindow
    .postMessage({ source: 'attention-live', version: 1, ...message }, '*');
  let last = 0;
  window.ask = (message) => new Promise((resolve) => {
    const id = 'q' + (last += 1);
    const listen = ({ data }) => {
      if (data?.type !== 'answer' || data.id !== id) return;
      removeEventListener('message', listen);
      resolve(data);
    };
    addEventListener('message', listen);
    window.say({ id, ...message });
  });`;

/** Waits until the frame says that it is ready. */
export const frameReady = (page) =>
  page.waitForFunction(() => window.heard.some(({ type }) => type === 'ready'));
export const heardOf = (page, type) =>
  page.evaluate((wanted) => window.heard.filter((each) => each.type === wanted), type);
export const askFrame = (page, message) => page.evaluate((what) => window.ask(what), message);
export const frameState = async (page) => (await askFrame(page, { type: 'get', what: 'state' })).result;

const mistakes = [
  [{ type: 'set' }, /either a state or a link/],
  [{ type: 'set', state: [] }, /state must be an object/],
  [{ type: 'set', link: 7 }, /link must be text/],
  [{ type: 'set', state: { step: 'nowhere' } }, /nowhere/],
  [{ type: 'set', link: '#step=nowhere' }, /nowhere/],
  [{ type: 'get', what: 'cookies' }, /state, link, tensor/],
  [{ type: 'get', what: 'tensor' }, /name must be/],
  [{ type: 'get', what: 'tensor', name: 'nothing' }, /tensor/],
  [{ type: 'focusCell', cell: 3 }, /cell must be/],
  [{ type: 'set', state: { sentence: 'x'.repeat(2 ** 20) } }, /longer than 1048576/],
];

/** Each mistake is answered with its sentence. */
export async function refusesMistakes(page) {
  for (const [message, sentence] of mistakes) {
    assert.match((await askFrame(page, message)).error, sentence, JSON.stringify(message).slice(0, 80));
  }
}

/** Says as many messages of anything, none of which is to change the frame. */
export async function sayAnything(page, many) {
  await page.evaluate((count) => {
    let seed = 7;
    const random = (below) => { seed = (seed * 1103515245 + 12345) % 2147483648; return seed % below; };
    const pick = (list) => list[random(list.length)];
    const junk = (depth = 0) => pick([
      () => random(1e9), () => -1, () => NaN, () => null, () => undefined, () => true, () => '', () => '__proto__',
      () => 'nowhere', () => '😀'.repeat(random(50)), () => new Uint8Array(random(99)), () => new Date(), () => [],
      () => (depth > 3 ? 0 : Array.from({ length: random(4) }, () => junk(depth + 1))),
      () => (depth > 3 ? {} : Object.fromEntries([[pick(['a', 'constructor', 'length', 'toJSON']), junk(depth + 1)]])),
      () => { const round = {}; round.round = round; return round; }, () => 10n,
    ])();
    const target = document.getElementById('frame').contentWindow;
    for (let i = 0; i < count; i += 1) {
      const type = pick(['set', 'get', 'focusCell', 'toString', '__proto__', 'ready', 'answer', 'Set', junk()]);
      const message = pick([
        junk, () => ({ source: 'attention-live', version: pick([0, 2, '1', null]), type: 'set', state: { step: 'mask' } }),
        () => ({ source: pick(['Attention-live', '', null]), version: 1, type: 'set', state: { step: 'mask' } }),
        () => ({ source: 'attention-live', version: 1, type, id: junk(), state: { nothing: junk() } }),
        () => ({ source: 'attention-live', version: 1, type, link: '#step=nowhere', what: junk(), name: junk(), cell: { tensor: junk(), index: junk() } }),
      ])();
      target.postMessage(message, '*');
    }
  }, many);
}

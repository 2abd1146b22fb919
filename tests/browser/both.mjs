// What a figure has to do in every browser: the tests of Chromium and of Firefox run these with a page of theirs.

import assert from 'node:assert/strict';

import { article, ask, focusFigure, runningIn, stateOf, told } from './figures.mjs';

export const long = article(`<input id="before" value="a">
  <attention-live id="one" example="pool-beats-badminton" variant="projected" step="scores"></attention-live>
  <button id="after">b</button><div class="gap"></div>`);

export const scrolled = (page) => page.evaluate(() => document.scrollingElement.scrollTop);
export const framing = async (page) => JSON.stringify((await stateOf(page, 'one')).framing);
/** Writes down in the page which hints are shown from now on: each leaves by itself. */
const noteHints = (page) => page.evaluate(() => {
  const root = document.getElementById('one').shadowRoot;
  window.hints = new Set();
  new MutationObserver(() => {
    for (const hint of root.querySelectorAll('.attention-live-hint.shown')) window.hints.add(hint.textContent);
  }).observe(root, { subtree: true, childList: true, attributes: true, attributeFilter: ['class'] });
});
export const boxOf = (page, id) => page.evaluate((name) => {
  const { x, y, width, height } = document.getElementById(name).getBoundingClientRect();
  return { x, y, width, height };
}, id);
/** Empty ground of the stage, in the page. */
export async function ground(page) {
  const { x, y, width, height } = await boxOf(page, 'one');
  return { x: x + width * 0.03, y: y + height / 2 };
}
const active = (page) => page.evaluate(() => document.activeElement.id);
const onCanvas = (page) =>
  page.evaluate(() => document.getElementById('one').shadowRoot.activeElement?.tagName === 'CANVAS');

/** On `long`: the wheel scrolls the page, with a hint; with Ctrl it is the figure's; a click changes nothing. */
export async function wheelIsThePages(page) {
  const at = await ground(page);
  await noteHints(page);
  await page.mouse.move(at.x, at.y);
  await page.mouse.wheel(0, 60);
  await page.waitForFunction(() => document.scrollingElement.scrollTop > 0 && window.hints.size > 0);
  assert.equal(await framing(page), 'null');
  const [hint, ...more] = await page.evaluate(() => [...window.hints]);
  assert.match(hint, /Ctrl \+ wheel zooms the figure/);
  assert.deepEqual(more, []);
  await page.waitForFunction(() =>
    !document.getElementById('one').shadowRoot.querySelector('.attention-live-hint.shown'));
  const before = await scrolled(page);
  await page.keyboard.down('Control');
  await page.mouse.wheel(0, -100);
  await page.keyboard.up('Control');
  await page.waitForFunction(() => document.getElementById('one').state.framing !== null);
  assert.equal(await scrolled(page), before);
  assert.equal(await page.evaluate(() => devicePixelRatio), 1, 'nor does the browser zoom the page');
  const zoomed = await framing(page);
  await page.mouse.click(at.x, at.y - before);
  await page.mouse.wheel(0, 50);
  await page.waitForFunction((was) => document.scrollingElement.scrollTop > was, before);
  assert.equal(await framing(page), zoomed);
  await page.evaluate(() => document.getElementById('before').focus());
  const then = await scrolled(page);
  await page.mouse.move(at.x, at.y - then);
  await page.mouse.wheel(0, 50);
  await page.waitForFunction((was) => document.scrollingElement.scrollTop > was, then);
}

/** On `long`: who comes by Tab still scrolls. */
export async function wheelAfterTab(page) {
  await page.evaluate(() => document.getElementById('before').focus());
  await focusFigure(page, 'one');
  const at = await ground(page);
  await page.mouse.move(at.x, at.y);
  await page.mouse.wheel(0, 60);
  await page.waitForFunction(() => document.scrollingElement.scrollTop > 0);
}

/** On `long`: keys reach the figure only with the focus; Esc and Tab leave. */
export async function keysAreThePages(page) {
  await page.evaluate(() => {
    const field = document.getElementById('before');
    field.focus();
    field.setSelectionRange(1, 1);
  });
  await page.keyboard.press('ArrowRight');
  await page.keyboard.type('zx');
  assert.equal((await stateOf(page, 'one')).step, 'scores');
  assert.equal(await page.evaluate(() => document.getElementById('before').value), 'azx');
  await focusFigure(page, 'one');
  await page.keyboard.press('ArrowRight');
  await page.waitForFunction(() => document.getElementById('one').state.step === 'scale');
  await page.keyboard.press('Tab');
  for (let i = 0; i < 3 && (await active(page)) === 'one'; i += 1) await page.keyboard.press('Tab'); // its own buttons
  assert.equal(await active(page), 'after');
  await page.keyboard.press('Shift+Tab');
  for (let i = 0; i < 3 && !(await onCanvas(page)); i += 1) await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.getElementById('one').state.cell !== null);
  await page.keyboard.press('Escape');
  await page.waitForFunction(() => document.getElementById('one').state.cell === null);
  assert.equal(await active(page), 'one', 'the first Esc lets go of the cell');
  await page.keyboard.press('Escape');
  assert.equal(await active(page), '', 'the next one goes back to the page');
  await page.keyboard.press('Tab');
  assert.notEqual(await active(page), 'before', 'and goes on from there');
}

/** Stopped and started again it is where it was, and shows its last picture meanwhile. */
export async function restsAndGoesOn(page) {
  await ask(page, 'one', 'setState', '#step=mask&query=1');
  const before = await stateOf(page, 'one');
  await ask(page, 'one', 'stop');
  assert.equal(await runningIn(page), 0);
  assert.equal((await told(page, 'stop')).length, 1);
  assert.deepEqual(await stateOf(page, 'one'), before);
  const colours = await page.evaluate(() => {
    const [canvas, ...more] = figure('one').shadowRoot.querySelectorAll('canvas.picture');
    if (more.length > 0) throw new Error('more than one picture');
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    return new Set(new Uint32Array(data.buffer)).size;
  });
  assert.ok(colours > 20, `a picture, not a blank: ${colours} colours`);
  const later = ask(page, 'one', 'setState', { query: 2 });
  await page.evaluate(() => { figure('one').start(); });
  assert.equal((await later).query, 2);
  await page.waitForFunction(() => figure('one').running);
  assert.deepEqual(await stateOf(page, 'one'), { ...before, query: 2 });
  await page.waitForFunction(() => !figure('one').shadowRoot.querySelector('.picture'));
}

/** A figure at the step softmax: moved it lives on, removed it ends, and put back it starts anew. */
export async function movedAndRemoved(page) {
  await page.evaluate(() => {
    window.canvas = figure('one').shadowRoot.querySelector('canvas');
    window.gl = window.canvas.getContext('webgl2');
    const aside = document.createElement('aside');
    document.body.append(aside);
    aside.append(figure('one'));
  });
  await page.waitForTimeout(400);
  assert.equal(await page.evaluate(() => figure('one').shadowRoot.querySelector('canvas') === window.canvas &&
    figure('one').running && !window.gl.isContextLost()), true);
  assert.deepEqual(await told(page, 'stop'), []);
  await page.evaluate(() => {
    window.kept = figure('one');
    window.kept.remove();
  });
  await page.waitForFunction(() => window.gl.isContextLost());
  await page.waitForTimeout(200); // for so long it could have been on its way elsewhere
  assert.equal(await page.evaluate(() => window.kept.running), false);
  const refusal = await page.evaluate(() =>
    window.kept.setState({ query: 1 }).then(() => 'done', (cause) => cause.message));
  assert.match(refusal, /not in a page/);
  await page.evaluate(() => { document.body.append(window.kept); });
  await page.waitForFunction(() => figure('one').running);
  assert.equal((await stateOf(page, 'one')).step, 'softmax');
}

const examples = ['you-are-welcome', 'pool-beats-badminton', 'lazy-dog', 'gender-and-number'];
const steps = ['input', 'project', 'split', 'scores', 'softmax', 'output'];
const count = examples.length * steps.length;
const wanted = Array.from({ length: count }, (_, i) => ({ example: examples[i % 4], step: steps[Math.floor(i / 4)] }));
export const most = 6; // that run at a time

/** The first figures of twenty-four, f0 and so on, each with an example and step of its own. */
export const figures = (many = count) => wanted.slice(0, many).map(({ example, step }, i) =>
  `<attention-live id="f${i}" class="small" example="${example}" step="${step}"></attention-live>`);
/** A page with all of them, one below the other. */
export const many = article(figures().map((each, i) => `<h2>${i}</h2>${each}`).join('<p>text</p>'));

/** Waits until a figure in view runs, and gives what it shows. */
export async function shows(page, i) {
  await page.evaluate((id) => document.getElementById(id).scrollIntoView({ block: 'center' }), `f${i}`);
  await page.waitForFunction((id) => document.getElementById(id).running, `f${i}`);
  const { example, step, query } = await stateOf(page, `f${i}`);
  return { example, step, query };
}

/**
 * On `many`: down and up again, each is what it was, six at most run, and the code came once. The window is to be so
 * high that more than six are near.
 */
export async function downAndUp(page) {
  for (let i = 0; i < count; i += 1) {
    const { example, step } = await shows(page, i);
    assert.deepEqual({ example, step }, wanted[i]);
    await ask(page, `f${i}`, 'setState', { query: 1 });
    assert.ok((await runningIn(page)) <= most);
  }
  for (let i = count - 1; i >= 0; i -= 1) {
    assert.deepEqual(await shows(page, i), { ...wanted[i], query: 1 }, `figure ${i} kept its state`);
    assert.ok((await runningIn(page)) <= most);
  }
  const code = page.heard.requests.filter((url) => url.endsWith('.wasm'));
  assert.equal(code.length, 1, code.join('\n'));
  assert.ok(!page.heard.console.some((line) => /too many/i.test(line)), 'no context was taken away');
}

/** Before figures are made in a page: notes the memories, contexts and figures, without keeping them. */
export const noteWhatIsMade = (page) => page.evaluate(() => {
  window.made = { memories: [], contexts: [], figures: [] };
  const note = (kind, made) => window.made[kind].push(new WeakRef(made));
  const { instantiate } = WebAssembly;
  WebAssembly.instantiate = async (...values) => {
    const instance = await instantiate.apply(WebAssembly, values);
    const memory = Object.values(instance.exports).find((each) => each instanceof WebAssembly.Memory);
    note('memories', memory);
    return instance;
  };
  const { getContext } = HTMLCanvasElement.prototype;
  const known = new WeakSet(); // asked for again, a canvas gives the same one
  HTMLCanvasElement.prototype.getContext = function get(...values) {
    const context = getContext.apply(this, values);
    if (values[0] === 'webgl2' && !known.has(context)) note('contexts', context);
    known.add(context);
    return context;
  };
  const { createElement } = document;
  document.createElement = (name) => {
    const element = createElement.call(document, name);
    if (name === 'attention-live') note('figures', element);
    return element;
  };
});

/** Makes a figure in `#place`, waits until it runs, removes it and waits until it has stopped, again and again. */
export const makeAndRemove = (page, rounds) => page.evaluate(async (many) => {
  await customElements.whenDefined('attention-live');
  const place = document.getElementById('place');
  for (let i = 0; i < many; i += 1) {
    const element = document.createElement('attention-live');
    element.setAttribute('example', 'you-are-welcome');
    element.setAttribute('step', ['scores', 'softmax', 'output'][i % 3]);
    element.setAttribute('poster', 'off');
    place.append(element);
    await element.ready;
    element.remove();
    await new Promise((resolve) => { element.addEventListener('stop', resolve, { once: true }); });
  }
}, rounds);

/** How many of those that were made can still be reached, as far as the garbage has gone. */
export const alive = (page) => page.evaluate(() => Object.fromEntries(
  Object.entries(window.made).map(([kind, all]) => [kind, all.filter((made) => made.deref()).length]),
));

/** How many were made at all. */
export const made = (page) => page.evaluate(() => Object.fromEntries(
  Object.entries(window.made).map(([kind, all]) => [kind, all.length]),
));

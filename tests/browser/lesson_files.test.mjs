// Lessons that authors wrote: <attention-live src="lesson.json">. Steps, answers, events, what is said of a broken file.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, afterEach, before, test } from 'node:test';

import { violations } from './axe.mjs';
import { article, ask, authorFiles, openArticle, stateOf, told } from './figures.mjs';
import { npy } from '../support/npy.mjs';
import { assertQuiet, launch, newPage, serve } from './support.mjs';

const pattern = readFileSync(new URL('../../web/lessons/first-lesson.json', import.meta.url), 'utf8');
const lesson = (steps, more = {}) => JSON.stringify({ attention_live_lesson: 1, title: 'T', example: 'lazy-dog', steps, ...more });
const marked = '<img src=x onerror="window.broken = true"><b>bold</b>';

const listening = authorFiles['/author.js'].replace("'start', 'stop'", "'start', 'stop', 'lessonstep', 'lessonanswer'");
const page_of = (src, more = '') => article(`<main><h1>Week 3</h1>
  <attention-live id="fig" src="${src}" load="eager" poster="off" ${more}></attention-live></main>`);
let server;
let browser;
let page;
before(async () => {
  server = await serve({ extra: {
    ...authorFiles,
    '/author.js': listening,
    '/pattern.html': page_of('/lessons/first-lesson.json'),
    '/spanish.html': page_of('/lessons/first-lesson.json', 'lang="es"'),
    '/broken.html': page_of('/broken.json'),
    '/broken.json': pattern.replace('"scores", "head": 0', '"scores", "head": 5'),
    '/missing.html': page_of('/nowhere.json'),
    '/large.html': page_of('/large.json'),
    '/large.json': ' '.repeat(2 ** 20 + 1),
    '/marked.html': page_of('/marked.json'),
    '/marked.json': lesson([{ text: marked, question: { text: marked, answer: { number: 1 } } }], { title: marked }),
    '/week/numbers.html': page_of('/week/numbers.json'),
    '/week/numbers.json': lesson([{ text: 'n' }], { example: { tokens: ['a', 'b'], embeddings: { file: 'data/x.npy' } } }),
    '/week/data/x.npy': npy([2, 3], [1, 2, 3, 4, 5, -6]),
    '/week/without.html': page_of('/week/without.json'),
    '/week/without.json': lesson([{ text: 'n' }], { example: { tokens: ['a'], embeddings: { file: 'y.npy' } } }),
    '/plain.html': article('<attention-live id="fig" example="counting" step="scores" load="eager" poster="off"></attention-live>'),
  } });
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await server?.close();
});
afterEach(() => page?.context().close());

async function open(path, options = {}) {
  page = await newPage(browser, { origin: server.origin, viewport: { width: 1024, height: 670 }, ...options });
  await openArticle(page, path, 'fig');
}
const panel = () => page.locator('#fig .lesson');
const press = (name) => panel().getByRole('button', { name, exact: true }).click();
const said = () => panel().locator('output').innerText();
const state = () => stateOf(page, 'fig');
async function answer(typed) {
  await panel().getByRole('textbox').fill(typed);
  await panel().getByRole('textbox').press('Enter');
}
/** The one event there is since the last call. */
async function only(type) {
  await page.waitForFunction((wanted) => window.told.some((each) => each.type === wanted), type);
  const [first, ...more] = await told(page, type);
  assert.deepEqual(more, []);
  return first;
}

test('numbers of a lesson come from files beside it', async () => {
  await open('/week/numbers.html');
  await panel().getByText('1 of 1').waitFor();
  const { data } = await ask(page, 'fig', 'tensor', 'query_input');
  assert.deepEqual(Object.values(data), [1, 2, 3, 4, 5, -6]);
  await assertQuiet(page);
  await page.context().close();
  await open('/week/without.html');
  assert.match((await only('error')).message, /y\.npy/);
});

test('a lesson is led through: steps, a number, a cell, a change', async () => {
  await open('/pattern.html');
  await panel().getByText('1 of 5').waitFor();
  assert.deepEqual(await only('lessonstep'), { id: 'fig', step: 0, steps: 5, title: 'Who looks at whom' });
  assert.equal(await panel().getByRole('heading').innerText(), 'Who looks at whom');
  assert.deepEqual([(await state()).step, (await state()).example], ['input', 'own-layer']);
  assert.equal(await panel().getByRole('button', { name: 'Back' }).isDisabled(), true);
  assert.equal(await panel().getByRole('textbox').count(), 0);
  assert.deepEqual(await violations(page), []);

  await press('Next');
  assert.equal((await only('lessonstep')).step, 1);
  assert.deepEqual(await state().then(({ step, head, query }) => [step, head, query]), ['scores', 0, 2]);
  const { data, offset, strides } = await ask(page, 'fig', 'tensor', 'scores');
  const right = Object.values(data)[offset + 2 * strides[2] + strides[3]];
  await answer('99');
  assert.deepEqual(await only('lessonanswer').then(({ right: is, value, attempts }) => [is, value, attempts]), [false, 99, 1]);
  assert.match(await said(), /^Not yet: too large\.\nHint: It is in the matrix scores/);
  await answer(String(right + 0.04).replace('.', ','));
  const close = await only('lessonanswer');
  assert.ok(Math.abs(close.distance - 0.04) < 1e-6 && close.attempts === 2, JSON.stringify(close));
  assert.match(await said(), /^Close: a little too large\./);
  await answer(right.toFixed(2));
  assert.deepEqual(await only('lessonanswer').then(({ right: is, distance }) => [is, distance]), [true, 0]);
  assert.match(await said(), /^Right: [\d.]+\.$/);
  await answer('many');
  assert.match(await said(), /^Type a number/);

  await press('Next');
  await press('Check the chosen cell');
  assert.match(await said(), /^Choose a cell/);
  const choose = (column) => ask(page, 'fig', 'focusCell', { tensor: 'attention_weights', index: [0, 0, 2, column] });
  await choose(2);
  await press('Check the chosen cell');
  assert.match(await said(), /^Close: the right cell is next/);
  await choose(1);
  await press('Check the chosen cell');
  assert.match(await said(), /^Right: attention_weights\[0,0,2,1\] is 0\.\d+\.$/);

  await press('Next');
  await press('Check');
  assert.match(await said(), /^(Not yet|Close): attention_weights\[0,0,0,1\] is 0\.\d+ now; it should be 0\.6 or more\./);
  await told(page, 'lessonanswer');
  const edited = [{ attention: 'attention', tensor: 'query_input', index: [0, 0, 1], value: 1 }];
  await ask(page, 'fig', 'setState', { edits: edited });
  assert.equal((await only('lessonanswer')).right, true); // without another click
  assert.match(await said(), /^Right: /);

  await press('Next');
  assert.equal(await panel().getByRole('button', { name: 'Next' }).isDisabled(), true);
  assert.deepEqual((await state()).edits, []); // this step has a state of its own
  await panel().getByText('3 of 3 questions answered.').waitFor();
  await press('Back');
  assert.match(await said(), /^Right: /); // what was answered stays
  await assertQuiet(page);
});

test('what a step does not allow is refused', async () => {
  const steps = [{ text: 'a', state: { step: 'scores' }, allow: [] }, { text: 'b', allow: ['step'] }];
  await open('/plain.html');
  const opened = await page.evaluate(async (text) => (await window.figure('fig').openLesson(text)).title, lesson(steps));
  assert.equal(opened, 'T');
  const next = () => page.evaluate(() => window.figure('fig').focus()).then(() => page.keyboard.press('ArrowRight'));
  await next();
  await page.waitForTimeout(200);
  assert.equal((await state()).step, 'scores');
  await press('Next');
  assert.equal((await state()).step, 'scores'); // it has no state of its own
  await next();
  await page.waitForFunction(() => window.figure('fig').state.step === 'scale');
});

test('a figure that is stopped goes on with its lesson where it was', async () => {
  await open('/pattern.html');
  await press('Next');
  const edits = [{ attention: 'attention', tensor: 'query_input', index: [0, 0, 1], value: 0.5 }];
  await ask(page, 'fig', 'setState', { edits });
  await page.evaluate(async () => {
    const figure = window.figure('fig');
    figure.stop();
    await figure.start();
  });
  const now = await state();
  assert.deepEqual([now.example, now.step, now.edits.length], ['own-layer', 'scores', 1]);
  await panel().getByText('2 of 5').waitFor();
  await answer('-50');
  assert.match(await said(), /^Not yet: too small\./);
  assert.deepEqual(await told(page, 'error'), []);
});

test('a file that is no lesson is answered with a sentence', async () => {
  for (const [path, sentence] of [
    ['/broken.html', /^broken\.json, line 29, column 44: head 5 is not there; heads are counted from 0 to 1\.$/],
    ['/missing.html', /^The lesson nowhere\.json could not be fetched: the server answered 404\.$/],
    ['/large.html', /^The lesson large\.json has more than 1048576 bytes\.$/],
  ]) {
    page = await newPage(browser, { origin: server.origin, viewport: { width: 1024, height: 670 } });
    await page.goto(server.origin + path);
    assert.match(await panel().getByRole('alert').innerText(), sentence);
    assert.match((await only('error')).message, sentence);
    await page.context().close();
  }
});

test('a wrong lesson from a script leaves the one before', async () => {
  await open('/pattern.html');
  await panel().getByText('1 of 5').waitFor();
  const cause = await page.evaluate(() => window.figure('fig').openLesson('{\n  "title": 1,\n}').catch(({ message, line, column }) => ({ message, line, column })));
  assert.deepEqual([cause.line, cause.column], [3, 1]);
  assert.match(cause.message, /^lesson, line 3, column 1: From here on it is not valid JSON/);
  await press('Next');
  await panel().getByText('2 of 5').waitFor();
});

test('texts of a lesson are texts', async () => {
  await open('/marked.html');
  await panel().getByText('1 of 1').waitFor();
  assert.equal(await panel().locator('img, b').count(), 0);
  assert.equal(await panel().getByRole('heading').innerText(), marked);
  assert.equal(await page.evaluate(() => window.broken), undefined);
});

test('the words around a lesson are in the reader’s language', async () => {
  await open('/spanish.html');
  await panel().getByText('1 de 5').waitFor();
  await press('Siguiente');
  await answer('0');
  assert.match(await said(), /^Todavía no: demasiado pequeño\./);
});

test('what has no room in a figure of a given height is scrolled to', async () => {
  await open('/pattern.html');
  await page.evaluate(() => Object.assign(document.querySelector('#fig').style, { height: '400px', aspectRatio: 'auto' }));
  await press('Next');
  await answer('5');
  await panel().locator('output').getByText(/Hint/).waitFor();
  const { host, parts } = await page.evaluate(() => {
    const bottom = (element) => element.getBoundingClientRect().bottom;
    const figure = document.querySelector('#fig');
    const parts = [...figure.shadowRoot.querySelectorAll('.lesson, .figure, canvas')];
    return { host: bottom(figure), parts: parts.map(bottom) };
  });
  assert.equal(parts.length, 3);
  for (const part of parts) assert.ok(part <= host + 0.5, `${part} ends above ${host}`);
  assert.ok(await panel().evaluate((each) => each.scrollHeight > each.clientHeight), 'it is longer than its place');
  await press('Next');
  await panel().getByText('3 of 5').waitFor();
  await assertQuiet(page);
});

test('a phone has the lesson under the figure, and nothing is wider than it', async () => {
  await open('/pattern.html', { viewport: { width: 390, height: 844 } });
  await panel().getByText('1 of 5').waitFor();
  const [above, below] = await page.evaluate(() => ['.figure', '.lesson'].map((name) => {
    const { top, bottom, left, right } = window.figure('fig').shadowRoot.querySelector(name).getBoundingClientRect();
    return { top, bottom, left, right };
  }));
  assert.ok(below.top >= above.bottom - 1, JSON.stringify([above, below]));
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390);
});

test('a frame shows a lesson of its own host, and passes its events on', async () => {
  page = await newPage(browser, { origin: server.origin, viewport: { width: 1024, height: 670 } });
  await page.goto(`${server.origin}/plain.html`);
  const heard = (src) => page.evaluate(async (address) => {
    const messages = [];
    const frame = document.createElement('iframe');
    Object.assign(frame, { src: `/embed.html?load=eager&src=${encodeURIComponent(address)}`, width: 900, height: 500 });
    window.addEventListener('message', ({ source, data }) => source === frame.contentWindow && messages.push(data));
    document.body.replaceChildren(frame);
    const is = (type) => messages.find((message) => message.type === type);
    while (!is('lessonstep') && !is('error')) await new Promise((resolve) => { setTimeout(resolve, 50); });
    return is('lessonstep') ?? is('error');
  }, src);
  assert.deepEqual(await heard('lessons/first-lesson.json'), {
    source: 'attention-live', version: 1, type: 'lessonstep', step: 0, steps: 5, title: 'Who looks at whom',
  });
  assert.match((await heard('https://example.org/lesson.json')).message, /^src in the frame’s address cannot be used/);
});

test('the page for authors shows a lesson while it is typed, and says what is wrong', async () => {
  page = await newPage(browser, { origin: server.origin, viewport: { width: 1024, height: 670 } });
  await page.goto(`${server.origin}/authors.html#lessons`);
  const field = page.locator('#lesson-text');
  await page.locator('#lesson-said').getByText('Steps: 5; questions: 3.').waitFor();
  assert.equal(await field.inputValue(), pattern);
  await field.fill(pattern.replace('"step": "input"', '"step": "inputs"'));
  await page.locator('#lesson-said').getByText(/^Line 25, column 26: step is “inputs”/).waitFor();
  await page.locator('#lesson-there').click();
  assert.equal(await field.evaluate(({ value, selectionStart }) => value.slice(selectionStart, selectionStart + 8)), '"inputs"');
  await field.fill(pattern.replace('"Who looks at whom"', '"Another title"').replace('[0.1, 0.0, 0.0, 0.2]', '[0.7, 0.0, 0.0, 0.2]'));
  await page.locator('#lesson-figure .lesson').getByText('Another title').waitFor();
  await page.locator('#lesson-said').getByText('Steps: 5; questions: 3.').waitFor();
  await page.getByRole('radio', { name: 'a link', exact: true }).check();
  assert.equal(await page.locator('#lesson-made').innerText(), `${server.origin}/embed.html?src=lesson.json\n`);
});

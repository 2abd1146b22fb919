// The lesson page: its figures show what their paragraphs say, its links set them, its numbers are theirs, its questions
// are answered by what the reader does, and its code computes what they show. All of it in real Chromium.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { withPages } from './pages.mjs';
import { assertQuiet, site } from './support.mjs';

const python = fileURLToPath(new URL('../../tools/python', import.meta.url));
const source = readFileSync(join(site, 'lesson.html'), 'utf8');
const plain = (html) => html.replace(/<[^>]*>/g, '').replaceAll('&amp;', '&').trim();
const attribute = (tag, name) => new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1].replaceAll('&amp;', '&');

/** What stands in the page's source: figures, links that set them, and numbers. */
const figures = [...source.matchAll(/<attention-live\b[^>]*>/g)].map(([tag]) => tag);
const links = [...source.matchAll(/<a\b[^>]*data-attention-live="[^"]*"[^>]*>/g)].map(([tag]) => tag);
const numbers = [...source.matchAll(/<span data-number="([^"]*)">([^<]*)<\/span>/g)].map(([, asked, text]) => ({ asked, text }));
/** Numbers of a figure in another state than it begins with: `when` is a part of a link. */
const elsewhere = [...source.matchAll(/<span\s+data-number="([^"]*)"\s+data-when="([^"]*)">([^<]*)<\/span>/g)]
  .map(([, asked, when, text]) => ({ asked, when: when.replaceAll('&amp;', '&'), text }));

const openPage = withPages();

async function openLesson(options = {}) {
  const page = await openPage.blank(options); // without motion: a page that scrolls smoothly keeps every click waiting
  await page.goto(`${page.origin}/lesson.html`);
  await page.waitForFunction(() => customElements.get('attention-live') && document.querySelector('[data-code] pre'));
  return page;
}

/** Scrolls to a figure, as a reader does, and waits until it runs. */
async function reach(page, id) {
  await page.evaluate((wanted) => {
    document.getElementById(wanted).scrollIntoView({ block: 'center', behavior: 'instant' });
  }, id);
  await page.waitForFunction((wanted) => document.getElementById(wanted).running, id);
}

const stateOf = (page, id) => page.evaluate((wanted) => document.getElementById(wanted).state, id);
const change = (page, id, state) => page.evaluate(async ([wanted, part]) => {
  const edits = part.edits?.map((edit) => ({ ...edit, value: edit.value ?? '-Infinity' }));
  await document.getElementById(wanted).setState({ ...part, ...(edits ? { edits } : {}) });
}, [id, state]);

/** Asserts that a state is what a part of a link asks for. */
function assertSays(state, name, value, where, wanted) {
  if (name === 'v') return;
  if (name === 'target') {
    const said = state.target.map(({ tensor, index, value: is }) => `${tensor.split('.').at(-1)}:${index.join()}=${is}`);
    assert.deepEqual(said, [`${value}=${wanted}`], where);
    return;
  }
  if (name === 'cell') {
    const [tensor, index] = value.split(':');
    assert.equal(state.cell?.tensor.split('.').at(-1), tensor, where);
    assert.equal(state.cell.index.join(), index, where);
    return;
  }
  assert.equal(String(state[name]), value.replaceAll('+', ' '), `${where}: ${name}`);
}

function assertLink(state, link, where) {
  const parts = link.replace(/^#/, '').split('&').filter(Boolean);
  for (const part of parts) {
    const [name, value, wanted] = part.split('=');
    assertSays(state, name, value, where, wanted);
  }
}

/** What a figure's present numbers make of each data-number. */
const compute = (page, id, asked) => page.evaluate(async ([wanted, list]) => {
  const figure = document.getElementById(wanted);
  const value = async (name, index) => {
    const { data, offset, shape, strides } = await figure.tensor(name);
    if (index.length !== shape.length || index.some((i, axis) => i >= shape[axis])) throw new Error(`${name} has no ${index}`);
    return data[offset + index.reduce((sum, i, axis) => sum + i * strides[axis], 0)];
  };
  return Promise.all(list.map(async (each) => {
    const [, what, place] = each.split(' ');
    if (what === 'accuracy') {
      const { steps, measured } = (await figure.describe()).training;
      return measured.find((one) => one.steps === steps).accuracy;
    }
    const index = place ? place.split(',').map(Number) : [];
    const heldOut = /^held_out\((.*),(.*)\)$/.exec(what);
    if (heldOut) {
      const { heads } = (await figure.describe()).translation;
      const { pattern, share } = heads.find(({ attention, head }) => attention === heldOut[1] && head === index[0]).held_out;
      if (pattern !== heldOut[2].replace('_', ' ')) throw new Error(`${each}: ${pattern}`);
      return share;
    }
    const summed = /^(?:sum|dot)\((.*)\)$/.exec(what);
    if (summed) {
      const names = summed[1].split('/');
      const { shape } = await figure.tensor(names[0]);
      let sum = 0;
      for (let i = 0; i < shape.at(-1); i += 1) {
        const factors = await Promise.all(names.map((name) => value(name, [...index, i])));
        sum += factors.reduce((product, factor) => product * factor);
      }
      return sum;
    }
    const slope = /^slope\((.*)\)$/.exec(what);
    if (slope) return value(slope[1], index).then((p) => p - p * p);
    const kind = /^(shape|strides)\((.*)\)$/.exec(what);
    if (kind) return (await figure.tensor(kind[2]))[kind[1]][index[0]];
    const [number, divisor] = await Promise.all(what.split('/').map((name) => value(name, index)));
    return divisor === undefined ? number : number / divisor;
  }));
}, [id, asked]);

/** Asserts that a text is a number, in its own format. */
function assertPrinted(text, computed, where) {
  const printed = Number(text.replace('−', '-').replace(/\s*%/, ''));
  const decimals = (text.split('.')[1] ?? '').replace(/\D/g, '').length;
  const exact = computed * (text.includes('%') ? 100 : 1);
  assert.ok(Math.abs(printed - exact) <= 0.5000001 * 10 ** -decimals, `${where}: ${text} is printed, ${exact} is computed`);
}

test('the lesson has its figures, links, numbers and questions', () => {
  assert.ok(figures.length >= 10, `${figures.length} figures`);
  assert.ok(links.length >= 20, `${links.length} links`);
  assert.ok(numbers.length >= 50, `${numbers.length} numbers`);
  const ids = figures.map((tag) => attribute(tag, 'id'));
  assert.equal(new Set(ids).size, ids.length);
  for (const tag of figures) assert.ok(attribute(tag, 'label'), `${tag} has a label`);
  for (const tag of links) assert.ok(ids.includes(attribute(tag, 'data-attention-live')), tag);
  for (const { asked } of numbers) assert.ok(ids.includes(asked.split(' ')[0]), asked);
  // Without what stands there only where no program comes.
  const prose = source.slice(source.indexOf('<main>')).replace(/<p class="late">.*?<\/p>/gs, '');
  const words = plain(prose).split(/\s+/).length;
  assert.ok(words > 2500 && words < 5700, `${words} words`);
});

test('the lesson in other languages has the same figures, links and numbers', () => {
  for (const language of ['de', 'es']) {
    const translated = readFileSync(join(site, `lesson.${language}.html`), 'utf8');
    const words = /\s(?:label|lang|aria-label)="[^"]*"/g; // what is translated of them
    const sorted = (html, what) => [...html.matchAll(what)].map(([whole]) => whole.replace(words, '').replace(/\s+/g, ' ')).sort();
    for (const what of [
      /<attention-live\b[^>]*>/g, /<a\b[^>]*data-attention-live="[^"]*"[^>]*>/g, /<span\s+data-number="[^"]*"[^<]*<\/span>/g,
      /<h\d[^>]*>/g, /<div class="(?:question|code)[^>]*>/g, /<li><a href="#[^"]*"/g,
    ]) assert.deepEqual(sorted(translated, what), sorted(source, what), `${language}: ${what}`);
    assert.match(translated, new RegExp(`<html lang="${language}">`));
  }
});

test('headings are in order and the contents lead to all of them', () => {
  const headings = [...source.matchAll(/<h(\d)( id="([^"]*)")?/g)].map(([, level, , id]) => ({ level: Number(level), id }));
  assert.equal(headings.filter(({ level }) => level === 1).length, 1);
  headings.reduce((last, { level, id }) => {
    assert.ok(level <= last + 1, `h${level} ${id} after h${last}`);
    return level;
  }, 0);
  const contents = [...source.matchAll(/<li><a href="#([^"]*)"/g)].map(([, id]) => id);
  const sections = headings.filter(({ level, id }) => level === 2 && id?.endsWith('-section') && id !== 'on-section');
  assert.deepEqual(contents, sections.map(({ id }) => id));
});

test('every figure starts when it is reached, shows what its paragraph is about, and its numbers are the program’s', async () => {
  const page = await openLesson();
  for (const tag of figures) {
    const id = attribute(tag, 'id');
    await reach(page, id);
    const state = await stateOf(page, id);
    for (const name of ['example', 'variant', 'step', 'attention', 'head', 'query', 'sample']) {
      const wanted = attribute(tag, name);
      if (wanted !== undefined) assertSays(state, name, wanted, id);
    }
    assertLink(state, attribute(tag, 'state') ?? '', id);
    const own = numbers.filter(({ asked }) => asked.split(' ')[0] === id);
    const computed = await compute(page, id, own.map(({ asked }) => asked));
    own.forEach(({ asked, text }, i) => assertPrinted(text, computed[i], asked));
  }
  await page.waitForTimeout(200); // numbers follow after a pause
  const changed = await page.$$eval('[data-number].changed', (spans) => spans.map((span) => span.dataset.number));
  assert.deepEqual(changed, [], 'what the program says is what is printed');
  assertQuiet(page);
});

test('what the text says of a figure in another state is computed there', async () => {
  assert.ok(elsewhere.length >= 10, `${elsewhere.length} numbers`);
  const page = await openLesson();
  for (const when of new Set(elsewhere.map(({ asked, when: part }) => `${asked.split(' ')[0]} ${part}`))) {
    const [id, part] = when.split(' ');
    await reach(page, id);
    const began = await page.evaluate((wanted) => document.getElementById(wanted).link, id);
    await page.evaluate(([wanted, link]) => document.getElementById(wanted).setState(`#${link}`), [id, part]);
    await page.evaluate(async (wanted) => {
      const training = async () => (await document.getElementById(wanted).describe()).training;
      for (let now = await training(); now?.busy; now = await training()) {
        await new Promise((resolve) => { setTimeout(resolve, 100); });
      }
    }, id);
    assertLink(await stateOf(page, id), part, when);
    const own = elsewhere.filter(({ asked, when: each }) => `${asked.split(' ')[0]} ${each}` === when);
    const computed = await compute(page, id, own.map(({ asked }) => asked));
    own.forEach(({ asked, text }, i) => assertPrinted(text, computed[i], `${asked}, ${part}`));
    await change(page, id, { example: 'lazy-dog' }); // from which another example starts afresh
    await page.evaluate(([wanted, link]) => document.getElementById(wanted).setState(link), [id, began]);
  }
  assertQuiet(page);
});

test('the figure of one dot product is captioned with words, not with names and shapes', async () => {
  const page = await openLesson();
  await reach(page, 'dot');
  const titles = await page.evaluate(async () => (await document.getElementById('dot').describe()).blocks.map((each) => each.title));
  assert.deepEqual([...new Set(titles)].sort(), ['keys', 'queries', 'scores']);
  assertQuiet(page);
});

test('a number in the text follows its figure, and comes back', async () => {
  const page = await openLesson();
  await reach(page, 'dot');
  const span = page.locator('[data-number="dot scores 0,0,0,2"]');
  await change(page, 'dot', { edits: [{ attention: 'attention', tensor: 'query_input', index: [0, 2, 0], value: 1 }] });
  await page.waitForFunction(() => document.querySelector('[data-number="dot scores 0,0,0,2"]').textContent === '0.55');
  assert.equal(await span.getAttribute('title'), '0.30 before your change');
  await change(page, 'dot', { example: 'lazy-dog' });
  await page.waitForFunction(() => document.querySelector('[data-number="dot scores 0,0,0,2"]').textContent === '0.30');
  assertQuiet(page);
});

test('every link in the text sets its figure, and the page goes to it', async () => {
  const page = await openLesson();
  const all = page.locator('a[data-attention-live]');
  assert.equal(await all.count(), links.length);
  for (const [i, tag] of links.entries()) {
    const id = attribute(tag, 'data-attention-live');
    const address = attribute(tag, 'href');
    await all.nth(i).click();
    // The part that was named last arrives with the others.
    await page.waitForFunction(([wanted, link]) => {
      const { state, running } = document.getElementById(wanted);
      const [name, value] = link.slice(1).split('&').at(-1).split('=');
      return running && (name === 'cell' ? state.cell : String(state[name]) === value);
    }, [id, address]);
    assertLink(await stateOf(page, id), address, `${id} ${address}`);
    await page.waitForFunction((wanted) => {
      const { top, bottom } = document.getElementById(wanted).getBoundingClientRect();
      return top < innerHeight && bottom > 0;
    }, id);
  }
  assertQuiet(page);
});

const cell = (tensor, index, value, attention = 'attention') => ({ attention, tensor, index, value });

/** For each question, what does not answer it and what does. Without a value: −∞. */
const answers = {
  beats: { wrong: { edits: [cell('query_input', [0, 1, 0], 0.2)] }, right: { edits: [cell('query_input', [0, 1, 0], 0.9)] } },
  cat: {
    wrong: { edits: [cell('query_input', [0, 6, 0], 2)] },
    right: { edits: [cell('query_input', [0, 6, 0], 1), cell('query_input', [0, 6, 1], 0.2)] },
  },
  divisor: { wrong: { scale: 16 }, right: { scale: 'sqrt-head-dim', num_heads: 2 } },
  only: { wrong: { edits: [cell('mask', [0, 0, 0, 1])] }, right: { edits: [cell('mask', [0, 0, 0, 0]), cell('mask', [0, 0, 0, 1])] } },
  king: { wrong: { edits: [cell('query_input', [0, 0, 0], 0)] }, right: { edits: [cell('query_input', [0, 0, 1], 1)] } },
  eleven: {
    wrong: { cell: { tensor: 'q_heads', index: [0, 0, 1, 1] } },
    right: { cell: { tensor: 'q_heads', index: [0, 1, 1, 1] } },
  },
  pad: {
    wrong: { edits: [cell('mask', [0, 0, 0, 1], 0, 'encoder_self_attention')] },
    right: { edits: [cell('mask', [1, 0, 0, 1], 0, 'encoder_self_attention')] },
  },
  first: { wrong: { mask: 'none' }, right: { mask: 'look-ahead', edits: [cell('mask', [0, 0, 0, 1], 0)] } },
  descent: { wrong: { edits: [cell('query_input', [0, 2, 0], 0.4)] }, right: { edits: [cell('query_input', [0, 2, 0], 0.8)] } },
  fail: { wrong: { trained_steps: 120 }, right: { trained_steps: 120, training_rate: 1 } },
  order: { wrong: { trained_steps: 20 }, right: { trained_steps: 300, position_encoding: false } },
  forbid: {
    wrong: { edits: [cell('mask', [0, 0, 0, 0], null, 'cross_attention')] },
    right: { edits: [cell('mask', [0, 0, 0, 2], null, 'cross_attention')] },
  },
};

test('each question says no before the change and after a wrong one, and yes after the right one', async () => {
  const page = await openLesson();
  const questions = await page.$$eval('[data-check]', (list) => list.map(({ dataset }) => ({ ...dataset })));
  assert.deepEqual(questions.map(({ check }) => check).sort(), Object.keys(answers).sort());
  for (const { check, figure: ids } of questions) {
    const [figure] = ids.split(' ');
    await reach(page, figure);
    const question = page.locator(`[data-check="${check}"]`);
    const output = question.locator('output');
    await question.getByRole('button').click();
    await page.locator(`[data-check="${check}"][data-verdict="wrong"]`).waitFor();
    const first = await output.textContent();
    assert.match(first, /^Not yet: /, check);
    await reach(page, figure);
    await change(page, figure, answers[check].wrong);
    await page.waitForTimeout(300); // more than it takes to follow
    assert.match(await output.textContent(), /^Not yet: /, `${check}, a wrong answer`);
    await change(page, figure, answers[check].right);
    await page.locator(`[data-check="${check}"][data-verdict="right"]`).waitFor(); // some train first
    assert.match(await output.textContent(), /^Yes: /, check);
  }
  assertQuiet(page);
});

test('a question is answered in any of its figures', async () => {
  const page = await openLesson();
  const questions = await page.$$eval('[data-check]', (list) => list.map((question) => {
    const ids = question.dataset.figure.split(' ');
    const shows = (figure) => `${figure.getAttribute('example')} ${figure.getAttribute('variant')}`;
    const own = shows(document.getElementById(ids[0]));
    const alike = [...question.closest('section').querySelectorAll('attention-live')].filter((each) => shows(each) === own);
    return { check: question.dataset.check, ids, alike: alike.map(({ id }) => id) };
  }));
  for (const { check, ids, alike } of questions) {
    for (const id of alike) assert.ok(ids.includes(id), `${check} looks at ${id} too`);
  }
  for (const { check, ids } of questions) {
    for (const other of ids.slice(1)) {
      await reach(page, other);
      await change(page, other, answers[check].right);
      const question = page.locator(`[data-check="${check}"]`);
      await question.getByRole('button').click();
      await page.locator(`[data-check="${check}"][data-verdict="right"]`).waitFor();
      assert.match(await question.locator('output').textContent(), /^Yes: /, `${check} in ${other}`);
      await reach(page, other);
      await change(page, other, { edits: [] });
      await page.locator(`[data-check="${check}"][data-verdict="wrong"]`).waitFor();
    }
  }
  assertQuiet(page);
});

/** States that the code must follow: each mistake, and what the reader can do by hand. */
const codeStates = [
  ['mix', {}],
  ['mix', { edits: [cell('query_input', [0, 0, 0], -0.7), cell('mask', [0, 0, 0, 1])] }],
  ['mix', { edits: [cell('mask', [0, 0, 1, 0]), cell('mask', [0, 0, 1, 1]), cell('mask', [0, 0, 1, 2])] }],
  ['mix', { scale: 'sqrt-keys', mistake: 'softmax-over-queries' }],
  ['mix', { given_weights: [{ attention: 'attention', sample: 0, head: 0, query: 1, weights: [0.25, 0.25, 0.5] }] }],
  ['mix', { num_heads: 2, source_len: 2, mistake: 'keys-not-transposed' }],
  ['cross', {}],
  ['cross', { attention: 'encoder_self_attention' }],
  ['cross', { attention: 'decoder_self_attention', ablated_heads: { decoder_self_attention: [1] } }],
  ['cross', { mistake: 'no-transpose' }],
  ['cross', { mistake: 'no-scale', scale: 0.5 }],
  ['cross', { mistake: 'mask-after-softmax' }],
  ['cross', { mistake: 'mask-with-zero' }],
  ['cross', { mistake: 'naive-softmax' }],
  ['cross', { mistake: 'no-softmax' }],
  ['mix', { example: 'your-sentence', window: 3 }],
  ['mix', { example: 'your-sentence', softcap: 0.5, alibi: true, num_heads: 4, mask: 'look-ahead' }],
  ['mix', { example: 'your-sentence', qk_norm: true, rope: 100, num_heads: 4, num_kv_heads: 2 }],
  ['mix', { example: 'your-sentence', qk_norm: true, rope: 10000, softcap: 2, alibi: true, window: 4, embed_dim: 12, num_heads: 6 }],
  ['mix', { example: 'your-sentence', sink: 0.5, embed_dim: 12, num_heads: 3, edits: [cell('sinks', [1], -2)] }],
  ['mix', { example: 'your-sentence', sink: 1, mask: 'look-ahead', mistake: 'mask-with-zero' }],
  ['mix', { example: 'your-sentence', rope: 10000, mistake: 'keys-not-transposed', sentence: 'the fox saw the', num_heads: 2 }],
];

/** Runs programs one after the other in one Python, and gives what they print. */
function run(module, programs) {
  const script = 'import contextlib, io, json, sys, warnings\nwarnings.simplefilter("error")\nprinted = []\n' +
    'for program in json.load(sys.stdin):\n    out = io.StringIO()\n    with contextlib.redirect_stdout(out):\n' +
    '        exec(program, {})\n    printed.append(out.getvalue())\nprint(json.dumps(printed))\n';
  const answer = execFileSync(python, [module, '-c', script], { input: JSON.stringify(programs), encoding: 'utf8' });
  return JSON.parse(answer);
}

async function collectCode(page, library) {
  const programs = [];
  for (const [id, state] of codeStates) {
    await reach(page, id);
    const block = `[data-code="attention"][data-figure="${id}"]`;
    await page.locator(`${block} input[value="${library}"]`).check();
    await reach(page, id);
    const [own, attention] = id === 'mix' ? ['pool-beats-badminton', 'attention'] : ['you-are-welcome', 'cross_attention'];
    await change(page, id, { example: 'lazy-dog' }); // from which another example starts afresh
    const example = state.example ?? own;
    await change(page, id, { example, attention });
    await change(page, id, state);
    const { attention: shown } = { attention, ...state };
    programs.push(await page.waitForFunction(([selector, title, known]) => {
      const text = document.querySelector(selector).textContent;
      return text.includes(title) && !known.includes(text) && text;
    }, [`${block} pre`, `# ${example}: ${shown}\n`, programs]).then((handle) => handle.jsonValue()));
  }
  return programs;
}

const differences = (printed) => printed.map((text) => Number(/largest difference: (\S+)/.exec(text)?.[1]));

for (const [library, module] of [['NumPy', 'numpy'], ['PyTorch', 'torch']]) {
  test(`the ${library} code computes what the figure shows, in every state and with every mistake`, async (t) => {
    if (module === 'torch' && !has('torch')) return t.skip('PyTorch is not installed: its code was not run');
    const page = await openLesson();
    const programs = await collectCode(page, library);
    // The comparison in the program can fail: another number in its input is a difference.
    const spoilt = programs[0].replace('0.5', '0.25');
    const found = differences(run(module, [...programs, spoilt])); // in one Python: it takes seconds to begin
    assert.equal(found.length, codeStates.length + 1);
    assert.ok(found.at(-1) > 1e-3, `${found.at(-1)}`);
    found.slice(0, -1).forEach((difference, i) => {
      assert.ok(difference < 1e-5, `${JSON.stringify(codeStates[i])}: ${difference}\n${programs[i]}`);
    });
    assertQuiet(page);
  });

  test(`the ${library} code of split and transpose shows both ways`, async (t) => {
    if (module === 'torch' && !has('torch')) return t.skip('PyTorch is not installed: its code was not run');
    const page = await openLesson();
    await reach(page, 'transpose');
    const block = page.locator('[data-code="split"]');
    await block.locator(`input[value="${library}"]`).check();
    await page.waitForFunction((name) => document.querySelector('[data-code="split"]').dataset.ready === name, library);
    const [printed] = run(module, [await block.locator('pre').textContent()]);
    assert.match(printed, /strides: \[18, 3, 6, 1\]/);
    const [right, wrong] = printed.split('not head 0:').map((part) => part.slice(part.indexOf('[[')).match(/\d+(?=\.)/g).join());
    assert.equal(right, '1,2,3,7,8,9,13,14,15');
    assert.equal(wrong, '1,2,3,4,5,6,7,8,9');
  });
}

/** Is it installed? Whether it can be imported, the tests find out. */
function has(module) {
  try {
    execFileSync(python, [module, '-c', ''], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

test('code that is reached without its figure starts the figure; until it is there, nothing can be copied', async () => {
  const page = await openLesson();
  const block = page.locator('[data-code="attention"][data-figure="mix"]');
  const copy = block.getByRole('button', { name: 'Copy' });
  assert.ok(await copy.isDisabled());
  await block.evaluate((element) => element.scrollIntoView({ block: 'start', behavior: 'instant' }));
  await page.waitForFunction(() => document.querySelector('[data-figure="mix"][data-code]').dataset.ready === 'NumPy');
  assert.match(await block.locator('pre').textContent(), /^import numpy as np/);
  assert.ok(await copy.isEnabled());
  assertQuiet(page);
});

test('Copy puts the code that is shown on the clipboard; many numbers are read from a file', async () => {
  const page = await openLesson({ permissions: ['clipboard-read', 'clipboard-write'] });
  await reach(page, 'mix');
  const block = page.locator('[data-code="attention"][data-figure="mix"]');
  await page.waitForFunction(() => document.querySelector('[data-figure="mix"][data-code]').dataset.ready);
  await block.getByRole('button', { name: 'Copy' }).click();
  await page.waitForFunction(() => document.querySelector('[data-figure="mix"][data-code] output').textContent === 'Copied.');
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  assert.equal(copied, await block.locator('pre').textContent());
  assert.match(copied, /^import numpy as np/);
  await reach(page, 'cross');
  await change(page, 'cross', { example: 'anthony-hopkins', variant: 'cross' });
  await page.waitForFunction(() => /^IN = "anthony-hopkins\.safetensors"$/m.test(document.querySelector('[data-figure="cross"] pre').textContent));
});

for (const [width, height] of [[1280, 800], [720, 480], [390, 844]]) {
  test(`nothing is wider than a window of ${width} × ${height}, and nothing moves while figures start`, async () => {
    const page = await openLesson({ viewport: { width, height } });
    const tall = await page.evaluate(() => document.documentElement.scrollHeight);
    const seen = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
    assert.ok(seen[0] <= seen[1], `${seen}`);
    const text = await page.locator('.lead').evaluate((lead) => lead.getBoundingClientRect().width);
    assert.ok(text >= Math.min(640, width - 48), `the text is ${text} px wide`);
    await reach(page, 'words');
    await reach(page, 'mix');
    await page.waitForTimeout(300);
    assert.equal(await page.evaluate(() => document.documentElement.scrollHeight), tall);
    assertQuiet(page);
  });
}

// <attention-live> as frameworks treat elements: made and set before it is in a page, taken out and put in again, its
// attributes written as properties; and its errors, which are no errors of scripts.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, beforeEach, describe, test } from 'node:test';

import { observed } from '../../web/element/attributes.mjs';
import { article, authorFiles, started, stateOf, told } from './figures.mjs';
import { assertQuiet, launch, newPage, serve } from './support.mjs';

const extra = {
  ...authorFiles,
  '/empty.html': article('<div id="place"></div>'),
  '/one.html': article('<div id="place"><attention-live id="one" example="counting" step="split" load="eager"></attention-live></div>'),
  '/late.html': article('<div id="place"><attention-live id="one" load="eager"></attention-live></div>', { style: '<script src="/early.js"></script>' }),
  // Before the module, which is deferred, has defined the element.
  '/early.js': `document.addEventListener('readystatechange', () => {
    const there = document.getElementById('one');
    if (document.readyState !== 'interactive') return;
    Object.assign(there, { example: 'counting', step: 'softmax', keyIndex: 2, state: 'query=1', controls: 'none', lang: 'de' });
  });`,
  '/lesson.html': article('<div id="place"><attention-live id="one" src="/two.json" load="eager"></attention-live></div>'),
  '/two.json': JSON.stringify({
    attention_live_lesson: 1, title: 'Two steps', language: 'en', example: 'counting',
    steps: [
      { text: 'First', state: { step: 'split' } },
      { text: 'Second', state: { step: 'scores' } },
    ],
  }),
};

let server;
let browser;
let page;
before(async () => {
  server = await serve({ extra });
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await server?.close();
});
beforeEach(async () => {
  await page?.context().close();
  page = await newPage(browser, { origin: server.origin, viewport: { width: 900, height: 700 } });
});

const open = async (path) => {
  await page.goto(page.origin + path);
  await page.evaluate(() => customElements.whenDefined('attention-live').then(() => {}));
};

/** Makes an element, lets `set` set it, puts it into the page, and waits until it runs. */
async function made(set) {
  await open('/empty.html');
  await page.evaluate(`(async () => {
    const one = document.createElement('attention-live');
    one.id = 'one';
    (${set})(one);
    document.getElementById('place').append(one);
    await one.start();
  })()`);
}

/** Takes the figure out for so long that it is stopped, does something, and puts it in again. */
async function awayAndBack(change) {
  await page.evaluate(() => {
    window.one = figure('one');
    window.stopped = new Promise((resolve) => { one.addEventListener('stop', resolve, { once: true }); });
    one.remove();
    return stopped.then(() => {});
  });
  await page.evaluate(`(${change})(one)`);
  await page.evaluate(() => {
    document.getElementById('place').append(one);
    return one.start().then(() => {});
  });
}

const chosen = async (...names) => {
  const state = await stateOf(page, 'one');
  return names.map((name) => state[name]);
};

describe('before it is in a page', () => {
  test('state, link and objects wait', async () => {
    for (const [set, ...wanted] of [
      [(one) => { one.state = 'query=2'; }, 'you-are-welcome', 'overview', 2],
      [(one) => { one.state = 'example=counting&step=softmax'; one.state = 'query=2'; }, 'counting', 'softmax', 2],
      [(one) => { one.state = { example: 'counting', step: 'softmax', query: 1 }; }, 'counting', 'softmax', 1],
      [(one) => { one.link = '#v=1&example=counting&step=scores&query=1'; one.state = { query: 2 }; }, 'counting', 'scores', 2],
      [(one) => { one.setAttribute('step', 'split'); one.state = 'example=counting&query=1'; }, 'counting', 'split', 1],
      // The attributes go over it, as over the attribute `state`, in any order: frameworks set them as they come.
      [(one) => { one.state = 'example=counting&query=1'; one.setAttribute('query', '2'); }, 'counting', 'overview', 2],
    ]) {
      await made(set);
      assert.deepEqual(await chosen('example', 'step', 'query'), wanted, String(set));
      assert.deepEqual(await told(page, 'error'), []);
    }
  });

  test('what is wrong is told when somebody can hear it', async () => {
    await made((one) => { one.state = { query: 99 }; one.state = 7; one.link = '#step=nowhere'; });
    await page.waitForFunction(() => window.told.filter(({ type }) => type === 'error').length >= 3);
    const sentences = (await told(page, 'error')).map(({ message }) => message).join('\n');
    for (const named of [/query/, /A state is an object/, /nowhere/]) assert.match(sentences, named);
  });

  test('a framework that takes its attribute away changes nothing', async () => {
    await made((one) => { one.state = 'query=1'; one.state = null; one.state = undefined; one.link = null; });
    assert.deepEqual(await chosen('query'), [1]);
    assert.deepEqual(await told(page, 'error'), []);
  });

  test('every method says where it belongs, and every property can be read', async () => {
    await open('/empty.html');
    const said = await page.evaluate(async () => {
      const one = document.createElement('attention-live');
      const call = (name, ...values) => { // thrown or rejected
        try {
          return Promise.resolve(one[name](...values)).then(() => 'done', ({ message }) => message);
        } catch ({ message }) {
          return message;
        }
      };
      const methods = [['setState', 'query=1'], ['focusCell', null], ['tensor', 'q'], ['program', 'numpy'], ['openFile', 'x'],
        ['typeWords', 'x'], ['openLesson', '{}'], ['describe'], ['play'], ['pause'], ['start']];
      one.stop();
      one.focus();
      one.blur();
      return { said: await Promise.all(methods.map((each) => call(...each))), read: [one.state, one.running, one.link, one.step] };
    });
    assert.deepEqual(new Set(said.said), new Set(['The figure is not in a page: put it into one first.']));
    assert.deepEqual(said.read, [null, false, '', null]);
    assertQuiet(page);
  });

  test('what was set before the element was defined is set again', async () => {
    await page.goto(`${page.origin}/late.html`);
    await started(page, 'one');
    assert.deepEqual(await chosen('example', 'step', 'query', 'key'), ['counting', 'softmax', 1, 2]);
    assert.deepEqual(await page.evaluate(() => {
      const { controls, lang } = figure('one');
      return { controls, lang, own: Object.keys(figure('one')) };
    }), { controls: 'none', lang: 'de', own: [] });
  });
});

describe('out of the page for a while', () => {
  beforeEach(async () => {
    await open('/one.html');
    await started(page, 'one');
    await page.evaluate(() => figure('one').setState({ query: 1, head: 1, step: 'scores' }).then(() => {}));
  });

  test('attributes that changed meanwhile apply, and the others leave the reader’s state', async () => {
    await awayAndBack((one) => { one.setAttribute('step', 'softmax'); one.setAttribute('query', '2'); });
    assert.deepEqual(await chosen('example', 'step', 'query', 'head'), ['counting', 'softmax', 2, 1]);
    await awayAndBack((one) => { one.setAttribute('state', 'mask=look-ahead'); one.setAttribute('controls', 'none'); one.theme = 'dark'; });
    assert.deepEqual(await chosen('step', 'query', 'mask', 'theme'), ['softmax', 2, 'look-ahead', 'dark']);
    await awayAndBack((one) => one.removeAttribute('theme'));
    await awayAndBack((one) => one.setAttribute('step', 'nowhere'));
    assert.deepEqual(await chosen('step', 'theme'), ['softmax', 'auto']);
    assert.match((await told(page, 'error')).map(({ message }) => message).join(), /nowhere/);
  });

  test('what was set by scripts meanwhile, too', async () => {
    await awayAndBack((one) => { one.state = { query: 0 }; one.step = 'softmax'; one.link = '#head=0'; });
    assert.deepEqual(await chosen('step', 'query', 'head'), ['softmax', 0, 0]);
    await awayAndBack(() => {});
    assert.deepEqual(await chosen('step', 'query', 'head'), ['softmax', 0, 0]);
  });

  test('changes of one that has not started yet, too', async () => {
    await open('/empty.html');
    await page.evaluate(async () => {
      const one = Object.assign(document.createElement('attention-live'), { id: 'one', load: 'click', example: 'counting' });
      one.state = 'step=softmax';
      const place = document.getElementById('place');
      place.append(one);
      one.state = { query: 1 };
      const waits = one.setState({ query: 2 });
      one.remove();
      await waits.catch(() => {}); // it is told that the figure is gone
      one.head = 1;
      place.append(one);
      await one.start();
    });
    assert.deepEqual(await chosen('example', 'step', 'query', 'head'), ['counting', 'softmax', 1, 1]);
  });
});

test('a lesson goes on at its step where the figure comes back, and another one begins', async () => {
  await page.goto(`${page.origin}/lesson.html`);
  await page.getByRole('button', { name: 'Next' }).click();
  await page.waitForFunction(() => figure('one').state?.step === 'scores');
  await page.evaluate(() => figure('one').setState({ query: 2 }).then(() => {}));
  await awayAndBack(() => {});
  await page.getByText('Second', { exact: true }).waitFor();
  assert.deepEqual(await chosen('step', 'query'), ['scores', 2]);
  await awayAndBack((one) => one.setAttribute('src', '/two.json?again'));
  await page.getByText('First', { exact: true }).waitFor();
  await page.waitForFunction(() => figure('one').state.step === 'split');
});

describe('properties', () => {
  const inScripts = (name) => name.replace(/-(\w)/g, (_, letter) => letter.toUpperCase());
  const mirrored = observed.filter((name) => name !== 'state');

  test('mirror every attribute, before and after', async () => {
    await open('/empty.html');
    const names = mirrored.map((name) => [name, inScripts(name)]);
    const found = await page.evaluate((all) => all.map(([attribute, property]) => {
      const one = document.createElement('attention-live');
      const seen = [property in one, one[property]];
      one[property] = 'text';
      seen.push(one.getAttribute(attribute));
      one[property] = 2;
      seen.push(one.getAttribute(attribute), one[property]);
      one.setAttribute(attribute, 'other');
      seen.push(one[property]);
      if (property !== 'lang') {
        one[property] = true;
        seen.push(one.getAttribute(attribute));
        for (const none of [false, null, undefined]) {
          one[property] = '';
          one[property] = none;
          seen.push(one.hasAttribute(attribute));
        }
      }
      return seen;
    }), names);
    names.forEach(([name], i) => {
      const [none, text, read] = { autoplay: [false, true, true], lang: ['', 'other', '2'] }[name] ?? [null, 'other', '2'];
      assert.deepEqual(found[i], [true, none, 'text', '2', read, text, ...(name === 'lang' ? [] : ['', false, false, false])], name);
    });
    assertQuiet(page);
  });

  test('set a figure that runs', async () => {
    await open('/one.html');
    await started(page, 'one');
    await page.evaluate(() => Object.assign(figure('one'), { step: 'softmax', query: 1, keyIndex: 2, head: 1 }));
    await page.waitForFunction(() => figure('one').state.step === 'softmax');
    assert.deepEqual(await chosen('step', 'query', 'key', 'head'), ['softmax', 1, 2, 1]);
    await page.evaluate(() => { figure('one').key = 0; });
    await page.waitForFunction(() => figure('one').state.key === 0);
  });

  test('the types know all of them', () => {
    const types = readFileSync(new URL('../../web/attention-live.d.ts', import.meta.url), 'utf8');
    const [, body] = /class AttentionLiveElement extends HTMLElement \{(.*?)\n\}/s.exec(types);
    const typed = [...body.matchAll(/^ {2}get (\w+)\(\): (?:string \| null|boolean);/gm)].map(([, name]) => name);
    assert.deepEqual(typed.sort(), mirrored.filter((name) => name !== 'lang').map(inScripts).sort());
    for (const name of typed) assert.match(body, new RegExp(`set ${name}\\(value: AttentionLiveValue\\);`));
    const [, attributes] = /type AttentionLiveAttributes = \{(.*?)\n\}/s.exec(types);
    const named = [...attributes.matchAll(/'?([a-z-]+)'?\??: /gi)].map(([, name]) => name);
    assert.deepEqual(named.sort(), [...observed.filter((name) => name !== 'lang' && name !== 'key'), 'keyIndex'].sort());
  });

  test('names that frameworks keep have another one', () => {
    // React, Vue, Svelte, Angular, Lit, Solid and Preact take these from the tag and pass them on to no element.
    const kept = ['key', 'ref', 'ref_for', 'ref_key', 'is', 'slot', 'children', 'class', 'className', 'style', 'this', 'id',
      'innerHTML', 'textContent', 'dangerouslySetInnerHTML', 'suppressHydrationWarning', 'suppressContentEditableWarning',
      'defaultValue', 'defaultChecked', 'classList', 'use', 'nodeName', 'form', 'list', 'width', 'height', 'type',
      'contentEditable', 'spellcheck', 'translate', 'autocorrect', 'memo', 'once', 'cloak', 'pre', 'for', 'if', 'else'];
    const second = { key: 'key-index' };
    for (const name of observed) {
      assert.ok(!kept.includes(name) || observed.includes(second[name]), name);
      assert.doesNotMatch(name, /^(on|v-|bind|let|ng|data-|aria-)/);
    }
  });

  test('key-index is key, in the page, in a frame, and where both are given', async () => {
    for (const set of [(one) => one.setAttribute('key-index', '2'), (one) => { one.keyIndex = 2; one.key = 1; }]) {
      await made(`(one) => { one.setAttribute('example', 'counting'); one.setAttribute('step', 'scores'); (${set})(one); }`);
      assert.deepEqual(await chosen('key'), [2]);
      await page.evaluate(() => figure('one').setAttribute('key-index', '0'));
      await page.waitForFunction(() => figure('one').state.key === 0);
    }
    await page.goto(`${page.origin}/embed.html?example=counting&step=scores&key-index=2&load=eager`);
    await page.waitForFunction(() => document.querySelector('attention-live')?.state);
    assert.equal(await page.evaluate(() => document.querySelector('attention-live').state.key), 2);
  });
});

test('an error of a figure reaches the document, and is none of the window’s scripts', async () => {
  await open('/one.html');
  await started(page, 'one');
  const heard = await page.evaluate(async () => {
    const seen = { window: [], outer: 0 };
    window.onerror = (...what) => { seen.window.push(String(what[0])); };
    document.documentElement.addEventListener('error', () => { seen.outer += 1; });
    const event = new Promise((resolve) => { document.addEventListener('error', resolve, { once: true }); });
    figure('one').setAttribute('step', 'nowhere');
    const { detail, bubbles, composed } = await event;
    // Those of scripts, and of others, arrive as ever.
    document.body.dispatchEvent(new CustomEvent('error', { bubbles: true }));
    await new Promise((resolve) => { setTimeout(resolve); });
    return { ...seen, message: detail.message, bubbles, composed };
  });
  assert.match(heard.message, /nowhere/);
  assert.deepEqual([heard.bubbles, heard.composed, heard.outer], [true, true, 2]);
  assert.deepEqual(heard.window, ['[object CustomEvent]'], 'only the other one');
});

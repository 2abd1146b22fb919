// What a figure has used stays with it: the page around hears of keys, text and drags only what is its own.

import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';

import { boxOf } from './both.mjs';
import { article, ask, authorFiles, openArticle, stateOf } from './figures.mjs';
import { withPages } from './pages.mjs';

const lesson = {
  attention_live_lesson: 1, title: 'One', example: 'lazy-dog',
  steps: [{ text: 'Compute.', state: { step: 'input' }, question: { text: 'How many?', answer: { number: 1 } } }],
};
const figure = (more, example = 'example="counting" step="split"') => `<attention-live id="one" ${example} load="eager"${more}></attention-live>`;
const openPage = withPages({
  server: {
    extra: {
      ...authorFiles,
      '/hears.js': `window.heard = [];
        const kinds = ['keydown', 'keypress', 'keyup', 'beforeinput', 'input', 'change', 'submit', 'compositionstart', 'compositionend',
          'copy', 'cut', 'paste', 'wheel', 'click', 'dblclick', 'contextmenu', 'pointerdown', 'pointermove', 'pointerup',
          'pointercancel', 'mousedown', 'mousemove', 'mouseup', 'touchstart', 'touchmove', 'touchend', 'touchcancel',
          'dragenter', 'dragover', 'dragleave', 'drop'];
        for (const kind of kinds) {
          for (const place of [document, window]) place.addEventListener(kind, (event) => {
            window.heard.push({ kind, key: event.key, buttons: event.buttons, x: event.clientX });
          }, { passive: true });
        }`,
      '/lesson.json': JSON.stringify(lesson),
      ...Object.fromEntries(Object.entries({
        plain: figure(''), edge: figure(' steps="split scores"'), keys: figure(' keys="page"'), lesson: figure(' src="lesson.json"'),
        sentence: figure('', 'example="your-sentence" step="input"'),
        dialog: `<dialog id="around">${figure(' src="lesson.json"')}</dialog>`,
      }).map(([name, body]) => [`/${name}.html`, article(`<input id="before">${body}`, { style: '<script src="/hears.js"></script>' })])),
    },
  },
  viewport: { width: 1000, height: 800 },
});

let page;
const open = async (name, options) => {
  page = await openPage.blank(options);
  await openArticle(page, `/${name}.html`, 'one');
};
const inside = (selector) => page.locator('#one').locator(selector);
const state = () => stateOf(page, 'one');
/** What document and window have heard since the last time, of these kinds. */
async function heard(...kinds) {
  const all = await page.evaluate(() => window.heard.splice(0));
  return all.filter(({ kind }) => kinds.length === 0 || kinds.includes(kind));
}
const keys = async () => [...new Set((await heard('keydown', 'keypress', 'keyup')).map(({ key }) => key))];
/** Chooses the first number of the input. A cell that the step does not show would be given up in the next frame. */
async function choose() {
  await ask(page, 'one', 'setState', { step: 'input', cell: { tensor: 'query_input', index: [0, 0, 0] } });
  await drawn(); // a key is for what is drawn
}
const focus = async () => {
  await page.evaluate(() => document.getElementById('one').focus());
  await heard();
};
/** Waits until the figure has drawn what a click does: pressed, released and answered are each a frame. */
const drawn = () => page.evaluate(async () => {
  for (let i = 0; i < 6; i += 1) await new Promise(requestAnimationFrame);
});
const active = () => page.evaluate(() => document.getElementById('one').shadowRoot.activeElement?.tagName ?? null);

describe('keys on the canvas', () => {
  test('those of a chosen cell: arrows, also at its edge, a number typed, Enter, Esc', async () => {
    await open('plain');
    await choose();
    await focus();
    for (const key of ['ArrowRight', 'ArrowLeft', 'ArrowLeft', 'ArrowUp']) await page.keyboard.press(key);
    assert.deepEqual((await state()).cell.index, [0, 0, 0]);
    await page.keyboard.type('.5');
    assert.equal(await active(), 'TEXTAREA');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => document.getElementById('one').state.edits?.length !== 0);
    assert.equal((await ask(page, 'one', 'tensor', 'query_input')).data[0], 0.5);
    await page.keyboard.type('7');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await page.waitForFunction(() => document.getElementById('one').state.cell === null);
    assert.deepEqual(await heard('keydown', 'keypress', 'keyup', 'input', 'beforeinput'), []);
    assert.equal(await active(), 'CANVAS');
    await page.keyboard.press('Escape');
    assert.deepEqual(await keys(), ['Escape'], 'nothing is left for it here');
    assert.equal(await active(), null);
  });

  test('steps and queries, as far as there are some; then the key is the page’s, and so is what it does there', async () => {
    await open('edge');
    await focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Shift+ArrowLeft');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('g');
    assert.deepEqual(await keys(), ['Shift'], 'a modifier alone is nobody’s');
    assert.deepEqual([(await state()).step, (await state()).query], ['scores', 1]);
    await page.evaluate(() => addEventListener('keydown', (event) => { window.prevented = event.defaultPrevented; }));
    for (const key of ['ArrowRight', 'PageDown', 'o', 'Home', 'Control+k']) {
      await page.keyboard.press(key);
      const [last] = (await keys()).slice(-1);
      assert.equal(key.endsWith(last === 'Control' ? 'k' : last), true, key);
      assert.equal(await page.evaluate(() => window.prevented), false, key);
    }
  });

  test('held down, a key goes on as it began', async () => {
    await open('plain');
    await focus();
    const hold = (autoRepeat) => page.keyboard.down('ArrowRight');
    await hold();
    for (let i = 0; i < 4; i += 1) await hold();
    await page.keyboard.up('ArrowRight');
    assert.deepEqual(await keys(), []);
  });

  test('an open panel is closed by Esc, and the figure keeps the focus', async () => {
    await open('plain');
    const { x, y, width } = await boxOf(page, 'one');
    await page.mouse.click(x + width - 40, y + 20); // Controls
    await heard();
    await page.keyboard.press('Escape');
    assert.deepEqual(await keys(), []);
    assert.equal(await active(), 'CANVAS');
    await page.keyboard.press('Escape');
    assert.deepEqual(await keys(), ['Escape']);
  });

  test('keys="page": the page has all, but what is typed into a field', async () => {
    await open('keys');
    await choose();
    const before = await state();
    await focus();
    for (const key of ['ArrowRight', '.', 'PageDown', 'Escape']) await page.keyboard.press(key);
    assert.deepEqual(await keys(), ['ArrowRight', '.', 'PageDown', 'Escape']);
    assert.deepEqual(await state(), before);
    await page.evaluate(() => document.getElementById('one').setAttribute('keys', 'figure'));
    await page.keyboard.press('ArrowRight');
    assert.deepEqual(await keys(), []);
    await page.evaluate(() => document.getElementById('one').setAttribute('keys', 'mine'));
    assert.match((await page.evaluate(() => window.told)).at(-1).detail.message, /keys is “mine”; it can be figure or page/);
  });
});

describe('fields and controls', () => {
  test('a lesson’s answer: what is typed stays, Esc empties it first; Tab and the site’s shortcuts are the page’s', async () => {
    await open('lesson');
    const answer = inside('.question input');
    await answer.waitFor();
    await answer.focus();
    await heard();
    await page.keyboard.type('1.5 no');
    for (const key of ['ArrowLeft', 'Home', 'Backspace', 'Control+a']) await page.keyboard.press(key);
    await page.keyboard.press('Enter');
    // Enter in a form clicks its button, and clicks are told.
    assert.deepEqual((await heard()).filter(({ kind, key }) => kind !== 'click' && key !== 'Control'), []);
    await answer.fill('2');
    await heard();
    await page.keyboard.press('Escape');
    assert.deepEqual([await answer.inputValue(), await keys()], ['', []]);
    await page.keyboard.press('Escape');
    assert.deepEqual(await keys(), ['Escape']);
    await page.keyboard.press('Control+k');
    assert.ok((await keys()).includes('k'));
    await page.keyboard.press('Tab');
    assert.ok((await keys()).includes('Tab'));
    await inside('.question button').focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Space');
    assert.deepEqual(await keys(), []);
    await page.keyboard.press('ArrowRight');
    assert.deepEqual(await keys(), ['ArrowRight'], 'a button has no use for it');
  });

  test('an input method, and a paste', async () => {
    await open('lesson');
    const cdp = await page.context().newCDPSession(page);
    await inside('.question input').focus();
    await heard();
    await cdp.send('Input.imeSetComposition', { text: 'ni', selectionStart: 2, selectionEnd: 2 });
    await cdp.send('Input.insertText', { text: '你' });
    await inside('.question input').evaluate((field) => {
      for (const kind of ['paste', 'copy', 'cut']) {
        field.dispatchEvent(new ClipboardEvent(kind, { bubbles: true, composed: true, cancelable: true }));
      }
    });
    assert.deepEqual(await heard(), []);
    // Filled in by the browser itself, which tells of no key.
    await inside('.question input').evaluate((field) => field.dispatchEvent(new Event('keydown', { bubbles: true, composed: true })));
    assert.deepEqual(page.heard.errors, []);
  });

  test('the sentence of the figure', async () => {
    await open('sentence');
    const { x, y, width } = await boxOf(page, 'one');
    for (let i = 0; i < 24 && (await active()) !== 'TEXTAREA'; i += 1) { // it is somewhere in the first lines
      await page.mouse.click(x + width * (0.1 + 0.1 * (i % 8)), y + [20, 60, 90][Math.floor(i / 8)]);
      await drawn();
    }
    assert.equal(await active(), 'TEXTAREA', 'the field is found');
    await heard();
    await page.keyboard.type(' o n s');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Escape');
    assert.deepEqual((await heard('keydown', 'keypress', 'keyup', 'input', 'beforeinput')), []);
  });

  test('Read as text: keys of a choice; Esc closes it and nothing else', async () => {
    await open('plain');
    await inside('.attention-live-read').focus();
    await page.keyboard.press('Enter');
    const choice = inside('.attention-live-mirror select:visible').first();
    await choice.waitFor();
    await choice.focus();
    await heard();
    for (const key of ['ArrowDown', 'ArrowUp', 'n']) await page.keyboard.press(key);
    assert.deepEqual(await keys(), []);
    await inside('.attention-live-mirror h2').evaluate((heading) => heading.focus());
    await page.keyboard.press('o');
    assert.deepEqual(await keys(), ['o'], 'a heading has no use for it');
    await page.keyboard.press('Escape');
    assert.equal(await inside('.attention-live-mirror').isVisible(), false);
    assert.deepEqual(await keys(), []);
  });

  test('Esc while something is typed closes no dialog around the figure', async () => {
    page = await openPage.blank();
    await page.goto(`${page.origin}/dialog.html`);
    await page.evaluate(() => document.getElementById('around').showModal());
    await page.evaluate(async () => { await customElements.whenDefined('attention-live'); await document.getElementById('one').ready; });
    const isOpen = () => page.evaluate(() => document.getElementById('around').open);
    await inside('.question input').fill('3');
    await page.keyboard.press('Escape');
    assert.equal(await isOpen(), true, 'an answer');
    await choose();
    await focus();
    await page.keyboard.type('4');
    for (const what of ['a number', 'a cell']) {
      await page.keyboard.press('Escape');
      assert.equal(await isOpen(), true, what);
    }
    await inside('.attention-live-read').focus();
    await page.keyboard.press('Enter');
    await inside('.attention-live-mirror').waitFor();
    await page.keyboard.press('Escape');
    assert.equal(await isOpen(), true, 'Read as text');
    assert.equal(await inside('.attention-live-mirror').isVisible(), false);
    await page.keyboard.press('Escape');
    assert.equal(await isOpen(), false, 'and then it does');
  });

  test('the program’s own dialog', async () => {
    await open('plain');
    await page.evaluate(async () => {
      const { openDialog, make } = await import('/program/dialog.mjs');
      openDialog('Own', [make('input')], document.getElementById('one'));
    });
    await page.focus('.attention-live-dialog input');
    await heard();
    await page.keyboard.type('on');
    await page.keyboard.press('Escape');
    assert.deepEqual(await heard('keydown', 'keypress', 'input', 'beforeinput'), []);
    await page.locator('.attention-live-dialog').waitFor({ state: 'detached' });
  });
});

describe('pointers', () => {
  let cdp;
  const touch = (type, ...points) => cdp.send('Input.dispatchTouchEvent', {
    type, touchPoints: points.map(([x, y], id) => ({ x, y, id })),
  });
  const swipe = async ([x, y], [toX, toY], steps = 4) => {
    await touch('touchStart', [x, y]);
    for (let i = 1; i <= steps; i += 1) await touch('touchMove', [x + ((toX - x) * i) / steps, y + ((toY - y) * i) / steps]);
    await touch('touchEnd');
  };
  const drags = ['pointerdown', 'pointermove', 'pointerup', 'pointercancel', 'touchstart', 'touchmove', 'touchend', 'touchcancel'];
  beforeEach(async () => {
    await open('plain', { hasTouch: true });
    cdp = await page.context().newCDPSession(page);
    await heard();
  });
  const kindsOf = (all) => [...new Set(all.map(({ kind }) => kind))];

  test('a finger on the time line: to the page it has ended where it began', async () => {
    const { x, y, width, height } = await boxOf(page, 'one');
    const before = (await state()).scrub;
    let told = null;
    for (let up = 30; up < 70 && (await state()).scrub === before; up += 4) {
      await heard();
      await swipe([x + width * 0.5, y + height - up], [x + width * 0.3, y + height - up]);
      told = await heard(...drags);
      await drawn();
    }
    assert.notEqual((await state()).scrub, before, 'the line moves');
    assert.deepEqual(kindsOf(told).sort(), ['pointercancel', 'pointerdown', 'touchcancel', 'touchstart']);
  });

  test('a tap, and a finger that moves nothing, are the page’s', async () => {
    const { x, y, width, height } = await boxOf(page, 'one');
    await page.touchscreen.tap(x + width * 0.05, y + height * 0.5);
    const tap = kindsOf(await heard());
    for (const kind of ['pointerdown', 'pointerup', 'touchstart', 'touchend', 'click']) assert.ok(tap.includes(kind), `${kind}: ${tap}`);
    await swipe([x + width * 0.2, y + 20], [x + width * 0.4, y + 20]); // the bar
    const all = kindsOf(await heard(...drags));
    assert.ok(all.includes('touchmove') && all.includes('touchend'), String(all));
    assert.ok(!all.includes('touchcancel'));
  });

  test('a mouse that drags, and one that clicks', async () => {
    const { x, y, width, height } = await boxOf(page, 'one');
    const at = [x + width * 0.03, y + height / 2];
    await page.mouse.move(...at);
    await heard();
    await page.mouse.down();
    for (let i = 1; i < 5; i += 1) await page.mouse.move(at[0] + 30 * i, at[1]);
    await page.mouse.up();
    const dragged = await heard();
    assert.deepEqual(dragged.filter(({ kind, buttons }) => /move/.test(kind) && buttons), []);
    assert.deepEqual(new Set(dragged.map(({ kind }) => kind)), new Set(['pointerdown', 'mousedown', 'pointercancel', 'mouseup']));
    assert.ok(dragged.every(({ x: there }) => there === Math.round(at[0]) || Math.abs(there - at[0]) < 1), 'it has gone nowhere');
    await page.mouse.click(...at);
    const clicked = kindsOf(await heard());
    for (const kind of ['pointerdown', 'pointerup', 'mousedown', 'mouseup', 'click']) assert.ok(clicked.includes(kind), kind);
  });

  test('the wheel that zooms, and the menu that does not come', async () => {
    const { x, y, width, height } = await boxOf(page, 'one');
    await page.mouse.move(x + width * 0.03, y + height / 2);
    await page.mouse.wheel(0, -100);
    await page.waitForFunction(() => document.getElementById('one').state.framing !== null);
    await page.mouse.click(x + width * 0.03, y + height / 2, { button: 'right' });
    await page.mouse.dblclick(x + width * 0.03, y + height / 2);
    assert.deepEqual(await heard('wheel', 'contextmenu', 'dblclick'), []);
  });

  test('a file dropped on the figure is not dropped on the page as well', async () => {
    await page.evaluate(() => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File(['[1]'], 'a.png', { type: 'image/png' }));
      const canvas = document.getElementById('one').shadowRoot.querySelector('canvas');
      for (const kind of ['dragenter', 'dragover', 'dragleave', 'drop']) {
        canvas.dispatchEvent(new DragEvent(kind, { dataTransfer, bubbles: true, composed: true, cancelable: true }));
      }
    });
    assert.deepEqual(await heard(), []);
  });
});

// What the page makes of a reader's hands, without the program: web/input.mjs in real Chromium, with a stand-in that
// writes down what it is told. The canvas stands in a page that scrolls and has controls of its own.

import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';

import { launch, newPage, serve } from './support.mjs';

const extra = {
  '/harness.html': `<!doctype html><meta charset="utf-8"><title>harness</title><link rel="icon" href="icon.svg">
    <link rel="stylesheet" href="style.css"><link rel="stylesheet" href="harness.css">
    <input id="before" value="page"><div id="container" class="attention-live-ready">
    <canvas class="attention-live-canvas" tabindex="0"></canvas>
    <textarea class="attention-live-text" tabindex="-1"></textarea></div>
    <button id="after">after</button><script type="module" src="harness.mjs"></script>`,
  '/harness.css': `html, body { height: auto; overflow: visible; } body { height: 3000px; }
    #before, #after { display: block; box-sizing: border-box; height: 40px; margin: 0; }
    #container { position: relative; width: 600px; height: 400px; }`,
  '/harness.mjs': `import { connectInput } from './input.mjs';
    window.log = [];
    const answers = { key: (code) => code !== 'Unidentified' };
    const program = new Proxy({}, {
      get: (_, name) => (...values) => {
        window.log.push([name, ...values]);
        window.during?.[name]?.(...values);
        return answers[name]?.(...values);
      },
    });
    const canvas = document.querySelector('canvas');
    window.input = connectInput(canvas, document.querySelector('textarea'), program);
    window.connected = true;`,
};
const top = 40; // of the canvas

let server;
let browser;
let page;
let cdp;

before(async () => {
  server = await serve({ extra });
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await server?.close();
});

async function openHarness(options = {}) {
  await page?.context().close();
  page = await newPage(browser, { origin: server.origin, viewport: { width: 800, height: 600 }, ...options });
  cdp = await page.context().newCDPSession(page);
  await page.goto(`${server.origin}/harness.html`);
  await page.waitForFunction(() => window.connected);
  await told();
}

/** What the program has been told since the last time, without what `ignore` names. */
async function told(...ignore) {
  const log = await page.evaluate(() => window.log.splice(0));
  return log.filter(([name]) => !ignore.includes(name));
}
const names = (log) => log.map(([name]) => name);
const active = () => page.evaluate(() => document.activeElement.id || document.activeElement.tagName);
const scrolled = () => page.evaluate(() => document.scrollingElement.scrollTop);
const takeText = (wanted) => page.evaluate((yes) => window.input.setTextField(yes, 10, 20, 16), wanted);
const focusCanvas = async () => {
  await page.focus('canvas');
  await told();
};

describe('mouse', () => {
  beforeEach(() => openHarness());

  test('a click is a move, a press and a release in the canvas’s own pixels', async () => {
    await page.mouse.click(120, top + 80);
    assert.deepEqual(await told('modifiers', 'focus'), [
      ['pointer', 0, 120, 80],
      ['pointer', 0, 120, 80],
      ['button', 0, true],
      ['pointer', 0, 120, 80],
      ['button', 0, false],
    ]);
  });

  test('it gives the canvas the focus, without a ring', async () => {
    await page.mouse.click(120, top + 80);
    assert.equal(await active(), 'CANVAS');
    const ring = () => page.evaluate(() => getComputedStyle(document.querySelector('canvas')).outlineStyle);
    assert.equal(await ring(), 'none');
    await page.focus('#before');
    await page.keyboard.press('Tab');
    assert.equal(await active(), 'CANVAS');
    assert.equal(await ring(), 'solid', 'who comes by key sees where they are');
  });

  test('pressed inside and released outside', async () => {
    await page.mouse.move(300, top + 100);
    await page.mouse.down();
    await page.mouse.move(700, 550);
    await page.mouse.up();
    const log = await told('modifiers', 'focus', 'pointerGone');
    assert.deepEqual(log.at(-1), ['button', 0, false]);
    assert.deepEqual(log.at(-2), ['pointer', 0, 700, 550 - top]);
    assert.equal(log.filter(([name]) => name === 'button').length, 2);
  });

  test('several buttons at once', async () => {
    await page.mouse.move(100, top + 100);
    await page.mouse.down();
    await page.mouse.down({ button: 'right' });
    await page.mouse.down({ button: 'middle' });
    await page.mouse.up();
    await page.mouse.up({ button: 'right' });
    await page.mouse.up({ button: 'middle' });
    const buttons = (await told()).filter(([name]) => name === 'button');
    assert.deepEqual(buttons, [
      ['button', 0, true],
      ['button', 1, true],
      ['button', 2, true],
      ['button', 0, false],
      ['button', 1, false],
      ['button', 2, false],
    ]);
  });

  test('leaving is told, and hovering needs no focus', async () => {
    await page.mouse.move(100, top + 100);
    await page.mouse.move(100, 10);
    assert.deepEqual(names(await told('modifiers')), ['pointer', 'pointerGone']);
    assert.equal(await active(), 'BODY');
  });

  test('the cursor’s shape', async () => {
    await page.evaluate(() => window.input.setCursor('ew-resize'));
    assert.equal(await page.evaluate(() => getComputedStyle(document.querySelector('canvas')).cursor), 'ew-resize');
  });
});

describe('wheel', () => {
  beforeEach(() => openHarness());

  test('without focus it scrolls the page and the program hears nothing of it', async () => {
    await page.mouse.move(100, top + 100);
    await told();
    await page.mouse.wheel(0, 200);
    await page.waitForFunction(() => document.scrollingElement.scrollTop > 0);
    assert.equal((await told()).filter(([name]) => name === 'wheel').length, 0);
  });

  test('with focus it is the program’s, in notches, and the page stands still', async () => {
    await focusCanvas();
    await page.mouse.move(100, top + 100);
    await page.mouse.wheel(0, 100);
    await page.mouse.wheel(50, -200);
    const turns = (await told()).filter(([name]) => name === 'wheel');
    assert.deepEqual(turns, [['wheel', -0, -1], ['wheel', -0.5, 2]]);
    await page.waitForTimeout(100);
    assert.equal(await scrolled(), 0);
  });

  test('lines and pages are notches too, and Shift’s sideways turn is put straight for ImGui', async () => {
    await focusCanvas();
    const turn = (options) => page.evaluate((init) => {
      const event = new WheelEvent('wheel', { bubbles: true, cancelable: true, ...init });
      document.querySelector('canvas').dispatchEvent(event);
      return event.defaultPrevented;
    }, options);
    assert.equal(await turn({ deltaY: 3, deltaMode: 1 }), true);
    assert.equal(await turn({ deltaY: -1, deltaMode: 2 }), true);
    assert.equal(await turn({ deltaX: 100, deltaY: 0, shiftKey: true }), true);
    const turns = (await told()).filter(([name]) => name === 'wheel');
    assert.deepEqual(turns.map(([, x, y]) => [x + 0, y + 0]), [[0, -1], [0, 1], [0, -1]]);
  });

  test('with Ctrl, which is also a trackpad’s pinch, it zooms the stage and not the page', async () => {
    await page.mouse.move(100, top + 100);
    await told();
    await page.keyboard.down('Control');
    await page.mouse.wheel(0, -100);
    await page.mouse.wheel(0, 5);
    await page.keyboard.up('Control');
    const [one, two] = (await told()).filter(([name]) => name === 'gesture');
    assert.deepEqual(one.slice(0, 5), ['gesture', 100, 100, 0, 0]);
    assert.ok(one[5] > 1.2 && one[5] < 1.4, `a notch zooms in by about a quarter, not ${one[5]}`);
    assert.ok(two[5] < 1 && two[5] > 0.9, `a small pinch zooms out a little: ${two[5]}`);
    assert.equal(await scrolled(), 0);
    assert.equal(await page.evaluate(() => window.visualViewport.scale), 1);
  });

  test('where nothing scrolls, the wheel needs no focus', async () => {
    await page.evaluate(() => document.body.style.setProperty('height', '100px'));
    await page.mouse.move(100, top + 100);
    await page.mouse.wheel(0, 100);
    assert.equal((await told()).filter(([name]) => name === 'wheel').length, 1);
  });
});

describe('touch', () => {
  const touch = (type, ...points) => cdp.send('Input.dispatchTouchEvent', {
    type,
    touchPoints: points.map(([x, y], id) => ({ x, y: y + top, id })),
  });

  beforeEach(() => openHarness({ hasTouch: true }));

  test('a tap is one press at its own place, and its answer is drawn within it', async () => {
    await page.mouse.move(500, top + 300);
    await told();
    await page.touchscreen.tap(50, top + 60);
    await page.waitForTimeout(100); // emulated mouse events would come now
    assert.deepEqual(await told('modifiers', 'focus'), [
      ['pointer', 1, 50, 60],
      ['button', 0, true],
      ['pointer', 1, 50, 60],
      ['button', 0, false],
      ['settle'],
    ]);
  });

  test('one finger drags', async () => {
    await touch('touchStart', [50, 60]);
    await touch('touchMove', [80, 60]);
    await touch('touchMove', [120, 90]);
    await touch('touchEnd');
    const log = await told('modifiers', 'focus', 'settle');
    assert.deepEqual(log.slice(0, 2), [['pointer', 1, 50, 60], ['button', 0, true]]);
    assert.deepEqual(log.slice(-2), [['pointer', 1, 120, 90], ['button', 0, false]]);
    assert.equal(log.filter(([name]) => name === 'button').length, 2);
    assert.equal(await scrolled(), 0);
  });

  test('a second finger takes the press back and makes a gesture', async () => {
    await touch('touchStart', [100, 100]);
    await touch('touchStart', [100, 100], [200, 100]);
    const press = await told('modifiers', 'focus');
    assert.deepEqual(press.slice(-2), [['pointerGone'], ['button', 0, false]], 'nothing lies under it: no click');
    await touch('touchMove', [100, 100], [300, 100]);
    await touch('touchMove', [120, 140], [300, 100]);
    await touch('touchEnd', [120, 140]);
    await touch('touchMove', [150, 150]);
    await touch('touchEnd');
    const log = await told('modifiers');
    assert.ok(log.every(([name]) => name === 'gesture'), `only gestures: ${names(log)}`);
    const zoom = log.reduce((product, [, , , , , factor]) => product * factor, 1);
    const pan = log.reduce(([x, y], [, , , dx, dy]) => [x + dx, y + dy], [0, 0]);
    assert.ok(Math.abs(zoom - Math.hypot(180, 40) / 100) < 1e-6, `the fingers’ distance grew ${zoom}-fold`);
    assert.deepEqual(pan, [60, 20]);
    await page.touchscreen.tap(50, top + 60);
    assert.equal((await told()).filter(([name]) => name === 'button').length, 2, 'and then a tap is a tap again');
  });

  test('a touch that the browser takes away is not a click', async () => {
    await touch('touchStart', [50, 60]);
    await told();
    await touch('touchCancel');
    const log = await told('modifiers');
    assert.equal(names(log).indexOf('pointerGone') < names(log).indexOf('button'), true);
    assert.deepEqual(log.at(-1), ['button', 0, false]);
  });

  test('the phone’s keyboard is opened within the tap', async () => {
    await page.evaluate(() => {
      window.during = { settle: () => window.input.setTextField(true, 10, 20, 16) };
      document.querySelector('canvas').addEventListener('pointerup', () => {
        window.fieldAfterUp = document.activeElement.tagName;
      });
    });
    await page.touchscreen.tap(50, top + 60);
    assert.equal(await page.evaluate(() => window.fieldAfterUp), 'TEXTAREA');
  });
});

describe('keys', () => {
  beforeEach(() => openHarness());

  /** Presses a key as the browser would tell it; true if the page's default was prevented. */
  const press = (key, options = {}) => page.evaluate(([name, init]) => {
    const event = new KeyboardEvent('keydown', {
      key: name, code: init.code ?? name, bubbles: true, cancelable: true, ...init,
    });
    document.activeElement.dispatchEvent(event);
    return event.defaultPrevented;
  }, [key, options]);

  test('only with focus', async () => {
    await page.focus('#before');
    await told();
    await page.keyboard.press('End');
    await page.keyboard.type('xy');
    await page.keyboard.press('Backspace');
    await page.keyboard.press('Space');
    assert.equal(await page.inputValue('#before'), 'pagex ', 'the page’s own fields work');
    assert.deepEqual(await told(), []);
  });

  test('Tab leaves the canvas, both ways', async () => {
    await page.focus('#before');
    await page.keyboard.press('Tab');
    assert.equal(await active(), 'CANVAS');
    await page.keyboard.press('Tab');
    assert.equal(await active(), 'after');
    await page.keyboard.press('Shift+Tab');
    assert.equal(await active(), 'CANVAS');
    await page.keyboard.press('Shift+Tab');
    assert.equal(await active(), 'before');
    const pressed = (await told()).filter(([name, , , down]) => name === 'key' && down);
    assert.ok(pressed.every(([, code]) => code !== 'Tab'), 'and the program hears of no Tab');
  });

  test('Tab stays while a text field is edited', async () => {
    await focusCanvas();
    await takeText(true);
    assert.equal(await active(), 'TEXTAREA');
    await page.keyboard.press('Tab');
    assert.equal(await active(), 'TEXTAREA');
    assert.deepEqual((await told()).filter(([name]) => name === 'key'),
      [['key', 'Tab', 'Tab', true], ['key', 'Tab', 'Tab', false]]);
    await takeText(false);
    assert.equal(await active(), 'CANVAS');
  });

  test('Space, arrows and page keys do not scroll the page', async () => {
    await focusCanvas();
    for (const key of ['Space', 'ArrowDown', 'PageDown', 'End', 'Backspace', 'Slash', 'Quote']) {
      await page.keyboard.press(key);
    }
    await page.waitForTimeout(150);
    assert.equal(await scrolled(), 0);
    assert.deepEqual((await told()).filter(([name, , , down]) => name === 'key' && down).map(([, code]) => code),
      ['Space', 'ArrowDown', 'PageDown', 'End', 'Backspace', 'Slash', 'Quote']);
  });

  test('the browser keeps its shortcuts', async () => {
    await focusCanvas();
    const ctrl = { ctrlKey: true };
    const shortcuts = [
      ['r', ctrl], ['t', ctrl], ['w', ctrl], ['n', ctrl], ['l', ctrl], ['f', ctrl], ['p', ctrl], ['d', ctrl],
      ['Tab', ctrl], ['+', ctrl], ['-', ctrl], ['0', ctrl], ['=', ctrl], ['PageDown', ctrl],
      ['F1', {}], ['F5', {}], ['F11', {}], ['F12', {}],
      ['I', { ctrlKey: true, shiftKey: true }], ['C', { ctrlKey: true, shiftKey: true }],
      ['T', { ctrlKey: true, shiftKey: true }], ['Tab', {}], ['Escape', {}],
      ['ArrowLeft', { altKey: true }], ['d', { altKey: true }], ['l', { metaKey: true }],
    ];
    for (const [key, options] of shortcuts) {
      assert.equal(await press(key, options), false, `${JSON.stringify(options)} ${key} reaches the browser`);
    }
    const keys = (await told()).filter(([name]) => name === 'key').map(([, code]) => code);
    assert.deepEqual(keys, ['Escape'], 'and the program hears of none but Escape');
  });

  test('undo, redo, select all and moves by word are the program’s', async () => {
    await focusCanvas();
    for (const [key, shiftKey] of [
      ['z', false], ['Z', true], ['y', false], ['a', false], ['ArrowLeft', false], ['ArrowRight', true],
      ['Backspace', false], ['Enter', false],
    ]) {
      assert.equal(await press(key, { ctrlKey: true, shiftKey }), true, `Ctrl+${key}`);
    }
    assert.equal((await told()).filter(([name]) => name === 'key').length, 8);
  });

  test('on a Mac it is Cmd, and Option writes', async () => {
    const owner = (event, situation) => page.evaluate(async ([told, at]) => {
      const { ownerOf } = await import('./keyboard.mjs');
      return ownerOf({ ctrlKey: false, shiftKey: false, altKey: false, metaKey: false, altGraph: false, ...told },
        { takesText: false, onMac: true, ...at });
    }, [event, situation]);
    assert.equal(await owner({ key: 'z', metaKey: true }), 'program');
    assert.equal(await owner({ key: 'Z', metaKey: true, shiftKey: true }), 'program');
    assert.equal(await owner({ key: 'c', metaKey: true }), 'copy');
    assert.equal(await owner({ key: 'v', metaKey: true }), 'paste');
    assert.equal(await owner({ key: 'r', metaKey: true }), 'browser');
    assert.equal(await owner({ key: 'z', ctrlKey: true }), 'browser');
    assert.equal(await owner({ key: 'ß', altKey: true }), 'program');
    assert.equal(await owner({ key: 'ß', altKey: true }, { onMac: false }), 'browser');
    assert.equal(await owner({ key: 'ArrowLeft', altKey: true }), 'program');
    assert.equal(await owner({ key: 'Tab' }, { takesText: true }), 'program');
  });

  test('losing the focus is told, moving between canvas and field is not', async () => {
    await page.focus('canvas');
    await takeText(true);
    await takeText(false);
    assert.ok((await told()).every(([name, value]) => name !== 'focus' || value === true));
    await page.focus('#after');
    assert.deepEqual((await told()).filter(([name]) => name === 'focus'), [['focus', false]]);
  });

  test('text wanted without focus does not take it from the page', async () => {
    await page.focus('#before');
    await takeText(true);
    assert.equal(await active(), 'before');
    await page.focus('canvas');
    assert.equal(await active(), 'TEXTAREA');
  });
});

describe('text', () => {
  beforeEach(async () => {
    await openHarness();
    await focusCanvas();
    await takeText(true);
  });

  const written = async () => (await told()).filter(([name]) => name === 'text').map(([, text]) => text).join('');
  const rawKey = (type, key, code, text, keyCode, modifiers = 0) => cdp.send('Input.dispatchKeyEvent', {
    type, key, code, modifiers, windowsVirtualKeyCode: keyCode, ...(text ? { text, unmodifiedText: text } : {}),
  });

  test('plain keys write once', async () => {
    await page.keyboard.type('Head 1, q=−0.5');
    assert.equal(await written(), 'Head 1, q=−0.5');
  });

  test('accents and other scripts', async () => {
    for (const [key, code, keyCode] of [
      ['é', 'Digit2', 50], ['ß', 'Minus', 219], ['Ж', 'Semicolon', 186], ['ğ', 'BracketLeft', 219],
    ]) {
      await rawKey('keyDown', key, code, key, keyCode);
      await rawKey('keyUp', key, code, '', keyCode);
    }
    await page.keyboard.insertText('你好 नमस्ते 😀');
    assert.equal(await written(), 'éßЖğ你好 नमस्ते 😀');
  });

  test('AltGr characters', async () => {
    await rawKey('keyDown', 'AltGraph', 'AltRight', '', 225);
    await rawKey('keyDown', '@', 'KeyQ', '@', 81);
    await rawKey('keyUp', '@', 'KeyQ', '', 81);
    await rawKey('keyDown', '€', 'KeyE', '€', 69);
    await rawKey('keyUp', '€', 'KeyE', '', 69);
    await rawKey('keyUp', 'AltGraph', 'AltRight', '', 225);
    assert.equal(await written(), '@€');
  });

  test('AltGr as Windows tells it is not taken for a shortcut', async () => {
    const heard = await page.evaluate(() => {
      const event = new KeyboardEvent('keydown', {
        key: '@', code: 'KeyQ', ctrlKey: true, altKey: true, modifierAltGraph: true, cancelable: true, bubbles: true,
      });
      document.activeElement.dispatchEvent(event);
      return event.defaultPrevented;
    });
    assert.equal(heard, false, 'the browser goes on to write it into the field');
    const log = await told();
    assert.deepEqual(log.find(([name]) => name === 'modifiers'), ['modifiers', false, false, false, false]);
    assert.deepEqual(log.find(([name]) => name === 'key'), ['key', 'KeyQ', '@', true]);
  });

  test('an input method composes in sight, at the caret, and is told once it is done', async () => {
    await cdp.send('Input.imeSetComposition', { text: 'ni', selectionStart: 2, selectionEnd: 2 });
    const [opacity, x, y] = await page.evaluate(() => {
      const field = document.activeElement;
      const box = field.getBoundingClientRect();
      return [getComputedStyle(field).opacity, box.x, box.y];
    });
    assert.equal(opacity, '1');
    assert.deepEqual([x, y], [10, top + 20]);
    assert.equal(await written(), '', 'nothing before it is done');
    await cdp.send('Input.insertText', { text: '你' });
    assert.equal(await written(), '你');
    assert.equal(await page.evaluate(() => getComputedStyle(document.activeElement).opacity), '0');
    await page.keyboard.type('a');
    assert.equal(await written(), 'a', 'and nothing is left over');
  });

  test('a composition that is given up writes nothing', async () => {
    await cdp.send('Input.imeSetComposition', { text: 'ni', selectionStart: 2, selectionEnd: 2 });
    await cdp.send('Input.imeSetComposition', { text: '', selectionStart: 0, selectionEnd: 0 });
    await page.keyboard.type('b');
    const log = await told();
    assert.equal(log.filter(([name]) => name === 'text').map(([, text]) => text).join(''), 'b');
    assert.ok(!log.some(([name, code]) => name === 'key' && code === 'Backspace'));
  });

  test('a phone’s Backspace and Enter, told without a key', async () => {
    await page.evaluate(() => {
      document.execCommand('delete');
      document.execCommand('insertLineBreak');
    });
    const keys = (await told()).filter(([name]) => name === 'key');
    assert.deepEqual(keys.map(([, code, , down]) => [code, down]),
      [['Backspace', true], ['Backspace', false], ['Enter', true], ['Enter', false]]);
  });

  test('keys written before the field had the focus are not lost', async () => {
    await takeText(false);
    await told();
    await page.keyboard.type('7é');
    assert.equal(await written(), '7é');
  });

  test('paste, with keys and from a menu', async () => {
    const paste = (text) => page.evaluate((pasted) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', pasted);
      document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    }, text);
    await paste('Straße\n你好');
    assert.deepEqual((await told()).filter(([name]) => name === 'paste'), [['paste', 'Straße\n你好']]);
    await takeText(false);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.evaluate(() => navigator.clipboard.writeText('from elsewhere'));
    await told();
    await page.keyboard.press('Control+v');
    const log = await told();
    assert.deepEqual(log.filter(([name]) => name === 'paste'), [['paste', 'from elsewhere']]);
    assert.ok(!log.some(([name, code, , down]) => name === 'key' && code === 'KeyV' && down));
  });

  test('copy is answered within the key press', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.evaluate(() => { window.during = { settle: () => window.input.setClipboard('0.3809') }; });
    await page.keyboard.press('Control+c');
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), '0.3809');
    assert.deepEqual(names(await told('modifiers', 'focus')), ['key', 'key', 'settle', 'key', 'key']);
  });

  test('copy where the page may not use navigator.clipboard', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.evaluate(() => {
      window.during = { settle: () => window.input.setClipboard('plain http') };
      window.reader = navigator.clipboard.readText.bind(navigator.clipboard);
      Object.defineProperty(navigator, 'clipboard', { value: undefined, configurable: true });
    });
    await page.keyboard.press('Control+c');
    assert.equal(await page.evaluate(() => window.reader()), 'plain http');
    assert.equal(await active(), 'TEXTAREA');
    await told();
    await page.keyboard.type('z');
    assert.equal(await written(), 'z');
  });
});

// What the page makes of keys, text and the clipboard: web/program/input/keyboard.mjs.

import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';

import { Harness, names, top } from './harness.mjs';

const harness = new Harness();
const told = (...ignore) => harness.told(...ignore);

describe('keys', () => {
  beforeEach(() => harness.open());

  /** Presses a key as the browser would tell it; true if the page's default was prevented. */
  const press = (key, options = {}) => harness.page.evaluate(([name, init]) => {
    const event = new KeyboardEvent('keydown', {
      key: name, code: init.code ?? name, bubbles: true, cancelable: true, ...init,
    });
    document.activeElement.dispatchEvent(event);
    return event.defaultPrevented;
  }, [key, options]);

  test('only with focus', async () => {
    await harness.page.focus('#before');
    await told();
    await harness.page.keyboard.press('End');
    await harness.page.keyboard.type('xy');
    await harness.page.keyboard.press('Backspace');
    await harness.page.keyboard.press('Space');
    assert.equal(await harness.page.inputValue('#before'), 'pagex ', 'the page’s own fields work');
    assert.deepEqual(await told(), []);
  });

  test('Tab leaves the canvas, both ways', async () => {
    await harness.page.focus('#before');
    await harness.page.keyboard.press('Tab');
    assert.equal(await harness.active(), 'CANVAS');
    await harness.page.keyboard.press('Tab');
    assert.equal(await harness.active(), 'after');
    await harness.page.keyboard.press('Shift+Tab');
    assert.equal(await harness.active(), 'CANVAS');
    await harness.page.keyboard.press('Shift+Tab');
    assert.equal(await harness.active(), 'before');
    const pressed = (await told()).filter(([name, , , down]) => name === 'key' && down);
    assert.ok(pressed.every(([, code]) => code !== 'Tab'), 'and the program hears of no Tab');
  });

  test('Tab stays while a text field is edited', async () => {
    await harness.focusCanvas();
    await harness.takeText(true);
    assert.equal(await harness.active(), 'TEXTAREA');
    await harness.page.keyboard.press('Tab');
    assert.equal(await harness.active(), 'TEXTAREA');
    assert.deepEqual((await told()).filter(([name]) => name === 'key'),
      [['key', 'Tab', 'Tab', true], ['key', 'Tab', 'Tab', false]]);
    await harness.takeText(false);
    assert.equal(await harness.active(), 'CANVAS');
  });

  test('Space, arrows and page keys do not scroll the page', async () => {
    await harness.focusCanvas();
    for (const key of ['Space', 'ArrowDown', 'PageDown', 'End', 'Backspace', 'Slash', 'Quote']) {
      await harness.page.keyboard.press(key);
    }
    await harness.page.waitForTimeout(150);
    assert.equal(await harness.scrolled(), 0);
    assert.deepEqual((await told()).filter(([name, , , down]) => name === 'key' && down).map(([, code]) => code),
      ['Space', 'ArrowDown', 'PageDown', 'End', 'Backspace', 'Slash', 'Quote']);
  });

  test('the browser keeps its shortcuts', async () => {
    await harness.focusCanvas();
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
    await harness.focusCanvas();
    for (const [key, shiftKey] of [
      ['z', false], ['Z', true], ['y', false], ['a', false], ['ArrowLeft', false], ['ArrowRight', true],
      ['Backspace', false], ['Enter', false],
    ]) {
      assert.equal(await press(key, { ctrlKey: true, shiftKey }), true, `Ctrl+${key}`);
    }
    assert.equal((await told()).filter(([name]) => name === 'key').length, 8);
  });

  test('on a Mac it is Cmd, and Option writes', async () => {
    const owner = (event, situation) => harness.page.evaluate(async ([told, at]) => {
      const { ownerOf } = await import('./program/input/keyboard.mjs');
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
    await harness.page.focus('canvas');
    await harness.takeText(true);
    await harness.takeText(false);
    assert.ok((await told()).every(([name, value]) => name !== 'focus' || value === true));
    await harness.page.focus('#after');
    assert.deepEqual((await told()).filter(([name]) => name === 'focus'), [['focus', false]]);
  });

  test('text wanted without focus does not take it from the page', async () => {
    await harness.page.focus('#before');
    await harness.takeText(true);
    assert.equal(await harness.active(), 'before');
    await harness.page.focus('canvas');
    assert.equal(await harness.active(), 'TEXTAREA');
  });
});

describe('text', () => {
  beforeEach(async () => {
    await harness.open();
    await harness.focusCanvas();
    await harness.takeText(true);
  });

  const written = async () => (await told()).filter(([name]) => name === 'text').map(([, text]) => text).join('');
  const rawKey = (type, key, code, text, keyCode, modifiers = 0) => harness.cdp.send('Input.dispatchKeyEvent', {
    type, key, code, modifiers, windowsVirtualKeyCode: keyCode, ...(text ? { text, unmodifiedText: text } : {}),
  });

  test('plain keys write once', async () => {
    await harness.page.keyboard.type('Head 1, q=−0.5');
    assert.equal(await written(), 'Head 1, q=−0.5');
  });

  test('accents and other scripts', async () => {
    for (const [key, code, keyCode] of [
      ['é', 'Digit2', 50], ['ß', 'Minus', 219], ['Ж', 'Semicolon', 186], ['ğ', 'BracketLeft', 219],
    ]) {
      await rawKey('keyDown', key, code, key, keyCode);
      await rawKey('keyUp', key, code, '', keyCode);
    }
    await harness.page.keyboard.insertText('你好 नमस्ते 😀');
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
    const heard = await harness.page.evaluate(() => {
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
    await harness.cdp.send('Input.imeSetComposition', { text: 'ni', selectionStart: 2, selectionEnd: 2 });
    const [opacity, x, y] = await harness.page.evaluate(() => {
      const field = document.activeElement;
      const box = field.getBoundingClientRect();
      return [getComputedStyle(field).opacity, box.x, box.y];
    });
    assert.equal(opacity, '1');
    assert.deepEqual([x, y], [10, top + 20]);
    assert.equal(await written(), '', 'nothing before it is done');
    await harness.cdp.send('Input.insertText', { text: '你' });
    assert.equal(await written(), '你');
    assert.equal(await harness.page.evaluate(() => getComputedStyle(document.activeElement).opacity), '0');
    await harness.page.keyboard.type('a');
    assert.equal(await written(), 'a', 'and nothing is left over');
  });

  test('a composition that is given up writes nothing', async () => {
    await harness.cdp.send('Input.imeSetComposition', { text: 'ni', selectionStart: 2, selectionEnd: 2 });
    await harness.cdp.send('Input.imeSetComposition', { text: '', selectionStart: 0, selectionEnd: 0 });
    await harness.page.keyboard.type('b');
    const log = await told();
    assert.equal(log.filter(([name]) => name === 'text').map(([, text]) => text).join(''), 'b');
    assert.ok(!log.some(([name, code]) => name === 'key' && code === 'Backspace'));
  });

  test('a phone’s Backspace and Enter, told without a key', async () => {
    await harness.page.evaluate(() => {
      document.execCommand('delete');
      document.execCommand('insertLineBreak');
    });
    const keys = (await told()).filter(([name]) => name === 'key');
    assert.deepEqual(keys.map(([, code, , down]) => [code, down]),
      [['Backspace', true], ['Backspace', false], ['Enter', true], ['Enter', false]]);
  });

  test('keys written before the field had the focus are not lost', async () => {
    await harness.takeText(false);
    await told();
    await harness.page.keyboard.type('7é');
    assert.equal(await written(), '7é');
  });

  test('paste, with keys and from a menu', async () => {
    const paste = (text) => harness.page.evaluate((pasted) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', pasted);
      document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    }, text);
    await paste('Straße\n你好');
    assert.deepEqual((await told()).filter(([name]) => name === 'paste'), [['paste', 'Straße\n你好']]);
    await harness.takeText(false);
    await harness.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await harness.page.evaluate(() => navigator.clipboard.writeText('from elsewhere'));
    await told();
    await harness.page.keyboard.press('Control+v');
    const log = await told();
    assert.deepEqual(log.filter(([name]) => name === 'paste'), [['paste', 'from elsewhere']]);
    assert.ok(!log.some(([name, code, , down]) => name === 'key' && code === 'KeyV' && down));
  });

  test('copy is answered within the key press', async () => {
    await harness.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await harness.page.evaluate(() => { window.during = { settle: () => window.input.setClipboard('0.3809') }; });
    await harness.page.keyboard.press('Control+c');
    assert.equal(await harness.page.evaluate(() => navigator.clipboard.readText()), '0.3809');
    assert.deepEqual(names(await told('modifiers', 'focus')), ['key', 'key', 'settle', 'key', 'key']);
  });

  test('copy where the page may not use navigator.clipboard', async () => {
    await harness.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await harness.page.evaluate(() => {
      window.during = { settle: () => window.input.setClipboard('plain http') };
      window.reader = navigator.clipboard.readText.bind(navigator.clipboard);
      Object.defineProperty(navigator, 'clipboard', { value: undefined, configurable: true });
    });
    await harness.page.keyboard.press('Control+c');
    assert.equal(await harness.page.evaluate(() => window.reader()), 'plain http');
    assert.equal(await harness.active(), 'TEXTAREA');
    await told();
    await harness.page.keyboard.type('z');
    assert.equal(await written(), 'z');
  });
});

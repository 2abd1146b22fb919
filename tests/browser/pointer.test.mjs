// What the page makes of mouse, wheel and touch: web/program/input/pointer.mjs.

import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';

import { Harness, names, top } from './harness.mjs';

const harness = new Harness();
const told = (...ignore) => harness.told(...ignore);

describe('mouse', () => {
  beforeEach(() => harness.open());

  test('a click is a move, a press and a release in the canvas’s own pixels', async () => {
    await harness.page.mouse.click(120, top + 80);
    assert.deepEqual(await told('modifiers', 'focus'), [
      ['pointer', 0, 120, 80],
      ['pointer', 0, 120, 80],
      ['button', 0, true],
      ['pointer', 0, 120, 80],
      ['button', 0, false],
    ]);
  });

  test('it gives the canvas the focus, without a ring', async () => {
    await harness.page.mouse.click(120, top + 80);
    assert.equal(await harness.active(), 'CANVAS');
    const ring = () => harness.page.evaluate(() => getComputedStyle(document.querySelector('canvas')).outlineStyle);
    assert.equal(await ring(), 'none');
    await harness.page.focus('#before');
    await harness.page.keyboard.press('Tab');
    assert.equal(await harness.active(), 'CANVAS');
    assert.equal(await ring(), 'solid', 'who comes by key sees where they are');
  });

  test('pressed inside and released outside', async () => {
    await harness.page.mouse.move(300, top + 100);
    await harness.page.mouse.down();
    await harness.page.mouse.move(700, 550);
    await harness.page.mouse.up();
    const log = await told('modifiers', 'focus', 'pointerGone');
    assert.deepEqual(log.at(-1), ['button', 0, false]);
    assert.deepEqual(log.at(-2), ['pointer', 0, 700, 550 - top]);
    assert.equal(log.filter(([name]) => name === 'button').length, 2);
  });

  test('several buttons at once', async () => {
    await harness.page.mouse.move(100, top + 100);
    await harness.page.mouse.down();
    await harness.page.mouse.down({ button: 'right' });
    await harness.page.mouse.down({ button: 'middle' });
    await harness.page.mouse.up();
    await harness.page.mouse.up({ button: 'right' });
    await harness.page.mouse.up({ button: 'middle' });
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
    await harness.page.mouse.move(100, top + 100);
    await harness.page.mouse.move(100, 10);
    assert.deepEqual(names(await told('modifiers')), ['pointer', 'pointerGone']);
    assert.equal(await harness.active(), 'BODY');
  });

  test('the cursor’s shape', async () => {
    await harness.page.evaluate(() => window.input.setCursor('ew-resize'));
    assert.equal(await harness.page.evaluate(() => getComputedStyle(document.querySelector('canvas')).cursor), 'ew-resize');
  });
});

describe('wheel', () => {
  beforeEach(() => harness.open());

  test('it scrolls the page, with focus or without, and the program hears nothing of it', async () => {
    await harness.focusCanvas();
    await harness.page.mouse.move(100, top + 100);
    await told();
    await harness.page.mouse.wheel(0, 200);
    await harness.page.waitForFunction(() => document.scrollingElement.scrollTop > 0);
    assert.equal((await told()).filter(([name]) => name === 'wheel').length, 0);
  });

  test('over a panel with more to show, and with focus, it is the program’s, in notches, and the page stands still', async () => {
    await harness.page.evaluate(() => { window.panelScrolls = true; });
    await harness.page.mouse.move(100, top + 100);
    await harness.page.mouse.wheel(0, 200);
    await harness.page.waitForFunction(() => document.scrollingElement.scrollTop > 0);
    await harness.page.evaluate(() => document.scrollingElement.scrollTo(0, 0));
    await harness.focusCanvas();
    await harness.page.mouse.move(100, top + 100);
    await harness.page.mouse.wheel(0, 100);
    await harness.page.mouse.wheel(50, -200);
    const turns = (await told()).filter(([name]) => name === 'wheel');
    assert.deepEqual(turns, [['wheel', -0, -1], ['wheel', -0.5, 2]]);
    await harness.page.waitForTimeout(100);
    assert.equal(await harness.scrolled(), 0);
  });

  test('lines and pages are notches too, and Shift’s sideways turn is put straight for ImGui', async () => {
    await harness.focusCanvas();
    await harness.page.evaluate(() => { window.panelScrolls = true; });
    const turn = (options) => harness.page.evaluate((init) => {
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
    await harness.page.mouse.move(100, top + 100);
    await told();
    await harness.page.keyboard.down('Control');
    await harness.page.mouse.wheel(0, -100);
    await harness.page.mouse.wheel(0, 5);
    await harness.page.keyboard.up('Control');
    const [one, two] = (await told()).filter(([name]) => name === 'gesture');
    assert.deepEqual(one.slice(0, 5), ['gesture', 100, 100, 0, 0]);
    assert.ok(one[5] > 1.2 && one[5] < 1.4, `a notch zooms in by about a quarter, not ${one[5]}`);
    assert.ok(two[5] < 1 && two[5] > 0.9, `a small pinch zooms out a little: ${two[5]}`);
    assert.equal(await harness.scrolled(), 0);
    assert.equal(await harness.page.evaluate(() => window.visualViewport.scale), 1);
  });

  test('where nothing scrolls, the wheel needs no focus', async () => {
    await harness.page.evaluate(() => document.body.style.setProperty('height', '100px'));
    await harness.page.mouse.move(100, top + 100);
    await harness.page.mouse.wheel(0, 100);
    assert.equal((await told()).filter(([name]) => name === 'wheel').length, 1);
  });
});

describe('touch', () => {
  const touch = (type, ...points) => harness.cdp.send('Input.dispatchTouchEvent', {
    type,
    touchPoints: points.map(([x, y], id) => ({ x, y: y + top, id })),
  });

  beforeEach(() => harness.open({ hasTouch: true }));

  test('a tap is one press at its own place, and its answer is drawn within it', async () => {
    await harness.page.mouse.move(500, top + 300);
    await told();
    await harness.page.touchscreen.tap(50, top + 60);
    await harness.page.waitForTimeout(100); // emulated mouse events would come now
    assert.deepEqual(await told('modifiers', 'focus'), [
      ['pointer', 1, 50, 60],
      ['button', 0, true],
      ['pointer', 1, 50, 60],
      ['button', 0, false],
      ['settle'],
    ]);
  });

  test('a finger that rests only looks: lifting it presses nothing', async () => {
    await touch('touchStart', [50, 60]);
    await told();
    await harness.page.waitForTimeout(700);
    await touch('touchEnd');
    assert.deepEqual(await told('focus'), [['pointerGone'], ['button', 0, false], ['pointer', 1, 50, 60]]);
  });

  test('a tap of which a busy page hears late is a tap', async () => {
    const happened = Date.now() / 1000;
    const send = (type, touchPoints, timestamp) => harness.cdp.send('Input.dispatchTouchEvent', { type, touchPoints, timestamp });
    await send('touchStart', [{ x: 50, y: top + 60 }], happened);
    await told();
    await harness.page.waitForTimeout(700); // so it looked like a finger that rests
    await send('touchEnd', [], happened + 0.1);
    assert.deepEqual((await told('focus')).slice(3), [
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
    assert.equal(await harness.scrolled(), 0);
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
    await harness.page.touchscreen.tap(50, top + 60);
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
    await harness.page.evaluate(() => {
      window.during = { settle: () => window.input.setTextField(true, 10, 20, 16) };
      document.querySelector('canvas').addEventListener('pointerup', () => {
        window.fieldAfterUp = document.activeElement.tagName;
      });
    });
    await harness.page.touchscreen.tap(50, top + 60);
    assert.equal(await harness.page.evaluate(() => window.fieldAfterUp), 'TEXTAREA');
  });
});

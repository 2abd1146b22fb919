// A whole lesson by keys alone, and by touch alone; and every step at four pixel ratios.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { checkCells } from '../support/cells.mjs';
import { decodePng } from '../support/png.mjs';
import { until } from '../support/until.mjs';
import { small, usual, withPages } from './pages.mjs';
import { api, asked, assertQuiet, settled, tensor } from './support.mjs';

const steps = ['sentence', 'input', 'project', 'split', 'transpose', 'scores', 'scale', 'mask', 'softmax', 'reweight',
  'merge', 'output', 'overview'];

const openPage = withPages();

const state = (page) => api(page, 'state');

/** Waits until the state says so. */
async function reaches(page, what, condition) {
  let now;
  await until(async () => condition(now = await state(page)), () => `${what}: ${JSON.stringify(now).slice(0, 400)}`);
  return now;
}

describe('by keys alone', () => {
  const press = async (page, ...keys) => {
    for (const key of keys) await page.keyboard.press(key);
    await settled(page);
  };

  test('all steps, a query, a head, a cell, a number, undo, play and scrub', async () => {
    const page = await openPage('/#step=sentence', { viewport: small }); // a hundred keys are pressed
    await press(page, 'Tab');
    assert.equal(await page.evaluate(() => document.activeElement.tagName), 'CANVAS', 'Tab leads to the stage');
    const { step: first } = await state(page);
    assert.equal(first, 'sentence');
    for (const step of steps.slice(1)) {
      await press(page, 'ArrowRight');
      assert.equal((await state(page)).step, step);
    }
    for (const step of steps.slice(0, -1).reverse()) {
      await press(page, 'PageUp');
      assert.equal((await state(page)).step, step);
    }

    await press(page, 'ArrowDown', 'ArrowDown');
    assert.equal((await state(page)).query, 2);
    await press(page, 'ArrowUp');
    assert.equal((await state(page)).query, 1);
    await press(page, ']');
    assert.equal((await state(page)).head, 1);
    assert.equal((await state(page)).all_heads, false);
    await press(page, '[');
    assert.equal((await state(page)).head, 0);

    for (const step of steps) {
      await api(page, 'set', { step });
      await settled(page);
      await press(page, 'Enter');
      const { cell } = await state(page);
      assert.ok(cell, `a cell is chosen in ${step}`);
      await press(page, 'Escape');
      assert.equal((await state(page)).cell, null);
    }

    await api(page, 'set', { step: 'project' });
    await press(page, 'Enter', 'ArrowRight', 'ArrowDown');
    const moved = (await state(page)).cell;
    assert.ok(moved.index.some((place) => place > 0), 'arrows walk from cell to cell');
    await press(page, 'Escape');

    await api(page, 'set', { cell: { tensor: 'q_proj_weight', index: [0, 0] } });
    await settled(page);
    const before = (await tensor(page, 'q_proj_weight')).data[0];
    await press(page, 'Enter', 'Control+a');
    await page.keyboard.type('1.5');
    await press(page, 'Enter');
    assert.equal((await tensor(page, 'q_proj_weight')).data[0], 1.5);
    await press(page, 'Escape', 'Control+z');
    assert.equal((await tensor(page, 'q_proj_weight')).data[0], before);
    await press(page, 'Control+y');
    assert.equal((await tensor(page, 'q_proj_weight')).data[0], 1.5);
    await press(page, 'Control+z', 'Escape');

    await api(page, 'set', { step: 'scores', cell: null });
    await press(page, 'Shift+ArrowLeft', 'Shift+ArrowLeft', 'Shift+ArrowLeft', 'Shift+ArrowLeft');
    assert.ok(Math.abs((await state(page)).scrub - 0.8) < 0.001);
    await press(page, 'Shift+ArrowRight');
    assert.ok(Math.abs((await state(page)).scrub - 0.85) < 0.001);
    assert.equal((await state(page)).step, 'scores', 'and stays in its step');
    assertQuiet(page);
  });

  test('Space plays the lesson and stops it', async () => {
    const page = await openPage(usual, { reducedMotion: 'no-preference' });
    await api(page, 'set', { step: 'scores' });
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    const now = await reaches(page, 'it plays', ({ scrub, step }) => step === 'scores' && scrub > 0.02 && scrub < 1);
    await reaches(page, 'and goes on', ({ scrub, step }) => step !== 'scores' || scrub > now.scrub + 0.02);
    await page.keyboard.press('Space');
    await settled(page);
    const stopped = await state(page);
    await page.waitForTimeout(400);
    assert.deepEqual(await state(page), stopped, 'and stands still');
    assertQuiet(page);
  });
});

describe('by touch alone', () => {
  test('a finger scrolls the controls and the lists of a phone', async () => {
    const size = { width: 390, height: 844 };
    const page = await openPage('/#v=1&example=image-patches&step=scores', {
      viewport: size, hasTouch: true, isMobile: true, pixels: true,
    });
    const cdp = await page.context().newCDPSession(page);
    const touch = (type, ...touchPoints) => cdp.send('Input.dispatchTouchEvent', { type, touchPoints });
    const swipe = async (x, from, to) => {
      await touch('touchStart', { x, y: from });
      for (let i = 1; i <= 8; ++i) await touch('touchMove', { x, y: from + ((to - from) * i) / 8 });
      await touch('touchEnd');
      await settled(page);
    };
    const look = async () => {
      const { width, at } = decodePng(await page.screenshot());
      const pixels = [];
      for (let y = 430; y < 640; y += 3) for (let x = 30; x < width - 30; x += 7) pixels.push(at(x, y).join());
      return pixels.join(' ');
    };
    const before = JSON.stringify(await api(page, 'state'));
    await page.touchscreen.tap(size.width - 43, 25);
    await settled(page);
    const top = await look();
    await swipe(200, 600, 440); // the controls stand under the figure
    const lower = await look();
    assert.notEqual(lower, top, 'the controls are scrolled');
    await swipe(200, 480, 740);
    assert.equal(await look(), top, 'and back again');
    assert.equal(JSON.stringify(await api(page, 'state')), before, 'nothing is pressed on the way, and the stage stays');
    assertQuiet(page);
  });

  const size = { width: 390, height: 844 };
  const bottom = size.height - 30; // of the canvas: a line of the page stands under it

  test('all steps, a query, a cell, undo and scrub on a phone', async () => {
    const page = await openPage('/#step=sentence', {
      viewport: size, hasTouch: true, isMobile: true, deviceScaleFactor: 2,
    });
    const tap = async (x, y) => {
      await page.touchscreen.tap(x, y);
      await settled(page);
    };
    for (const step of steps.slice(1)) {
      // The next step stands at the right of the last row, by name.
      await tap(size.width - 40, bottom - 22);
      assert.equal((await state(page)).step, step);
    }
    for (const step of steps.slice(0, -1).reverse()) {
      await tap(40, bottom - 22);
      assert.equal((await state(page)).step, step);
    }

    for (const step of steps) {
      await api(page, 'set', { step, show: 'matrices', cell: null, framing: null });
      await settled(page);
      const block = (await api(page, 'blocks')).at(-1);
      const [x, y, width, height] = block.rect;
      await tap(x + width / block.columns / 2, y + height / block.rows / 2);
      const { cell, step: now } = await state(page);
      if (step === 'overview') {
        assert.equal(now, 'output', 'the map leads to the step that makes what is tapped');
        continue;
      }
      assert.ok(cell, `a cell is chosen in ${step}`);
      assert.equal(cell.tensor, block.tensor);
    }

    await api(page, 'set', { step: 'scores', cell: null });
    await settled(page);
    const labelled = (await api(page, 'blocks')).find(({ tensor: name, row_labels: labels }) => name === 'q_heads' && labels.length);
    assert.ok(labelled, 'queries have names');
    const [x, y, , height] = labelled.rect;
    await tap(x - 12, y + height * (2.5 / labelled.rows));
    assert.equal((await state(page)).query, 2);
    assertQuiet(page);
  });

  test('where there is no room for both choices, one switches the figure on and off', async () => {
    for (const width of [390, 320]) {
      const page = await openPage('/#v=1&example=anthony-hopkins&step=project', {
        viewport: { ...size, width }, hasTouch: true, isMobile: true,
      });
      const shown = async () => (await api(page, 'blocks')).map(({ tensor }) => tensor).join();
      const matrices = await shown();
      const tap = async () => {
        await page.touchscreen.tap(width - 48, bottom - 208); // over the inspector
        await settled(page);
        return shown();
      };
      assert.notEqual(await tap(), matrices, `the figure, ${width} pixels wide`);
      assert.equal(await tap(), matrices);
    }
  });

  test('a finger on the steps scrubs', async () => {
    const page = await openPage(usual, { viewport: { width: 1280, height: 800 }, hasTouch: true });
    await api(page, 'set', { step: 'scores' });
    await settled(page);
    const cdp = await page.context().newCDPSession(page);
    const touch = (type, points) => cdp.send('Input.dispatchTouchEvent', { type, touchPoints: points });
    // The knob stands somewhere on the bar; where it is found, it follows the finger.
    let scrubbed = false;
    for (let y = 708; y < 768 && !scrubbed; y += 4) {
      for (let x = 200; x < 1260 && !scrubbed; x += 15) {
        await touch('touchStart', [{ x, y }]);
        await touch('touchMove', [{ x: x - 6, y }]);
        await touch('touchMove', [{ x: x - 20, y }]);
        await touch('touchEnd', []);
        const now = await state(page);
        scrubbed = now.step === 'scores' && now.scrub < 1;
        if (now.step !== 'scores') await api(page, 'set', { step: 'scores' });
      }
    }
    assert.ok(scrubbed, 'there is a place to scrub at');
  });
});

describe('at every pixel ratio', () => {
  for (const ratio of [1, 1.5, 2, 3]) {
    test(`${ratio}`, async () => {
      const size = ratio >= 2 ? { width: 720, height: 480 } : { width: 1024, height: 640 }; // software draws it
      const page = await openPage(usual, { viewport: size, deviceScaleFactor: ratio, pixels: true });
      for (const step of steps) {
        await api(page, 'set', { step, show: 'matrices' });
        await settled(page);
        const cells = await checkCells(asked(page), size);
        const picture = decodePng(await page.screenshot());
        assert.deepEqual([picture.width, picture.height], [size.width * ratio, size.height * ratio]);
        let compared = 0;
        for (const { rect: [x, y, width, height], color, tensor: name, index } of cells) {
          if (width < 16 || height < 16) continue;
          const drawn = picture.at(Math.floor((x + width * 0.22) * ratio), Math.floor((y + height * 0.22) * ratio));
          const off = Math.max(...drawn.map((channel, at) => Math.abs(channel - color[at])));
          if (off <= 3) ++compared;
          // Rows that step back are paler than their numbers say.
          else assert.ok(['scores', 'reweight'].includes(step), `${step}: ${name}[${index}] is ${drawn}, not ${color}`);
        }
        if (step === 'input') assert.ok(compared > 3, `${compared} cells have their colour`);
      }
      assertQuiet(page);
    });
  }
});

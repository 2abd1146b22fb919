// The first twenty seconds: what the start page opens, that it plays by itself once, and what ends that; pointing at
// words; the map.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { until } from '../support/until.mjs';
import { withPages } from './pages.mjs';
import { api, assertQuiet, frames, open, settled } from './support.mjs';

const openPage = withPages({ cold: true, viewport: { width: 1024, height: 640 }, reducedMotion: 'no-preference' });

const state = (page) => api(page, 'state');

async function visit(options = {}, path = '/') {
  const page = await openPage.blank(options);
  await page.goto(page.origin + path);
  await page.evaluate(() => window.attentionLive.ready.then(() => {}));
  return page;
}

/** Waits for a state, and gives it. */
async function reaches(page, what, condition) {
  let now;
  await until(async () => condition(now = await state(page)), () => `${what}: ${JSON.stringify(now).slice(0, 300)}`);
  return now;
}
const underWay = ({ scrub }) => scrub > 0.03 && scrub < 0.8;

describe('the first visit', () => {
  test('opens the sentence and plays it once; then nothing runs, and the next visit is still', async () => {
    const page = await visit();
    const seen = await reaches(page, 'it plays', underWay);
    assert.equal(seen.step, 'sentence');
    assert.equal(seen.example, 'gender-and-number');
    const whole = await reaches(page, 'and comes to its end', ({ scrub }) => scrub === 1);
    assert.equal(whole.step, 'sentence', 'and rests there');
    await settled(page);
    await page.waitForTimeout(700);
    const drawn = await frames(page);
    await page.waitForTimeout(700);
    assert.equal(await frames(page), drawn, 'no frame at rest');
    assert.equal(await page.evaluate(() => location.hash), '', 'nothing was chosen yet');
    assert.deepEqual(page.heard.failed, []);
    assert.ok(page.heard.requests.every((url) => url.startsWith(`${page.origin}/`)), page.heard.requests.join('\n'));
    assert.equal(new Set(page.heard.requests).size, page.heard.requests.length, 'nothing is asked for twice');

    await page.reload();
    await page.evaluate(() => window.attentionLive.ready.then(() => {}));
    assert.equal((await state(page)).scrub, 1);
    await page.waitForTimeout(300);
    assert.equal((await state(page)).scrub, 1, 'a second visit plays nothing');
    assertQuiet(page);
  });

  const inputs = {
    'a key': (page) => page.keyboard.press('ArrowDown'),
    'a press': (page) => page.mouse.click(500, 300),
    'the wheel': async (page) => {
      await page.mouse.move(500, 300);
      await page.mouse.wheel(0, 40);
    },
    'a script': (page) => api(page, 'set', { head: 1 }),
  };
  for (const [name, act] of Object.entries(inputs)) {
    test(`${name} ends it, with the picture whole`, async () => {
      const page = await visit();
      await reaches(page, 'it plays', underWay);
      await act(page);
      await settled(page);
      assert.equal((await state(page)).scrub, 1);
      assert.equal((await api(page, 'describe')).playing, false);
      await page.waitForTimeout(300);
      assert.equal((await state(page)).scrub, 1);
      assert.equal((await state(page)).step, 'sentence');
      assertQuiet(page);
    });
  }

  test('Space stops it where it is', async () => {
    const page = await visit();
    await page.locator('.attention-live-canvas').focus();
    await reaches(page, 'it plays', underWay);
    await page.keyboard.press('Space');
    await settled(page);
    const { scrub } = await state(page);
    assert.ok(scrub < 1);
    await page.waitForTimeout(300);
    assert.equal((await state(page)).scrub, scrub);
  });

  test('nothing plays with reduced motion, nor where a link leads, nor where nothing can be remembered', async () => {
    const still = await visit({ reducedMotion: 'reduce' });
    assert.equal((await state(still)).step, 'sentence');
    assert.equal((await state(still)).scrub, 1);
    const linked = await visit({}, '/#example=lazy-dog&step=sentence');
    assert.equal((await state(linked)).scrub, 1);
    const forgetful = await visit({
      init: () => Object.defineProperty(window, 'localStorage', { get() { throw new Error('SecurityError'); } }),
    });
    assert.equal((await state(forgetful)).scrub, 1);
    for (const page of [still, linked, forgetful]) {
      assert.equal((await api(page, 'describe')).playing, false);
      assertQuiet(page);
    }
  });
});

/** Where on the screen the word of this query is. */
async function placeOf(page, query) {
  const blocks = await api(page, 'blocks');
  const [x, y, width] = blocks.find(({ tensor }) => tensor === 'attention_weights').rect;
  return { x: x + (width / 8) * (query + 0.5), y: y - 18 };
}

describe('the sentence', () => {
  test('pointing at another word asks for it at once, and keys go on from there', async () => {
    const page = await openPage('/#example=gender-and-number&step=sentence', { reducedMotion: 'reduce' });
    assert.equal((await state(page)).query, 6);
    for (const query of [0, 3]) {
      const { x, y } = await placeOf(page, query);
      await page.mouse.move(x, y, { steps: 3 });
      await settled(page);
      assert.equal((await state(page)).query, query);
    }
    await page.locator('.attention-live-canvas').focus();
    await page.keyboard.press('ArrowDown');
    await settled(page);
    assert.equal((await state(page)).query, 4, 'the pointer that rests does not hold it');
    const { x, y } = await placeOf(page, 2);
    await page.mouse.click(x, y);
    await settled(page);
    assert.equal((await state(page)).query, 2);
    assertQuiet(page);
  });

  test('a tap asks for a word as well', async () => {
    const page = await openPage('/#example=gender-and-number&step=sentence', {
      viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, reducedMotion: 'reduce',
    });
    const { x, y } = await placeOf(page, 1);
    await page.touchscreen.tap(x, y);
    await settled(page);
    assert.equal((await state(page)).query, 1);
    assertQuiet(page);
  });
});

describe('the map', () => {
  test('M leads there and back from any step, and a press on a matrix to its step', async () => {
    const page = await openPage('/#example=gender-and-number&step=scale', { reducedMotion: 'reduce' });
    await page.locator('.attention-live-canvas').focus();
    const press = async (key) => {
      await page.keyboard.press(key);
      await settled(page);
      return (await state(page)).step;
    };
    assert.equal(await press('m'), 'overview');
    assert.equal(await press('m'), 'scale');
    assert.equal(await press('ArrowLeft'), 'scores');
    assert.equal(await press('M'), 'overview');
    const press1 = async (tensor) => {
      const [x, y, width, height] = (await api(page, 'blocks')).find((block) => block.tensor === tensor).rect;
      await page.mouse.click(x + width / 2, y + height / 2);
      await settled(page);
      return (await state(page)).step;
    };
    assert.equal(await press1('head_outputs'), 'reweight');
    assert.equal(await press('m'), 'overview');
    // Some of it is in cards: a press on the one between scores and weights opens that, F all.
    const shown = async (tensor) => (await api(page, 'blocks')).find((block) => block.tensor === tensor);
    assert.equal(await shown('q_heads'), undefined);
    assert.equal(await shown('scaled_scores'), undefined);
    const [x, y, , height] = (await shown('scores')).rect;
    const [, below] = (await shown('attention_weights')).rect;
    await page.mouse.click(x + 12, (y + height + below) / 2);
    await settled(page);
    assert.equal((await state(page)).map, 'scale');
    assert.ok(await shown('scaled_scores'));
    assert.equal(await press('f'), 'overview');
    assert.equal((await state(page)).map, 'all');
    assert.equal(await press1('q_heads'), 'transpose');
    assert.equal((await state(page)).cell, null);
    assertQuiet(page);
  });

  for (const [width, height] of [[1280, 800], [720, 480], [390, 844]]) {
    test(`${width} × ${height}: a button does the same`, async () => {
      const page = await openPage('/#step=softmax', { viewport: { width, height }, reducedMotion: 'reduce' });
      const at = { 1280: [1180, 732], 720: [640, 434], 390: [348, 764] }[width];
      await page.mouse.click(...at);
      await settled(page);
      assert.equal((await state(page)).step, 'overview');
      await page.mouse.click(...at);
      await settled(page);
      assert.equal((await state(page)).step, 'softmax');
      assertQuiet(page);
    });
  }
});

test('a figure plays by itself only where its author asks for it', async () => {
  const page = await openPage.blank();
  await open(page, '/embed.html?example=lazy-dog&step=sentence').catch(() => {});
  const progress = () => page.evaluate(async () => {
    const figure = document.querySelector('attention-live');
    await figure.ready;
    return figure.state.scrub;
  });
  assert.equal(await progress(), 1);
  await page.goto(`${page.origin}/embed.html?example=lazy-dog&step=sentence&autoplay`);
  const first = await progress();
  assert.ok(first < 1, String(first));
  await until(async () => (await progress()) === 1, 'it comes to its end');
});

test('keys are for the program from the start, and not while something else has the focus', async () => {
  const page = await visit({}, '/#v=1&example=gender-and-number&step=sentence');
  assert.equal(await page.evaluate(() => document.activeElement.tagName), 'BODY');
  const press = async (key) => {
    await page.keyboard.press(key);
    await settled(page);
    return (await state(page)).step;
  };
  assert.equal(await press('ArrowRight'), 'input');
  await page.locator('#site a').first().focus();
  assert.equal(await press('ArrowRight'), 'input');
  await page.evaluate(() => document.activeElement.blur());
  assert.equal(await press('m'), 'overview');
  assertQuiet(page);
});

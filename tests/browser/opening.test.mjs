// The start page goes over to the translator when its weights are there, and never from under a reader.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';

import { withPage } from './pages.mjs';
import { api, assertQuiet, settled, site } from './support.mjs';

const weights = '/program/translator.safetensors';
const asked = (page) => page.heard.requests.filter((url) => new URL(url).pathname === weights).length;
const example = async (page) => (await api(page, 'state')).example;
const line = (page) => page.locator('#site .translator');
const stays = (page) => page.getByRole('button', { name: 'Stay here' });
const offered = (page) => page.getByRole('button', { name: 'Show the translator' });

/** Weights that are held back until `release` is called, also those that are asked for after it. */
function held() {
  let release;
  const free = new Promise((resolve) => { release = resolve; });
  const intercept = (path, response) => {
    if (path !== weights) return false;
    free.then(() => {
      const body = readFileSync(site + weights);
      response.writeHead(200, { 'Content-Length': body.length });
      response.end(body);
    });
    return true;
  };
  return { intercept, release };
}

async function start(page, path = '/') {
  await page.goto(page.origin + path);
  await page.evaluate(() => window.attentionLive.ready.then(() => {}));
}
/** In the page: a second that is waited for takes a twentieth of one, so that the minute to read takes three. */
function hasten() {
  const wait = window.setTimeout;
  window.setTimeout = (act, time, ...given) => wait(act, time === 1000 ? 50 : time, ...given);
}
/** The same with seconds that leave time to press a button while the last ten are counted. */
function hastenLess() {
  const wait = window.setTimeout;
  window.setTimeout = (act, time, ...given) => wait(act, time === 1000 ? 200 : time, ...given);
}
/** The same until the last ten are counted, which take as long as ever. */
function hastenFirst() {
  const wait = window.setTimeout;
  let before = 50;
  window.setTimeout = (act, time, ...given) => wait(act, time === 1000 && before-- > 0 ? 20 : time, ...given);
}
const arrives = (page) => page.waitForFunction(
  () => window.attentionLive.state().example === 'translator',
);

describe('the start page', () => {
  test('shows its own example until the weights are there, and goes over then', async () => {
    const { intercept, release } = held();
    await withPage({ server: { intercept }, saves: false, init: hasten }, async (page) => {
      const request = page.waitForRequest((each) => new URL(each.url()).pathname === weights);
      await page.goto(page.origin);
      await request;
      assert.ok(await page.evaluate(() => window.attentionLive.frames) > 0, 'not before the first frame');
      assert.equal(await example(page), 'gender-and-number');
      assert.match(await line(page).textContent(), /^Loading the translator/);
      await page.waitForTimeout(500);
      assert.equal(await example(page), 'gender-and-number');
      release();
      await arrives(page);
      await settled(page);
      const { step, attention, mean_heads: mean } = await api(page, 'state');
      assert.deepEqual([step, attention, mean], ['sentence', 'cross_attention_3', true], 'with both sentences');
      assert.equal(await line(page).textContent(), 'This Transformer has learned to translate. Back to the first example');
      assert.equal((await api(page, 'describe')).translation.text, 'Él la admiró como un gran director.');
      assert.equal(await api(page, 'message'), '', 'nothing covers the figure');
      const before = await page.evaluate(() => history.length);
      await page.waitForTimeout(500);
      assert.equal(await page.evaluate(() => location.hash), '', 'nothing was chosen yet');
      await api(page, 'undo');
      assert.equal(await example(page), 'translator', 'nothing is undone');
      await api(page, 'set', { step: 'softmax' });
      await line(page).waitFor({ state: 'detached' }); // it goes with the first thing that is done
      await page.waitForFunction(() => location.hash.includes('example=translator'));
      assert.equal(await page.evaluate(() => history.length), before + 1);
      await page.goBack();
      await page.waitForFunction(() => window.attentionLive.state().step === 'sentence');
      assert.equal(await example(page), 'translator');
      assert.equal(asked(page), 1);
      assertQuiet(page);
    });
  });

  test('plays its first figure to the end before', async () => {
    const init = () => {
      const wait = window.setTimeout;
      window.setTimeout = (act, time, ...given) => wait(act, time === 1000 ? 50 : time, ...given);
      window.seen = [];
      window.addEventListener('attention-live-frame', () => {
        const { example: shown, scrub } = window.attentionLive.state();
        if (shown === 'gender-and-number') window.seen.push([performance.now(), scrub]);
        else window.over ??= performance.now();
      }, true);
    };
    await withPage({ saves: false, reducedMotion: 'no-preference', init }, async (page) => {
      await start(page);
      await page.waitForFunction(() => window.over);
      const { seen, over } = await page.evaluate(() => ({ seen: window.seen, over: window.over }));
      assert.equal(seen.at(-1)[1], 1);
      assert.ok(over - seen.find(([, scrub]) => scrub === 1)[0] > 59 * 50, 'there is a minute to read it');
      assertQuiet(page);
    });
  });

  test('has a way back, and leaves a reader where they went', async () => {
    await withPage({ saves: false, init: hasten }, async (page) => {
      await start(page);
      await arrives(page);
      await settled(page);
      await page.getByRole('button', { name: 'Back to the first example' }).click();
      await settled(page);
      assert.equal(await example(page), 'gender-and-number');
      await offered(page).click(); // and it is offered again
      await settled(page);
      assert.equal(await example(page), 'translator');
      await line(page).waitFor({ state: 'detached' });
      await api(page, 'undo');
      assert.equal(await example(page), 'gender-and-number');
      await api(page, 'undo');
      assert.equal(await example(page), 'translator');
      assertQuiet(page);
    });
  });

  test('says when it goes over, counting the last seconds, and a press on a button stays', async () => {
    await withPage({ saves: false, init: hastenLess }, async (page) => {
      await start(page);
      const before = await api(page, 'link');
      await offered(page).waitFor(); // and until then it is offered
      assert.equal(await line(page).textContent(), 'Show the translatortranslator');
      await stays(page).waitFor();
      await page.waitForFunction(() => /opens here in \d+ s/.test(document.querySelector('.translator').textContent));
      const seconds = () => line(page).textContent().then((words) => Number(/opens here in (\d+) s/.exec(words)[1]));
      const first = await seconds();
      await page.waitForTimeout(450);
      assert.ok(await seconds() < first && first <= 10);
      await stays(page).focus();
      await page.keyboard.press('Enter');
      await offered(page).waitFor();
      assert.ok(await offered(page).evaluate((button) => button === document.activeElement), 'the focus stays there');
      await page.waitForTimeout(200 * first + 500);
      assert.equal(await example(page), 'gender-and-number');
      assert.equal(await api(page, 'link'), before);
      assertQuiet(page);
    });
  });

  test('stays where a finger presses that button, which is no press on the next', async () => {
    const phone = { hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } };
    await withPage({ saves: false, init: hastenLess, ...phone }, async (page) => {
      await start(page);
      await stays(page).tap();
      await offered(page).waitFor();
      await page.waitForTimeout(500);
      assert.equal(await example(page), 'gender-and-number');
      await offered(page).tap();
      await arrives(page);
      assertQuiet(page);
    });
  });

  const acts = {
    'presses a key': (page) => page.keyboard.press('ArrowDown'),
    'clicks': (page) => page.mouse.click(500, 300),
    'turns the wheel': async (page) => {
      await page.mouse.move(1200, 100);
      await page.mouse.wheel(0, 40);
    },
    'points at a word': async (page) => {
      const [{ rect: [x, y] }] = await api(page, 'blocks');
      await page.mouse.move(x + 10, y + 10, { steps: 2 });
      await settled(page);
      await page.mouse.move(500, 790);
    },
    'edits by a script': (page) => api(page, 'edit', { tensor: 'query_input', index: [0, 0, 0], value: 2 }),
  };
  for (const [what, act] of Object.entries(acts)) {
    test(`stays as it is for a reader who ${what}, and offers the translator`, async () => {
      const { intercept, release } = held();
      await withPage({ server: { intercept }, saves: false }, async (page) => {
        await start(page);
        await settled(page);
        await act(page);
        await settled(page);
        const before = await api(page, 'link');
        release();
        await offered(page).waitFor();
        await page.waitForTimeout(200);
        assert.equal(await api(page, 'link'), before);
        await offered(page).click();
        await arrives(page);
        await line(page).waitFor({ state: 'detached' });
        await api(page, 'undo');
        assert.equal(await example(page), 'gender-and-number');
        assert.equal(asked(page), 1);
        assertQuiet(page);
      });
    });
  }

  test('shows it to a reader who chooses it meanwhile, without a second download', async () => {
    const { intercept, release } = held();
    await withPage({ server: { intercept }, saves: false }, async (page) => {
      await start(page);
      await settled(page);
      await page.mouse.click(250, 20);
      await settled(page);
      await page.mouse.click(250, 62);
      release();
      await arrives(page);
      await line(page).waitFor({ state: 'detached' });
      assert.equal(asked(page), 1);
      assertQuiet(page);
    });
  });

  for (const [what, answer] of [
    ['does not come', (response) => { response.writeHead(404); response.end(); }],
    ['breaks off', (response) => response.destroy()],
    ['is damaged', (response) => { response.writeHead(200); response.end('{}'); }],
  ]) {
    test(`stays as it is where the file ${what}`, async () => {
      const intercept = (path, response) => path === weights && (answer(response), true);
      await withPage({ server: { intercept }, saves: false }, async (page) => {
        await start(page);
        await page.waitForFunction(() => performance.getEntriesByType('resource').some(({ name }) => /safetensors/.test(name)));
        await line(page).waitFor({ state: 'detached' });
        assert.equal(await example(page), 'gender-and-number');
        assert.equal(await api(page, 'message'), '');
        assertQuiet(page, [/Failed to load resource/]);
        await page.keyboard.press('ArrowRight');
        await settled(page);
        assert.equal((await api(page, 'state')).step, 'input');
      });
    });
  }

  test('loads it neither where data is to be saved, nor with a link, nor in a frame', async () => {
    await withPage({}, async (page) => {
      await start(page);
      await page.waitForTimeout(500);
      assert.equal(asked(page), 0);
      assert.equal(await line(page).count(), 0);
      assert.equal(await example(page), 'gender-and-number');
    });
    const extra = { '/around.html': '<!doctype html><title>x</title><link rel="icon" href="icon.svg"><iframe src="index.html"></iframe>' };
    await withPage({ server: { extra }, saves: false }, async (page) => {
      await start(page, '/#example=counting');
      await page.waitForTimeout(500);
      await page.goto(`${page.origin}/around.html`);
      await page.frames()[1].waitForFunction(() => window.attentionLive?.frames > 0);
      await page.waitForTimeout(500);
      assert.equal(asked(page), 0);
    });
  });

  const others = ['/index.de.html', '/index.es.html'].flatMap((path) => [
    [1280, 800, path], [1024, 640, path], [960, 600, path], [720, 480, path], [390, 844, path],
  ]);
  for (const [width, height, path = '/'] of [[1280, 800], [1024, 640], [960, 600], [720, 480], [390, 844], [320, 568], ...others]) {
    test(`${path}, ${width} × ${height}: the line under it has room for what is said`, async () => {
      const { intercept, release } = held();
      await withPage({ server: { intercept }, saves: false, init: hastenFirst, viewport: { width, height } }, async (page) => {
        await start(page, path);
        const boxes = () => page.evaluate(() => [...document.querySelectorAll('#site > *')].map((part) => {
          const { left, right, top, bottom } = part.getBoundingClientRect();
          return [left, right, top, bottom];
        }).filter(([left, right]) => right > left));
        const apart = (list) => {
          for (let i = 1; i < list.length; ++i) assert.ok(list[i][0] >= list[i - 1][1], JSON.stringify(list));
          assert.ok(list.at(-1)[1] <= width, JSON.stringify(list));
        };
        const button = line(page).locator('button');
        const fits = async () => {
          apart(await boxes());
          const whole = await button.evaluate((element) => {
            const place = element.parentElement.getBoundingClientRect();
            const own = element.getBoundingClientRect();
            return own.left >= place.left - 1 && own.right <= place.right + 1;
          });
          assert.ok(whole, 'the button is not cut off');
        };
        await line(page).waitFor();
        apart(await boxes());
        release();
        await page.locator('#site .translator .unseen').waitFor({ state: 'attached' }); // it says when it goes over
        await fits();
        await page.keyboard.press('ArrowDown');
        await page.locator('#site .translator .unseen').waitFor({ state: 'detached' });
        await fits();
      });
    });
  }

  for (const [height, low] of [[600, true], [629, true], [630, false]]) {
    test(`the button for embedding stands on the ${low ? 'low' : 'high'} bar of steps of a window ${height} high`, async () => {
      await withPage({ viewport: { width: 1024, height } }, async (page) => {
        await start(page);
        const [button, program] = await page.evaluate(() => ['.attention-live-embed-button', '#attention-live'].map(
          (one) => document.querySelector(one).getBoundingClientRect().bottom));
        assert.equal(program - button, low ? 0 : 22);
      });
    });
  }
});

// What <attention-live> promises it keeps: each call of a script settles, wherever the figure stands and whatever fails.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';

import { article, authorFiles, runningIn, told } from './figures.mjs';
import { launch, newPage, serve } from './support.mjs';

const one = (attributes) => article(`<attention-live id="one" ${attributes}></attention-live>`);
const seven = Array.from({ length: 7 }, (_, i) => (
  `<attention-live id="f${i}" load="click" example="counting" step="split"></attention-live>`));
const pages = {
  ...authorFiles,
  '/visible.html': one('example="counting" step="split"'),
  '/click.html': one('example="counting" step="split" load="click"'),
  '/bad.html': one('example="counting" controls="none of them" load="click"'),
  '/seven.html': article(seven.join('<div class="gap"></div>')),
};

let server;
let browser;
before(async () => {
  server = await serve({ extra: pages });
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await server?.close();
});

/** Runs `body` with a page. */
async function withFigures(path, body, options = {}) {
  const page = await newPage(browser, { origin: server.origin, viewport: { width: 900, height: 700 }, ...options });
  try {
    await page.goto(server.origin + path);
    await page.evaluate(() => customElements.whenDefined('attention-live').then(() => {}));
    await page.evaluate(() => {
      /** How a promise ends: 'done', or the reason it rejects with. One that does neither is found by who runs the tests. */
      window.ends = (promise) => promise.then(() => 'done', (cause) => cause.message);
    });
    await body(page);
  } finally {
    await page.context().close();
  }
}

const without = { init: () => { delete window.WebAssembly; } };

describe('a program that cannot run', () => {
  test('rejects whatever was asked before, and after', async () => {
    await withFigures('/click.html', async (page) => {
      const [early, late] = await page.evaluate(async () => {
        const it = figure('one');
        const all = () => Promise.all([
          it.setState({ query: 1 }), it.tensor('q'), it.describe(), it.focusCell(null), it.start(),
        ].map(window.ends));
        return [await all(), await all()];
      });
      assert.equal(early.length, 5);
      for (const reason of [...early, ...late]) assert.match(reason, /no WebAssembly/);
      assert.equal(await runningIn(page), 0);
    }, without);
  });

  test('is told once, whatever waits for it', async () => {
    await withFigures('/click.html', async (page) => {
      await page.evaluate(async () => {
        const it = figure('one');
        it.setAttribute('query', '1');
        it.state = { step: 'mask' };
        it.link = '#step=softmax';
        await it.start().catch(() => {});
        await new Promise((resolve) => setTimeout(resolve, 100));
      });
      assert.match((await told(page, 'error')).map(({ message }) => message).join('|'), /^[^|]*no WebAssembly[^|]*$/);
    }, without);
  });

  test('a bad attribute is told once, however often the figure starts', async () => {
    await withFigures('/bad.html', async (page) => {
      await page.evaluate(async () => {
        await figure('one').start();
        figure('one').stop();
        await figure('one').start();
      });
      assert.equal((await told(page, 'error')).length, 1);
    });
  });

  test('is tried again by start()', async () => {
    await withFigures('/click.html', async (page) => {
      const ends = await page.evaluate(async () => {
        const it = figure('one');
        const { WebAssembly } = window;
        delete window.WebAssembly;
        const first = await window.ends(it.start());
        window.WebAssembly = WebAssembly;
        return [first, await window.ends(it.start()), it.running, await window.ends(it.ready)];
      });
      assert.match(ends[0], /no WebAssembly/);
      assert.deepEqual(ends.slice(1), ['done', true, 'done']);
    });
  });

  test('because it broke: questions are refused, and start() makes it run anew', async () => {
    await withFigures('/visible.html', async (page) => {
      const ends = await page.evaluate(async () => {
        const it = figure('one');
        await it.ready;
        const { grow } = WebAssembly.Memory.prototype;
        WebAssembly.Memory.prototype.grow = () => { throw new RangeError('no memory is left'); };
        await it.tensor('q'.repeat(100e6)).catch(() => {});
        WebAssembly.Memory.prototype.grow = grow;
        const refused = await Promise.all([it.tensor('q'), it.describe(), it.setState({ query: 1 })].map(window.ends));
        return [it.running, refused, await window.ends(it.start()), it.running];
      });
      assert.equal(ends[0], false);
      for (const reason of ends[1]) assert.match(reason, /^The program stopped: /);
      assert.deepEqual(ends.slice(2), ['done', true]);
    });
  });
});

describe('start()', () => {
  test('resolves when it runs, the first time and after stop()', async () => {
    await withFigures('/click.html', async (page) => {
      const seen = await page.evaluate(async () => {
        const it = figure('one');
        const drawn = () => it.running && it.shadowRoot.querySelector('.attention-live-ready') !== null;
        const all = [];
        for (let round = 0; round < 3; round += 1) {
          const ends = await window.ends(it.start());
          all.push([ends, drawn()]);
          it.stop();
        }
        return all;
      });
      assert.deepEqual(seen, Array(3).fill(['done', true]));
    });
  });

  test('rejects when the figure is stopped, taken out, or was never in a page', async () => {
    await withFigures('/click.html', async (page) => {
      const reasons = await page.evaluate(async () => {
        const it = figure('one');
        const stopped = window.ends(it.start());
        it.stop();
        const removed = window.ends(it.start());
        it.remove();
        return Promise.all([stopped, removed, window.ends(document.createElement('attention-live').start())]);
      });
      assert.match(reasons[0], /was stopped before it ran/);
      assert.match(reasons[1], /taken out of the page/);
      assert.match(reasons[2], /not in a page/);
    });
  });

  test('runs the seventh as well, one after another and all at once; the six that run stay as they are', async () => {
    await withFigures('/seven.html', async (page) => {
      const ends = await page.evaluate(async () => {
        const all = [...document.querySelectorAll('attention-live')];
        const seen = [];
        for (const each of all) seen.push([await window.ends(each.start()), each.running]);
        return seen;
      });
      assert.deepEqual(ends, Array(7).fill(['done', true]));
      const running = () => page.evaluate(() =>
        [...document.querySelectorAll('attention-live')].filter((each) => each.running).map(({ id }) => id));
      const now = await running();
      assert.equal(now.length, 6);
      assert.ok(now.includes('f6'));
      await page.waitForTimeout(600);
      assert.deepEqual(await running(), now);
      const together = await page.evaluate(() => Promise.all(
        [...document.querySelectorAll('attention-live')].map((each) => window.ends(each.start()))));
      assert.deepEqual(together, Array(7).fill('done'));
    });
  });
});

// Many figures on one page: at most six run, each shows its own state wherever the reader is, and nothing is left behind
// by those that are gone.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';

import { alive, downAndUp, figures, made, makeAndRemove, many, most, noteWhatIsMade, shows } from './both.mjs';
import { article, authorFiles, openArticle, runningIn } from './figures.mjs';
import { assertQuiet, launch, newPage, serve } from './support.mjs';

let server;
let browser;
before(async () => {
  server = await serve({
    extra: {
      ...authorFiles,
      '/many.html': many,
      '/grid.html': article(figures(9).join(''), {
        style: '<link rel="stylesheet" href="/grid.css">',
      }),
      '/grid.css': 'body { display: grid; grid-template-columns: repeat(3, 1fr); gap: 8px; } ' +
        'attention-live.small { height: 200px; min-height: 0; }',
      '/rounds.html': article('<p id="place"></p>', { style: '<link rel="stylesheet" href="/small.css">' }),
      '/small.css': 'attention-live { width: 320px; height: 240px; min-height: 0; }',
    },
  });
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await server?.close();
});

const openPage = (viewport) => newPage(browser, { origin: server.origin, viewport, pixels: true, reducedMotion: 'no-preference' });

describe('twenty-four figures', () => {
  test('down and up again: each is what it was, six at most run, and the code came once', async () => {
    const page = await openPage({ width: 900, height: 1100 });
    await openArticle(page, '/many.html', 'f0');
    await downAndUp(page);
    assertQuiet(page);
    await page.context().close();
  });

  test('what is far gives its context back, and its last picture stays', async () => {
    const page = await openPage({ width: 900, height: 700 });
    await openArticle(page, '/many.html', 'f0');
    await page.evaluate(() => { window.gl = document.getElementById('f0').shadowRoot.querySelector('canvas').getContext('webgl2'); });
    await shows(page, 12);
    await page.waitForFunction(() => !document.getElementById('f0').running && window.gl.isContextLost());
    assert.equal(await page.locator('#f0 canvas.picture').count(), 1);
    await page.context().close();
  });

  test('more in view than may run: the rest are pictures, and a click goes to the one that is wanted', async () => {
    const page = await openPage({ width: 1200, height: 900 });
    await page.goto(`${server.origin}/grid.html`);
    await page.waitForFunction((n) => [...document.querySelectorAll('attention-live')].filter((f) => f.running).length === n, most);
    await page.waitForTimeout(1000);
    assert.equal(await runningIn(page), most, 'and it stays so');
    const asleep = await page.evaluate(() => [...document.querySelectorAll('attention-live')].find((f) => !f.running).id);
    await page.locator(`#${asleep}`).getByRole('button', { name: 'Start this figure' }).click();
    await page.waitForFunction((id) => document.getElementById(id).running, asleep);
    await page.waitForTimeout(1000);
    assert.ok(await page.evaluate((id) => document.getElementById(id).running, asleep), 'and while it has the focus it stays');
    assert.ok((await runningIn(page)) <= most);
    await page.context().close();
  });
});

describe('fifty rounds of making and removing', () => {
  test('leave no memory, context, figure or listener behind', async () => {
    const page = await openPage({ width: 900, height: 700 });
    await page.goto(`${server.origin}/rounds.html`);
    await noteWhatIsMade(page);
    const cdp = await page.context().newCDPSession(page);
    await cdp.send('Performance.enable');
    await cdp.send('HeapProfiler.enable');

    const measure = async () => {
      await page.waitForTimeout(300);
      for (let i = 0; i < 3; i += 1) await cdp.send('HeapProfiler.collectGarbage');
      const { metrics } = await cdp.send('Performance.getMetrics');
      const metric = (name) => metrics.find((each) => each.name === name).value;
      return {
        ...await alive(page),
        listeners: metric('JSEventListeners'),
        heap: metric('JSHeapUsedSize'),
      };
    };

    await makeAndRemove(page, 5);
    const before = await measure();
    await makeAndRemove(page, 50);
    const after = await measure();
    const told = JSON.stringify({ before, after });
    assert.deepEqual(await made(page), { memories: 55, contexts: 55, figures: 55 }, 'all were seen');
    assert.ok(after.memories <= before.memories + 1, told);
    assert.ok(after.contexts <= before.contexts + 1, told);
    assert.ok(after.figures <= before.figures + 1, told);
    assert.ok(after.listeners <= before.listeners + 5, told);
    assert.ok(after.heap < before.heap + 2e6, told);
    assertQuiet(page);
    console.log(`# ${told}`);
    await page.context().close();
  });
});

// How the page starts, and what it says where it cannot.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';

import { withPage } from './pages.mjs';
import { assertQuiet, open, sentence, site, types } from './support.mjs';

const failed = (page) => page.waitForSelector('.attention-live-failed');
const program = (page) => page.heard.requests.map((url) => new URL(url).pathname)
  .filter((path) => path.endsWith('.wasm'));
/** The reason that a caller of the API is given. */
const reason = (page) => page.evaluate(() => window.attentionLive.ready.then(() => 'ready', (cause) => cause.message));

describe('the page starts', () => {
  test('without a complaint, from its own host alone, and with the smallest number of requests', async () => {
    await withPage({}, async (page) => {
      await open(page);
      assertQuiet(page);
      assert.deepEqual(page.heard.failed, []);
      assert.ok(page.heard.requests.every((url) => url.startsWith(`${page.origin}/`)), page.heard.requests.join('\n'));
      assert.equal(new Set(page.heard.requests).size, page.heard.requests.length, 'nothing is asked for twice');
      assert.deepEqual(program(page), ['/program/attention-live.wasm']);
      assert.equal(await page.evaluate(() => window.attentionLive.ready.then((api) => api === window.attentionLive)), true);
      assert.equal(await page.isVisible('.attention-live-status'), false);
      assert.match(await page.title(), /attention-live/);
      assert.ok((await page.getAttribute('.attention-live-canvas', 'aria-label')).length > 20);
      assert.ok((await page.getAttribute('meta[name=description]', 'content')).length > 50);
    });
  });

  test('with the numbers before there is a context, and with the whole stage in the first frame', async () => {
    const init = () => {
      window.order = [];
      const { getContext } = HTMLCanvasElement.prototype;
      HTMLCanvasElement.prototype.getContext = function contextOf(type, ...rest) {
        if (type === 'webgl2') window.order.push('context');
        return getContext.call(this, type, ...rest);
      };
      // Without the panel on the right: ImGui knows how high that is one frame later, and then gives it a scroll bar.
      window.pixels = () => {
        const gl = getContext.call(document.querySelector('.attention-live-canvas'), 'webgl2');
        const [width, height] = [940, gl.drawingBufferHeight];
        const bytes = new Uint8Array(width * height * 4);
        gl.readPixels(0, 0, width, height, gl.RGBA, gl.UNSIGNED_BYTE, bytes);
        return bytes;
      };
      window.addEventListener('attention-live-start', () => {
        if (window.attentionLive.tensor('output').data.some((value) => value !== 0)) window.order.push('numbers');
      }, true);
      window.addEventListener('attention-live-frame', () => {
        const now = window.pixels();
        if (!now.some((byte, i) => i % 4 < 3 && byte > 0)) return; // a frame in which there was nothing to draw anew
        window.first ??= now;
        window.last = now;
      }, true);
    };
    await withPage({ init, pixels: true }, async (page) => {
      await open(page);
      const { order, colours, different } = await page.evaluate(() => {
        const { order, first, last } = window;
        return {
          order,
          colours: new Set(new Uint32Array(first.buffer)).size,
          different: last.filter((byte, i) => byte !== first[i]).length,
        };
      });
      assert.deepEqual(order.slice(0, 2), ['numbers', 'context']);
      assert.ok(colours > 50, `${colours} colours`);
      assert.equal(different, 0);
    });
  });

  test('before it is ready the API says so', async () => {
    const intercept = (path) => path.endsWith('.wasm'); // is never answered
    await withPage({ server: { intercept } }, async (page) => {
      await page.goto(page.origin);
      await page.waitForFunction(() => window.attentionLive);
      const { frames, message } = await page.evaluate(() => {
        try {
          window.attentionLive.state();
          return {};
        } catch (cause) {
          return { frames: window.attentionLive.frames, message: cause.message };
        }
      });
      assert.match(message, /not running: wait for its `ready`/);
      assert.equal(frames, 0);
      assert.match(await sentence(page), /^Loading attention-live/);
    });
  });

  test('loading shows progress', async () => {
    let finish;
    const held = new Promise((resolve) => { finish = resolve; });
    const intercept = (path, response) => {
      if (!path.endsWith('.wasm')) return false;
      response.writeHead(200, { 'Content-Type': 'application/wasm', 'Content-Length': 400000 });
      response.write(Buffer.alloc(100000));
      held.then(() => response.end(Buffer.alloc(300000)));
      return true;
    };
    await withPage({ server: { intercept } }, async (page) => {
      await page.goto(page.origin);
      await page.waitForFunction(() => document.querySelector('progress')?.value === 0.25);
      assert.match(await sentence(page), /100 kB of 400 kB/);
      finish();
      await failed(page); // those were zeros
    });
  });

  test('from a host that knows no type for .wasm', async () => {
    const { readFile } = await import('node:fs/promises');
    const { site } = await import('./support.mjs');
    const intercept = (path, response) => {
      if (!path.endsWith('.wasm')) return false;
      readFile(`${site}${path}`).then((body) => {
        response.writeHead(200, { 'Content-Type': 'application/octet-stream' });
        response.end(body);
      });
      return true;
    };
    await withPage({ server: { intercept } }, async (page) => {
      await open(page);
      assertQuiet(page);
    });
  });

  test('twice in one page, each with a state of its own', async () => {
    const extra = {
      '/two.html': `<!doctype html><meta charset="utf-8"><title>two</title><link rel="icon" href="icon.svg">
        <link rel="stylesheet" href="style.css"><link rel="stylesheet" href="two.css">
        <div id="one"></div><div id="two"></div><script type="module" src="two.mjs"></script>`,
      '/two.css': '#one, #two { position: relative; width: 600px; height: 380px; }',
      '/two.mjs': `import { mount } from './program/boot.mjs';
        window.all = ['one', 'two'].map((id) => mount(document.getElementById(id)));`,
    };
    await withPage({ server: { extra } }, async (page) => {
      await page.goto(`${page.origin}/two.html`);
      await page.waitForFunction(() => window.all);
      const [one, two] = await page.evaluate(async () => {
        await Promise.all(window.all.map((each) => each.ready));
        window.all[0].set({ head: 1 });
        await Promise.all(window.all.map((each) => each.settled()));
        return window.all.map((each) => each.state().head);
      });
      assert.deepEqual([one, two], [1, 0]);
      assertQuiet(page);
    });
  });
});

describe('where it cannot start it says why', () => {
  test('no WebAssembly', async () => {
    await withPage({ init: () => { delete window.WebAssembly; } }, async (page) => {
      await page.goto(page.origin);
      await failed(page);
      assert.match(await sentence(page), /no WebAssembly/);
      assert.match(await reason(page), /no WebAssembly/);
      assert.deepEqual(program(page), [], 'and downloads nothing for it');
    });
  });

  test('no SIMD', async () => {
    await withPage({ init: () => { WebAssembly.validate = () => false; } }, async (page) => {
      await page.goto(page.origin);
      await failed(page);
      assert.match(await sentence(page), /^This browser is too old for attention-live, .* Update the browser/);
      assert.match(await reason(page), /WebAssembly SIMD/);
      assert.deepEqual(program(page), [], 'and downloads nothing for it');
    });
  });

  test('no WebGL2', async () => {
    const options = { graphics: false, args: ['--disable-gpu', '--disable-3d-apis', '--disable-software-rasterizer'] };
    await withPage({ browser: options }, async (page) => {
      await page.goto(page.origin);
      await failed(page);
      assert.match(await sentence(page), /no WebGL2/);
      assert.equal(await page.getAttribute('.attention-live-status', 'role'), 'alert');
      assert.equal(await page.isVisible('progress'), false);
    });
  });

  test('the server has no program; it comes back, and so does the page', async () => {
    let away = true;
    const intercept = (path, response) => {
      if (!away || !path.endsWith('.wasm')) return false;
      response.writeHead(503);
      response.end();
      return true;
    };
    await withPage({ server: { intercept } }, async (page) => {
      await page.goto(page.origin);
      await failed(page);
      assert.match(await sentence(page), /answered 503 for \/program\/attention-live\.wasm/);
      away = false;
      await page.click('.attention-live-again');
      await page.waitForSelector('.attention-live-ready');
      await page.waitForFunction(() => window.attentionLive.frames > 0);
      assert.equal(await page.isVisible('.attention-live-status'), false);
      assert.equal(await reason(page), 'ready');
    });
  });

  test('no script, then again', async () => {
    let away = true;
    const intercept = (path, response) => {
      if (!away || !path.endsWith('attention-live.mjs')) return false;
      response.destroy();
      return true;
    };
    await withPage({ server: { intercept } }, async (page) => {
      await page.goto(page.origin);
      await failed(page);
      assert.match(await sentence(page), /could not be downloaded/);
      away = false;
      await page.click('.attention-live-again');
      await page.waitForFunction(() => window.attentionLive.frames > 0);
    });
  });

  /** A host that lets files be cached, as before a new version came; until then, one ending in `name` is another. */
  function afterDeploy(name, changed) {
    const now = { old: true };
    const intercept = (path, response) => {
      const ending = path.slice(path.lastIndexOf('.'));
      if (!['.mjs', '.wasm'].includes(ending)) return false;
      const file = readFileSync(`${site}${path}`);
      response.writeHead(200, { 'Content-Type': types[ending], 'Cache-Control': 'max-age=3600' });
      response.end(now.old && path.endsWith(name) ? changed(file) : file);
      return true;
    };
    return { now, intercept };
  }

  const smallest = Buffer.from([0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00]);

  test('a program of another version in the cache: Try again fetches it anew, and the page stays', async () => {
    const { now, intercept } = afterDeploy('.wasm', () => smallest);
    await withPage({ server: { intercept } }, async (page) => {
      await page.goto(`${page.origin}#example=counting&step=softmax`);
      await failed(page);
      now.old = false;
      await page.evaluate(() => { window.stayed = true; });
      await page.click('.attention-live-again');
      await page.waitForFunction(() => window.attentionLive.frames > 0);
      assert.equal(await page.evaluate(() => window.stayed), true);
    });
  });

  test('a page of another version in the cache: Try again loads it anew, with the state', async () => {
    const { now, intercept } = afterDeploy('/program.mjs', (file) => String(file).replaceAll('_al_call', '_al_called'));
    await withPage({ server: { intercept } }, async (page) => {
      await page.goto(`${page.origin}#example=counting&step=softmax`);
      await failed(page);
      now.old = false;
      await page.click('.attention-live-again');
      await page.waitForFunction(() => window.attentionLive?.frames > 0);
      const { example, step } = await page.evaluate(() => window.attentionLive.state());
      assert.deepEqual([example, step], ['counting', 'softmax']);
    });
  });

  test('where the server cannot be reached the page stays, and says so again', async () => {
    let away = true;
    const intercept = (path, response) => away && path.endsWith('.wasm') && Boolean(response.destroy());
    await withPage({ server: { intercept } }, async (page) => {
      await page.goto(page.origin);
      await failed(page);
      await page.context().setOffline(true);
      await page.evaluate(() => { window.stayed = true; });
      await page.click('.attention-live-again');
      await failed(page);
      assert.match(await sentence(page), /could not be downloaded/);
      assert.equal(await page.evaluate(() => window.stayed), true);
      await page.context().setOffline(false);
      away = false;
      await page.click('.attention-live-again');
      await page.waitForFunction(() => window.attentionLive?.frames > 0);
    });
  });

  test('a download that breaks off', async () => {
    const intercept = (path, response) => {
      if (!path.endsWith('.wasm')) return false;
      response.writeHead(200, { 'Content-Type': 'application/wasm', 'Content-Length': 400000 });
      response.write(Buffer.from([0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00]));
      setTimeout(() => response.destroy(), 50);
      return true;
    };
    await withPage({ server: { intercept } }, async (page) => {
      await page.goto(page.origin);
      await failed(page);
      assert.match(await sentence(page), /broke off|could not be downloaded/);
    });
  });

  /** The sentence after a start in which a file is answered otherwise. */
  async function saidAfter(ending, answer) {
    let said;
    const intercept = (path, response) => path.endsWith(ending) && (answer(response), true);
    await withPage({ server: { intercept } }, async (page) => {
      await page.goto(page.origin);
      await failed(page);
      said = await sentence(page);
    });
    return said;
  }

  test('a download that ends too early, or is something else', async () => {
    const code = readFileSync(`${site}/program/attention-live.wasm`);
    const sends = (type, body) => (response) => {
      response.writeHead(200, { 'Content-Type': type });
      response.end(body);
    };
    assert.match(await saidAfter('.wasm', sends('application/wasm', code.subarray(0, 5000))), /incomplete/);
    assert.match(await saidAfter('.wasm', sends('text/html', '<!doctype html><title>Not found</title>')),
      /sent something else \(text\/html\)/);
    assert.match(await saidAfter('.wasm', (response) => response.destroy()), /connection failed/);
    assert.match(await saidAfter('attention-live.mjs', sends('text/html', '<!doctype html>')), /its script is missing/);
  });

  test('a policy that forbids the download', async () => {
    const policy = "script-src 'self' 'wasm-unsafe-eval'; connect-src 'none'";
    await withPage({ server: { headers: { 'Content-Security-Policy': policy } } }, async (page) => {
      await page.goto(page.origin);
      await failed(page);
      assert.match(await sentence(page), /Content-Security-Policy of the page forbids it \(connect-src/);
    });
  });

  test('a policy that forbids WebAssembly', async () => {
    const intercept = (path, response) => {
      if (path !== '/') return false;
      response.writeHead(200, {
        'Content-Type': 'text/html',
        'Content-Security-Policy': "script-src 'self'",
      });
      response.end('<!doctype html><title>x</title><main id="attention-live"></main>' +
        '<link rel="icon" href="icon.svg"><link rel="stylesheet" href="style.css">' +
        '<script type="module" src="page.mjs"></script>');
      return true;
    };
    await withPage({ server: { intercept } }, async (page) => {
      await page.goto(page.origin);
      await failed(page);
      assert.match(await sentence(page), /wasm-unsafe-eval/);
    });
  });

  test('a program that breaks while it runs', async () => {
    await withPage({}, async (page) => {
      await open(page);
      const message = await page.evaluate(() => {
        WebAssembly.Memory.prototype.grow = () => { throw new RangeError('no memory is left'); };
        try {
          window.attentionLive.tensor('q'.repeat(100e6));
        } catch (cause) {
          return cause.message;
        }
        return null;
      });
      assert.notEqual(message, null);
      await failed(page);
      assert.match(await sentence(page), /^The program stopped: /);
      await page.mouse.move(300, 300); // is not told to a program that is no more
      await assert.rejects(page.evaluate(() => window.attentionLive.state()), /not running/);
      await page.click('.attention-live-again');
      await page.waitForFunction(() => window.attentionLive.frames > 0);
      assert.deepEqual(page.heard.errors, []);
    });
  });

  test('JavaScript switched off', async () => {
    await withPage({ javaScriptEnabled: false }, async (page) => {
      await page.goto(page.origin);
      assert.match(await page.textContent('noscript'), /needs JavaScript/);
      assert.equal(await page.isVisible('noscript p'), true);
    });
  });
});

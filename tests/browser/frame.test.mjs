// embed.html in other people's frames: sandboxed, under a strict policy, and talked to.

import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';

import { askFrame, frameReady, frameState, heardOf, hostPage as host, hostScript, refusesMistakes, sayAnything } from './frame_host.mjs';
import { assertQuiet, launch, newPage, serve, strictPolicy } from './support.mjs';

const cors = { 'Access-Control-Allow-Origin': '*' };
let site; // where the frame comes from
let bare; // the same, without the header that a sandbox needs
let author; // whose page it stands in
let browser;
let page;
before(async () => {
  site = await serve({ headers: cors });
  bare = await serve();
  const frame = (query = '?example=you-are-welcome&step=softmax&query=2&controls=steps') => `${site.origin}/embed.html${query}`;
  author = await serve({
    headers: { 'Content-Security-Policy': 'default-src \'self\' data:; frame-src *' },
    extra: {
      '/host.js': hostScript,
      '/plain.html': host(`src="${frame()}"`),
      '/sandbox.html': host(`sandbox="allow-scripts" src="${frame()}"`),
      '/bad.html': host(`src="${frame('?example=nowhere&step=softmax&query=2&query=1&nonsense=1&poster=https://example.org/x.png')}"`),
      '/sized.js': `// As iframe-resizer and a course system do.
        window.sized = [];
        addEventListener('message', ({ data, source }) => {
          const frame = document.getElementById('frame');
          if (source !== frame.contentWindow) return;
          if (data === '[iFrameResizerChild]Ready') {
            window.begin = () => source.postMessage('[iFrameSizer]frame:8:false:false:32:true:true::bodyOffset:::0:false:parent:scroll:true', '*');
            window.begin();
          }
          const course = data?.subject === 'lti.frameResize';
          if (!course && !(typeof data === 'string' && data.startsWith('[iFrameSizer]'))) return;
          const [id, height, width, type] = course ? ['course', data.height] : data.slice(13).split(':');
          window.sized.push({ id, height: Number(height), width: Number(width), type });
          frame.style.height = height + 'px';
        });`,
      '/sized.html': host(`sandbox="allow-scripts" src="${frame()}"`).replace('<script', '<script src="/sized.js"></script><script'),
      '/link.html': host(`src="${frame('#example=counting&step=split')}"`),
      '/bare.html': host(`sandbox="allow-scripts" src="${bare.origin}/embed.html"`),
    },
  });
  browser = await launch();
});
after(async () => {
  await browser?.close();
  for (const server of [site, bare, author]) await server?.close();
});
afterEach(() => page?.context().close());

async function open(path) {
  page = await newPage(browser, {
    origin: author.origin, viewport: { width: 900, height: 700 }, reducedMotion: 'no-preference',
  });
  await page.goto(author.origin + path);
}
const ready = () => frameReady(page);
const heard = (type) => heardOf(page, type);
const ask = (message) => askFrame(page, message);
const state = () => frameState(page);
const quiet = () => assertQuiet(page);

describe('where it stands', () => {
  for (const [name, path, origin] of [['a frame', '/plain.html', 'site'], ['sandbox="allow-scripts"', '/sandbox.html', 'null']]) {
    test(name, async () => {
      await open(path);
      await ready();
      const now = await state();
      assert.deepEqual([now.example, now.step, now.query], ['you-are-welcome', 'softmax', 2]);
      const told = await page.evaluate(() => window.heard);
      assert.ok(told.every((each) => each.version === 1 && each.own));
      assert.ok(told.every((each) => each.origin === (origin === 'null' ? 'null' : site.origin)));
      assert.deepEqual((await heard('height')).map(({ height }) => height), [500]);
      assert.ok(page.heard.requests.every((url) => [site, author].some(({ origin: own }) => url.startsWith(own)) || url === 'data:,'));
      quiet();
    });
  }

  test('the policy of the page itself is the strict one', async () => {
    await open('/plain.html');
    await ready();
    const frame = page.frames().find((each) => each.url().includes('embed.html'));
    const policy = await frame.evaluate(() => document.querySelector('meta[http-equiv]').content);
    assert.equal(policy, strictPolicy);
    assert.equal(await frame.evaluate(() => document.querySelectorAll('script:not([src]), style, [style]').length), 0);
  });

  test('sandboxed from a host without the header, it says why there is nothing', async () => {
    await open('/bare.html');
    const frame = page.frameLocator('#frame');
    await frame.locator('.late').waitFor({ state: 'visible' });
    assert.match(await frame.locator('.late').innerText(), /Access-Control-Allow-Origin/);
  });

  test('a page with iframe-resizer, and a course system, give it its height', async () => {
    await open('/sized.html');
    const told = (id, type, height) => page.waitForFunction(([one, kind, tall]) => window.sized.some((each) => (
      each.id === one && (!kind || each.type === kind) && each.height === tall)), [id, type, height]);
    await told('frame', 'init', 500);
    await told('course', null, 500);
    await page.evaluate(() => {
      window.sized.length = 0;
      document.getElementById('frame').width = 1000;
    });
    await told('frame', 'resize', 625);
    await told('course', null, 625);
    assert.equal(await page.evaluate(() => document.getElementById('frame').clientHeight), 625);
    // It asks again, and says what the frame has nothing to do with.
    await page.evaluate(() => {
      window.sized.length = 0;
      const say = (text) => document.getElementById('frame').contentWindow.postMessage(text, '*');
      for (const text of ['[iFrameSizer]', '[iFrameSizer]pageInfo:{}', '[iFrameSizer]message:"x"', `[iFrameSizer]${'x'.repeat(101)}:8:false`]) say(text);
      say('[iFrameSizer]resize');
    });
    await told('frame', 'resize', 625);
    assert.equal(await page.evaluate(() => window.sized.length), 1);
    quiet();
  });

  test('a link behind its address, and an address with mistakes', async () => {
    await open('/link.html');
    await ready();
    assert.equal((await state()).example, 'counting');
    await page.context().close();
    await open('/bad.html');
    await ready();
    const messages = (await heard('error')).map(({ message }) => message).join(' | ');
    assert.match(messages, /nowhere/);
    assert.match(messages, /query in the frame’s address/);
    assert.match(messages, /poster in the frame’s address/);
    const now = await state();
    assert.deepEqual([now.step, now.query], ['softmax', 2]);
    assert.ok(page.heard.requests.every((url) => !url.startsWith('https://example.org')));
  });
});

describe('messages', () => {
  test('set, get, focus, play, and what is told of it', async () => {
    await open('/sandbox.html');
    await ready();
    const set = await ask({ type: 'set', state: { step: 'scores', query: 1 } });
    assert.deepEqual([set.result.step, set.result.query], ['scores', 1]);
    await page.waitForFunction(() => window.heard.some(({ type }) => type === 'stepchange'));
    assert.deepEqual((await heard('stepchange')).at(-1).step, 'scores');
    const change = (await heard('statechange')).at(-1);
    assert.deepEqual([change.state.step, change.reason], ['scores', 'script']);
    assert.match((await ask({ type: 'get', what: 'link' })).result, /step=scores/);
    assert.equal((await ask({ type: 'set', link: '#query=2' })).result.step, 'scores');
    const { result } = await page.evaluate(() => window.ask({ type: 'get', what: 'tensor', name: 'scores' })
      .then((answer) => ({ result: { ...answer.result, data: [...answer.result.data] } })));
    assert.equal(result.data.length, result.shape.reduce((a, b) => a * b));
    await ask({ type: 'focusCell', cell: { tensor: 'scores', index: [0, 0, 1, 1] } });
    assert.deepEqual((await state()).cell, { tensor: 'scores', index: [0, 0, 1, 1] });
    await ask({ type: 'focusCell', cell: null });
    await ask({ type: 'play' });
    await page.waitForFunction(() => window.heard.filter(({ type }) => type === 'statechange').length > 5);
    await ask({ type: 'pause' });
    quiet();
  });

  test('what is wrong gets the sentence, and nothing changes', async () => {
    await open('/plain.html');
    await ready();
    const before = await state();
    await refusesMistakes(page);
    await page.evaluate(() => window.say({ type: 'set', link: '#step=nowhere' }));
    await page.waitForFunction(() => window.heard.some(({ type, message }) => type === 'error' && /nowhere/.test(message)));
    assert.deepEqual(await state(), before);
    quiet();
  });

  test('another window than the page around is not listened to', async () => {
    await open('/plain.html');
    await ready();
    const frame = page.frames().find((each) => each.url().includes('embed.html'));
    const before = await state();
    await frame.evaluate(() => window.postMessage({ source: 'attention-live', version: 1, type: 'set', state: { step: 'mask' } }, '*'));
    await page.evaluate((address) => new Promise((resolve) => {
      const other = document.createElement('iframe');
      other.src = address;
      other.onload = resolve;
      document.body.append(other);
    }), `${site.origin}/icon.svg`);
    const other = page.frames().find((each) => each.url().includes('icon.svg'));
    await other.evaluate(() => window.parent.frames[0].postMessage({ source: 'attention-live', version: 1, type: 'set', state: { step: 'mask' } }, '*'));
    await page.waitForTimeout(300);
    assert.deepEqual(await state(), before);
  });

  test('a thousand messages of anything: the frame lives, and its state is what it was', async () => {
    await open('/plain.html');
    await ready();
    const before = await state();
    await sayAnything(page, 1000);
    assert.deepEqual(await state(), before);
    assert.equal((await ask({ type: 'set', state: { step: 'mask' } })).result.step, 'mask');
    assert.deepEqual(page.heard.errors, []);
    quiet();
  });
});

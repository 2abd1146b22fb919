// <attention-live> in an author's page: its life, what it is told and what it tells.

import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';

import { until } from '../support/until.mjs';
import { movedAndRemoved, restsAndGoesOn } from './both.mjs';
import { article, ask, authorFiles, openArticle, started, stateOf, told } from './figures.mjs';
import { assertQuiet, launch, newPage, serve } from './support.mjs';

const one = (attributes, more = '') => article(`<attention-live id="one" ${attributes}></attention-live>${more}`);
const pages = {
  ...authorFiles,
  '/plain.html': one(''),
  '/set.html': one('example="you-are-welcome" step="softmax" head="1" query="2" theme="dark" controls="steps"'),
  '/link.html': one('state="#v=1&amp;example=pool-beats-badminton&amp;step=scores&amp;edits=attention.query_input:0,0,0=2" query="1"'),
  '/bad.html': one('example="no-such" step="softmax" controls="some" hide="all" load="soon"'),
  '/click.html': one('load="click" example="counting" step="split"'),
  '/steps.html': one('example="counting" steps="softmax scores"'),
  '/pages.html': article(`<attention-live id="one" page="/course/reader.html#old" load="eager" step="softmax"></attention-live>
    <attention-live id="two" load="eager" step="softmax"></attention-live>
    <attention-live id="bad" page="javascript:alert(1)" load="eager" step="softmax"></attention-live>`, {
    style: '<meta name="attention-live-page" content="https://example.org/all/">',
  }),
  '/below.html': article(`<div class="small"></div><div class="small"></div>
    <attention-live id="one" example="you-are-welcome" step="softmax" autoplay></attention-live><div class="gap"></div>`),
  '/prose.html': one('example="you-are-welcome" step="scores"', `
    <p><a id="a" href="#step=softmax&amp;query=2" data-attention-live="one">softmax</a>
    <a id="b" href="#cell=masked_scores:0,0,1,1" data-attention-live="one">cell</a>
    <a id="bad" href="#step=nowhere" data-attention-live="one">bad</a>
    <a id="lost" href="#lost" data-attention-live="nobody">lost</a>
    <a id="h" href="#step=mask" data-attention-live="one" data-attention-live-hover>hover</a></p>`),
};

let server;
let browser;
let page;
before(async () => {
  server = await serve({ extra: pages });
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await server?.close();
});
beforeEach(async () => {
  await page?.context().close();
  page = await newPage(browser, {
    origin: server.origin, viewport: { width: 900, height: 700 }, reducedMotion: 'no-preference', pixels: true,
  });
});

function quiet() {
  assertQuiet(page);
  assert.deepEqual(page.heard.failed, []);
}

/** The sentence of a promise that is to be rejected. */
const refused = (id, method, ...values) => page.evaluate(([name, what, list]) =>
  document.getElementById(name)[what](...list).then(() => 'done', (cause) => cause.message), [id, method, values]);

describe('attributes', () => {
  test('none: the usual start, without a complaint, in a box that was there before', async () => {
    await page.goto(`${page.origin}/plain.html`);
    const early = await page.locator('#one').boundingBox();
    await started(page, 'one');
    assert.deepEqual(await page.locator('#one').boundingBox(), early);
    assert.ok(Math.abs(early.width / early.height - 1.6) < 0.01, `${early.width} × ${early.height}`);
    assert.equal((await stateOf(page, 'one')).step, 'overview');
    assert.equal((await told(page, 'start')).length, 1);
    assert.deepEqual(await told(page, 'error'), []);
    quiet();
    assert.ok(page.heard.requests.every((url) => url.startsWith(`${page.origin}/`)));
  });

  test('each is a part of the state', async () => {
    await openArticle(page, '/set.html', 'one');
    const state = await stateOf(page, 'one');
    const { example, step, head, all_heads: all, query, theme } = state;
    assert.deepEqual({ example, step, head, all, query, theme },
      { example: 'you-are-welcome', step: 'softmax', head: 1, all: false, query: 2, theme: 'dark' });
    assert.deepEqual(await told(page, 'error'), []);
  });

  test('a link goes before, and attributes over it', async () => {
    await openArticle(page, '/link.html', 'one');
    const state = await stateOf(page, 'one');
    assert.equal(state.example, 'pool-beats-badminton');
    assert.equal(state.query, 1);
    assert.deepEqual(state.edits.map(({ tensor, value }) => [tensor, value]), [['query_input', 2]]);
    assert.equal((await page.evaluate(() => figure('one').tensor('query_input').then(({ data }) => data[0]))), 2);
  });

  test('what is wrong is told, one sentence each, and the rest is used', async () => {
    await openArticle(page, '/bad.html', 'one');
    const messages = (await told(page, 'error')).map(({ message }) => message);
    for (const pattern of [/load is “soon”; it can be visible, click or eager/, /controls is “some”/, /hide has “all”/, /no-such/]) {
      assert.equal(messages.filter((message) => pattern.test(message)).length, 1, `${pattern} in ${messages.join(' | ')}`);
    }
    assert.equal((await stateOf(page, 'one')).step, 'softmax');
    await page.evaluate(() => figure('one').setAttribute('controls', 'constructor')); // what every object has
    await page.waitForFunction(() => window.told.some(({ type }) => type === 'error'));
    assert.match((await told(page, 'error'))[0].message, /controls is “constructor”; it can be all, steps or none/);
  });

  test('steps: readers go between these, and a script or a link may still show others', async () => {
    await openArticle(page, '/steps.html', 'one');
    const now = () => stateOf(page, 'one').then(({ step }) => step);
    assert.equal(await now(), 'scores', 'the first of them, in the order of the lesson');
    await page.locator('#one').click({ position: { x: 300, y: 40 } });
    const arrives = (step) => page.waitForFunction((wanted) => figure('one').state.step === wanted, step);
    // A key that leads nowhere does nothing: else the next one would not lead here.
    for (const [keys, step] of [[['PageDown'], 'softmax'], [['PageDown', 'm', 'PageUp'], 'scores'], [['PageUp', 'PageDown'], 'softmax']]) {
      for (const key of keys) await page.keyboard.press(key);
      await arrives(step);
    }
    await page.locator('#one').getByRole('button', { name: 'Read as text' }).press('Enter');
    const listed = page.locator('#one').locator('ol > li > button').filter({ hasText: /^(sentence|scores|scale|softmax|output)$/ });
    await listed.first().waitFor();
    assert.deepEqual(await listed.allTextContents(), ['scores', 'softmax']);
    await ask(page, 'one', 'setState', { step: 'mask' });
    assert.equal(await now(), 'mask');
    await told(page, 'error');
    await page.evaluate(() => figure('one').setAttribute('steps', 'mask nowhere'));
    await page.waitForFunction(() => window.told.some(({ type }) => type === 'error'));
    assert.match((await told(page, 'error'))[0].message, /steps has “nowhere”; it can have sentence, input, .*, overview\./);
    await page.evaluate(() => figure('one').removeAttribute('steps'));
    await listed.nth(4).waitFor();
  });

  test('changed later they act like setState, several at once together', async () => {
    await openArticle(page, '/plain.html', 'one');
    await told(page, 'statechange');
    await page.evaluate(() => {
      figure('one').setAttribute('step', 'split');
      figure('one').setAttribute('example', 'counting');
    });
    await page.waitForFunction(() => figure('one').state.example === 'counting');
    assert.equal((await stateOf(page, 'one')).step, 'split');
    await page.evaluate(() => figure('one').setAttribute('step', 'sideways'));
    await page.waitForFunction(() => window.told.some(({ type }) => type === 'error'));
    assert.match((await told(page, 'error'))[0].message, /sideways/);
    assert.equal((await stateOf(page, 'one')).step, 'split', 'the last good state stays');
    await page.evaluate(() => figure('one').setAttribute('label', 'Week 3, figure 2'));
    await page.waitForFunction(() => figure('one').shadowRoot.querySelector('canvas').ariaLabel === 'Week 3, figure 2');
  });

  test('the author’s style sheet decides the size', async () => {
    await openArticle(page, '/plain.html', 'one');
    await page.evaluate(() => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync('attention-live { width: 500px; height: 380px; margin: 8px auto; }');
      document.adoptedStyleSheets = [sheet];
    });
    const { width, height } = await page.locator('#one').boundingBox();
    assert.deepEqual([width, height], [500, 380]);
    await page.waitForFunction(() => figure('one').shadowRoot.querySelector('canvas').width === 500);
  });
});

describe('Copy link', () => {
  /** What the buttons for it put on the clipboard: the one on the canvas, and the one of Read as text. */
  async function copied(id) {
    await page.evaluate(() => {
      window.copied = [];
      navigator.clipboard.writeText = async (text) => { window.copied.push(text); };
    });
    const { x, y, width } = await page.locator(`#${id}`).boundingBox();
    await page.mouse.click(x + width - 117, y + 21);
    await page.waitForFunction(() => window.copied.length === 1);
    const read = page.locator(`#${id}`).getByRole('button', { name: 'Read as text' });
    await read.focus();
    await read.press('Enter');
    await page.locator(`#${id}`).getByRole('button', { name: 'Copy link' }).press('Enter');
    await page.waitForFunction(() => window.copied.length === 2);
    const [one, two] = await page.evaluate(() => window.copied);
    assert.equal(one, two);
    assert.match(one, /#v=1&example=[a-z-]+&.*step=softmax/);
    return one.replace(/#.*/, '');
  }

  test('begins with the address of the attribute `page`, of one setting for all, or of the site that the script is of', async () => {
    await openArticle(page, '/pages.html', 'one', 'two', 'bad');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    assert.equal(await copied('one'), `${page.origin}/course/reader.html`);
    await page.reload();
    await started(page, 'one', 'two', 'bad');
    await page.evaluate(() => figure('one').setAttribute('page', 'other.html'));
    assert.equal(await copied('one'), `${page.origin}/other.html`);
    const errors = await told(page, 'error');
    assert.deepEqual(errors.map(({ id }) => id), ['bad']);
    assert.match(errors[0].message, /page is “javascript:alert\(1\)”; it must be the address of a page/);
    for (const [id, address] of [['two', 'https://example.org/all/'], ['bad', `${page.origin}/`]]) {
      await page.evaluate((name) => figure(name).scrollIntoView(), id);
      assert.equal(await copied(id), address);
    }
  });
});

describe('state', () => {
  beforeEach(() => openArticle(page, '/plain.html', 'one'));

  test('set as an object, as a link, and told as events with their details', async () => {
    await told(page, 'statechange');
    const state = await ask(page, 'one', 'setState', { example: 'anthony-hopkins', step: 'softmax', query: 3 });
    assert.equal(state.query, 3);
    await page.waitForFunction(() => window.told.some(({ type }) => type === 'stepchange'));
    const [change] = await told(page, 'statechange');
    assert.equal(change.reason, 'script');
    assert.equal(change.state.example, 'anthony-hopkins');
    assert.match(change.link, /^#v=1&example=anthony-hopkins&step=softmax/);
    assert.deepEqual(await told(page, 'stepchange'), [{ id: 'one', step: 'softmax', example: 'anthony-hopkins' }]);
    assert.equal((await ask(page, 'one', 'setState', '#step=mask')).query, 3, 'a link is merged into the state');
    assert.equal(await page.evaluate(() => figure('one').link.includes('step=mask')), true);
  });

  test('edits, of a script and of the reader', async () => {
    await ask(page, 'one', 'setState', { example: 'pool-beats-badminton', step: 'input' });
    await ask(page, 'one', 'setState', '#edits=query_input:0,1,2=0.75');
    await page.waitForFunction(() => window.told.some(({ type }) => type === 'edit'));
    const [{ edits }] = await told(page, 'edit');
    assert.deepEqual(edits.map(({ tensor, index, value }) => [tensor, index, value]), [['query_input', [0, 1, 2], 0.75]]);
    await page.waitForTimeout(200);
    await told(page, 'statechange');
    await page.locator('#one').click({ position: { x: 300, y: 40 } });
    await page.keyboard.press('Control+z');
    await page.waitForFunction(() => window.told.some(({ type }) => type === 'edit'));
    assert.deepEqual((await told(page, 'edit'))[0].edits, []);
    assert.equal((await told(page, 'statechange')).at(-1).reason, 'reader');
  });

  test('what is bad is refused with the sentence, and nothing changes', async () => {
    const before = await stateOf(page, 'one');
    for (const [bad, sentence] of [
      [{ step: 'nowhere' }, /nowhere/],
      [{ nothing: 1 }, /nothing/],
      [{ query: -1 }, /query/],
      [{ query: 'two' }, /query/],
      ['#step=nowhere', /nowhere/],
      ['#step', /like step=softmax/],
      ['#step=%zz', /not encoded correctly/],
      ['#v=9&step=mask', /version “9”/],
      ['#step=mask&step=split', /twice/],
      ['#cell=scores', /cell must/],
      ['#edits=1', /not an edit/],
      [null, /A state is an object/],
      [7, /A state is an object/],
      [['step'], /A state is an object/],
      [`#sentence=${'a'.repeat(70000)}`, /too long/],
    ]) {
      assert.match(await refused('one', 'setState', bad), sentence, JSON.stringify(bad).slice(0, 60));
    }
    assert.deepEqual(await stateOf(page, 'one'), before);
    quiet();
  });

  test('a link of anything leaves the page as it is, and is told in a sentence', async () => {
    for (const link of [
      '#constructor.keys=1', '#hasOwnProperty.call=1', '#__proto__.x=1', '#toString=1', '#step=mask&step.y=1', '#masks.a=1&masks.a=2',
      '#masks=x&masks.a=1', '#masks.__proto__=1', '#ablated_heads.constructor=1',
    ]) {
      const said = await refused('one', 'setState', link);
      assert.match(said, /[.]$/, `${link} is refused in a sentence, not ${said}`);
      assert.doesNotMatch(said, /TypeError|undefined|Cannot/, link);
    }
    assert.deepEqual(await page.evaluate(() => [
      typeof Object.keys, typeof Object.prototype.hasOwnProperty.call, typeof {}.x, typeof {}.toString,
    ]), ['function', 'function', 'undefined', 'function']);
  });

  test('its own link is a change like any other, while a mistake is to be guessed as well', async () => {
    const before = await ask(page, 'one', 'setState', { example: 'counting', mistake: 'no-scale', guessing: true });
    const link = await page.evaluate(() => document.getElementById('one').link);
    assert.match(link, /mistake=riddle-/);
    await ask(page, 'one', 'setState', { mistake: 'none', guessing: false });
    assert.deepEqual(await ask(page, 'one', 'setState', new URL(link, 'http://x/').hash), before);
    await ask(page, 'one', 'setState', { mistake: 'none', guessing: false });
  });

  test('a question to a figure that was stopped starts it; one that is taken out answers no more', async () => {
    const told = await page.evaluate(async () => {
      const figure = document.getElementById('one');
      figure.stop();
      const { shape } = await figure.tensor('q');
      const other = document.createElement('attention-live');
      document.body.append(other);
      const asked = other.tensor('q').then(() => 'answered', (cause) => cause.message);
      other.remove();
      return [shape.length, await asked];
    });
    assert.deepEqual(told, [3, 'The figure was taken out of the page before it started.']);
    await ask(page, 'one', 'start').catch(() => {});
  });

  test('files are for whoever has a use for them in the page', async () => {
    const taken = await page.evaluate(() => {
      const dragged = (place) => {
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File(['x'], 'x.txt'));
        const event = new DragEvent('dragover', { bubbles: true, cancelable: true, composed: true, dataTransfer });
        place.dispatchEvent(event);
        return event.defaultPrevented;
      };
      const input = document.createElement('input');
      input.type = 'file';
      document.body.append(input);
      const was = dragged(input);
      input.remove();
      return was;
    });
    assert.equal(taken, false);
  });

  test('cells: pointed to, chosen, asked for', async () => {
    await ask(page, 'one', 'setState', { example: 'pool-beats-badminton', step: 'scores' });
    await ask(page, 'one', 'focusCell', { tensor: 'scores', index: [0, 0, 1, 2] });
    assert.deepEqual((await stateOf(page, 'one')).cell, { tensor: 'scores', index: [0, 0, 1, 2] });
    await ask(page, 'one', 'focusCell', null);
    assert.equal((await stateOf(page, 'one')).cell, null);
    assert.match(await refused('one', 'focusCell', { tensor: 'nothing', index: [0] }), /nothing|tensor/);
    const box = await page.locator('#one').boundingBox();
    for (let x = 20; x < box.width && (await page.evaluate(() => !window.told.some(({ type }) => type === 'cellhover'))); x += 24) {
      await page.mouse.move(box.x + x, box.y + box.height / 2);
      await page.waitForTimeout(40);
    }
    await page.waitForFunction(() => window.told.some(({ type }) => type === 'cellhover'));
    const [{ cell }] = await told(page, 'cellhover');
    assert.ok(cell.tensor && cell.attention && cell.index.every(Number.isInteger), JSON.stringify(cell));
    await page.mouse.move(box.x + 20, box.y + box.height + 40);
    await page.waitForFunction(() => window.told.some(({ type, detail }) => type === 'cellhover' && detail.cell === null));
    const { shape, length, first } = await page.evaluate(() => figure('one').tensor('scores')
      .then(({ shape: own, data }) => ({ shape: own, length: data.length, first: data[0] })));
    assert.deepEqual([shape, length], [[1, 1, 3, 3], 9]);
    assert.ok(Math.abs(first - 0.31) < 1e-6, String(first));
    assert.equal((await ask(page, 'one', 'describe')).step.id, 'scores');
    assert.match(await refused('one', 'tensor', 'nothing'), /tensor/);
  });

  test('a weighted value that is pointed to has an index that tensor() has', async () => {
    await ask(page, 'one', 'setState', { example: 'you-are-welcome', step: 'reweight', attention: 'cross_attention', query: 1 });
    const box = await page.locator('#one').boundingBox();
    const found = () => page.evaluate(() => window.told.some(({ detail }) => detail.cell?.tensor === 'weighted_values'));
    for (let y = 100; y < box.height && !(await found()); y += 14) {
      for (let x = 30; x < box.width; x += 40) await page.mouse.move(box.x + x, box.y + y);
      await page.waitForTimeout(40);
    }
    await until(found, 'a weighted value is pointed to');
    const [{ cell }] = (await told(page, 'cellhover')).filter((each) => each.cell?.tensor === 'weighted_values');
    const [weighted, weights, values] = await Promise.all(['weighted_values', 'attention_weights', 'v_heads'].map((name) => (
      page.evaluate((tensor) => figure('one').tensor(`cross_attention.${tensor}`)
        .then((whole) => ({ ...whole, data: [...whole.data] })), name))));
    const at = ({ strides, offset, data }, index) => data[index.reduce((sum, place, axis) => sum + place * strides[axis], offset)];
    const [sample, head, query, key, dimension] = cell.index;
    assert.equal(query, 1, 'the query that is shown');
    assert.ok(cell.index.every((place, axis) => place < weighted.shape[axis]), `${cell.index} in ${weighted.shape}`);
    const product = at(weights, [sample, head, query, key]) * at(values, [sample, head, key, dimension]);
    assert.ok(Math.abs(at(weighted, cell.index) - product) < 1e-6);
  });

  test('it plays and pauses', async () => {
    await ask(page, 'one', 'play');
    await page.waitForFunction(() => window.told.filter(({ type }) => type === 'stepchange').length >= 1);
    await ask(page, 'one', 'pause');
    await page.waitForTimeout(300);
    const before = (await stateOf(page, 'one'));
    await page.waitForTimeout(700);
    assert.deepEqual(await stateOf(page, 'one'), before);
  });
});

describe('out of sight', () => {
  const playing = () => page.evaluate(() => figure('one').describe().then((now) => now.playing));
  const plays = (wanted) => until(async () => (await playing()) === wanted, `playing is ${wanted}`);
  const scrollTo = (top) => page.evaluate((y) => window.scrollTo(0, y), top);

  test('a figure that plays by itself waits until it is seen', async () => {
    await openArticle(page, '/below.html', 'one');
    await page.waitForTimeout(500);
    assert.equal(await playing(), false);
    await scrollTo(600);
    await plays(true);
    await scrollTo(0);
    await plays(false);
    await scrollTo(600);
    await plays(true);
  });

  test('one that a script plays goes on when it is seen again', async () => {
    await openArticle(page, '/below.html', 'one');
    await ask(page, 'one', 'play');
    await page.waitForTimeout(300);
    assert.equal(await playing(), false);
    await scrollTo(600);
    await plays(true);
    await scrollTo(0);
    await plays(false);
    await ask(page, 'one', 'pause');
    await scrollTo(600);
    await page.waitForTimeout(300);
    assert.equal(await playing(), false);
  });
});

describe('life', () => {
  test('on click: nothing of the program is fetched before', async () => {
    await page.goto(`${page.origin}/click.html`);
    await page.waitForTimeout(300);
    assert.equal(page.heard.requests.filter((url) => url.endsWith('.wasm')).length, 0);
    assert.match(await page.locator('#one .panel').textContent(), /CountingSplit/);
    const later = page.evaluate(() => figure('one').setState({ query: 1 }).then(({ query }) => query));
    await page.getByRole('button', { name: 'Start this figure' }).click();
    await page.evaluate(() => figure('one').ready.then(() => {}));
    assert.equal(await later, 1, 'what was set before is done at the start');
    assert.equal((await stateOf(page, 'one')).step, 'split');
    assert.equal(await page.locator('#one .go').isVisible(), false);
    assert.equal(await page.evaluate(() => figure('one').shadowRoot.activeElement.tagName), 'CANVAS');
  });

  test('a question starts it', async () => {
    await page.goto(`${page.origin}/click.html`);
    const data = await page.evaluate(() => figure('one').tensor('query_input').then((tensor) => [...tensor.data.slice(0, 3)]));
    assert.deepEqual(data, [1, 2, 3]);
  });

  test('stopped and started again it is where it was, and shows its last picture meanwhile', async () => {
    await openArticle(page, '/set.html', 'one');
    await restsAndGoesOn(page);
  });

  test('moved it lives on, removed it ends, and put back it starts anew', async () => {
    await openArticle(page, '/set.html', 'one');
    await movedAndRemoved(page);
    quiet();
  });

  test('removed while it loads', async () => {
    await page.goto(`${page.origin}/plain.html`);
    await page.evaluate(() => customElements.whenDefined('attention-live').then(() => {}));
    await page.evaluate(() => { figure('one').remove(); });
    await page.waitForTimeout(1000);
    quiet();
  });
});

describe('links in the prose', () => {
  beforeEach(() => openArticle(page, '/prose.html', 'one'));

  test('set the figure and leave the address alone', async () => {
    await page.click('#a');
    assert.deepEqual(await page.evaluate(() => [figure('one').state.step, figure('one').state.query]), ['softmax', 2]);
    await page.click('#b');
    const state = await stateOf(page, 'one');
    // The cell sets the query.
    assert.deepEqual([state.step, state.query, state.cell], ['softmax', 1, { tensor: 'masked_scores', index: [0, 0, 1, 1] }]);
    assert.equal(new URL(page.url()).hash, '');
    await page.waitForFunction(() => window.told.some(({ detail }) => detail.reason === 'link'));
  });

  test('a bad one is told and changes nothing; one without a figure is a link', async () => {
    const before = await stateOf(page, 'one');
    await page.click('#bad');
    await page.waitForFunction(() => window.told.some(({ type }) => type === 'error'));
    assert.deepEqual(await stateOf(page, 'one'), before);
    await page.click('#lost');
    assert.equal(new URL(page.url()).hash, '#lost');
  });

  test('one without a figure is told in the console, once for its id, without a click and with one', async () => {
    const warnings = () => page.heard.console.filter((line) => line.startsWith('warning'));
    await until(() => warnings().length > 0, 'a warning');
    await page.click('#lost');
    await page.evaluate(() => {
      for (const id of ['late', 'late']) {
        const link = document.body.appendChild(Object.assign(document.createElement('a'), { href: '#step=mask', textContent: id }));
        link.dataset.attentionLive = id;
        link.click();
      }
    });
    assert.deepEqual(warnings().map((line) => /figure “(.*?)”/.exec(line)[1]), ['nobody', 'late']);
  });

  test('pointed to, it shows for as long', async () => {
    const before = await stateOf(page, 'one');
    await page.hover('#h');
    assert.equal((await stateOf(page, 'one')).step, 'mask');
    await page.mouse.move(5, 5);
    assert.deepEqual(await stateOf(page, 'one'), before);
    await page.hover('#h');
    await page.click('#h');
    await page.mouse.move(5, 5);
    assert.equal((await stateOf(page, 'one')).step, 'mask', 'a click keeps it');
  });

  test('pointed to and left, both changes are told as the link’s', async () => {
    await page.hover('#h');
    await page.waitForFunction(() => window.told.some(({ detail }) => detail.state?.step === 'mask'));
    await page.mouse.move(5, 5);
    await page.waitForFunction(() => window.told.at(-1).detail.state?.step === 'scores' ||
      window.told.some(({ type, detail }) => type === 'stepchange' && detail.step === 'scores'));
    await page.waitForTimeout(200);
    const changes = await told(page, 'statechange');
    assert.deepEqual(new Set(changes.map(({ reason }) => reason)), new Set(['link']));
  });

  test('a thousand links and attributes of anything', async () => {
    const bad = await page.evaluate(async () => {
      let seed = 1;
      const random = (below) => { seed = (seed * 1103515245 + 12345) % 2147483648; return seed % below; };
      const words = ['step', 'query', 'example', 'v', 'cell', 'edits', 'masks.x', '__proto__', 'constructor', 'framing', 'head',
        'scale', 'softmax', 'scores:0,0,1,1', '=', '&', '%', '%00', '%e2%88%9e', ',', ';', ':', '-1', '1e400', 'NaN', '{}', '[',
        'null', 'true', '999999999', 'counting', '#', '+', '😀', '\u0000', '<b>', 'given_weights', 'picture', 'sentence'];
      const text = () => Array.from({ length: random(8) + 1 }, () => words[random(words.length)] + (random(2) ? '=' : '')).join(random(2) ? '&' : '');
      const element = figure('one');
      const link = document.getElementById('a');
      const names = ['state', 'example', 'variant', 'step', 'attention', 'head', 'query', 'key', 'sample', 'seed', 'sentence',
        'theme', 'controls', 'hide', 'steps', 'load', 'label', 'poster'];
      const sentences = [];
      for (let round = 0; round < 1000; round += 1) {
        if (round % 3 === 0) {
          link.setAttribute('href', `#${text()}`);
          link.click();
        } else if (round % 3 === 1) {
          element.setAttribute(names[random(names.length - 1)], text());
        } else {
          await element.setState(`#${text()}`).catch((cause) => sentences.push(cause.message));
        }
        if (round % 50 === 0) await new Promise((resolve) => requestAnimationFrame(resolve));
      }
      for (const name of names) element.removeAttribute(name);
      return sentences.filter((sentence) => sentence.length < 10 || sentence.length > 800 || /undefined|\[object/.test(sentence));
    });
    assert.deepEqual(bad, []);
    assert.deepEqual(page.heard.errors, []);
    assert.equal((await ask(page, 'one', 'setState', { example: 'counting', step: 'split', query: 1 })).query, 1);
  });
});

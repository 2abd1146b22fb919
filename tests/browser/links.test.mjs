// Links: the address follows the state, a link opens the same screen, back and forward walk the steps.

import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';

import { withPages } from './pages.mjs';
import { api, assertQuiet, frames, open, settled } from './support.mjs';

const openPage = withPages();
let page;
beforeEach(async () => {
  page = await openPage.blank();
});

const hash = () => page.evaluate(() => location.hash);
const entries = () => page.evaluate(() => history.length);

async function set(state) {
  await api(page, 'set', state);
  await settled(page);
}

/** Waits until the address says what the program does. */
async function followed() {
  await page.waitForFunction(() => location.hash === window.attentionLive.link());
}

/** What is drawn, block by block, and in the middle of each. */
async function screen() {
  await settled(page);
  return page.evaluate(() => window.attentionLive.blocks().map((block) => {
    const [x, y, width, height] = block.rect;
    return { ...block, middle: window.attentionLive.probe(x + width / 2, y + height / 2) };
  }));
}

const link = '/#v=1&example=you-are-welcome&step=softmax&attention=cross_attention&head=1&query=1&scrub=0.5'
  + '&cell=attention_weights:0,1,1,0&scale=2.5&theme=dark&edits=cross_attention.q_proj_weight:0,1=0.5';

test('a link opens the state it was copied from, and the same screen', async () => {
  await open(page, link);
  const state = await api(page, 'state');
  assert.equal(state.step, 'softmax');
  assert.equal(state.scale, 2.5);
  assert.equal(state.edits.length, 1);
  const seen = await screen();
  const copied = await api(page, 'link');
  assert.equal(`/${copied}`, link);
  page = await openPage('/');
  assert.equal((await api(page, 'state')).step, 'sentence');
  assert.deepEqual((await api(page, 'open', copied)).problems, []);
  assert.deepEqual(await api(page, 'state'), state);
  assert.deepEqual(await screen(), seen);
  assertQuiet(page);
});

test('a bad link says what is wrong and opens the rest', async () => {
  await open(page, '/#v=1&step=mask&head=9&colour=red');
  assert.equal((await api(page, 'state')).step, 'mask');
  assert.equal((await api(page, 'state')).head, 0);
  const { problems } = await api(page, 'open', '#step=mask&head=9&colour=red');
  assert.equal(problems.length, 2);
  assert.match(problems.join(' '), /head 9 is not there/);
  assertQuiet(page);
});

test('a number in a link is the nearest one, and what is none is refused', async () => {
  await open(page, '/#example=pool-beats-badminton');
  for (const text of ['1', '-1.5', '1e-3', '1E3', '0.1', '33554.433', '0.00001234567890123456789', '999999.96875',
    '123456.789012345678901']) {
    await api(page, 'open', `scale=${text}`);
    assert.equal(Math.fround((await api(page, 'state')).scale), Math.fround(Number(text)), text);
  }
  const before = (await api(page, 'state')).scale;
  for (const text of ['', '-', '.', 'e5', '1e', '1e+', '--1', '1..2', '0x10', 'nan', '1,5', '1e5e5', '1e39']) {
    await api(page, 'change', `scale=${text}`).catch(() => {});
    assert.equal((await api(page, 'state')).scale, before, text);
  }
});

test('an address that is far too long is no reason not to start', async () => {
  await open(page, `/#step=mask&sentence=${'x'.repeat(300_000)}`);
  assert.equal((await api(page, 'state')).step, 'overview');
});

test('the address follows what is chosen, in the same entry', async () => {
  await open(page, '/');
  assert.equal(await hash(), '', 'nothing was chosen yet');
  const before = await entries();
  await set({ head: 1, all_heads: false });
  await set({ query: 2 });
  await followed();
  assert.match(await hash(), /&head=1&all_heads=false&query=2$/);
  assert.equal(await entries(), before);
  const drawn = await frames(page);
  await page.waitForTimeout(700);
  assert.equal(await frames(page), drawn, 'and then nothing runs');
  assertQuiet(page);
});

test('back and forward walk the steps', async () => {
  await open(page, '/');
  const step = async () => (await api(page, 'state')).step;
  await set({ step: 'scores' });
  await followed();
  await set({ query: 1 });
  await followed();
  await set({ step: 'softmax' });
  await followed();
  await page.goBack();
  await page.waitForFunction(() => window.attentionLive.state().step === 'scores');
  assert.equal((await api(page, 'state')).query, 1, 'as that step was left');
  await page.goBack();
  await page.waitForFunction(() => window.attentionLive.state().step === 'sentence');
  assert.equal(await hash(), '');
  await page.goForward();
  await page.goForward();
  await page.waitForFunction(() => window.attentionLive.state().step === 'softmax');
  await settled(page);
  assert.equal(await step(), 'softmax');
  assertQuiet(page);
});

test('a link typed into the address bar opens', async () => {
  await open(page, '/');
  await page.evaluate(() => { location.hash = '#example=pool-beats-badminton&step=scores'; });
  await page.waitForFunction(() => window.attentionLive.state().example === 'pool-beats-badminton');
  await settled(page);
  await page.waitForTimeout(500);
  assert.equal(await hash(), '#example=pool-beats-badminton&step=scores', 'and stays as it was typed');
  await page.goBack();
  await page.waitForFunction(() => window.attentionLive.state().example === 'gender-and-number');
  assertQuiet(page);
});

test('the button puts the whole address on the clipboard', async () => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: page.origin });
  await open(page, '/#v=1&example=you-are-welcome&step=mask&query=1');
  // The bar's buttons are found by pressing along it; from the right come the theme and Reset, which change no place.
  for (let x = 1270; x > 900; x -= 16) {
    await page.evaluate(() => navigator.clipboard.writeText('nothing'));
    await page.mouse.click(x, 24);
    await settled(page);
    if ((await page.evaluate(() => navigator.clipboard.readText())) !== 'nothing') break;
  }
  await settled(page);
  const text = await page.evaluate(() => navigator.clipboard.readText());
  assert.ok(text.startsWith(`${page.origin}/#v=1&example=you-are-welcome&step=mask&query=1`), text);
});

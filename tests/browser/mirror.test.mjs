// The mirror of the canvas in words: a lesson by keys and by what the accessibility tree says alone, and axe.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { until } from '../support/until.mjs';
import { violations } from './axe.mjs';
import { withPages } from './pages.mjs';
import { enter, focused, heading, read, said, tabTo, tree, walk } from './reading.mjs';
import { api, assertQuiet } from './support.mjs';

const openPage = withPages();

describe('a lesson without sight or pointer', () => {
  test('every step, a head, a cell and where it comes from, an edit, its effect, and undo', async () => {
    const page = await openPage('/#example=you-are-welcome&step=sentence');
    await read(page);
    const choices = await api(page, 'choices');
    assert.ok((await heading(page)).includes(choices.steps[0].title));

    // Every step, by its button.
    await tabTo(page, 'button', 'Next step');
    for (const step of choices.steps.slice(1)) {
      await page.keyboard.press('Enter');
      await until(async () => (await api(page, 'state')).step === step.id, `${step.id} comes next`);
      const { step: told } = await api(page, 'describe');
      // The map shows one of the three attentions.
      assert.equal(told.title, step.id === 'overview' ? 'One attention at a glance' : step.title);
      await until(async () => (await heading(page)).includes(told.title), `the heading becomes ${told.title}`);
      assert.equal(await said(page), `Step ${told.label}: ${told.title}`);
      const words = (await tree(page)).map(({ name }) => name);
      assert.ok(words.some((name) => name.includes(told.spoken)), `the formula is read: ${told.spoken}`);
      assert.ok(words.some((name) => name.includes(told.text.slice(0, 60))), 'the text is read');
    }

    // The step of the scores, by its name, and one head.
    await tabTo(page, 'button', 'scores');
    await page.keyboard.press('Enter');
    await tabTo(page, 'combobox', 'Head');
    await walk(page, 'ArrowDown', 'ArrowDown');
    await until(async () => (await api(page, 'state')).head === 1, 'head 1 is chosen');
    assert.equal((await focused(page)).value, 'head 1');

    // A cell and its provenance.
    await enter(page, /^scores, head 1/);
    const cell = await walk(page, 'ArrowRight', 'ArrowDown');
    const { text, value } = await api(page, 'explain', { tensor: 'scores', index: [0, 1, 1, 1] });
    assert.equal(await said(page), text);
    assert.match(text, /^scores, sample 0, head 1, query are, key are: /);
    assert.ok(Math.abs(Number(cell.name.replace('−', '-')) - value) < 0.006, `${cell.name} is ${value}`);
    await page.keyboard.press('Enter');
    assert.match(await said(page), /It is computed: change a number that it depends on, such as /);

    // What comes out, before and after a number of the input is changed.
    const output = async () => {
      await tabTo(page, 'button', 'output', 'Shift+Tab');
      await page.keyboard.press('Enter');
      await until(async () => (await api(page, 'state')).step === 'output', 'the last step');
      await enter(page, /^output:/);
      return (await focused(page)).name;
    };
    const before = await output();
    await tabTo(page, 'button', 'input', 'Shift+Tab');
    await page.keyboard.press('Enter');
    await until(async () => (await api(page, 'state')).step === 'input', 'the step of the input');
    await enter(page, /^token embedding/);
    const old = (await focused(page)).name;
    await page.keyboard.press('Enter');
    assert.match((await focused(page)).name, /^New number for token_embedding/);
    await page.keyboard.type('not a number');
    await page.keyboard.press('Enter');
    assert.match(await said(page), /is not a number/);
    await page.keyboard.press('Control+a');
    await page.keyboard.type('3.25');
    await page.keyboard.press('Enter');
    assert.match(await said(page), /^Changed\. token_embedding.*: 3\.25, an input.*\. The last edit changed: .*output\b/);
    assert.equal((await focused(page)).name, '3.25');
    assert.equal((await api(page, 'state')).edits.length, 1);
    const changed = await output();
    assert.notEqual(changed, before);

    await tabTo(page, 'button', 'Undo', 'Shift+Tab');
    await page.keyboard.press('Enter');
    assert.deepEqual((await api(page, 'state')).edits, []);
    await enter(page, /^output:/);
    assert.equal((await focused(page)).name, before);
    assert.notEqual(old, '3.25');

    // And back to where the reader came from.
    await page.keyboard.press('Escape');
    assert.equal((await focused(page)).name, 'Read as text');
    assertQuiet(page);
  });

  test('what cannot be done is said, and nothing changes', async () => {
    const page = await openPage('/#example=pool-beats-badminton&variant=bare');
    await read(page);
    const before = await api(page, 'state');
    await tabTo(page, 'combobox', 'Mistake made on purpose');
    const mistakes = (await api(page, 'choices')).mistakes;
    // K not transposed: refused where there are not as many keys as a head is wide.
    await page.keyboard.type(mistakes.find(({ id }) => id === 'keys-not-transposed').label);
    await until(async () => (await said(page)) !== '', 'something is said');
    assert.equal(await said(page), await api(page, 'message'));
    assert.equal((await api(page, 'state')).mistake, before.mistake);
    assertQuiet(page);
  });

  test('a large matrix is read in windows of 16 × 16', async () => {
    const page = await openPage('/#example=anthony-hopkins&step=project');
    await read(page);
    await enter(page, /^query input/);
    assert.equal((await tree(page)).filter(({ role }) => role === 'gridcell').length, 9 * 16 + 1);
    await walk(page, ...Array(17).fill('ArrowRight'));
    const { text } = await api(page, 'explain', { tensor: 'query_input', index: [0, 0, 17] });
    assert.equal(await said(page), text);
    await walk(page, 'Control+End');
    const last = await api(page, 'explain', { tensor: 'query_input', index: [0, 8, 511] });
    assert.equal(await said(page), last.text);
    assert.ok((await tree(page)).filter(({ role }) => role === 'gridcell').length <= 9 * 16 + 1);
    assertQuiet(page);
  });

  test('it does nothing until it is opened, and nothing after it is closed', async () => {
    const page = await openPage();
    const modules = () => page.heard.requests.filter((url) => url.includes('/mirror/mirror.mjs')).length;
    assert.equal(modules(), 0);
    assert.equal(await page.locator('.attention-live-mirror').count(), 0);
    await read(page);
    assert.equal(modules(), 1);
    const writes = () => page.evaluate(() => new Promise((resolve) => {
      let count = 0;
      const observer = new MutationObserver(() => (count += 1));
      observer.observe(document.querySelector('.attention-live-mirror'), {
        subtree: true, childList: true, characterData: true, attributes: true,
      });
      window.attentionLive.set({ step: 'softmax' });
      window.attentionLive.set({ step: 'merge' });
      window.attentionLive.set({ step: 'mask' });
      setTimeout(() => {
        observer.disconnect();
        resolve(count);
      }, 600);
    }));
    assert.equal(await writes(), 1, 'three changes at once are one update');
    await page.keyboard.press('Escape');
    assert.equal(await writes(), 0);
    assertQuiet(page);
  });
});

describe('axe finds nothing', () => {
  for (const colorScheme of ['light', 'dark']) {
    for (const [width, height] of [[1280, 800], [720, 480], [390, 844]]) {
      test(`${colorScheme}, ${width} × ${height}`, async () => {
        const page = await openPage('/#example=you-are-welcome&step=scores', { colorScheme, viewport: { width, height } });
        assert.deepEqual(await violations(page), [], 'the page as it opens');
        await read(page);
        await enter(page, /^scores, head 0/);
        assert.deepEqual(await violations(page), [], 'with the text opened');
        const headers = (await tree(page)).filter(({ role }) => role === 'columnheader').map(({ name }) => name);
        assert.deepEqual(headers, ['You', 'are', 'welcome'], 'columns are named where the canvas has no room for it too');
        assertQuiet(page);
      });
    }
  }
});

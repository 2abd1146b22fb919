// The trained translator: its weights come after everything else, and then it is an example like the others.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';

import { withPage } from './pages.mjs';
import { read } from './reading.mjs';
import { assertQuiet, open, tensor } from './support.mjs';

const weights = '/program/translator.safetensors';
const otherNumbers = readFileSync(new URL('../../tools/translator/translator.safetensors', import.meta.url));
otherNumbers[otherNumbers.length - 1000] ^= 1;
const asked = (page) => page.heard.requests.map((url) => new URL(url).pathname);
const examples = (page) => page.evaluate(() => window.attentionLive.choices().examples.filter(({ loaded }) => loaded).map(({ id }) => id));
const translation = (page) => page.evaluate(() => window.attentionLive.describe().translation);

describe('the translator', () => {
  test('comes when it is asked for, and can be chosen then', async () => {
    await withPage({}, async (page) => {
      await open(page);
      assert.ok(!asked(page).includes(weights));
      assert.ok(!(await examples(page)).includes('translator'));
      await page.evaluate(() => window.attentionLive.addTranslator());
      assert.ok(asked(page).includes(weights));
      assert.ok((await examples(page)).includes('translator'));
      assert.equal(await translation(page), null, 'nothing else is changed');
      await page.evaluate(() => window.attentionLive.set({ example: 'translator' }));
      const said = await translation(page);
      assert.equal(said.text, 'Él la admiró como un gran director.');
      assert.equal(said.tokens.at(-1).text, '[end]');
      for (const { probability, candidates } of said.tokens) {
        assert.ok(probability > 0 && probability <= 1);
        assert.ok(candidates.length > 1 && candidates[0].probability >= candidates[1].probability);
      }
      assertQuiet(page);
    });
  });

  test('is loaded when a reader chooses it in the text, and then shown', async () => {
    await withPage({}, async (page) => {
      await open(page, '/#example=counting&step=softmax');
      await page.evaluate(() => window.attentionLive.showTranslator());
      assert.ok(asked(page).includes(weights));
      assert.equal((await page.evaluate(() => window.attentionLive.state())).example, 'translator');
      await page.evaluate(() => window.attentionLive.undo());
      assert.equal((await page.evaluate(() => window.attentionLive.state())).example, 'counting');
      await page.evaluate(() => window.attentionLive.showTranslator());
      assert.equal(asked(page).filter((path) => path === weights).length, 1);
      assertQuiet(page);
    });
  });

  test('is in the menu of the bar before its weights are there, and in an address that the reader types', async () => {
    await withPage({}, async (page) => {
      await open(page, '/#example=counting&step=softmax');
      await page.mouse.click(250, 20);
      await page.evaluate(() => window.attentionLive.settled());
      await page.mouse.click(250, 62); // the first one of the list
      await page.waitForFunction(() => window.attentionLive.state().example === 'translator');
      await page.evaluate(() => { location.hash = '#example=lazy-dog'; });
      await page.waitForFunction(() => window.attentionLive.state().example === 'lazy-dog');
      assertQuiet(page);
    });
    await withPage({}, async (page) => {
      await open(page, '/#example=counting&step=softmax');
      await page.evaluate(() => { location.hash = '#example=translator&sentence=Good%20morning.'; });
      await page.waitForFunction(() => window.attentionLive.state().sentence === 'Good morning.');
      assertQuiet(page);
    });
  });

  test('every head has a map, and what it does is measured', async () => {
    await withPage({}, async (page) => {
      await open(page, '/#example=translator&step=overview&attention=cross_attention_1&head=2');
      const { heads } = await translation(page);
      assert.equal(heads.length, 96);
      assert.ok(heads.every(({ pattern, share }) => share > 0 && share <= 1.001 && (pattern === 'several tokens per row') === (share < 0.45)));
      const chosen = new Set(); // by clicks on a column of maps, from top to bottom
      for (let y = 205; y < 660; y += 10) {
        await page.mouse.click(255, y);
        const state = await page.evaluate(() => window.attentionLive.settled().then(() => window.attentionLive.state()));
        assert.equal(state.step, 'overview');
        chosen.add(`${state.attention} ${state.head}`);
      }
      chosen.delete('cross_attention_1 2');
      const columns = [...chosen].map((each) => each.split(' ')[1]);
      assert.equal(new Set(columns).size, 1, [...chosen].join(', '));
      assert.ok(columns[0] === '2' ? chosen.size === 11 : chosen.size === 12, [...chosen].join(', '));
      await page.mouse.click(510, 172); // sort by what they do
      assert.equal((await page.evaluate(() => window.attentionLive.settled().then(() => window.attentionLive.state()))).sort_heads, true);
      const off = await page.evaluate(async () => {
        attentionLive.set({ ablated_heads: { cross_attention_3: [0, 1, 2, 3, 4, 5, 6, 7] } });
        await attentionLive.settled();
        return attentionLive.describe().translation.unchanged;
      });
      assert.equal(off.text, 'Él la admiró como un gran director.');
      assert.ok(off.log_probability_now < off.log_probability && off.log_probability < 0);
      assertQuiet(page);
    });
  });

  test('the mouse enlarges a map as long as it is over it, a click keeps it, and its head can be switched off in all layers', async () => {
    await withPage({}, async (page) => {
      await open(page, '/#example=translator&step=overview&attention=cross_attention_1&head=2');
      const enlarged = () => page.evaluate(() => attentionLive.settled().then(() => attentionLive.legend().attention));
      const state = () => page.evaluate(() => attentionLive.settled().then(() => attentionLive.state()));
      assert.equal(await enlarged(), 'cross_attention_1');
      const link = await page.evaluate(() => attentionLive.link());
      await page.mouse.move(255, 240);
      assert.equal(await enlarged(), 'encoder_self_attention');
      assert.equal(await page.evaluate(() => attentionLive.link()), link);
      await page.mouse.move(255, 395);
      assert.equal(await enlarged(), 'decoder_self_attention');
      await page.mouse.move(750, 450); // at once onto the enlarged one, which is that of the chosen head again
      assert.equal(await enlarged(), 'cross_attention_1');
      await page.mouse.move(255, 395);
      await page.keyboard.press('Home'); // another step, while the mouse stays where it is
      assert.equal((await state()).attention, 'cross_attention_1');
      await page.evaluate(() => { attentionLive.set({ step: 'overview', attention: 'cross_attention_1', head: 2 }); });
      await page.mouse.click(255, 395);
      await page.mouse.move(750, 450);
      assert.equal(await enlarged(), 'decoder_self_attention');
      assert.deepEqual([(await state()).attention, (await state()).head], ['decoder_self_attention', 3]);
      await page.mouse.click(690, 262); // switch it off in all layers
      assert.deepEqual((await state()).ablated_heads, Object.fromEntries(['', '_1', '_2', '_3'].map((layer) => [`decoder_self_attention${layer}`, [3]])));
      assert.ok((await translation(page)).unchanged.words.endsWith(').'));
      assertQuiet(page);
    });
  });

  test('a finger chooses a head by its map, and enlarges none that is not chosen', async () => {
    await withPage({ hasTouch: true }, async (page) => {
      await open(page, '/#example=translator&step=overview&attention=cross_attention_1&head=2');
      const shown = () => page.evaluate(() => attentionLive.settled().then(() => [attentionLive.state().attention, attentionLive.legend().attention]));
      await page.touchscreen.tap(255, 395);
      assert.deepEqual(await shown(), ['decoder_self_attention', 'decoder_self_attention']);
      await page.evaluate(() => { attentionLive.set({ attention: 'cross_attention_1', head: 2 }); });
      assert.deepEqual(await shown(), ['cross_attention_1', 'cross_attention_1']);
      assertQuiet(page);
    });
  });

  test('what heads do over 500 held-out sentences: on the map, in a link and in the text', async () => {
    await withPage({}, async (page) => {
      const state = () => page.evaluate(() => window.attentionLive.settled().then(() => window.attentionLive.state()));
      await open(page, '/#example=translator&step=overview&attention=encoder_self_attention&held_out_heads=true');
      assert.equal((await state()).held_out_heads, true);
      assert.match(await page.evaluate(() => window.attentionLive.link()), /held_out_heads=true/);
      const { heads, held_out_sentences: count } = await translation(page);
      assert.equal(count, 500);
      assert.ok(heads.every(({ held_out: { pattern, share } }) => share > 0 && share <= 1 && (pattern === 'several tokens per row') === (share < 0.45)));
      await read(page);
      const text = page.locator('.attention-live-mirror');
      const told = (which) => text.getByText(which).textContent();
      const percent = ({ pattern, share }) => `head 0 ${pattern} ${Math.round(share * 100)} %`;
      const heldOut = await told(/over 500 held-out sentences: /);
      assert.ok(heldOut.includes(percent(heads[0].held_out)));
      assert.match(heldOut, /Held-out sentences were not used in training\./);
      await text.getByRole('checkbox', { name: 'Say what heads do over held-out sentences, not over this one' }).click();
      assert.equal((await state()).held_out_heads, false);
      assert.ok((await told(/in this sentence: /)).includes(percent(heads[0])));
      await page.evaluate(() => window.attentionLive.set({ variant: 'untrained' }));
      assert.equal((await translation(page)).held_out_sentences, 0);
      assertQuiet(page);
    });
  });

  test('another word is chosen in the panel or in the text, and the sentence goes on from there', async () => {
    await withPage({}, async (page) => {
      const state = () => page.evaluate(() => window.attentionLive.settled().then(() => window.attentionLive.state()));
      await open(page, '/#example=translator&step=sentence');
      const [first] = (await translation(page)).tokens;
      const second = first.candidates[1];
      await page.mouse.click(1100, 572); // the header Translation
      await page.evaluate(() => window.attentionLive.settled());
      await page.mouse.click(1075, 504); // the second candidate for the first word
      assert.deepEqual((await state()).translation_begin, [second.token]);
      const other = await translation(page);
      assert.ok(other.text.startsWith(second.text), other.text);
      assert.notEqual(other.text, 'Él la admiró como un gran director.');
      await page.evaluate(() => window.attentionLive.undo());
      assert.deepEqual((await state()).translation_begin, []);
      // In the decoder the words belong to the chosen query.
      await page.evaluate(() => window.attentionLive.set({ attention: 'cross_attention', query: 2 }));
      await state();
      const { tokens } = await translation(page);
      await page.mouse.click(1075, 504);
      assert.deepEqual((await state()).translation_begin,
        [tokens[0].token, tokens[1].token, tokens[2].candidates[1].token]);
      await page.evaluate(() => window.attentionLive.undo());

      await read(page);
      const list = (name) => page.locator('.attention-live-mirror').getByRole('combobox', { name, exact: true });
      const third = (await translation(page)).tokens[2];
      await list('Word of the translation').selectOption('2');
      assert.equal(await list('Say there').inputValue(), String(third.token));
      await list('Say there').selectOption(String(third.candidates[2].token));
      assert.equal((await state()).translation_begin.length, 3);
      assert.equal((await translation(page)).tokens[2].token, third.candidates[2].token);
      await page.evaluate(() => window.attentionLive.set({ variant: 'untrained', translation_begin: [] }));
      const untrained = await translation(page);
      assert.ok(untrained.tokens[0].probability < 0.05);
      assertQuiet(page);
    });
  });

  test('a beam lists what it found, and the one that is chosen is shown', async () => {
    await withPage({}, async (page) => {
      const state = () => page.evaluate(() => window.attentionLive.settled().then(() => window.attentionLive.state()));
      await open(page, '/#example=translator&step=sentence');
      const greedy = await translation(page);
      assert.deepEqual(greedy.finished, []);
      await page.mouse.click(1100, 572); // the header Translation
      await page.evaluate(() => window.attentionLive.settled());
      await page.mouse.click(1196, 362); // beam of 4
      assert.equal((await state()).beam, 4);
      const { finished, text } = await translation(page);
      assert.ok(finished.length >= 4);
      assert.deepEqual(finished.map(({ shown }) => shown), finished.map((_, i) => i === 0));
      assert.equal(finished[0].text, text);
      await page.mouse.click(1100, 442); // the second of the list
      assert.deepEqual((await state()).translation_begin, finished[1].tokens);
      const second = await translation(page);
      assert.equal(second.text, finished[1].text);
      assert.deepEqual(second.finished.map(({ text }) => text), finished.map(({ text }) => text));
      const { shape } = await tensor(page, 'cross_attention_3.attention_weights');
      assert.equal(shape[2], finished[1].tokens.length);

      const link = await page.evaluate(() => window.attentionLive.link());
      assert.match(link, /beam=4/);
      await page.evaluate(() => window.attentionLive.undo());
      assert.equal((await translation(page)).text, text);
      await page.evaluate((again) => window.attentionLive.open(again), link);
      assert.equal((await translation(page)).text, finished[1].text);

      await read(page);
      const list = (name) => page.locator('.attention-live-mirror').getByRole('combobox', { name, exact: true });
      assert.equal(await list('Found by the beam').inputValue(), '1');
      await list('Found by the beam').selectOption('2');
      assert.equal((await translation(page)).text, finished[2].text);
      await list('Decoding').selectOption('1');
      assert.deepEqual(await state().then(({ beam, translation_begin: begin }) => ({ beam, begin })), { beam: 1, begin: [] });
      assert.equal((await translation(page)).text, greedy.text);
      assert.equal(await list('Found by the beam').count(), 0);
      assertQuiet(page);
    });
  });

  test('a link waits for it: twelve attentions, and every keystroke is translated', async () => {
    await withPage({}, async (page) => {
      await open(page, '/#example=translator&step=softmax&attention=cross_attention_2&sentence=Thank%20you.');
      const { example, attention, sentence } = await page.evaluate(() => window.attentionLive.state());
      assert.deepEqual({ example, attention, sentence },
        { example: 'translator', attention: 'cross_attention_2', sentence: 'Thank you.' });
      const before = (await translation(page)).text;
      const { shape } = await tensor(page, 'cross_attention_2.attention_weights');
      assert.equal(shape[1], 8);
      const attentions = await page.evaluate(() => window.attentionLive.choices().attentions.map(({ id }) => id));
      assert.equal(new Set(attentions).size, 12);
      await page.mouse.click(480, 20); // the field in the bar
      await page.keyboard.press('End');
      await page.keyboard.type(' Hello.', { delay: 30 });
      await page.evaluate(() => window.attentionLive.settled());
      assert.equal((await page.evaluate(() => window.attentionLive.state())).sentence, 'Thank you. Hello.');
      assert.notEqual((await translation(page)).text, before);
      assertQuiet(page);
    });
  });

  test('a head that is off, and a sentence that cannot be: the last good one stays', async () => {
    await withPage({}, async (page) => {
      await open(page, '/#example=translator&sentence=Thank%20you.');
      const before = await translation(page);
      await page.evaluate(() => window.attentionLive.set({ ablated_heads: { cross_attention: [0, 1, 2, 3, 4, 5, 6, 7] } }));
      assert.notEqual((await translation(page)).tokens[0].probability, before.tokens[0].probability);
      const told = await page.evaluate((cats) => {
        try {
          window.attentionLive.set({ sentence: cats });
          return 'nothing';
        } catch (cause) {
          return cause.message;
        }
      }, 'cat '.repeat(200));
      assert.match(told, /200 tokens|at most/);
      assert.equal((await page.evaluate(() => window.attentionLive.state())).sentence, 'Thank you.');
    });
  });

  for (const [what, answer, sentence] of [
    ['does not come', (response) => { response.writeHead(404); response.end(); }, /could not be downloaded: the server answered 404/],
    ['breaks off', (response) => response.destroy(), /the connection failed/],
    ['is damaged', (response) => { response.writeHead(200); response.end('{}'); }, /The translator’s weights: /],
    ['has another number in it', (response) => { response.writeHead(200); response.end(otherNumbers); },
      /has been changed, or comes from another version/],
  ]) {
    test(`where its file ${what} the link says so, and the others go on`, async () => {
      const intercept = (path, response) => path === weights && (answer(response), true);
      const init = () => {
        window.addEventListener('attention-live-start', ({ detail }) => { window.problems = detail.problems; }, true);
      };
      await withPage({ server: { intercept }, init }, async (page) => {
        await page.goto(`${page.origin}/#example=translator&step=softmax`);
        await page.evaluate(() => window.attentionLive.ready.then(() => {}));
        assert.match((await page.evaluate(() => window.problems)).join(' '), sentence);
        assert.ok(!(await examples(page)).includes('translator'));
        await page.evaluate(() => window.attentionLive.set({ example: 'counting', step: 'softmax' }));
        assert.equal((await page.evaluate(() => window.attentionLive.state())).example, 'counting');
      });
    });
  }
});

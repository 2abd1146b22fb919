// Parts that are loaded when they are first needed, and are not there, as after a new version: a sentence names the part,
// and the next try brings it.

import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { after, afterEach, before, describe, test } from 'node:test';

import { article, authorFiles } from './figures.mjs';
import { api, launch, newPage, open, serve } from './support.mjs';

const web = fileURLToPath(new URL('../../web', import.meta.url));
let missing = null; // the path that the server does not have
let server;
let browser;
let page;
before(async () => {
  server = await serve({
    extra: {
      ...authorFiles,
      '/figure.html': article('<attention-live id="fig" example="counting" poster="off" load="eager"></attention-live>'),
      '/german.html': article('<attention-live id="fig" lang="de" example="counting" poster="off" load="eager"></attention-live>'),
      '/lesson.html': article('<attention-live id="fig" src="/lessons/first-lesson.json" poster="off" load="eager"></attention-live>'),
    },
    intercept: (path, response) => {
      if (path !== missing) return false;
      response.writeHead(404);
      response.end();
      return true;
    },
  });
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await server?.close();
});
afterEach(() => page?.context().close());

const openPage = async (path) => {
  page = await newPage(browser, { origin: server.origin, viewport: { width: 1100, height: 700 } });
  await page.goto(page.origin + path);
};
const inElement = (path) => async () => {
  await openPage(path);
  await page.waitForFunction(() => document.querySelector('#fig').running);
};
const onPage = async () => {
  page = await newPage(browser, { origin: server.origin, viewport: { width: 1100, height: 700 } });
  await open(page, '/#example=counting&step=scores');
};
const figure = () => page.locator('#fig');

describe('a part that stands in the page: a sentence, and Try again', () => {
  for (const { part, opens, use = () => {}, there } of [
    { part: '/element/lesson/lesson.mjs', opens: () => openPage('/lesson.html'), there: () => figure().getByText('1 of 5').waitFor() },
    {
      part: '/mirror/mirror.mjs', opens: inElement('/figure.html'),
      use: () => page.evaluate(() => document.querySelector('#fig').shadowRoot.querySelector('.attention-live-read').click()),
      there: () => page.locator('.attention-live-mirror h2').first().waitFor(),
    },
    {
      part: '/element/embed/embed_dialog.mjs', opens: onPage, use: () => page.locator('.attention-live-embed-button').click(),
      there: () => page.locator('dialog').waitFor(),
    },
    {
      part: '/program/texts/de.mjs', opens: () => openPage('/german.html'),
      there: () => page.waitForFunction(() => document.querySelector('#fig').shadowRoot.querySelector('.program').lang === 'de'),
    },
    {
      part: '/texts/de/texts.mjs', opens: () => openPage('/german.html'),
      there: () => figure().locator('.attention-live-read').getByText('Als Text lesen').waitFor({ state: 'attached' }),
    },
  ]) {
    test(part, async () => {
      missing = part;
      await opens();
      await use();
      const notice = page.locator('.attention-live-missing');
      await notice.waitFor();
      assert.match(await notice.innerText(), new RegExp(`^${part.split('/').pop()} (could not be loaded|konnte nicht geladen werden)`));
      await notice.getByRole('button').click(); // it is still missing
      await notice.waitFor();
      missing = null;
      await notice.getByRole('button').click();
      await there();
      assert.equal(await notice.count(), 0);
      assert.deepEqual(page.heard.errors, []);
    });
  }
});

test('the file of a lesson: a sentence, and Try again', async () => {
  missing = '/lessons/first-lesson.json';
  await openPage('/lesson.html');
  const again = figure().getByRole('button', { name: 'Try again' });
  const sentence = figure().getByText('The lesson first-lesson.json could not be fetched: the server answered 404.');
  await again.waitFor();
  await sentence.waitFor();
  await again.evaluate((button) => { button.firstTry = true; });
  await again.press('Enter'); // it is still missing
  await page.waitForFunction(() => {
    const { activeElement } = document.querySelector('#fig').shadowRoot;
    return activeElement?.textContent === 'Try again' && !activeElement.firstTry;
  });
  await sentence.waitFor();
  missing = null;
  await again.press('Enter');
  await figure().getByText('1 of 5').waitFor();
  assert.equal(await again.count(), 0);
  assert.equal(await page.evaluate(() => document.querySelector('#fig').shadowRoot.activeElement.textContent), 'Next');
});

describe('a part that the program asks for: a sentence, and the next time it comes', () => {
  const words = () => page.evaluate(() => window.attentionLive.typeWords('x').catch(({ message }) => message));
  const save = (as) => async () => {
    await api(page, 'save', { as });
    await page.waitForFunction((name) => window.attentionLive.message().includes(name), as === 'webm' ? 'film.mjs' : 'save.mjs');
    return api(page, 'message');
  };
  const saves = (as) => async () => {
    const [download] = await Promise.all([page.waitForEvent('download'), api(page, 'save', { as })]);
    assert.match(download.suggestedFilename(), new RegExp(`${as}$`));
  };
  const drop = () => page.evaluate(async () => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 16, height: 16 });
    const blob = await new Promise((resolve) => { canvas.toBlob(resolve); });
    const files = new DataTransfer();
    files.items.add(new File([blob], 'x.png'));
    document.querySelector('canvas').dispatchEvent(new DragEvent('drop', { dataTransfer: files, bubbles: true, cancelable: true }));
  });
  for (const { part, fails, works } of [
    { part: '/program/saving/save.mjs', fails: save('safetensors'), works: saves('safetensors') },
    { part: '/program/own_layer/own_layer.mjs', fails: words, works: async () => assert.match(await words(), /^Tokens are typed/) },
    {
      part: '/program/pictures/picture_file.mjs',
      fails: async () => {
        await drop();
        await page.waitForFunction(() => window.attentionLive.message());
        return api(page, 'message');
      },
      works: async () => {
        await drop();
        await page.waitForFunction(() => window.attentionLive.state().example === 'image-patches');
      },
    },
    { part: '/program/saving/film.mjs', fails: save('webm'), works: saves('webm') },
  ]) {
    test(part, async () => {
      missing = part;
      await onPage();
      for (let twice = 0; twice < 2; twice += 1) {
        assert.match(await fails(), new RegExp(`^${part.split('/').pop()} could not be loaded`));
      }
      missing = null;
      await works();
    });
  }
});

test('every part is loaded in the way that says what is missing', () => {
  const modules = readdirSync(web, { recursive: true }).filter((name) => name.endsWith('.mjs') && name !== 'engine.mjs');
  // What fetches the program itself, and says so; a table whose entries are given to part().
  const own = ['program/files.mjs', 'program/language.mjs'];
  for (const name of modules.filter((each) => !own.includes(each))) {
    for (const line of readFileSync(join(web, name), 'utf8').split('\n')) {
      if (/\bimport\('/.test(line) && !/^ *(\/\/|\/?\*)/.test(line)) assert.match(line, /\bpart\(\(\) => import\('/, name);
    }
  }
});

// The program speaks the language of the page around it, or that of ?lang=; where its texts cannot be loaded, English.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';

import { assertQuiet, launch, newPage, serve } from './support.mjs';

const said = (language, room, key) => JSON.parse(readFileSync(
  new URL(`../../src/texts/${language}/${room}.json`, import.meta.url), 'utf8'))[key];
const title = (language) => said(language, 'lesson', 'lesson.step.softmax.title');

const figure = (attributes, html = 'en') => `<!doctype html><html lang="${html}"><meta charset="utf-8"><title>A course</title>
  <script type="module" src="/attention-live.js"></script>
  <p>Text<p><attention-live example="counting" step="softmax" load="eager" ${attributes}></attention-live>`;
const extra = {
  '/spanish.html': figure('', 'es-MX'),
  '/german-figure.html': figure('lang="de"'),
  '/french.html': figure('', 'fr'),
  '/nested.html': figure('').replace('<p><attention', '<div lang="ES"><attention'),
};

let browser;
let server;
before(async () => {
  [browser, server] = [await launch(), await serve({ extra })];
});
after(() => Promise.all([browser?.close(), server?.close()]));

/** The title of what a page shows, and the language that it says it is in. */
async function shown(path, ...refused) {
  const page = await newPage(browser, { origin: server.origin });
  for (const each of refused) await page.route(`**${each}`, (route) => route.abort());
  await page.goto(server.origin + path);
  const found = await page.evaluate(async () => {
    const element = document.querySelector('attention-live');
    if (element) await customElements.whenDefined('attention-live');
    const described = element ? await element.ready.then(() => element.describe())
      : (await window.attentionLive.ready).describe();
    const container = (element?.shadowRoot ?? document).querySelector('.attention-live');
    return { title: described.step.title, lang: container.lang };
  });
  return { page, found };
}

test('the start page speaks the language of its address', async () => {
  for (const language of ['en', 'es', 'de']) {
    const { page, found } = await shown(`/?lang=${language}#v=1&example=counting&step=softmax`);
    assert.deepEqual(found, { title: title(language), lang: language });
    assertQuiet(page);
    const texts = new Set(page.heard.requests.filter((url) => /\/texts\/(de|es)\b/.test(url)).map((url) => url.split('/texts/')[1].slice(0, 2)));
    assert.deepEqual([...texts], language === 'en' ? [] : [language], 'only the texts that are needed are loaded');
    await page.context().close();
  }
});

test('a figure speaks the language of what is around it, whatever the page speaks', async () => {
  const wanted = { '/spanish.html': 'es', '/german-figure.html': 'de', '/french.html': 'en', '/nested.html': 'es' };
  for (const [path, language] of Object.entries(wanted)) {
    const { page, found } = await shown(path);
    assert.deepEqual(found, { title: title(language), lang: language }, path);
    assertQuiet(page);
    await page.context().close();
  }
});

test('a language that there is not is English', async () => {
  const { page, found } = await shown('/?lang=xx"><b>#v=1&example=counting&step=softmax');
  assert.equal(found.title, title('en'));
  await page.context().close();
});

test('texts that cannot be loaded leave the program in English, which is said', async () => {
  const { page, found } = await shown('/?lang=es#v=1&example=counting&step=softmax', '/program/texts/es.mjs');
  assert.equal(found.title, title('en'));
  assert.equal(found.lang, '');
  await page.context().close();
});

test('messages are in that language, too', async () => {
  const { page } = await shown('/?lang=de#v=1&example=counting&step=softmax');
  const message = await page.evaluate(() => {
    try {
      window.attentionLive.set({ example: 'nonsense' });
    } catch (cause) {
      return cause.message;
    }
    return '';
  });
  assert.notEqual(message, '');
  assert.doesNotMatch(message, /\b(the|must|allowed)\b/i);
  await page.context().close();
});

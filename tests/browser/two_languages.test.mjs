// Figures of several languages on one page: each says everything in its own.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';

import { article, authorFiles, openArticle } from './figures.mjs';
import { launch, newPage, serve } from './support.mjs';

const languages = ['en', 'de', 'es'];
/** What each says, by key: the texts of all rooms, which lie over one another as the page has them. */
const texts = {};
for (const language of languages) {
  texts[language] = {};
  for (const room of ['element', 'lesson', 'mirror', 'own_layer', 'program']) {
    Object.assign(texts[language], (await import(`../../web/texts/${language}/${room}.mjs`)).default);
  }
}
const program = (language, key) => JSON.parse(readFileSync(new URL(`../../src/texts/${language}/lesson.json`, import.meta.url), 'utf8'))[key];

const figure = (language, more = '') => (
  `<attention-live id="${language}" lang="${language}" example="counting" step="softmax" load="eager" ${more}></attention-live>`);
const lost = (language) => figure(language, 'src="/lost.json"');
const extra = {
  ...authorFiles,
  '/three.html': article(languages.map((each) => figure(each)).join('')),
  // The last one that loads its texts is another one.
  '/turned.html': article([...languages].reverse().map((each) => figure(each)).join('')),
  '/clicks.html': article(languages.map((each) => figure(each).replace('eager', 'click')).join('')),
  '/lost.html': article(languages.map(lost).join('')),
};

let server;
let browser;
before(async () => { [server, browser] = [await serve({ extra }), await launch()]; });
after(() => Promise.all([browser?.close(), server?.close()]));

async function withPage(use, path, ...ids) {
  const page = await newPage(browser, { origin: server.origin, viewport: { width: 900, height: 700 } });
  try {
    if (path) await openArticle(page, path, ...ids);
    await use(page);
  } finally {
    await page.context().close();
  }
}

/** Sentences of another language than its own, among all that is said in a figure. */
const strangers = (words, language) => {
  const own = new Set(Object.values(texts[language]));
  return words.filter((each) => !own.has(each) && languages.some((other) => other !== language && Object.values(texts[other]).includes(each)));
};
/** Everything that is said in a shadow root: texts, names, titles. */
const saidBy = (page, id) => page.evaluate((name) => {
  const root = document.getElementById(name).shadowRoot;
  const words = new Set();
  for (const element of root.querySelectorAll('*')) {
    for (const each of ['aria-label', 'title', 'placeholder', 'aria-valuetext']) if (element.hasAttribute(each)) words.add(element.getAttribute(each));
    if (element.localName === 'option' && element.value === 'both') continue; // a mask’s name, in every language
    for (const node of element.childNodes) if (node.nodeType === Node.TEXT_NODE && node.data.trim()) words.add(node.data.trim());
  }
  return [...words];
}, id);

for (const path of ['/three.html', '/turned.html']) {
  test(`buttons and “Read as text”: ${path}`, () => withPage(async (page) => {
    for (const language of languages) {
      const own = page.locator(`#${language}`);
      await own.locator('.attention-live-read').evaluate((button) => button.click());
      await own.getByText(texts[language]['mirror.page.close'], { exact: true }).waitFor();
      await own.getByRole('heading', { name: program(language, 'lesson.step.softmax.title') }).waitFor();
      await own.locator('.attention-live-mirror li > button[aria-expanded]').first().evaluate((button) => button.click());
      const said = await saidBy(page, language);
      for (const key of ['element.screen.full', 'program.mirror.open', 'program.canvas.field', 'mirror.view.theme_dark', 'mirror.training.title', 'mirror.grid.copy_table']) {
        assert.ok(said.includes(texts[language][key]), `${language}: ${key}`);
      }
      assert.deepEqual(strangers(said, language), [], language);
    }
  }, path, ...languages));
}

test('buttons of figures that wait, also after another language', () => withPage(async (page) => {
  await page.goto(`${server.origin}/clicks.html`);
  const named = (id, language) => page.waitForFunction(([each, words]) => (
    document.getElementById(each).shadowRoot?.querySelector('.go').title === words), [id, texts[language]['element.start.label']]);
  for (const language of languages) await named(language, language);
  await page.evaluate(() => { document.getElementById('en').lang = 'es'; });
  await named('en', 'es');
  await named('de', 'de');
}));

test('why a lesson does not come', () => withPage(async (page) => {
  await page.goto(`${server.origin}/lost.html`);
  for (const language of languages) {
    const sentence = texts[language]['lesson.file.status'].replace('{file}', 'lost.json').replace('{status}', '404');
    await page.locator(`#${language}`).getByText(sentence, { exact: true }).waitFor();
  }
}));

test('why the program does not come: one download, three languages', () => withPage(async (page) => {
  await page.route('**/*.wasm', (route) => route.abort());
  await page.goto(`${server.origin}/three.html`);
  for (const language of languages) {
    const own = page.locator(`#${language}`);
    const sentence = texts[language]['program.download.failed'].replace('{reason}', texts[language]['program.download.connection']);
    await own.getByText(sentence, { exact: true }).waitFor();
    await own.getByText(texts[language]['program.loading.again'], { exact: true }).waitFor();
  }
}));

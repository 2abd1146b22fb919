// What the tests of figures in other people's pages share: an author's page around <attention-live>.

/** An author's page. */
export function article(body, { style = '' } = {}) {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Week 3</title>
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <link rel="icon" href="/icon.svg"><link rel="stylesheet" href="/author.css">
    <script type="module" src="/attention-live.js"></script><script src="/author.js"></script>${style}
    <body>${body}</body></html>`;
}

/** Files beside an author's page: every event of every figure is written down. */
export const authorFiles = {
  '/author.css': 'body { margin: 16px; font: 18px/1.5 serif; } .gap { height: 1500px; } .small { height: 420px; }',
  '/author.js': `window.told = [];
    for (const type of ['statechange', 'stepchange', 'edit', 'cellhover', 'error', 'start', 'stop']) {
      document.addEventListener(type, (event) => {
        if (event instanceof CustomEvent) window.told.push({ type, id: event.target.id, detail: event.detail });
      });
    }
    window.figure = (id) => document.getElementById(id);`,
};

/** Events of a type since the last time, and forgets them. */
export const told = (page, type) => page.evaluate((wanted) => {
  const found = window.told.filter((each) => each.type === wanted);
  window.told = window.told.filter((each) => each.type !== wanted);
  return found.map(({ id, detail }) => ({ id, ...detail }));
}, type);

/** Waits for the figures that are named. */
export const started = (page, ...ids) => page.evaluate(async (wanted) => {
  await customElements.whenDefined('attention-live');
  await Promise.all(wanted.map((id) => document.getElementById(id).ready));
}, ids);

/** Opens an author's page and waits for the figures that are named. */
export async function openArticle(page, path, ...ids) {
  await page.goto(page.origin + path);
  await started(page, ...ids);
}

/** Calls a method of a figure; its sentence arrives as an error. */
export const ask = (page, id, method, ...values) =>
  page.evaluate(([name, what, list]) => document.getElementById(name)[what](...list), [id, method, values]);

export const stateOf = (page, id) => page.evaluate((name) => document.getElementById(name).state, id);
export const runningIn = (page) => page.evaluate(() =>
  [...document.querySelectorAll('attention-live')].filter((figure) => figure.running).length);
export const focusFigure = (page, id) => page.evaluate((name) => document.getElementById(name).focus(), id);

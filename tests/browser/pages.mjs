// What tests that open pages of the program begin with.

import { after, afterEach, before } from 'node:test';

import { inUse, launch, newPage, open, serve } from './support.mjs';

/** A window with room for every part of the program and the line under it; software draws it in half the time of a usual one. */
export const small = { width: 1024, height: 670 };

/** The example that a link means which names none: three words, all three attentions. */
export const usual = '/#step=overview';

/**
 * A server and a browser for the tests of a file.
 *
 * A new page costs about two seconds of computing: a process, the program compiled, its shaders. Where that is not what
 * is looked at, a test gets the page of an earlier one that asked for the same, after it has left the program and
 * everything that it held. A test that changes more than the document (the window's size, the media) closes its page.
 * @param {{server?: object, cold?: boolean}} options of serve(); whether every page is a new one; all others are what
 *   newPage() is told for each page
 * @returns what opens a page of the program: (path, options of newPage). Its `blank(options)` gives a page that has
 *   gone nowhere yet. What a test leaves open, it need not close.
 */
export function withPages({ server: serving = {}, cold = false, ...always } = {}) {
  let server;
  let browser;
  const free = new Map(); // what was asked for → pages that the tests before have left
  const used = new Map(); // page of the test that runs → what was asked for
  before(async () => {
    server = await serve({ ...serving, extra: { '/left.html': nothing, ...serving.extra } });
    browser = await launch();
  });
  after(async () => {
    await browser?.close();
    await server?.close();
  });
  afterEach(async () => {
    for (const [page, asked] of used) {
      if (page.isClosed()) continue;
      if (asked) free.set(asked, [...(free.get(asked) ?? []), await left(page)]);
      else await page.context().close();
    }
    used.clear();
  });

  const blank = async (options = {}) => {
    inUse(browser);
    const wanted = { origin: server.origin, ...always, ...options };
    const asked = cold || wanted.init ? null : JSON.stringify(wanted);
    const page = free.get(asked)?.pop() ?? await newPage(browser, wanted);
    used.set(page, asked);
    return page;
  };
  const openPage = async (path = usual, options = {}) => {
    const page = await blank(options);
    await open(page, path);
    return page;
  };
  return Object.assign(openPage, { blank });
}

let kept; // the browser of the tests below, once there is one
after(async () => (await kept)?.close());

/** The browser that the tests of a file share which have pages in profiles of their own; started when first asked for. */
export async function sharedBrowser() {
  if (!(await kept)?.isConnected()) kept = launch();
  return kept;
}

/**
 * Runs `body` with a server and a page in a profile of its own, and takes them down whatever happens; with `browser`
 * in a browser of its own, launched so.
 */
export async function withPage({ server: serving = {}, browser: launching = null, ...context }, body) {
  const server = await serve(serving);
  const browser = launching ? await launch({ seconds: 120, ...launching }) : await sharedBrowser();
  let page;
  try {
    page = await newPage(browser, { origin: server.origin, ...context });
    await body(page);
  } finally {
    await (launching ? browser : page?.context())?.close();
    await server.close();
  }
}

const nothing = '<!doctype html><meta charset="utf-8"><title>left</title><link rel="icon" href="icon.svg">';

/**
 * The page as it was when it was new, but for what the browser knows of the site. It goes to a page of the site: at
 * about:blank, what the one before still asks for is refused, since it then comes from nowhere.
 */
async function left(page) {
  await page.goto(`${page.origin}/left.html`);
  await page.mouse.up();
  await page.mouse.move(-1, -1);
  for (const heard of Object.values(page.heard)) heard.length = 0;
  return page;
}

// What tests that open pages of the program begin with.

import { after, before } from 'node:test';

import { launch, newPage, open, serve } from './support.mjs';

/**
 * A server and a browser for the tests of a file.
 * @returns what opens a page of the program: (path, options of newPage); with reduced motion, if nothing else is said
 */
export function withPages() {
  let server;
  let browser;
  before(async () => {
    server = await serve();
    browser = await launch();
  });
  after(async () => {
    await browser?.close();
    await server?.close();
  });
  return async (path = '/', options = {}) => {
    const page = await newPage(browser, { origin: server.origin, reducedMotion: 'reduce', ...options });
    await open(page, path);
    return page;
  };
}

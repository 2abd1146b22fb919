// The page's input alone, web/program/input/input.mjs, in real Chromium: the canvas stands in a page that scrolls and has controls of
// its own, and a stand-in for the program writes down what it is told.

import { withPages } from './pages.mjs';

const extra = {
  '/harness.html': `<!doctype html><meta charset="utf-8"><title>harness</title><link rel="icon" href="icon.svg">
    <link rel="stylesheet" href="style.css"><link rel="stylesheet" href="harness.css">
    <input id="before" value="page"><div id="container" class="attention-live attention-live-ready">
    <canvas class="attention-live-canvas" tabindex="0"></canvas>
    <textarea class="attention-live-text" tabindex="-1"></textarea></div>
    <button id="after">after</button><script type="module" src="harness.mjs"></script>`,
  '/harness.css': `html, body { height: auto; overflow: visible; } body { display: block; height: 3000px; }
    #before, #after { display: block; box-sizing: border-box; height: 40px; margin: 0; }
    #container { position: relative; width: 600px; height: 400px; }`,
  '/harness.mjs': `import { connectInput } from './program/input/input.mjs';
    import { adoptStyle } from './program/style.mjs';
    adoptStyle(document);
    window.log = [];
    const answers = { key: (code) => code !== 'Unidentified', panelScrolls: () => window.panelScrolls };
    const program = new Proxy({}, {
      get: (_, name) => (...values) => {
        window.log.push([name, ...values]);
        window.during?.[name]?.(...values);
        return answers[name]?.(...values);
      },
    });
    const canvas = document.querySelector('canvas');
    window.input = connectInput(canvas, document.querySelector('textarea'), program);
    window.connected = true;`,
};
/** Where the canvas begins. */
export const top = 40;

/** For a test file; `open` opens the page for a test. */
export class Harness {
  #openPage = withPages({
    server: { extra }, viewport: { width: 800, height: 600 }, reducedMotion: 'no-preference',
  });

  async open(options = {}) {
    this.page = await this.#openPage.blank(options);
    this.page.session ??= await this.page.context().newCDPSession(this.page);
    this.cdp = this.page.session;
    await this.page.goto(`${this.page.origin}/harness.html`);
    await this.page.waitForFunction(() => window.connected);
    await this.told();
  }

  /** What the program has been told since the last time, without what `ignore` names. */
  async told(...ignore) {
    const log = await this.page.evaluate(() => window.log.splice(0));
    return log.filter(([name]) => name !== 'panelScrolls' && !ignore.includes(name));
  }

  /** The id, or else the tag, of what has the focus. */
  active() {
    return this.page.evaluate(() => document.activeElement.id || document.activeElement.tagName);
  }

  scrolled() {
    return this.page.evaluate(() => document.scrollingElement.scrollTop);
  }

  /** The program says whether it takes text. */
  takeText(wanted) {
    return this.page.evaluate((yes) => window.input.setTextField(yes, 10, 20, 16), wanted);
  }

  async focusCanvas() {
    await this.page.focus('canvas');
    await this.told();
  }
}

/** The names of what was told. */
export const names = (log) => log.map(([name]) => name);

// Firefox for the tests, by WebDriver BiDi over one WebSocket: playwright-core cannot drive the Firefox of a
// distribution. Without a window this Firefox has no WebGL, so it gets a virtual display and Mesa's software renderer.

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

import { WebSocket } from 'ws';

import { FirefoxPage } from './firefox_page.mjs';

const startSeconds = 60;

const preferences = {
  'webgl.force-enabled': true,
  'webgl.forbid-software': false,
  'browser.shell.checkDefaultBrowser': false,
  'browser.aboutwelcome.enabled': false,
  'browser.startup.page': 0,
  'datareporting.policy.dataSubmissionEnabled': false,
  'datareporting.healthreport.uploadEnabled': false,
  'toolkit.telemetry.enabled': false,
  'app.normandy.enabled': false,
  'app.update.disabledForTesting': true,
  'browser.safebrowsing.update.enabled': false,
  'browser.region.network.url': '',
  'extensions.update.enabled': false,
  'extensions.getAddons.cache.enabled': false,
  'media.gmp-manager.updateEnabled': false,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'network.dns.disablePrefetch': true,
  'services.settings.server': 'data:,#',
  'dom.disable_beforeunload': true,
};

export function findFirefox() {
  for (const name of [process.env.FIREFOX, 'firefox-esr', 'firefox'].filter(Boolean)) {
    for (const folder of ['', ...process.env.PATH.split(delimiter)]) {
      if (existsSync(join(folder, name))) return join(folder, name);
    }
  }
  throw new Error('Firefox is missing: install the package firefox-esr, or set FIREFOX to its path.');
}

const events = ['log.entryAdded', 'network.beforeRequestSent', 'network.responseCompleted', 'network.fetchError'];

/** One Firefox, with a page that is there at once. */
export class Firefox {
  #pages = new Map(); // context → page
  #frames = new Map(); // context of a frame → that of what it stands in
  #waiting = new Map();
  #last = 0;

  static async launch({ width = 1280, height = 800 } = {}) {
    const firefox = new Firefox();
    firefox.profile = await mkdtemp(join(tmpdir(), 'attention-live-firefox-'));
    const lines = Object.entries(preferences)
      .map(([name, value]) => `user_pref("${name}", ${JSON.stringify(value)});`);
    await writeFile(join(firefox.profile, 'user.js'), lines.join('\n'));
    firefox.process = spawn('xvfb-run', [
      '--auto-servernum', '--server-args=-screen 0 1600x1200x24', findFirefox(), '--no-remote', '--new-instance',
      '--profile', firefox.profile, '--remote-debugging-port=0',
      `--width=${width}`, `--height=${height}`, 'about:blank',
    ], {
      detached: true, // a group of its own, which is ended as a whole
      stdio: ['ignore', 'ignore', 'pipe'],
      env: {
        ...process.env,
        LIBGL_ALWAYS_SOFTWARE: '1', MOZ_ENABLE_WAYLAND: '0', WAYLAND_DISPLAY: '', HOME: firefox.profile,
      },
    });
    try {
      await firefox.#connect(await firefox.#address());
      await firefox.page.setViewportSize({ width, height });
    } catch (cause) {
      await firefox.close();
      throw cause;
    }
    return firefox;
  }

  #address() {
    return new Promise((resolve, reject) => {
      let said = '';
      const fail = (what) => reject(new Error(`Firefox ${what}: ${said.slice(-1000)}`));
      const timer = setTimeout(() => fail('says nothing of its address'), startSeconds * 1000);
      this.process.stderr.on('data', (data) => {
        said += data;
        const [, address] = /WebDriver BiDi listening on (ws:\S+)/.exec(said) ?? [];
        if (address) {
          clearTimeout(timer);
          resolve(address);
        }
      });
      this.process.on('error', (cause) => fail(cause.message));
      this.process.on('exit', (code) => fail(`ended with ${code}`));
    });
  }

  async #connect(address) {
    this.socket = new WebSocket(`${address}/session`);
    await new Promise((resolve, reject) => {
      this.socket.on('open', resolve);
      this.socket.on('error', reject);
    });
    this.socket.on('message', (data) => this.#receive(JSON.parse(data)));
    await this.#send('session.new', { capabilities: {} });
    const { contexts } = await this.#send('browsingContext.getTree', {});
    this.page = this.#add(contexts[0].context);
    await this.#send('session.subscribe', { events: [...events, 'browsingContext.contextCreated'] });
  }

  #add(context, origin) {
    const page = new FirefoxPage((method, params) => this.#send(method, params), context, origin);
    this.#pages.set(context, page);
    return page;
  }

  /** A new page in a profile of its own, which is in front of the others. */
  async newPage({ origin, viewport = { width: 1280, height: 800 } } = {}) {
    const { userContext } = await this.#send('browser.createUserContext', {});
    const { context } = await this.#send('browsingContext.create', { type: 'tab', userContext });
    const page = this.#add(context, origin);
    await page.setViewportSize(viewport);
    return page;
  }

  #receive(message) {
    if (message.type === 'event') {
      const { method, params } = message;
      if (method === 'browsingContext.contextCreated') {
        if (params.parent) this.#frames.set(params.context, params.parent);
        return;
      }
      let context = params.context ?? params.source?.context;
      while (this.#frames.has(context)) context = this.#frames.get(context);
      this.#pages.get(context)?.hear(method, params);
      return;
    }
    const waiting = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    if (message.type === 'success') waiting?.resolve(message.result);
    else waiting?.reject(new Error(`${message.error}: ${message.message}`));
  }

  #send(method, params) {
    this.#last += 1;
    const id = this.#last;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.socket.send(JSON.stringify({ id, method, params }));
    });
  }

  async close() {
    this.socket?.close();
    const ended = new Promise((resolve) => {
      if (this.process.exitCode !== null || this.process.signalCode !== null) resolve();
      else this.process.once('exit', resolve);
    });
    try {
      process.kill(-this.process.pid, 'SIGTERM');
    } catch {
      // ended already
    }
    const timer = setTimeout(() => {
      try {
        process.kill(-this.process.pid, 'SIGKILL');
      } catch {
        // ended meanwhile
      }
    }, 5000);
    await ended;
    clearTimeout(timer);
    await rm(this.profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  }
}

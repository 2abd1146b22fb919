// What the tests of the desktop window share: a virtual display of their own, and the program on it.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before } from 'node:test';
import { fileURLToPath } from 'node:url';

import { Hands } from './x11.mjs';

const repository = fileURLToPath(new URL('../..', import.meta.url));
export const executable = process.env.ATTENTION_LIVE_PROGRAM ?? join(repository, 'build', 'native', 'attention-live');
if (!existsSync(executable)) throw new Error(`There is no program ${executable}: build it, or set ATTENTION_LIVE_PROGRAM.`);

/** Mesa draws in software: there is no graphics card under a virtual display. */
const softwareGraphics = { LIBGL_ALWAYS_SOFTWARE: '1' };

/** An X server without a screen. `dpi` 96 is a pixel ratio of 1. */
export class Display {
  static async start({ dpi = 96, width = 2000, height = 1300 } = {}) {
    const display = new Display();
    display.children = new Set();
    display.folder = await mkdtemp(join(tmpdir(), 'attention-live-window-'));
    // The server picks a free number and writes it to descriptor 3 when it is ready.
    display.server = spawn(
      'Xvfb',
      ['-displayfd', '3', '-screen', '0', `${width}x${height}x24`, '-nolisten', 'tcp', '-fbdir', display.folder],
      { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] },
    );
    const [number] = await once(display.server.stdio[3], 'data');
    display.name = `:${String(number).trim()}`;
    display.hands = await Hands.on(display.name); // a server without any client would forget everything
    await display.hands.setDotsPerInch(dpi);
    return display;
  }

  async stop() {
    for (const child of this.children) child.kill('SIGKILL'); // of a test that failed half-way
    this.hands.close();
    const gone = once(this.server, 'exit');
    this.server.kill();
    await gone;
    await rm(this.folder, { recursive: true, force: true });
  }

  get environment() {
    // X11, also for a GLFW (3.4) that asks for Wayland first, whose library says something if there is none.
    const session = { DISPLAY: this.name, WAYLAND_DISPLAY: '', XDG_SESSION_TYPE: 'x11' };
    return { ...process.env, ...softwareGraphics, ...session, GTK_THEME: '' };
  }

  /** What is on the screen: the server's own memory, in the format of X Window Dump. */
  async screen() {
    const dump = await readFile(join(this.folder, 'Xvfb_screen0'));
    const word = (index) => dump.readUInt32BE(index * 4);
    const [headerSize, width, height, bytesPerLine, colours] = [0, 4, 5, 12, 19].map(word);
    const start = headerSize + colours * 12;
    return {
      width,
      height,
      at(x, y) {
        const place = start + Math.floor(y) * bytesPerLine + Math.floor(x) * 4;
        return [dump[place + 2], dump[place + 1], dump[place]]; // stored as blue, green, red
      },
    };
  }

}

/** A display and an empty folder for the tests of a file, {display, folder}, from its first test to its last. */
export function displayAndFolder() {
  const place = {};
  before(async () => {
    place.display = await Display.start();
    place.folder = await mkdtemp(join(tmpdir(), 'attention-live-files-'));
  });
  after(async () => {
    await place.display?.stop();
    if (place.folder) await rm(place.folder, { recursive: true, force: true });
  });
  return place;
}

/** Runs the program to its end. */
export async function run(words, environment) {
  const child = spawn(executable, words, { env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
  const said = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr']) child[name].on('data', (text) => { said[name] += text; });
  const [status] = await once(child, 'close');
  return { status, ...said };
}

/** The program in its test mode: a hidden window that answers questions. */
export class Script {
  constructor(display, ...words) {
    this.child = spawn(executable, ['window', '--script', ...words], {
      env: display.environment, stdio: ['pipe', 'pipe', 'pipe'],
    });
    display.children.add(this.child);
    this.child.on('close', () => display.children.delete(this.child));
    this.complaint = '';
    this.child.stderr.on('data', (text) => { this.complaint += text; });
    this.waiting = [];
    createInterface({ input: this.child.stdout }).on('line', (line) => this.waiting.shift()?.resolve(line));
    this.child.on('close', () => {
      for (const { reject } of this.waiting.splice(0)) reject(new Error(`it ended: ${this.complaint}`));
    });
  }

  /** One request, one answer; an error of the program is thrown. */
  async ask(method, request = {}) {
    const answer = JSON.parse(await this.line(JSON.stringify({ method, arguments: request })));
    if ('error' in answer) throw new Error(answer.error);
    return answer.result;
  }

  /** A line as it is, and the line that comes back. */
  line(text) {
    return new Promise((resolve, reject) => {
      this.waiting.push({ resolve, reject });
      this.child.stdin.write(`${text}\n`);
    });
  }

  async end() {
    const closed = once(this.child, 'close');
    this.child.stdin.end();
    const [status] = await closed;
    return status;
  }
}

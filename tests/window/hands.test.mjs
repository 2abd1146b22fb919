// The desktop window as a person uses it: shown on a virtual display, pointed at and typed into.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, test } from 'node:test';

import { coloursIn } from '../support/png.mjs';
import { until } from '../support/until.mjs';
import { Display, executable } from './support.mjs';
import { key } from './x11.mjs';

/** Processor time that a process has used, in clock ticks; Linux, proc(5). */
async function ticks(process) {
  const fields = (await readFile(`/proc/${process}/stat`, 'latin1')).split(') ')[1].split(' ');
  return Number(fields[11]) + Number(fields[12]);
}

const brightness = (colour) => colour.reduce((sum, channel) => sum + channel, 0) / 3;

for (const [dpi, ratio] of [[96, 1], [144, 1.5]]) {
  describe(`the window at a pixel ratio of ${ratio}`, () => {
    test('is shown, idles, hears the pointer and the keys, and closes', async () => {
      const display = await Display.start({ dpi });
      const child = spawn(executable, ['window', '--example', 'pool-beats-badminton'], {
        env: display.environment, stdio: ['ignore', 'ignore', 'pipe'],
      });
      let complaint = '';
      child.stderr.on('data', (text) => { complaint += text; });
      try {
        const drawn = async () => coloursIn(await display.screen(), 8) > 20;
        await until(drawn, 'the window is drawn');
        const { x, y } = await corner(display);

        await wait(500);
        const before = await ticks(child.pid);
        await wait(1000);
        assert.ok((await ticks(child.pid)) - before <= 2, 'a window that nothing happens to uses no processor');

        // The buttons stand where they stand on the page: "Theme" is the last in the bar, 24 pixels from the edge.
        const place = (left, top) => [x + left * ratio, y + top * ratio];
        const paper = async () => brightness((await display.screen()).at(...place(800, 70)));
        await until(async () => (await paper()) > 200, 'it begins light');
        for (let press = 0; press < 2 && (await paper()) > 100; ++press) {
          await display.hands.move(...place(1220, 25));
          await display.hands.click();
          await wait(400);
        }
        await until(async () => (await paper()) < 100, 'the button was hit where it is drawn: it is dark now');

        const picture = async () => {
          const screen = await display.screen();
          const list = [];
          for (let row = 60; row < 700; row += 9) {
            for (let column = 10; column < 940; column += 9) list.push(...screen.at(...place(column, row)));
          }
          return list.join();
        };
        const first = await picture();
        await display.hands.move(...place(480, 660));
        await display.hands.press(key.pageDown);
        await until(async () => (await picture()) !== first, 'a key goes to another step');
        assert.equal(complaint, '');
      } finally {
        child.kill();
        await once(child, 'close');
        await display.stop();
      }
    });
  });
}

/** The upper left corner of the window, which lies on black. */
async function corner(display) {
  const screen = await display.screen();
  for (let y = 0; y < screen.height; y += 1) {
    for (let x = 0; x < screen.width; x += 1) {
      if (brightness(screen.at(x, y)) > 10) return { x, y };
    }
  }
  throw new Error('there is no window');
}

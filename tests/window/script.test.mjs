// The desktop program in its test mode, on a virtual display: the same numbers, the same rule as the page.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';

import { checkCells } from '../support/cells.mjs';
import { coloursIn, decodePng } from '../support/png.mjs';
import { checkScripts } from '../support/scripts.mjs';
import { Display, displayAndFolder, run, Script } from './support.mjs';

const on = displayAndFolder();

const program = (script) => ({
  blocks: () => script.ask('blocks'),
  probes: async (places) => {
    const found = [];
    for (const place of places) found.push(await script.ask('probe', place));
    return found;
  },
  tensor: (name) => script.ask('tensor', { name }),
  state: () => script.ask('state'),
});

async function picture(script, name) {
  const path = join(on.folder, `${name}.png`);
  await script.ask('screenshot', { path });
  return decodePng(await readFile(path));
}

/** How many cells have exactly the colour they say, in a picture of that pixel ratio. */
function compareColours(seen, cells, ratio) {
  let compared = 0;
  for (const { rect: [x, y, width, height], color, tensor, index } of cells) {
    if (width * ratio < 12 || height * ratio < 12) continue;
    const drawn = seen.at((x + width * 0.22) * ratio, (y + height * 0.22) * ratio);
    const off = Math.max(...drawn.map((channel, at) => Math.abs(channel - color[at])));
    assert.ok(off <= 3, `${tensor}[${index}] is drawn as ${drawn}, not ${color}`);
    ++compared;
  }
  return compared;
}

describe('the window in its test mode', () => {
  for (const example of ['pool-beats-badminton', 'you-are-welcome', 'anthony-hopkins', 'your-sentence']) {
    test(`${example}: every cell is the number that was computed`, async () => {
      const script = new Script(on.display, '--example', example);
      assert.equal((await script.ask('state')).example, example);
      for (const step of ['overview', 'scores', 'reweight']) {
        await script.ask('set', { step });
        await checkCells(program(script), { width: 1280, height: 800 });
      }
      assert.equal(await script.end(), 0);
      assert.equal(script.complaint, '');
    });
  }

  test('a picture of it, with the colours of the numbers', async () => {
    const script = new Script(on.display, '--example', 'pool-beats-badminton');
    let compared = 0;
    for (const theme of ['light', 'dark']) {
      await script.ask('set', { step: 'softmax', theme });
      const cells = await checkCells(program(script), { width: 1280, height: 800 });
      const seen = await picture(script, theme);
      assert.deepEqual([seen.width, seen.height], [1280, 800]);
      assert.ok(coloursIn(seen) > 20, 'it is not blank');
      compared += compareColours(seen, cells, 1);
    }
    assert.ok(compared >= 10, `${compared} cells`);
    await script.end();
  });

  test('words of every script are drawn by the fonts of the system', async () => {
    const script = new Script(on.display, '--example', 'your-sentence');
    await checkScripts({
      set: (state) => script.ask('set', state),
      blocks: () => script.ask('blocks'),
      picture: () => picture(script, 'words'),
    });
    assert.equal(await script.end(), 0);
    assert.equal(script.complaint, '');
  });

  test('an edit, undo, redo and reset', async () => {
    const script = new Script(on.display, '--example', 'pool-beats-badminton');
    const output = async () => (await script.ask('tensor', { name: 'head_outputs' })).data;
    const before = await output();
    await script.ask('edit', { tensor: 'query_input', index: [0, 1, 1], value: -2 });
    const edited = await output();
    assert.notDeepEqual(edited, before);
    await script.ask('undo');
    assert.deepEqual(await output(), before);
    await script.ask('redo');
    assert.deepEqual(await output(), edited);
    await script.ask('reset');
    assert.deepEqual(await output(), before);
    await script.end();
  });

  test('another size', async () => {
    const script = new Script(on.display, '--size', '720x480');
    await checkCells(program(script), { width: 720, height: 480 });
    const seen = await picture(script, 'small');
    assert.deepEqual([seen.width, seen.height], [720, 480]);
    await script.end();
  });

  test('bad requests get a sentence each, and the next one is answered', async () => {
    const script = new Script(on.display);
    for (const line of ['{', '[]', '{"method": 7}', '{"method": "nothing"}', '{"method": "probe", "arguments": {"x": "a"}}',
      '{"method": "set", "arguments": {"head": 99}}', '{"method": "screenshot", "arguments": {"path": "/nowhere/x.png"}}']) {
      const { error } = JSON.parse(await script.line(line));
      assert.match(error, /^.{10,}\.$/s, `${line} → ${error}`);
    }
    assert.equal((await script.ask('state')).head, 0);
    assert.equal(await script.end(), 0);
  });

  test('a desktop that wants everything half as large again', async () => {
    const fine = await Display.start({ dpi: 144 });
    try {
      const script = new Script(fine, '--example', 'pool-beats-badminton');
      await script.ask('set', { step: 'softmax' });
      const cells = await checkCells(program(script), { width: 1280, height: 800 });
      const seen = await picture(script, 'fine');
      assert.deepEqual([seen.width, seen.height], [1920, 1200]);
      assert.ok(compareColours(seen, cells, 1.5) >= 5);
      await script.end();
    } finally {
      await fine.stop();
    }
  });
});

describe('where no window can be opened', () => {
  test('no display', async () => {
    const environment = { ...on.display.environment, DISPLAY: '' };
    const { status, stdout, stderr } = await run(['window'], environment);
    assert.equal(status, 2);
    assert.equal(stdout, '');
    assert.match(stderr, /^[^\n]*no display[^\n]*\n$/, 'one sentence');
  });

  test('an OpenGL that is too old', async () => {
    const environment = { ...on.display.environment, MESA_GL_VERSION_OVERRIDE: '2.1', MESA_GLSL_VERSION_OVERRIDE: '120' };
    const { status, stderr } = await run(['window'], environment);
    assert.equal(status, 2);
    assert.match(stderr, /^[^\n]*OpenGL 3\.3[^\n]*\n$/, 'one sentence');
  });
});

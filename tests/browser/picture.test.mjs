// Pictures of the reader's own, chosen in the browser's dialog or dropped: they become the patches, or a sentence.

import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, beforeEach, describe, test } from 'node:test';

import { until } from '../support/until.mjs';
import { withPages } from './pages.mjs';
import { api, assertQuiet, open, settled, tensor } from './support.mjs';

const extra = {
  '/article.html': `<!doctype html><meta charset="utf-8"><title>article</title><link rel="icon" href="icon.svg">
    <link rel="stylesheet" href="style.css"><link rel="stylesheet" href="article.css">
    <div id="attention-live"></div><p>text</p><script type="module" src="page.mjs"></script>`,
  '/article.css': `html, body { overflow: visible; }
    #attention-live { position: relative; width: 720px; height: 480px; }`,
};
const openPage = withPages({ server: { extra } });
let page;
let folder;
after(async () => {
  if (folder) await rm(folder, { recursive: true });
});
beforeEach(async () => {
  folder ??= await makePictures();
  page = await openPage.blank();
});

async function makePictures() {
  folder = await mkdtemp(join(tmpdir(), 'attention-live-'));
  await Promise.all([
    makePicture('halves.png', 60, 40, [['#ff0000', 0, 30], ['#0000ff', 30, 30]]),
    makePicture('clear.png', 24, 24, []),
    makePicture('large.png', 3000, 2000, [['#336699', 0, 3000]]),
    writeFile(join(folder, 'text.png'), 'These are words, whatever the name says.'),
    writeFile(join(folder, 'heavy.png'), Buffer.alloc(32 * 2 ** 20 + 1)),
  ]);
  return folder;
}

/** A PNG of upright stripes, [colour, left, width], over nothing. */
async function makePicture(name, width, height, stripes) {
  const painter = await openPage.blank();
  const bytes = await painter.evaluate(async (wanted) => {
    const canvas = Object.assign(document.createElement('canvas'), { width: wanted.width, height: wanted.height });
    const context = canvas.getContext('2d');
    for (const [colour, left, across] of wanted.stripes) {
      context.fillStyle = colour;
      context.fillRect(left, 0, across, wanted.height);
    }
    const blob = await new Promise((resolve) => canvas.toBlob(resolve, 'image/png'));
    return [...new Uint8Array(await blob.arrayBuffer())];
  }, { width, height, stripes });
  await painter.context().close();
  await writeFile(join(folder, name), Buffer.from(bytes));
}

const state = () => api(page, 'state');
const message = () => api(page, 'message');

/** [red, green, blue] of a pixel of the picture in the state. */
async function pixel(x, y) {
  const bytes = Buffer.from((await state()).picture, 'base64');
  assert.equal(bytes.length, 24 * 24 * 3, 'there is a picture');
  return [...bytes.subarray((y * 24 + x) * 3, (y * 24 + x) * 3 + 3)];
}

/** Lets a file go over the page as a hand does; at the second place it is let go. */
async function drop(name, x, y) {
  const cdp = await page.context().newCDPSession(page);
  const data = { items: [], files: [join(folder, name)], dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop']) await cdp.send('Input.dispatchDragEvent', { type, x, y, data });
}

/** Presses the first of the settings, which is “Choose a picture…”, or what stands so many pixels right of it. */
async function pressChoose(right = 0) {
  for (const folded of [false, true]) {
    if (folded) {
      await page.mouse.click(1000, 600); // the line of the group
      await settled(page);
    }
    for (let y = 366; y < 560; y += 8) { // below the tabs, which fold it or open others
      await page.mouse.move(1000, y);
      await settled(page);
      const cursor = await page.evaluate(() => document.querySelector('.attention-live-canvas').style.cursor);
      if (cursor !== 'pointer') continue;
      await page.mouse.click(1000 + right, y + 6);
      return;
    }
  }
  throw new Error('nothing in the panel can be pressed');
}

async function choose(name) {
  const [dialog] = await Promise.all([page.waitForEvent('filechooser'), pressChoose()]);
  await dialog.setFiles(join(folder, name));
}

describe('chosen in the dialog', () => {
  beforeEach(async () => {
    await open(page, '/#example=image-patches&step=scores&query=3');
  });

  test('it becomes the patches, in the step that is open', async () => {
    const drawn = await tensor(page, 'query_input');
    await choose('halves.png');
    await until(async () => (await state()).picture !== '', 'the picture is there');
    await settled(page);
    assert.deepEqual(await pixel(0, 0), [255, 0, 0]);
    assert.deepEqual(await pixel(11, 23), [255, 0, 0]);
    assert.deepEqual(await pixel(12, 0), [0, 0, 255]);
    const { step, query } = await state();
    assert.deepEqual({ step, query }, { step: 'scores', query: 3 });
    // The first patch is all red: 16 numbers of 1, then 32 of −1.
    const numbers = (await tensor(page, 'query_input')).data;
    assert.deepEqual([...numbers.slice(0, 48)], [...Array(16).fill(1), ...Array(32).fill(-1)]);
    assert.equal(await message(), '');

    await api(page, 'undo');
    assert.equal((await state()).picture, '');
    assert.deepEqual((await tensor(page, 'query_input')).data, drawn.data);
    await api(page, 'redo');
    assert.deepEqual(await pixel(0, 0), [255, 0, 0]);

    await settled(page);
    await pressChoose(150); // “Back to the example’s picture”
    await until(async () => (await state()).picture === '', 'it is gone');
    assert.deepEqual((await tensor(page, 'query_input')).data, drawn.data);
    assertQuiet(page);
  });

  test('the same file once more, and another after it', async () => {
    const [red, blue] = [[255, 0, 0], [51, 102, 153]];
    for (const [name, colour] of [['halves.png', red], ['halves.png', red], ['large.png', blue]]) {
      await api(page, 'set', { picture: '' });
      await choose(name);
      await until(async () => (await state()).picture !== '', `${name} is there`);
      assert.deepEqual(await pixel(0, 0), colour);
    }
    assertQuiet(page);
  });

  test('a dialog that is left changes nothing', async () => {
    const before = await state();
    const [dialog] = await Promise.all([page.waitForEvent('filechooser'), pressChoose()]);
    await dialog.setFiles([]);
    await settled(page);
    assert.deepEqual(await state(), before);
    assertQuiet(page);
  });
});

describe('dropped', () => {
  test('it leads to image-patches, and one undo leads back', async () => {
    await open(page, '/#example=pool-beats-badminton&step=input');
    await api(page, 'edit', { tensor: 'query_input', index: [0, 0, 0], value: 2 });
    await drop('halves.png', 500, 400);
    await until(async () => (await state()).picture !== '', 'the picture is there');
    assert.equal((await state()).example, 'image-patches');
    assert.deepEqual(await pixel(23, 5), [0, 0, 255]);
    await api(page, 'undo');
    const back = await state();
    assert.equal(back.example, 'pool-beats-badminton');
    assert.equal(back.edits.length, 1);
    assert.equal(await page.locator('.attention-live-drop').count(), 0, 'nothing invites a file any more');
    assertQuiet(page);
  });

  test('what is transparent lets white through', async () => {
    await open(page);
    await drop('clear.png', 500, 400);
    await until(async () => (await state()).picture !== '', 'the picture is there');
    assert.deepEqual(await pixel(7, 7), [255, 255, 255]);
  });

  test('what is no picture, or too heavy a file, gets a sentence and changes nothing', async () => {
    await open(page, '/#example=image-patches');
    await drop('halves.png', 500, 400);
    await until(async () => (await state()).picture !== '', 'the picture is there');
    const before = await state();
    await drop('text.png', 500, 400);
    await until(async () => (await message()) !== '', 'a sentence');
    assert.equal(await message(), '“text.png” is neither a picture that this browser can read (PNG, JPEG, WebP, GIF) nor a .safetensors or .npy file.');
    assert.deepEqual(await state(), before, 'the last picture stays');
    await drop('heavy.png', 500, 400);
    await until(async () => /larger/.test(await message()), 'another sentence');
    assert.equal(await message(), '“heavy.png” is larger than 32 MiB; take a smaller picture.');
    assert.deepEqual(await state(), before);
    await drop('large.png', 500, 400);
    await until(async () => (await message()) === '', 'the next good one takes the sentence away');
    assert.deepEqual(await pixel(0, 0), [51, 102, 153]);
    assertQuiet(page);
  });

  test('too many pixels are refused before they are decoded, in each kind of file', async () => {
    const side = 20_000;
    const file = (...parts) => Buffer.concat([...parts.map((part) => Buffer.from(part)), Buffer.alloc(64)]);
    const big = (value, bytes) => { const all = Buffer.alloc(bytes); all.writeUIntBE(value, 0, bytes); return all; };
    const little = (value, bytes) => big(value, bytes).reverse();
    const riff = (kind, ...parts) => file('RIFF', little(100, 4), 'WEBP', kind, little(50, 4), ...parts);
    const camera = Buffer.alloc(60_000);
    const least = 14 * 1024; // of a WebP's side of 14 bits
    const files = {
      'png.png': file([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10], big(13, 4), 'IHDR', big(side, 4), big(side, 4)),
      'gif.gif': file('GIF89a', little(side, 2), little(side, 2)),
      'jpeg.jpg': file([0xff, 0xd8, 0xff, 0xe1], big(camera.length + 2, 2), camera, [0xff, 0xc4, 0, 4, 0, 0], [0xff, 0xc2, 0, 17, 8],
        big(side, 2), big(side, 2)),
      'x.webp': riff('VP8X', big(0, 4), little(side - 1, 3), little(side - 1, 3)),
      'l.webp': riff('VP8L', [0x2f], little((least - 1) + (least - 1) * 2 ** 14, 4)),
      'v.webp': riff('VP8 ', [0, 0, 0, 0x9d, 0x01, 0x2a], little(least, 2), little(least, 2)),
    };
    await open(page, '/#example=image-patches');
    await page.evaluate(() => {
      window.decoded = 0;
      const { createImageBitmap: decode } = window;
      window.createImageBitmap = (...all) => { window.decoded += 1; return decode(...all); };
    });
    for (const [name, content] of Object.entries(files)) {
      await writeFile(join(folder, name), content);
      await drop(name, 500, 400);
      const across = /^[lv]/.test(name) ? least : side;
      const said = `“${name}” has ${across} × ${across} pixels; at most 64 million are read. Take a smaller picture.`;
      await until(async () => (await message()) === said, said);
    }
    assert.equal(await page.evaluate(() => window.decoded), 0);
    assertQuiet(page);
  });

  test('beside it, nothing happens: the browser does not leave the page for the file', async () => {
    await open(page, '/article.html#example=image-patches');
    const before = await state();
    await page.evaluate(() => {
      window.seen = {};
      for (const type of ['dragover', 'drop']) {
        window.addEventListener(type, (event) => {
          window.seen[type] = [event.defaultPrevented, event.dataTransfer.dropEffect];
        });
      }
    });
    await drop('halves.png', 300, 600);
    await page.waitForTimeout(500);
    const seen = await page.evaluate(() => window.seen);
    assert.deepEqual(seen.dragover, [true, 'none'], 'the browser does not open it, and shows that nothing will');
    assert.ok(!seen.drop || seen.drop[0]);
    assert.deepEqual(await state(), before);
    await drop('halves.png', 300, 300);
    await until(async () => (await state()).picture !== '', 'but on it, it is taken');
    assertQuiet(page);
  });
});

test('a picture is in the link, and no file is sent anywhere', async () => {
  await open(page);
  await drop('halves.png', 500, 400);
  await until(async () => (await state()).picture !== '', 'the picture is there');
  const [link, { picture }] = [await api(page, 'link'), await state()];
  await api(page, 'reset');
  await api(page, 'set', { picture: '' });
  assert.deepEqual((await api(page, 'open', link)).problems, []);
  assert.equal((await state()).picture, picture);
  assert.deepEqual(page.heard.requests.filter((address) => !address.startsWith(page.origin)), []);
});

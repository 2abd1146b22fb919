// What an edit leaves behind and what can be taken out: cells that light up, differences to the original, and copies as
// text, code and files.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { beforeEach, describe, test } from 'node:test';

import { decodePng } from '../support/png.mjs';
import { until } from '../support/until.mjs';
import { small, withPages } from './pages.mjs';
import { api, assertQuiet, frames, settled, tensor } from './support.mjs';

const openPage = withPages({ viewport: small, permissions: ['clipboard-read', 'clipboard-write'] });
let page;
async function openInput(options = {}) {
  page = await openPage('/#example=pool-beats-badminton&step=input', options);
}
beforeEach(() => openInput());

const edit = (index, value) => api(page, 'edit', { tensor: 'query_input', index, value });
const block = async (name) => (await api(page, 'blocks')).find((each) => each.tensor === name);

/** What is drawn in a cell. */
async function drawn(name, row, column) {
  const { rect: [x, y, width, height], rows, columns } = await block(name);
  return api(page, 'probe', x + ((column + 0.5) * width) / columns, y + ((row + 0.5) * height) / rows);
}

describe('compare with the original', () => {
  test('shows differences in the place of numbers, and says so', async () => {
    const before = [await drawn('query_input', 0, 0), await drawn('query_input', 1, 1)];
    await edit([0, 0, 0], 2);
    await api(page, 'set', { compare: true });
    await settled(page);
    assert.equal((await block('query_input')).title, 'query_input − original');
    assert.equal((await drawn('query_input', 0, 0)).value, 2 - before[0].value);
    assert.match((await drawn('query_input', 0, 0)).text, /^1\.50*$/);
    assert.equal((await drawn('query_input', 1, 1)).value, 0);
    assert.equal((await tensor(page, 'query_input')).data[0], 2, 'what is computed stays as it was');

    await api(page, 'set', { step: 'scores' });
    await settled(page);
    const scores = await block('scores');
    assert.equal(scores.title, 'scores − original');
    assert.notEqual((await drawn('scores', 0, 0)).value, 0, 'what follows from the edit differs');
    assert.equal((await drawn('scores', 1, 1)).value, 0, 'what does not, does not');

    await api(page, 'set', { compare: false, step: 'input' });
    await settled(page);
    assert.equal((await block('query_input')).title, 'query_input');
    assert.equal((await drawn('query_input', 1, 1)).value, before[1].value);
    assertQuiet(page);
  });
});

describe('an edit lights up what it changed', () => {
  /** The colour of the changed cell, beside its number: in the first frame after the edit, and when all is still. */
  async function coloursOfEdit() {
    const { rect: [x, y] } = await block('query_input');
    const first = await page.evaluate((at) => new Promise((resolve) => {
      const shown = document.querySelector('.attention-live-canvas');
      shown.parentElement.addEventListener('attention-live-change', () => {
        // In the same run of scripts as the drawing: what is drawn can still be read.
        const context = Object.assign(document.createElement('canvas'), { width: 1, height: 1 }).getContext('2d');
        context.drawImage(shown, ...at, 1, 1, 0, 0, 1, 1);
        resolve([...context.getImageData(0, 0, 1, 1).data.slice(0, 3)]);
      }, { once: true });
      window.attentionLive.edit({ tensor: 'query_input', index: [0, 0, 0], value: 2 });
    }), [Math.round(x + 8), Math.round(y + 8)]);
    await settled(page);
    return { first, last: decodePng(await page.screenshot()).at(Math.round(x + 8), Math.round(y + 8)) };
  }
  const distance = (a, b) => Math.max(...a.map((channel, index) => Math.abs(channel - b[index])));

  test('once, and then nothing is drawn any more', async () => {
    await openInput({ reducedMotion: 'no-preference', pixels: true });
    const { first, last } = await coloursOfEdit();
    assert.ok(distance(first, last) > 8, `${first} at first, ${last} in the end`);
    const still = await frames(page);
    await page.waitForTimeout(800);
    assert.equal(await frames(page), still);
    assertQuiet(page);
  });

  test('not for who asked for less motion', async () => {
    await openInput({ pixels: true });
    const { first, last } = await coloursOfEdit();
    assert.ok(distance(first, last) <= 1, `${first} at first, ${last} in the end`);
  });
});

describe('the group “Copy”', () => {
  const edge = 730; // where the panel's buttons begin
  const left = edge;
  const after = 850; // and those of a line that begins with words
  const group = [left, 540]; // its line, the last of the panel while all are folded
  const cursor = () => page.evaluate(() => document.querySelector('.attention-live-canvas').style.cursor);

  /** What can be pressed in the lower half of the panel, from the top: the lines of the groups, the lines of buttons. */
  async function lines(left = edge) {
    const found = [];
    let inside = false;
    for (let y = 270; y < 556; y += 6) {
      await page.mouse.move(left, y);
      await settled(page);
      const here = (await cursor()) === 'pointer';
      if (here && !inside) found.push(y + 9);
      inside = here;
    }
    return found;
  }

  /** Chooses the first cell, opens the group and gives the lines of its buttons: those with text, those with files. */
  async function chooseCell() {
    await api(page, 'set', { cell: { tensor: 'query_input', index: [0, 0, 0] } });
    await settled(page);
    await page.mouse.click(...group);
    await settled(page);
    const [text, files] = (await lines()).slice(-3); // then that of all tensors
    assert.ok(text && files, 'lines of buttons');
    return { text, files };
  }

  /** What is on the clipboard as soon as it is what is waited for; a page cannot wait for it, since reading takes a while. */
  async function clipboard(isIt) {
    let text;
    await until(async () => {
      text = await page.evaluate(() => navigator.clipboard.readText());
      return isIt(text);
    }, () => `the clipboard has: ${text}`);
    return text;
  }

  /** The different texts that the clipboard gets from pressing along a line: its buttons stand side by side. */
  async function copiesAlong(y, first = edge) {
    const copies = [];
    for (let x = first; x < edge + 200; x += 14) {
      await page.mouse.move(x, y);
      await settled(page);
      if ((await cursor()) !== 'pointer') break;
      await page.evaluate(() => navigator.clipboard.writeText('nothing'));
      // What was written can be read a moment later than the promise says, on a busy machine.
      await clipboard((text) => text === 'nothing');
      await page.mouse.click(x, y);
      await settled(page);
      const text = await clipboard((now) => now !== 'nothing');
      const dialog = page.getByRole('dialog'); // a program is shown, too
      if (await dialog.count()) {
        assert.equal(await dialog.locator('pre').textContent(), text);
        await page.keyboard.press('Escape');
        await dialog.waitFor({ state: 'detached' });
      }
      if (text !== copies.at(-1)) copies.push(text);
    }
    return copies;
  }

  test('put the number, a table and code on the clipboard', async () => {
    await api(page, 'edit', { tensor: 'query_input', index: [0, 0, 0], value: 1 / 3 });
    const copies = await copiesAlong((await chooseCell()).text);
    assert.equal(copies.length, 4, copies.join('\n\n'));
    const [number, table, numpy, pytorch] = copies;
    assert.equal(number, '0.33333334');

    const numbers = (await tensor(page, 'query_input')).data;
    const rows = table.replace(/\r/g, '').trimEnd().split('\n').map((row) => row.split('\t').map(Number));
    assert.deepEqual(rows.map((row) => row.length), [4, 4, 4]);
    assert.deepEqual(rows.flat().map(Math.fround), numbers);

    for (const [code, library, call] of [[numpy, 'numpy', 'np.array'], [pytorch, 'torch', 'torch.tensor']]) {
      assert.match(code, new RegExp(`^import ${library}`));
      assert.match(code, /^# query_input\[0, :, :\]$/m);
      const [, lists] = new RegExp(`^query_input = ${call}\\((.*), dtype=`, 'ms').exec(code);
      assert.deepEqual(JSON.parse(lists.replace(/,\s*\]/g, ']')).flat().map(Math.fround), numbers);
    }
    assertQuiet(page);
  });

  test('take all of a matrix of which one row is drawn, as its name says', async () => {
    page = await openPage('/#example=gender-and-number&step=sentence&query=6&cell=head_outputs:0,0,6,1');
    await page.mouse.click(...group);
    await settled(page);
    const [text] = (await lines()).slice(-3);
    const [, table, numpy] = await copiesAlong(text);
    const rows = table.replace(/\r/g, '').trimEnd().split('\n').map((row) => row.split('\t').map(Number));
    assert.deepEqual(rows.map((row) => row.length), [3, 3, 3, 3, 3, 3, 3, 3]);
    assert.deepEqual(rows.flat().map(Math.fround), (await tensor(page, 'head_outputs')).data.slice(0, 24));
    assert.match(numpy, /^# head_outputs\[0, 0, :, :\]$/m);
    assertQuiet(page);
  });

  test('put the attention on the clipboard as a program', async () => {
    await chooseCell();
    const copies = await copiesAlong((await lines(after)).at(-3), 816);
    assert.equal(copies.length, 2, copies.join('\n\n'));
    for (const [i, library] of ['numpy', 'torch'].entries()) {
      assert.match(copies[i], new RegExp(`^import ${library}`));
      assert.match(copies[i], /^H, D = 1, 4$/m);
      assert.match(copies[i], new RegExp(`^scores = ${library === 'numpy' ? 'np' : 'torch'}\\.einsum\\("bhid,bhjd->bhij", q_heads, k_heads`, 'm'));
      assert.match(copies[i], /^print\("largest difference:"/m);
    }
    assertQuiet(page);
  });

  test('say that differences are differences', async () => {
    await api(page, 'edit', { tensor: 'query_input', index: [0, 0, 0], value: 2 });
    await api(page, 'set', { compare: true });
    const [, table, numpy] = await copiesAlong((await chooseCell()).text);
    assert.equal(table.split(/[\t\r\n]/)[0], '1.5');
    assert.match(numpy, /^# query_input\[0, :, :\] − original$/m);
  });

  test('copies the matrix whose name it says, also when no cell is chosen', async () => {
    await api(page, 'set', { example: 'gender-and-number', step: 'scale' });
    await settled(page);
    assert.equal((await api(page, 'state')).cell, null);
    await page.mouse.click(...group);
    await settled(page);
    const [text] = (await lines()).slice(-3);
    const copies = await copiesAlong(text);
    assert.match(copies.at(-1), /^scaled_scores = torch.tensor/m);
  });

  test('save pictures that show the matrix', async () => {
    const { files } = await chooseCell();
    const save = async (x) => {
      const [download] = await Promise.all([page.waitForEvent('download'), page.mouse.click(x, files)]);
      return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) };
    };
    const picture = await save(left);
    assert.equal(picture.name, 'query-input.png');
    const { width, height } = decodePng(picture.bytes);
    assert.ok(width > 100 && height > 60, `${width} × ${height}`);
    let drawing = picture;
    for (let x = left + 14; x < left + 54 && drawing.name.endsWith('.png'); x += 10) drawing = await save(x);
    assert.equal(drawing.name, 'query-input.svg');
    assert.match(drawing.bytes.toString(), /<svg[\s\S]*0\.5[\s\S]*<\/svg>/);
    assertQuiet(page);
  });

  test('save the whole step, mid-animation too, as a picture and as a film', async () => {
    await api(page, 'set', { step: 'scores', scrub: 0.5 });
    await settled(page);
    const save = async (as) => {
      const [download] = await Promise.all([page.waitForEvent('download'), api(page, 'save', { as })]);
      assert.equal(download.suggestedFilename(), `pool-beats-badminton-scores.${as}`);
      return readFile(await download.path());
    };
    const drawing = (await save('svg')).toString();
    for (const word of ['k_heads', 'scores', 'badminton', '0.31']) assert.ok(drawing.includes(`>${word}`), word);
    const { width, height } = decodePng(await save('png'));
    assert.ok(width > 800 && height > 400, `${width} × ${height}`);

    const film = await save('webm');
    const player = await page.context().newPage(); // whose policy allows any video
    const seen = await player.evaluate(async (bytes) => {
      const video = document.createElement('video');
      video.muted = true;
      video.src = URL.createObjectURL(new Blob([new Uint8Array(bytes)], { type: 'video/webm' }));
      const pictures = [];
      const canvas = document.createElement('canvas');
      const look = () => {
        [canvas.width, canvas.height] = [video.videoWidth, video.videoHeight];
        canvas.getContext('2d').drawImage(video, 0, 0);
        pictures.push(canvas.toDataURL());
      };
      await new Promise((resolve, reject) => {
        video.onerror = () => reject(video.error);
        video.onplaying = look;
        video.onended = resolve;
        video.play();
      });
      look();
      return { width: canvas.width, moved: pictures[0] !== pictures.at(-1), seconds: video.currentTime };
    }, [...film]);
    assert.ok(seen.moved, 'the last picture is another than the first');
    assert.ok(seen.seconds > 1, `${seen.seconds} s`);
    assertQuiet(page);
  });

  test('save every tensor, with what was edited', async () => {
    await edit([0, 0, 0], 2);
    const [download] = await Promise.all([page.waitForEvent('download'), api(page, 'save', { as: 'safetensors' })]);
    assert.equal(download.suggestedFilename(), 'pool-beats-badminton.safetensors');
    const bytes = await readFile(await download.path());
    const begin = 8 + Number(bytes.readBigUInt64LE(0));
    const { __metadata__: about, ...header } = JSON.parse(bytes.subarray(8, begin));
    assert.equal(about.num_heads, '1');
    assert.equal(header.query_input.shape[1], 3);
    for (const [name, { dtype, shape, data_offsets: [from, to] }] of Object.entries(header)) {
      assert.equal(dtype, 'F32');
      const stored = bytes.subarray(begin + from, begin + to);
      const numbers = Array.from({ length: stored.length / 4 }, (_, at) => stored.readFloatLE(4 * at));
      const shown = await tensor(page, name);
      assert.deepEqual([shape, numbers], [shown.shape, shown.data], name);
    }
    assert.equal(bytes.readFloatLE(begin + header.query_input.data_offsets[0]), 2);
    assert.ok(Object.keys(header).length > 10);
    assertQuiet(page);
  });
});

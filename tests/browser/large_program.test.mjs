// The program of an attention with more numbers than are written out: it reads the file that the page saves.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { withPages } from './pages.mjs';
import { api, assertQuiet, settled } from './support.mjs';

const openPage = withPages({ viewport: { width: 1280, height: 800 } });
const python = fileURLToPath(new URL('../../tools/python', import.meta.url));
const folder = await mkdtemp(join(tmpdir(), 'attention-live-program-'));
after(() => rm(folder, { recursive: true, force: true }));

/** Saves the file beside the program, runs it, and gives how far its output is from the page's. */
async function difference(page, program) {
  const [download] = await Promise.all([page.waitForEvent('download'), api(page, 'save', { as: 'safetensors' })]);
  await download.saveAs(join(folder, download.suggestedFilename()));
  const printed = execFileSync(python, ['numpy', '-c', program], { cwd: folder, encoding: 'utf8' });
  return Number(/largest difference: (\S+)/.exec(printed)?.[1]);
}

const wide = { example: 'your-sentence', embed_dim: 48, num_heads: 4, mask: 'look-ahead' };
const states = {
  'an attention by itself': wide,
  'one with a mistake and numbers by hand': {
    ...wide, mistake: 'no-scale', edits: [{ attention: 'attention', tensor: 'q_proj_weight', index: [0, 0], value: 2 }], ablated_heads: { attention: [1] },
  },
  'one with variants': { ...wide, rope: 10000, qk_norm: true, num_kv_heads: 2 },
};
for (const [name, state] of Object.entries(states)) {
  test(`computes ${name} from the file`, async () => {
    const page = await openPage('/');
    await api(page, 'set', state);
    await settled(page);
    const program = await api(page, 'program', 'numpy');
    assert.match(program, /^IN = "your-sentence\.safetensors"$/m);
    assert.match(program, /^q_proj_weight = file\["q_proj_weight"\]$/m);
    const found = await difference(page, program);
    assert.ok(found < 1e-5, `${found}`);
    // The comparison can fail.
    const spoilt = await difference(page, program.replace(/^scores = .*$/m, (line) => `${line}\nscores = 3 * scores`));
    assert.ok(spoilt > 1e-3, `${spoilt}`);
    assertQuiet(page);
  });
}

test('computes an attention of the translator, whose others are in the file too', async () => {
  const page = await openPage('/#example=translator');
  await page.waitForFunction(() => window.attentionLive.state().example === 'translator' && window.attentionLive.describe());
  await settled(page);
  const program = await api(page, 'program', 'numpy');
  const { attention } = await api(page, 'state');
  assert.match(program, new RegExp(`^shown = file\\["${attention}\\.output"\\]$`, 'm'));
  const found = await difference(page, program);
  assert.ok(found < 1e-5, `${found}`);
  assertQuiet(page);
});

test('is shown with a button that saves the file beside it', async () => {
  const page = await openPage('/');
  await api(page, 'set', wide);
  await settled(page);
  await page.keyboard.press('Escape');
  await page.mouse.click(1050, 672);
  await settled(page);
  const dialog = page.getByRole('dialog');
  // The group Copy of the panel, from which the line of programs is pressed.
  for (let y = 410; y < 520 && await dialog.count() === 0; y += 12) {
    await page.mouse.dblclick(1075, y); // one dialog all the same
    await settled(page);
  }
  await dialog.waitFor();
  assert.match(await dialog.textContent(), /reads the numbers that are given from your-sentence\.safetensors/);
  const save = dialog.getByRole('button', { name: 'Save your-sentence.safetensors' });
  const [download] = await Promise.all([page.waitForEvent('download'), save.click()]);
  assert.equal(download.suggestedFilename(), 'your-sentence.safetensors');
  assertQuiet(page);
});

// The pictures of figures that have not started yet.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { examples, steps } from '../../tools/dist/posters.mjs';
import { inChromium, packages, repository, site, withHost } from './support.mjs';

const folder = join(packages, 'dist', 'posters');
const poster = (name) => readFileSync(join(folder, `${name}.webp`));

/** Runs in a page: how far two pictures are apart, 0 to 255 on average, and in the strip of 20 rows where most; their size. */
async function compare([webp, png]) {
  const pictures = await Promise.all([[webp, 'image/webp'], [png, 'image/png']].map(async ([text, type]) => {
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes], { type }));
    const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d');
    context.drawImage(bitmap, 0, 0);
    return context.getImageData(0, 0, bitmap.width, bitmap.height);
  }));
  const [one, other] = pictures.map(({ data }) => data);
  const strip = pictures[0].width * 4 * 20;
  let [sum, worst] = [0, 0];
  for (let start = 0; start < one.length; start += strip) {
    let here = 0;
    for (let index = start; index < start + strip; index += 1) here += Math.abs(one[index] - other[index]);
    worst = Math.max(worst, here / strip);
    sum += here;
  }
  return { size: pictures.map(({ width, height }) => [width, height]), distance: sum / one.length, worst };
}

/** A page of an author's whose figure is as large as a poster. */
const figurePage = (example, step, theme) => `<!doctype html><html lang="en"><meta charset="utf-8"><title>figure</title>
  <link rel="icon" href="icon.svg"><link rel="stylesheet" href="figure.css"><script type="module" src="attention-live.js"></script>
  <attention-live example="${example}" step="${step}" theme="${theme}" poster="off" load="eager"></attention-live></html>`;

test('a poster is the very state that it is named after, of the element alone', async () => {
  const names = ['counting-split-light', 'counting-split-dark', 'you-are-welcome-softmax-light'];
  const extra = { '/figure.css': 'body { margin: 0; } attention-live { width: 960px; height: 600px; }' };
  for (const name of names) extra[`/${name}.html`] = figurePage(...name.match(/^(.*)-(\w+)-(light|dark)$/).slice(1));
  await withHost(site, { extra }, (host) => inChromium(async (page) => {
    const shown = {};
    for (const name of names) {
      await page.goto(`${host.origin}/${name}.html`);
      const state = await page.evaluate(async () => {
        await customElements.whenDefined('attention-live');
        const figure = await document.querySelector('attention-live').ready;
        return [figure.state.example, figure.state.step, figure.state.theme].join('-');
      });
      assert.equal(state, name);
      shown[name] = (await page.screenshot()).toString('base64');
    }
    await page.goto('about:blank');
    for (const name of names) {
      const webp = poster(name);
      assert.ok(webp.length <= 40_000, `${name}: ${webp.length} bytes`);
      for (const [other, picture] of Object.entries(shown)) {
        const { size, distance, worst } = await page.evaluate(compare, [webp.toString('base64'), picture]);
        assert.deepEqual(size, [[960, 600], [960, 600]]);
        if (other !== name) assert.ok(distance > 4, `${name} and ${other} are only ${distance} apart`);
        // Fine numbers, compressed, are 4 apart there; with another line under the figure it was 47.
        else assert.ok(distance < 2 && worst < 8, `${name} is ${distance}, and in one strip ${worst}, from what the element shows`);
      }
    }
  }, { viewport: { width: 960, height: 600 }, reducedMotion: 'reduce', pixels: true }));
});

test('there is one for every step of every example, but for the translator and own-layer, whose weights come later', () => {
  const read = (path) => readFileSync(join(repository, 'src', path), 'utf8');
  const order = (text, ids) => ids.filter((id) => text.includes(`"${id}"`) || text.includes(id.replaceAll('-', '_')));
  assert.deepEqual(order(read('lesson/steps/step.cpp'), steps), steps);
  assert.deepEqual(order(read('lesson/examples/example.hpp'), examples), examples);
  const count = (text, name) => new RegExp(`enum class ${name}[^{]*\\{([^}]*)\\}`).exec(text)[1]
    .replace(/\/\/.*$/gm, '').split(',').filter((word) => word.trim()).length;
  assert.ok(!examples.includes('translator') && !examples.includes('own-layer'));
  assert.equal(count(read('lesson/examples/example.hpp'), 'ExampleId'), examples.length + 2);
  assert.equal(count(read('lesson/steps/step.hpp'), 'StepId'), steps.length);
});

test('a picture that is none is refused by its name', () => {
  const tool = join(repository, 'tools', 'dist', 'posters.mjs');
  assert.throws(
    () => execFileSync(
      process.execPath, [tool, site, join(packages, 'none'), 'counting-dance-light'], { stdio: 'pipe' },
    ),
    /There is no picture counting-dance-light; one is named EXAMPLE-STEP-THEME/,
  );
});

// The pictures of figures that have not started yet.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { examples, steps } from '../../tools/dist/posters.mjs';
import { inChromium, packages, programState, repository, site, withHost } from './support.mjs';

const folder = join(packages, 'dist', 'posters');
const poster = (name) => readFileSync(join(folder, `${name}.webp`));

/** Runs in a page: how far two pictures are apart, 0 to 255 on average, and their size. */
async function compare([webp, png]) {
  const pictures = await Promise.all([[webp, 'image/webp'], [png, 'image/png']].map(async ([text, type]) => {
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes], { type }));
    const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d');
    context.drawImage(bitmap, 0, 0);
    return context.getImageData(0, 0, bitmap.width, bitmap.height);
  }));
  const [one, other] = pictures.map(({ data }) => data);
  let sum = 0;
  for (let index = 0; index < one.length; index += 1) sum += Math.abs(one[index] - other[index]);
  return { size: pictures.map(({ width, height }) => [width, height]), distance: sum / one.length };
}

test('a poster is the very state that it is named after', async () => {
  await withHost(site, {}, (host) => inChromium(async (page) => {
    const shown = {};
    for (const name of ['counting-split-light', 'counting-split-dark', 'you-are-welcome-softmax-light']) {
      const [, example, step, theme] = /^(.*)-(\w+)-(light|dark)$/.exec(name);
      await page.goto('about:blank');
      await page.goto(`${host.origin}/#v=1&example=${example}&step=${step}&theme=${theme}`);
      const state = await programState(page);
      assert.deepEqual([state.example, state.step, state.theme], [example, step, theme]);
      shown[name] = (await page.screenshot()).toString('base64');
    }
    await page.goto('about:blank');
    for (const [name, png] of Object.entries(shown)) {
      const webp = poster(name);
      assert.ok(webp.length <= 40_000, `${name}: ${webp.length} bytes`);
      for (const [other, picture] of Object.entries(shown)) {
        const { size, distance } = await page.evaluate(compare, [webp.toString('base64'), picture]);
        assert.deepEqual(size, [[960, 600], [960, 600]]);
        if (other === name) assert.ok(distance < 2, `${name} is ${distance} from what the page shows`);
        else assert.ok(distance > 4, `${name} and ${other} are only ${distance} apart`);
      }
      assert.ok(png.length > 0);
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

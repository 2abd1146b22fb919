// What a reader's hand costs: our own code's time for one edit, for one letter of a sentence that is translated and for
// one frame while the stage is dragged, how many calls draw it, the memory it takes, and what is left running when the
// hand is still. In the page as it is built.

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';

import { list } from '../../tools/dist/site.mjs';
import { launch } from '../browser/support.mjs';
import { frameBars } from '../support/bars.mjs';
import { installMeter, isolated } from '../support/meter.mjs';
import { wideLayer } from '../support/wide.mjs';
import { serve } from './serve.mjs';
import { isLevel, median, percentile } from './statistics.mjs';

/** What is measured: so many tokens of 512 dimensions in eight heads. */
const lengths = { '9x512x8': 9, '64x512x8': 64 };

/** What is edited: the cell, and the step that shows its matrix. */
const edited = {
  'an input': { step: 'overview', cell: { tensor: 'query_input', index: [0, 2, 7] } },
  'a weight': { step: 'project', cell: { tensor: 'q_proj_weight', index: [5, 9] } },
};
/** Steps that are dragged: the whole flow, and all heads' weights. */
const dragged = ['overview', 'softmax'];

/** What the translator is shown and changed as while a sentence of nine words is typed. */
const translated = {
  'its maps': { step: 'overview' },
  'its sentence': { step: 'sentence' },
  'softmax of a head': { step: 'softmax', attention: 'cross_attention_2', all_heads: false },
  'its maps, a beam': { step: 'overview', beam: 4 },
  'its maps, a head off': { step: 'overview', ablated_heads: { cross_attention_3: [2] } },
  'its maps, a beam, a head off': { step: 'overview', beam: 4, ablated_heads: { cross_attention_3: [2] } },
};
const nineWords = 'He admired her very much as a great director';

const restSeconds = 5;
const mostWarmFrames = 320;

/**
 * @typedef {{median: number, best: number, p95: number}} Spread of milliseconds
 * @typedef {{name: string, what: string, bar: number, count: number, own: Spread, gl: Spread, draws: number}} FrameCase
 * @typedef {{name: string, seconds: number, frames: number, timers: number, processor: number, heap: number}} Rest
 *   processor: the part of one core that page and graphics took; heap: bytes of linear memory
 */

/** @param {import('../support/meter.mjs').Frame[]} frames */
function summaryOf(frames) {
  const of = (kind) => frames.map((frame) => frame[kind]);
  const spread = (values) => ({ median: median(values), best: Math.min(...values), p95: percentile(values, 0.95) });
  return { count: frames.length, own: spread(of('own')), gl: spread(of('gl')), draws: median(of('draws')) };
}

/** Does something again and again until the frames it makes take as long as they will. */
async function warm(page, kind, once) {
  const times = [];
  const batch = 20; // smaller ones differ by what else the processor does
  for (let done = 0; done < mostWarmFrames && !isLevel(times); done += batch) {
    times.push(median((await frames(page, kind, batch, once)).map(({ own }) => own)));
  }
}

/** The frames of doing something `count` times, one frame each. */
async function frames(page, kind, count, once) {
  await page.evaluate(() => window.meter.reset());
  for (let i = 1; i <= count; i += 1) {
    await once(i);
    await page.evaluate(([wanted, all]) => window.meter.until(wanted, all), [kind, i]);
  }
  const all = await page.evaluate(() => window.meter.frames());
  return all.filter((frame) => (kind === 'changed' ? frame.changed : frame.events > 0));
}

async function show(page, state) {
  await page.evaluate((wanted) => window.attentionLive.set(wanted), state);
  await page.evaluate(() => window.attentionLive.settled());
}

/** Types another number into a cell again and again: the frame that shows it, with the key that sent it off. */
async function edits(page, count, { step, cell }) {
  await show(page, { step, cell, edits: [] });
  await page.focus('.attention-live-canvas');
  const once = async (i) => {
    await page.keyboard.press(String(1 + (i % 2)));
    await page.keyboard.press('Enter');
  };
  await warm(page, 'changed', once);
  const measured = await frames(page, 'changed', count, once);
  await show(page, { cell: null, edits: [] });
  return measured;
}

/** Drags the stage to and fro. */
async function pans(page, count, step) {
  await show(page, { step, framing: null });
  const { blocks, size } = await page.evaluate(() => ({
    blocks: window.attentionLive.blocks(), size: [window.innerWidth, window.innerHeight],
  }));
  const [x, y, width, height] = blocks[0].rect;
  if (x + width > size[0] || y + height > size[1]) throw new Error('The first matrix is not in view.');
  await page.mouse.move(x + width / 2, y + height / 2);
  await page.mouse.down();
  let place = 0;
  const once = () => {
    place += 1;
    return page.mouse.move(x + width / 2 + 60 * Math.sin(place / 10), y + height / 2 + 30 * Math.sin(place / 7));
  };
  for (let i = 0; i < 8; i += 1) await once();
  await warm(page, 'events', once);
  const measured = await frames(page, 'events', count, once);
  await page.mouse.up();
  await page.evaluate(() => window.attentionLive.settled());
  return measured;
}

/** Types the full stop behind a sentence and takes it back: each of them is translated. */
async function keystrokes(page, count, state) {
  await show(page, { example: 'translator', sentence: nineWords, ...state });
  await page.mouse.click(480, 20); // the field in the bar
  await page.keyboard.press('End');
  const once = (i) => page.keyboard.press(i % 2 === 1 ? '.' : 'Backspace');
  await warm(page, 'changed', once);
  const measured = await frames(page, 'changed', count, once);
  await page.keyboard.press('Escape');
  await page.evaluate(() => window.attentionLive.settled());
  return measured;
}

/**
 * Gives the page's process the last processor and everything else of the browser the others, so that what is measured
 * is our code's time and not that of whatever the system let run in between: without a graphics card that is several
 * threads of drawing. Does nothing where there is one processor only, or no `taskset`.
 */
async function setApart(session) {
  const processors = availableParallelism();
  if (processors < 2) return;
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  try {
    for (const { type, id } of processInfo) {
      const own = type === 'renderer' ? `${processors - 1}` : `0-${processors - 2}`;
      execFileSync('taskset', ['--all-tasks', '--cpu-list', '--pid', own, `${id}`], { stdio: 'ignore' });
    }
  } catch {
    // Another system, or a process that has ended.
  }
}

/** Seconds of processor time that the page's process and the graphics' process have used. */
async function processorTime(session) {
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  return processInfo.filter(({ type }) => type === 'renderer' || type === 'GPU')
    .reduce((sum, { cpuTime }) => sum + cpuTime, 0);
}

/** What is left running once everything has been drawn. */
async function rest(page, session) {
  await page.waitForTimeout(1000); // the address follows a moment after the last change
  await page.evaluate(() => window.meter.reset());
  const before = await processorTime(session);
  await page.waitForTimeout(restSeconds * 1000);
  const used = await processorTime(session) - before;
  const { count, clock } = await page.evaluate(() => ({
    count: window.meter.frames().length, clock: window.meter.clock(),
  }));
  const sum = (kind) => Object.values(kind).reduce((all, each) => all + each, 0);
  return { seconds: restSeconds, frames: count, timers: sum(clock.asked) + sum(clock.called), processor: used / restSeconds };
}

/**
 * @param {{site: string, count: number, tell: (text: string) => void}} options site: our built page; count: how many
 *   edits, and frames of dragging
 * @returns {Promise<{cases: FrameCase[], rests: Rest[]}>}
 */
export async function measureFrames({ site, count, tell }) {
  const files = new Map(list(site).map((name) => [name, readFileSync(join(site, name))]));
  if (!files.has('index.html')) throw new Error(`${site} has no page: build it first.`);
  const server = await serve(files, { headers: isolated });
  const browser = await launch({ seconds: null });
  const cases = [];
  const rests = [];
  try {
    const session = await browser.newBrowserCDPSession();
    /** Opens a page, measures in it what `measure` adds, and what it needs at rest afterwards. */
    const inPage = async (name, measure) => {
      const page = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage();
      await page.addInitScript(installMeter);
      await page.goto(`${server.origin}/#step=overview`);
      await page.evaluate(() => window.attentionLive.ready.then(() => {}));
      if (!await page.evaluate(() => window.crossOriginIsolated)) throw new Error('The page is not isolated: its clock is coarse.');
      await setApart(session);
      await measure(page, (what, bar, measured) => {
        const summary = summaryOf(measured);
        cases.push({ name, what, bar, ...summary });
        tell(`  ${name}, ${what}: ${summary.own.median.toFixed(2)} ms of our code`);
      });
      const heap = await page.evaluate(() => window.meter.heap());
      rests.push({ name, heap, ...await rest(page, session) });
      await page.context().close();
    };
    for (const [name, tokens] of Object.entries(lengths)) {
      await inPage(name, async (page, add) => {
        await show(page, wideLayer(tokens));
        for (const [what, where] of Object.entries(edited)) {
          add(`edit of ${what}`, frameBars[name].edit, await edits(page, count, where));
        }
        for (const step of dragged) {
          add(`dragging ${step}`, frameBars[name].pan, await pans(page, count, step));
        }
      });
    }
    await inPage('translator', async (page, add) => {
      await page.evaluate(() => window.attentionLive.addTranslator());
      for (const [what, state] of Object.entries(translated)) {
        await show(page, { beam: 1, ablated_heads: {} });
        add(`a key, ${what}`, frameBars.translator.edit, await keystrokes(page, count, state));
      }
    });
  } finally {
    await browser.close();
    await server.close();
  }
  return { cases, rests };
}

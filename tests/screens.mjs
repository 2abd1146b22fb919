#!/usr/bin/env node
// screens.mjs OUT: the pictures of docs/screens.md. Each shows one screen of the built page, light and dark, in three
// sizes, at half of them.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { launch, newPage, serve } from './browser/support.mjs';

const screens = {
  sentence: '#v=1&example=pool-beats-badminton&step=sentence',
  scores: '#v=1&example=pool-beats-badminton&step=scores',
  softmax: '#v=1&example=pool-beats-badminton&step=softmax',
  map: '#v=1&example=pool-beats-badminton&step=overview',
  training: '#v=1&example=reverse&step=softmax&trained_steps=300',
  translator: '#v=1&example=translator&show=figure',
};
const sizes = [[1280, 800], [720, 480], [390, 844]];

async function shot(browser, origin, link, [width, height], theme) {
  const touch = width < 500 ? { hasTouch: true, isMobile: true } : {};
  const page = await newPage(browser, { origin, pixels: true, viewport: { width, height }, ...touch });
  await page.goto(`${origin}/${link}&theme=${theme}`);
  const message = await page.evaluate(async () => {
    const api = await window.attentionLive.ready;
    await api.settled();
    return api.message();
  });
  if (message) throw new Error(`${link}: ${message}`);
  const png = await page.screenshot();
  await page.context().close();
  return { png: png.toString('base64'), width: width / 2, height: height / 2 };
}

/** All of them in one picture: a line of sizes for each theme. */
async function together(browser, lines) {
  const page = await browser.newPage({ viewport: { width: 1300, height: 900 } });
  const image = ({ png, width, height }) => (
    `<img src="data:image/png;base64,${png}" width="${width}" height="${height}">`);
  await page.setContent(`<style>body { margin: 0 } div { display: flex; gap: 12px; padding: 12px }</style>
    <main style="display: inline-block; background: #8888">${lines.map((line) => `<div>${line.map(image).join('')}</div>`).join('')}</main>`);
  const png = await page.locator('main').screenshot();
  const webp = await page.evaluate(async (text) => {
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
    canvas.getContext('2d').drawImage(bitmap, 0, 0);
    const blob = await canvas.convertToBlob({ type: 'image/webp', quality: 0.8 });
    return btoa(Array.from(new Uint8Array(await blob.arrayBuffer()), (byte) => String.fromCharCode(byte)).join(''));
  }, png.toString('base64'));
  await page.close();
  return Buffer.from(webp, 'base64');
}

const out = resolve(process.argv[2]);
mkdirSync(out, { recursive: true });
const [server, browser] = [await serve(), await launch({ seconds: null })];
try {
  for (const [name, link] of Object.entries(screens)) {
    if (process.argv.length > 3 && !process.argv.includes(name, 3)) continue;
    const lines = [];
    for (const theme of ['light', 'dark']) {
      const line = [];
      for (const size of sizes) line.push(await shot(browser, server.origin, link, size, theme));
      lines.push(line);
    }
    const picture = await together(browser, lines);
    writeFileSync(join(out, `${name}.webp`), picture);
    console.log(`${name}.webp: ${Math.round(picture.length / 1000)} kB`);
  }
} finally {
  await browser.close();
  await server.close();
}

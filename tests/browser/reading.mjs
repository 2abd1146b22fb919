// What tests of the text beside the canvas share: the accessibility tree, and moving through it with the keyboard.

import assert from 'node:assert/strict';

import { settled } from './support.mjs';

/** What a screen reader is told of nodes: {role, name, value, focused, …}. */
const heard = (nodes) => nodes.filter(({ ignored }) => !ignored).map((node) => ({
  role: node.role?.value,
  name: node.name?.value ?? '',
  value: node.value?.value,
  ...Object.fromEntries((node.properties ?? []).map(({ name, value }) => [name, value.value])),
}));

/** What a screen reader knows of the page: every node that it is told of. */
export async function tree(page) {
  page.session ??= await page.context().newCDPSession(page);
  return heard((await page.session.send('Accessibility.getFullAXTree')).nodes);
}

/** The node that a screen reader is told has the focus. It is asked for alone: after every key, the tree is much. */
export async function focused(page) {
  page.session ??= await page.context().newCDPSession(page);
  const { result } = await page.session.send('Runtime.evaluate', { expression: `(() => {
    let active = document.activeElement;
    while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
    return active && active !== document.body ? active : document;
  })()` });
  const { nodes } = await page.session.send('Accessibility.getPartialAXTree', {
    objectId: result.objectId, fetchRelatives: false,
  });
  await page.session.send('Runtime.releaseObject', { objectId: result.objectId });
  return heard(nodes).find((node) => node.focused);
}

/** What was said last through the live region, without the mark that makes it new. */
export const said = async (page) => {
  await settled(page);
  return (await page.locator('.attention-live-mirror .said').textContent()).replace(/\u00a0$/, '');
};

/** Tab until something of that role and name has the focus. */
export async function tabTo(page, role, name, key = 'Tab') {
  const passed = [];
  for (let tries = 0; tries < 120; ++tries) {
    const now = await focused(page);
    const fits = now && now.role === role && (typeof name === 'string' ? now.name === name : name.test(now.name));
    if (fits) return now;
    passed.push(`${now?.role} ${now?.name}`);
    await page.keyboard.press(key);
  }
  return assert.fail(`no ${role} ${name} is reached by ${key}; passed: ${passed.join(' | ')}`);
}

/** Opens the mirror as a reader would. */
export async function read(page) {
  await tabTo(page, 'button', 'Read as text');
  await page.keyboard.press('Enter');
  await page.waitForSelector('.attention-live-mirror:not([hidden])');
}

export async function heading(page) {
  return (await tree(page)).filter(({ role }) => role === 'heading').map(({ name }) => name);
}

/** Moves the focus in a grid with the arrow keys; gives the cell that is reached. */
export async function walk(page, ...keys) {
  for (const key of keys) await page.keyboard.press(key);
  return focused(page);
}

/** Opens a matrix of that name and enters its grid. */
export async function enter(page, name) {
  await tabTo(page, 'button', name, 'Tab');
  const button = await focused(page);
  if (button.expanded !== true) await page.keyboard.press('Enter');
  await tabTo(page, 'gridcell', /./);
}

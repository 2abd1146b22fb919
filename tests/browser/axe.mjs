// axe in a page, whatever its policy.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe finds: [{id, help, nodes: where and what, of the first few}]. */
export async function violations(page) {
  if (!await page.evaluate(() => Boolean(window.axe))) await page.evaluate(`${axe}\n;undefined`);
  return page.evaluate(async () => (await window.axe.run()).violations.map(({ id, help, nodes }) => ({
    id, help, nodes: nodes.slice(0, 3).map(({ html, failureSummary }) => `${html} ${failureSummary}`),
  })));
}

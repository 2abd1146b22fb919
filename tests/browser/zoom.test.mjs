// CSS `zoom` on an element around a figure: as sharp as without, and the pointer where it is.

import { describe, test } from 'node:test';

import { withPage } from './pages.mjs';
import { assertQuiet } from './support.mjs';
import { zoomFiles, zoomsWell } from './zoomed.mjs';

describe('zoom', () => {
  test('of 0.6, 1 and 1.5', async () => {
    await withPage({ server: { extra: zoomFiles } }, async (page) => {
      await zoomsWell(page);
      assertQuiet(page);
    });
  });
});

// The matrices on the stage as a list of names, each of which opens a grid of its numbers. Grids are made when opened.

import { make, words, write } from './dom.mjs';
import { createGrid } from './grid.mjs';
import { textFor } from '../texts/mirror.mjs';

const keyOf = (block) => [block.attention, block.tensor, block.corner.join('.'), block.row_axis, block.column_axis].join(' ');

function nameOf(text, block, several) {
  const { rows, columns, head } = block;
  let name = words(block.tensor);
  if (several) name = text('mirror.matrices.of_attention', { name, attention: words(block.attention) });
  if (head !== null) name = text('mirror.matrices.of_head', { name, head });
  return text('mirror.matrices.size', { name, rows, columns });
}

/**
 * @param {object} api of program/api.mjs
 * @param {{ask: (action: () => void) => boolean, say: (sentence: string) => void}} reader
 */
export function createMatrices(api, reader) {
  const text = textFor(api);
  const heading = make('h3', { text: text('mirror.matrices.title'), tabindex: '-1' });
  const help = make('p', {
    class: 'quiet',
    text: text('mirror.matrices.help'),
  });
  const list = make('ul');
  const shown = new Map(); // key → {item, button, grid}

  function createEntry(key) {
    const button = make('button', { type: 'button', 'aria-expanded': 'false', onclick: () => toggle(entry) });
    const entry = { key, button, item: make('li', {}, [button]), grid: null, block: null, name: '' };
    return entry;
  }

  function toggle(entry) {
    const open = !entry.grid;
    entry.button.setAttribute('aria-expanded', String(open));
    if (open) {
      entry.grid = createGrid(api, reader);
      entry.item.append(entry.grid.element);
      entry.grid.update(entry.block, entry.name);
    } else {
      entry.grid.element.remove();
      entry.grid = null;
    }
  }

  return {
    element: make('div', {}, [heading, help, list]),

    update(blocks) {
      const several = new Set(blocks.map(({ attention }) => attention)).size > 1;
      const wanted = new Map(blocks.map((block) => [keyOf(block), block]));
      for (const [key, entry] of shown) {
        if (wanted.has(key)) continue;
        const focused = entry.item.contains(entry.item.getRootNode().activeElement);
        entry.item.remove();
        shown.delete(key);
        if (focused) heading.focus(); // or the focus would be nowhere
      }
      let before = null;
      for (const [key, block] of wanted) {
        const entry = shown.get(key) ?? createEntry(key);
        shown.set(key, entry);
        entry.block = block;
        entry.name = nameOf(text, block, several);
        write(entry.button, entry.name);
        // Moved only if necessary, since moving an element takes its focus away.
        const place = before ? before.nextSibling : list.firstChild;
        if (place !== entry.item) list.insertBefore(entry.item, place);
        before = entry.item;
        entry.grid?.update(block, entry.name);
      }
    },
  };
}

// A matrix as a grid for keyboard navigation; a large one in windows of at most 16 × 16.

import { codeText, floatText, numbersOf, tableText } from './copying.mjs';
import { button, make, newId, words } from './dom.mjs';
import { textFor } from '../texts/mirror.mjs';

const most = 16;

const moves = {
  ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0], PageUp: [-most, 0], PageDown: [most, 0],
};

const clamp = (value, last) => Math.max(0, Math.min(last, value));

/**
 * @param {object} api of program/api.mjs
 * @param {{ask: (action: () => void) => boolean, say: (sentence: string) => void}} reader
 */
export function createGrid(api, { ask, say }) {
  const text = textFor(api);
  const id = newId();
  const caption = make('caption', { id });
  const head = make('thead');
  const body = make('tbody');
  const table = make('table', { role: 'grid', 'aria-labelledby': id }, [caption, head, body]);
  const pages = {
    up: button(text('mirror.grid.previous_rows'), () => page(-most, 0)),
    down: button(text('mirror.grid.next_rows'), () => page(most, 0)),
    left: button(text('mirror.grid.previous_columns'), () => page(0, -most)),
    right: button(text('mirror.grid.next_columns'), () => page(0, most)),
  };
  const paging = make('div', {
    class: 'bar', role: 'group', 'aria-label': text('mirror.grid.part'),
  }, Object.values(pages));
  const copying = make('div', { class: 'bar', role: 'group' }, [
    button(text('mirror.grid.copy_number'), () => copyNumber()),
    button(text('mirror.grid.copy_table'), () => copy((all) => tableText(numbersOf(api, all)))),
    button(text('mirror.grid.copy_numpy'), () => copy((all) => codeText(api, all, 'numpy'))),
    button(text('mirror.grid.copy_pytorch'), () => copy((all) => codeText(api, all, 'pytorch'))),
    button(text('mirror.grid.save_png'), () => save('png')),
    button(text('mirror.grid.save_svg'), () => save('svg')),
    button(text('mirror.grid.save_all'), () => saveAll()),
  ]);
  const element = make('div', { class: 'sheet' }, [paging, table, copying]);

  let block = null;
  let name = '';
  let top = 0; // of the window
  let left = 0;
  let here = { row: 0, column: 0 }; // the cell that Tab reaches, in the matrix
  let field = null; // where a number is typed
  let headers = '';

  const height = () => Math.min(most, block.rows - top);
  const width = () => Math.min(most, block.columns - left);
  const cellAt = ({ row, column }) => body.rows[row - top]?.cells[column - left + 1];
  /** A token, or the index along the axis, counted from 0. */
  const label = (labels, axis, at) => labels[at] ?? (axis === null ? '' : String(block.corner[axis] + at));
  const rowLabel = (row) => label(block.row_labels, block.row_axis, row) || name;
  const columnLabel = (column) => label(block.column_labels, block.column_axis, column) || name;

  /** The index in the tensor. */
  function address({ row, column }) {
    const index = [...block.corner];
    if (block.row_axis !== null) index[block.row_axis] += row;
    if (block.column_axis !== null) index[block.column_axis] += column;
    return { attention: block.attention, tensor: block.tensor, index };
  }

  function windowOfNumbers() {
    const { attention, tensor, index } = address({ row: top, column: left });
    const { row_axis, column_axis } = block;
    return api.cells({ attention, tensor, corner: index, row_axis, column_axis, rows: height(), columns: width() }).texts;
  }

  function layOut() {
    const count = (total, all) => Array.from({ length: total }, (_, i) => all + i);
    head.replaceChildren(make('tr', {}, [
      make('td'), ...count(width(), left).map((column) => make('th', { scope: 'col', text: columnLabel(column) })),
    ]));
    table.setAttribute('aria-rowcount', block.rows + 1);
    table.setAttribute('aria-colcount', block.columns + 1);
    body.replaceChildren(...count(height(), top).map((row) => make('tr', { 'aria-rowindex': row + 2 }, [
      make('th', { scope: 'row', text: rowLabel(row), 'aria-colindex': 1 }),
      ...count(width(), left).map((column) => make('td', {
        role: 'gridcell', tabindex: '-1', 'aria-colindex': column + 2, 'aria-readonly': String(!block.editable),
      })),
    ])));
  }

  /** Writes the numbers. The table is rebuilt only if its shape changes. */
  function show() {
    const outline = JSON.stringify([top, left, height(), width(), rowLabel(0), block.row_labels, block.column_labels, block.editable]);
    if (outline !== headers) {
      headers = outline;
      field = null;
      layOut();
    }
    windowOfNumbers().forEach((row, i) => row.forEach((text, j) => {
      const cell = body.rows[i].cells[j + 1];
      if (cell.firstElementChild !== null) return; // being typed into
      if (cell.textContent !== text) cell.textContent = text;
    }));
    const parts = [];
    if (block.rows > most) {
      parts.push(text('mirror.grid.rows', { first: top, last: top + height() - 1, count: block.rows }));
    }
    if (block.columns > most) {
      parts.push(text('mirror.grid.columns', { first: left, last: left + width() - 1, count: block.columns }));
    }
    caption.textContent = [name, ...parts].join(', ');
    paging.hidden = parts.length === 0;
    pages.up.disabled = top === 0;
    pages.left.disabled = left === 0;
    pages.down.disabled = top + most >= block.rows;
    pages.right.disabled = left + most >= block.columns;
    for (const each of [pages.up, pages.down]) each.hidden = block.rows <= most;
    for (const each of [pages.left, pages.right]) each.hidden = block.columns <= most;
    rove();
  }

  function rove() {
    for (const cell of body.querySelectorAll('[tabindex="0"]')) cell.tabIndex = -1;
    const cell = cellAt(here);
    if (cell) cell.tabIndex = 0;
  }

  function page(rows, columns) {
    const start = (at, by, count) => clamp(at + by, Math.floor((count - 1) / most) * most);
    top = start(top, rows, block.rows);
    left = start(left, columns, block.columns);
    here = { row: top, column: left };
    show();
    say(caption.textContent);
  }

  function go(row, column) {
    here = { row: clamp(row, block.rows - 1), column: clamp(column, block.columns - 1) };
    top = Math.floor(here.row / most) * most;
    left = Math.floor(here.column / most) * most;
    show();
    cellAt(here).focus();
  }

  const explain = (place) => api.explain(address(place)).text;

  /** Of the cell that Tab reaches. */
  function copyNumber() {
    const { name: called, value } = api.explain(address(here));
    api.copyText(floatText(value));
    say(text('mirror.grid.number_copied', { cell: called }));
  }

  function copy(textOf) {
    api.copyText(textOf(block));
    say(text('mirror.grid.matrix_copied', { tensor: block.tensor, count: block.rows * block.columns }));
  }

  function save(as) {
    const { attention, tensor, head } = block;
    if (api.state().attention !== attention) {
      say(text('mirror.grid.not_in_view', { attention: words(attention) }));
      return;
    }
    if (ask(() => api.save({ tensor, head, as }))) say(text('mirror.grid.saved', { tensor }));
  }

  function saveAll() {
    if (ask(() => api.save({ as: 'safetensors' }))) say(text('mirror.grid.all_saved'));
  }

  function edit() {
    if (!block.editable) {
      const { given } = api.explain(address(here));
      const key = given.length ? 'mirror.grid.computed_from' : 'mirror.grid.computed';
      say(text(key, { number: explain(here), cells: given.join('; ') }));
      return;
    }
    const cell = cellAt(here);
    const { name: called, value } = api.explain(address(here));
    field = make('input', {
      type: 'text', inputmode: 'decimal', 'aria-label': text('mirror.grid.new_number', { cell: called }),
    });
    field.value = String(value);
    cell.replaceChildren(field);
    field.focus();
    field.select();
    field.addEventListener('blur', () => leave(false));
  }

  /** Ends typing; with `back` the cell gets the focus again. */
  function leave(back) {
    if (!field) return;
    const cell = field.parentElement;
    field = null;
    cell.textContent = ''; // filled by show
    show();
    if (back) cell.focus();
  }

  function commit() {
    const typed = field.value.trim().replace('−', '-').replace(',', '.');
    const hidden = /^-(inf(inity)?|∞)$/i.test(typed);
    const value = hidden ? -Infinity : Number(typed);
    if (typed === '' || Number.isNaN(value)) {
      field.setAttribute('aria-invalid', 'true');
      say(text('mirror.grid.no_number', { typed: field.value }));
      return;
    }
    const place = here;
    const typing = field;
    if (!ask(() => api.edit({ ...address(place), value }))) {
      typing.setAttribute('aria-invalid', 'true');
      return;
    }
    leave(true);
    say(text('mirror.grid.changed', { number: explain(place), changed: api.describe().changed }));
  }

  table.addEventListener('keydown', (event) => {
    if (event.ctrlKey && !event.altKey && !event.metaKey && !field && (event.key === 'Home' || event.key === 'End')) {
      event.preventDefault();
      go(event.key === 'Home' ? 0 : block.rows - 1, event.key === 'Home' ? 0 : block.columns - 1);
      return;
    }
    if ((event.ctrlKey || event.metaKey) && !event.altKey && !field && event.key.toLowerCase() === 'c') {
      event.preventDefault();
      copyNumber();
      return;
    }
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (field) {
      if (event.key !== 'Enter' && event.key !== 'Escape') return;
      event.preventDefault();
      if (event.key === 'Enter') commit();
      else leave(true);
      return;
    }
    if (!event.target.closest('[role="gridcell"]')) return;
    const move = moves[event.key];
    if (move) go(here.row + move[0], here.column + move[1]);
    else if (event.key === 'Home') go(here.row, 0);
    else if (event.key === 'End') go(here.row, block.columns - 1);
    else if (event.key === 'Enter' || event.key === 'F2') edit();
    else if (event.key === ' ') mark();
    else return;
    event.preventDefault();
  });

  /** Pastes a block from a spreadsheet, from the cell to the right and down. The program parses it. */
  function paste(pasted) {
    const { attention, tensor, index } = address(here);
    const before = JSON.stringify(api.state());
    const done = ask(() => {
      api.set({ attention, cell: { tensor, index } });
      const marked = JSON.stringify(api.state());
      api.paste(pasted);
      if (JSON.stringify(api.state()) === marked && api.message()) throw new Error(api.message());
    });
    if (done && JSON.stringify(api.state()) !== before) {
      say(text('mirror.grid.pasted', { number: explain(here), changed: api.describe().changed }));
    }
  }

  table.addEventListener('paste', (event) => {
    if (field) return;
    event.preventDefault();
    paste(event.clipboardData.getData('text/plain').slice(0, 2 ** 20));
  });

  /** Chooses the cell on the canvas too. */
  function mark() {
    const { attention, tensor, index } = address(here);
    if (ask(() => api.set({ attention, cell: { tensor, index } }))) {
      say(text('mirror.grid.selected', { number: explain(here) }));
    }
  }

  table.addEventListener('focusin', (event) => {
    const cell = event.target;
    if (cell.getAttribute('role') !== 'gridcell') return;
    here = { row: top + cell.parentElement.sectionRowIndex, column: left + cell.cellIndex - 1 };
    rove();
    say(explain(here));
  });

  return {
    element,
    /** The matrix as it is now: another one in the same place, or other numbers. */
    update(now, called) {
      block = now;
      name = called;
      copying.setAttribute('aria-label', text('mirror.grid.copy', { matrix: called }));
      here = { row: clamp(here.row, block.rows - 1), column: clamp(here.column, block.columns - 1) };
      top = clamp(top, Math.floor((block.rows - 1) / most) * most);
      left = clamp(left, Math.floor((block.columns - 1) / most) * most);
      show();
    },
  };
}

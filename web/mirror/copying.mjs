// Numbers as text that other programs read: a table for a spreadsheet, and code for NumPy and PyTorch.

const dialects = {
  numpy: { importing: 'import numpy as np', open: 'np.array(', close: ', dtype=np.float32)', infinity: 'np.inf' },
  pytorch: {
    importing: 'import torch', open: 'torch.tensor(', close: ', dtype=torch.float32)', infinity: 'float("inf")',
  },
};

/** The shortest decimal that reads back as the same float32; `infinity` is the target language's name for ∞. */
export function floatText(value, infinity = 'inf') {
  if (!Number.isFinite(value)) return value < 0 ? `-${infinity}` : infinity;
  for (let digits = 1; digits <= 9; digits += 1) {
    const rounded = Number(value.toPrecision(digits));
    if (Math.fround(rounded) === value) return String(rounded);
  }
  return String(value);
}

/** All numbers of a matrix, row by row, read window by window. */
export function numbersOf(api, block) {
  const most = 16;
  const { attention, tensor, corner, row_axis, column_axis, rows, columns } = block;
  const numbers = Array.from({ length: rows }, () => []);
  for (let top = 0; top < rows; top += most) {
    for (let left = 0; left < columns; left += most) {
      const from = [...corner];
      if (row_axis !== null) from[row_axis] += top;
      if (column_axis !== null) from[column_axis] += left;
      const { values } = api.cells({
        attention, tensor, corner: from, row_axis, column_axis, rows: Math.min(most, rows - top),
        columns: Math.min(most, columns - left),
      });
      values.forEach((row, i) => numbers[top + i].push(...row));
    }
  }
  return numbers;
}

/** A matrix as text for a spreadsheet. */
export function tableText(numbers) {
  return numbers.map((row) => `${row.map((value) => floatText(value)).join('\t')}\n`).join('');
}

/**
 * A matrix as code that makes a variable of it.
 * @param {'numpy' | 'pytorch'} dialect
 */
export function codeText(api, block, dialect) {
  const { importing, open, close, infinity } = dialects[dialect];
  const numbers = numbersOf(api, block);
  const several = api.choices().attentions.length > 1;
  const prefix = several ? `${block.attention}.` : '';
  const list = (values) => `[${values.map((value) => floatText(value, infinity)).join(', ')}]`;
  // A bias is drawn as a column, and is one axis.
  const flat = block.column_axis === null;
  const lists = flat ? list(numbers.flat()) : `[\n${numbers.map((row) => `    ${list(row)},\n`).join('')}]`;
  const name = `${prefix}${block.tensor}`;
  return `${importing}\n\n# ${name}${block.part}\n${name.replaceAll('.', '_')} = ${open}${lists}${close}\n`;
}

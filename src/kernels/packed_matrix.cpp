#include "kernels/packed_matrix.hpp"

#include <algorithm>

#include "kernels/lanes.hpp"
#include "kernels/matmul_tile.hpp"

namespace kernels {
namespace {

constexpr std::size_t round_up(std::size_t number, std::size_t step) {
  return (number + step - 1) / step * step;
}

/// Four rows of four numbers, or fewer rows, as four columns: column k begins at to[k · distance].
/// Writes four numbers for each column, however few the rows.
void put_columns(const float* a, std::size_t stride, std::size_t rows, float* to,
                 std::size_t distance) {
  const std::size_t last = rows - 1;
  const f32x4 r0 = load_four(a);
  const f32x4 r1 = load_four(a + std::min<std::size_t>(1, last) * stride);
  const f32x4 r2 = load_four(a + std::min<std::size_t>(2, last) * stride);
  const f32x4 r3 = load_four(a + std::min<std::size_t>(3, last) * stride);
  const f32x4 low01 = __builtin_shufflevector(r0, r1, 0, 4, 1, 5);
  const f32x4 high01 = __builtin_shufflevector(r0, r1, 2, 6, 3, 7);
  const f32x4 low23 = __builtin_shufflevector(r2, r3, 0, 4, 1, 5);
  const f32x4 high23 = __builtin_shufflevector(r2, r3, 2, 6, 3, 7);
  store_four(__builtin_shufflevector(low01, low23, 0, 1, 4, 5), to);
  store_four(__builtin_shufflevector(low01, low23, 2, 3, 6, 7), to + distance);
  store_four(__builtin_shufflevector(high01, high23, 0, 1, 4, 5), to + 2 * distance);
  store_four(__builtin_shufflevector(high01, high23, 2, 3, 6, 7), to + 3 * distance);
}

/// One tile of a left factor. Writes up to three numbers behind it.
void pack_tile(const float* a, std::size_t stride, std::size_t rows, std::size_t depth,
               float* panel) {
  std::size_t k = 0;
  for (; k + 4 <= depth; k += 4, panel += 4 * rows) {
    // From the last rows to the first: where four numbers are written and fewer are wanted, those
    // behind them, the first ones of the next k, are written after them.
    for (std::size_t row = (rows - 1) / 4 * 4 + 4; row > 0;) {
      row -= 4;
      put_columns(a + row * stride + k, stride, std::min<std::size_t>(4, rows - row), panel + row,
                  rows);
    }
  }
  for (; k < depth; ++k) {
    for (std::size_t row = 0; row < rows; ++row) *panel++ = a[row * stride + k];
  }
}

/// One panel of `used` columns, `width` floats wide: its rows lie `along` apart in the source, its
/// columns `across`.
void pack_panel(const float* source, std::size_t rows, std::size_t along, std::size_t across,
                std::size_t used, std::size_t width, float* panel) {
  // A weight, or keys: each column's numbers side by side. Only by fours is nothing written behind.
  if (used == width && along == 1 && width % 4 == 0) {
    pack_tile(source, across, width, rows, panel);
    return;
  }
  if (used < width) std::fill_n(panel, rows * width, 0.0F);
  for (std::size_t k = 0; k < rows; ++k, panel += width, source += along) {
    const float* cell = source;
    for (std::size_t i = 0; i < used; ++i, cell += across) panel[i] = *cell;
  }
}

/// The same for a whole panel of rows that lie as they should, of a constant width: no length to
/// look at, no call.
template <std::size_t width>
void copy_panel(const float* source, std::size_t rows, std::size_t along, float* panel) {
  for (std::size_t k = 0; k < rows; ++k, panel += width, source += along) {
    std::copy_n(source, width, panel);
  }
}

void pack_panels(const MatrixView& matrix, std::size_t width, float* panel) {
  for (std::size_t row = 0; row < matrix.rows; row += matmul_block_depth) {
    const std::size_t block = std::min(matmul_block_depth, matrix.rows - row);
    for (std::size_t column = 0; column < matrix.columns; column += width) {
      const std::size_t used = std::min(width, matrix.columns - column);
      const float* source = matrix.data + row * matrix.row_stride + column * matrix.column_stride;
      if (matrix.column_stride == 1 && used == 8 && width == 8) {
        copy_panel<8>(source, block, matrix.row_stride, panel);
      } else {
        pack_panel(source, block, matrix.row_stride, matrix.column_stride, used, width, panel);
      }
      panel += block * width;
    }
  }
}

}  // namespace

const float* PackedMatrix::panel(std::size_t row, std::size_t column) const {
  return panels.data() + row * round_up(source.columns, panel_columns) + column * block_rows(row);
}

void pack(const MatrixView& matrix, PackedMatrix& packed) {
  const std::size_t width = matmul_kernel().panel_columns;
  packed.source = matrix;
  packed.panel_columns = width;
  packed.panels.resize(matrix.rows * round_up(matrix.columns, width));
  pack_panels(matrix, width, packed.panels.data());
}

void pack_rows(const float* a, std::size_t stride, std::size_t rows, std::size_t depth,
               std::size_t tile_rows, float* panels) {
  if (depth == 0) return;  // and perhaps nowhere to read or write
  for (std::size_t row = 0; row < rows;) {
    const std::size_t count = next_tile_rows(rows - row, tile_rows);
    pack_tile(a + row * stride, stride, count, depth, panels);
    row += count;
    panels += count * depth;
  }
}

}  // namespace kernels

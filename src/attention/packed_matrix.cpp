#include "attention/packed_matrix.hpp"

#include <algorithm>

#include "attention/matmul_tile.hpp"

namespace attention {
namespace {

constexpr std::size_t round_up(std::size_t number, std::size_t step) {
  return (number + step - 1) / step * step;
}

/// One panel of `used` columns: its rows lie `along` apart in the source, its columns `across`.
void pack_panel(const float* source, std::size_t rows, std::size_t along, std::size_t across,
                std::size_t used, float* panel) {
  if (used < tile_columns) {
    for (std::size_t k = 0; k < rows; ++k, panel += tile_columns, source += along) {
      for (std::size_t i = 0; i < tile_columns; ++i)
        panel[i] = i < used ? source[i * across] : 0.0F;
    }
    return;
  }
  if (across == 1) {  // a constant length: no call
    for (std::size_t k = 0; k < rows; ++k, panel += tile_columns, source += along) {
      std::copy_n(source, tile_columns, panel);
    }
    return;
  }
  for (std::size_t k = 0; k < rows; ++k, panel += tile_columns, source += along) {
    for (std::size_t i = 0; i < tile_columns; ++i) panel[i] = source[i * across];
  }
}

/// The panels of `matrix` that are `wanted`, by their first column and their width.
template <typename Wanted>
void pack_panels(const MatrixView& matrix, float* panel, Wanted wanted) {
  for (std::size_t row = 0; row < matrix.rows; row += matmul_block_depth) {
    const std::size_t block = std::min(matmul_block_depth, matrix.rows - row);
    for (std::size_t column = 0; column < matrix.columns; column += tile_columns) {
      const std::size_t used = std::min(tile_columns, matrix.columns - column);
      if (wanted(column, used)) {
        pack_panel(matrix.data + row * matrix.row_stride + column * matrix.column_stride, block,
                   matrix.row_stride, matrix.column_stride, used, panel);
      }
      panel += block * tile_columns;
    }
  }
}

}  // namespace

const float* PackedMatrix::panel(std::size_t row, std::size_t column) const {
  const std::size_t block = std::min(matmul_block_depth, source.rows - row);
  return panels.data() + row * round_up(source.columns, tile_columns) + column * block;
}

void pack(const MatrixView& matrix, PackedMatrix& packed) {
  packed.source = matrix;
  packed.panels.resize(matrix.rows * round_up(matrix.columns, tile_columns));
  pack_panels(matrix, packed.panels.data(), [](std::size_t, std::size_t) { return true; });
}

void pack_columns(const MatrixView& matrix, const Marks& columns, PackedMatrix& packed) {
  packed.source = matrix;
  pack_panels(matrix, packed.panels.data(), [&columns](std::size_t column, std::size_t used) {
    return columns.any_in(column, used);
  });
}

}  // namespace attention

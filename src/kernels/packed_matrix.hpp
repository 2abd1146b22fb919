// The right factor of a product, laid out in the order in which the product reads it.
#pragma once

#include <algorithm>
#include <cstddef>

#include "tensor/aligned.hpp"

namespace kernels {

/// One matrix somewhere in memory: element [row,column] is data[row·row_stride +
/// column·column_stride].
struct MatrixView {
  const float* data = nullptr;
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::size_t row_stride = 0;
  std::size_t column_stride = 1;

  friend bool operator==(const MatrixView&, const MatrixView&) = default;
};

/// How many terms are summed before they are added to the cell.
inline constexpr std::size_t matmul_block_depth = 256;

/// Panels of as many columns as matmul_kernel() takes at once, each stored row by row; first those
/// of the first matmul_block_depth rows, then those of the next. Columns beyond the last one are 0,
/// and what they are multiplied into is dropped.
struct PackedMatrix {
  MatrixView source;  ///< what it was made from
  std::size_t panel_columns = 0;
  tensor::AlignedFloats panels;

  std::size_t rows() const { return source.rows; }
  std::size_t columns() const { return source.columns; }
  /// The panel of the columns from `column` on, of the block of rows from `row` on.
  const float* panel(std::size_t row, std::size_t column) const;
  /// Floats from a panel of that block to the next one.
  std::size_t panel_size(std::size_t row) const { return block_rows(row) * panel_columns; }

 private:
  std::size_t block_rows(std::size_t row) const {
    return std::min(matmul_block_depth, source.rows - row);
  }
};

/// Packs `matrix` into `packed`, whose memory is used again.
void pack(const MatrixView& matrix, PackedMatrix& packed);

/// How many numbers behind its panels pack_rows may write.
inline constexpr std::size_t packed_rows_slack = 3;

/// The rows of a left factor for one block of the product, in the order in which the kernel's tiles
/// read them: `rows` rows of `depth` numbers, `stride` apart, are taken in tiles of
/// next_tile_rows(.., tile_rows), and in each, cell [row,k] is number k · (rows of the tile) + row.
/// `panels` has room for rows · depth + packed_rows_slack numbers.
void pack_rows(const float* a, std::size_t stride, std::size_t rows, std::size_t depth,
               std::size_t tile_rows, float* panels);

}  // namespace kernels

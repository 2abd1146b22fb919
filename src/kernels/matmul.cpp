#include "kernels/matmul.hpp"

#include <algorithm>
#include <array>
#include <memory>

#include "kernels/matmul_tile.hpp"

namespace kernels {
namespace {

/// At most so many rows of a are read again for each panel of b: 72 × 256 floats, 72 kB, stay in
/// the second-level cache, and are whole tiles of every kernel's.
constexpr std::size_t most_block_rows = 72;

/// A single tile of rows no longer than this is not worth packing.
constexpr std::size_t short_depth = 16;

/// Where they are packed.
float* packed_rows() {
  alignas(static_cast<std::size_t>(tensor::cache_line)) static thread_local std::array<
      float, most_block_rows * matmul_block_depth + packed_rows_slack>
      block;
  return block.data();
}

/// How many rows of a are taken at a time, whole tiles: as few blocks as there can be, of much the
/// same height, since all of b is read for each.
std::size_t rows_of_a_block(std::size_t rows, std::size_t tile_rows) {
  const std::size_t blocks =
      std::max((rows + most_block_rows - 1) / most_block_rows, std::size_t{1});
  const std::size_t tiles = (rows + tile_rows - 1) / tile_rows;
  return std::min((tiles + blocks - 1) / blocks * tile_rows, most_block_rows);
}

/// Some rows of a, as the kernel is to read them, with the panels of the right factor: what they
/// add to the result from its row `row` on, by rows of b from `k` on.
void multiply_panels(PanelProduct rows, const Product& product, std::size_t row, std::size_t k,
                     bool last) {
  const MatmulKernel& kernel = matmul_kernel();
  const PackedMatrix& b = *product.b;
  const std::size_t width = b.panel_columns;
  const std::size_t together = rows.rows == 1 ? panels_of_row * width : width;
  rows.result_stride = product.result_stride;
  rows.b_stride = b.panel_size(k);
  for (std::size_t column = 0; column < b.columns(); column += rows.columns) {
    const std::size_t left = b.columns() - column;
    rows.columns = left >= together ? together : std::min(width, left);
    rows.b_panel = b.panel(k, column);
    rows.result = product.result + row * product.result_stride + column;
    rows.bias = last && product.bias != nullptr ? product.bias + column : nullptr;
    kernel.multiply_panel(rows);
  }
}

}  // namespace

void multiply(const MatrixView& a, const Product& product) {
  const std::size_t depth = a.columns;
  const MatmulKernel& kernel = matmul_kernel();
  const std::size_t block_rows = rows_of_a_block(a.rows, kernel.tile_rows);
  for (std::size_t k = 0; k < depth; k += matmul_block_depth) {
    PanelProduct block;
    block.depth = std::min(matmul_block_depth, depth - k);
    block.add = k > 0;
    for (std::size_t row = 0; row < a.rows; row += block_rows) {
      const float* rows = a.data + row * a.row_stride + k;
      block.rows = std::min(block_rows, a.rows - row);
      block.a_panels = rows;
      block.a_stride = a.row_stride;
      const bool few = block.rows <= kernel.tile_rows && block.depth <= short_depth;
      if (block.rows > 1 && !(few && a.row_stride > 0)) {
        block.a_stride = 0;
        pack_rows(rows, a.row_stride, block.rows, block.depth, kernel.tile_rows, packed_rows());
        block.a_panels = packed_rows();
      }
      multiply_panels(block, product, row, k, k + block.depth == depth);
    }
  }
}

const PackedMatrix& packed_transpose(const tensor::Tensor& matrix) {
  const MatrixView transposed{matrix.data(), matrix.dim(1), matrix.dim(0), matrix.strides()[1],
                              matrix.strides()[0]};
  auto kept = std::static_pointer_cast<const PackedMatrix>(matrix.prepared());
  // Another view of the same storage may have been packed: a part of the weight.
  if (kept == nullptr || kept->source != transposed) {
    auto packed = std::make_shared<PackedMatrix>();
    pack(transposed, *packed);
    matrix.prepared() = packed;
    return *packed;
  }
  return *kept;
}

}  // namespace kernels

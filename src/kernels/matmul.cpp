#include "kernels/matmul.hpp"

#include <algorithm>
#include <array>
#include <memory>

#include "kernels/matmul_tile.hpp"

namespace kernels {
namespace {

/// Rows of a that are multiplied with one panel of b after another. 72 × 256 floats, 72 kB, stay in
/// the second-level cache, and 72 is a multiple of every kernel's tile_rows.
constexpr std::size_t block_rows = 72;

/// Copies four at a time. Not memcpy, which is a call into JavaScript on the web.
void copy_floats(const float* from, std::size_t count, float* to) {
  std::size_t i = 0;
  for (; i + 4 <= count; i += 4) __builtin_memcpy(to + i, from + i, 4 * sizeof(float));
  for (; i < count; ++i) to[i] = from[i];
}

/// Packs `used` columns into a panel that is `width` floats wide. In the source, rows have the
/// stride `along` and columns the stride `across`.
void pack_panel(const float* source, std::size_t rows, std::size_t along, std::size_t across,
                std::size_t used, std::size_t width, float* panel) {
  if (used < width) std::fill_n(panel, rows * width, 0.0F);
  for (std::size_t k = 0; k < rows; ++k, panel += width, source += along) {
    if (across == 1) {
      copy_floats(source, used, panel);
    } else {
      for (std::size_t i = 0; i < used; ++i) panel[i] = source[i * across];
    }
  }
}

constexpr std::size_t round_up(std::size_t number, std::size_t step) {
  return (number + step - 1) / step * step;
}

}  // namespace

const float* PackedMatrix::panel(std::size_t row, std::size_t column) const {
  return reinterpret_cast<const float*>(panels.data()) +
         row * round_up(source.columns, panel_columns) +
         column * std::min(matmul_block_depth, source.rows - row);
}

void pack(const MatrixView& matrix, PackedMatrix& packed) {
  const std::size_t width = matmul_kernel().panel_columns;
  packed.source = matrix;
  packed.panel_columns = width;
  constexpr std::size_t line = std::size(CacheLine{}.floats);
  packed.panels.resize(round_up(matrix.rows * round_up(matrix.columns, width), line) / line);
  auto* panel = reinterpret_cast<float*>(packed.panels.data());
  for (std::size_t row = 0; row < matrix.rows; row += matmul_block_depth) {
    const std::size_t block = std::min(matmul_block_depth, matrix.rows - row);
    for (std::size_t column = 0; column < matrix.columns; column += width) {
      pack_panel(matrix.data + row * matrix.row_stride + column * matrix.column_stride, block,
                 matrix.row_stride, matrix.column_stride, std::min(width, matrix.columns - column),
                 width, panel);
      panel += block * width;
    }
  }
}

const PackedMatrix& packed_transpose(const tensor::Tensor& matrix) {
  const MatrixView transposed{matrix.data(), matrix.dim(1), matrix.dim(0), matrix.strides()[1],
                              matrix.strides()[0]};
  auto kept = std::static_pointer_cast<const PackedMatrix>(matrix.prepared());
  // What was packed may be another view of the same storage: another part of a packed weight.
  if (kept == nullptr || kept->source != transposed) {
    auto packed = std::make_shared<PackedMatrix>();
    pack(transposed, *packed);
    matrix.prepared() = packed;
    return *packed;
  }
  return *kept;
}

void multiply(const MatrixView& a, const PackedMatrix& b, float* result, const float* bias) {
  alignas(64) static std::array<float, block_rows * matmul_block_depth> rows;
  PanelProduct panel;
  panel.a = rows.data();
  panel.result_stride = b.source.columns;
  for (std::size_t k = 0; k < a.columns; k += matmul_block_depth) {
    panel.depth = std::min(matmul_block_depth, a.columns - k);
    panel.add = k > 0;
    const bool last = k + panel.depth == a.columns;
    for (std::size_t row = 0; row < a.rows; row += block_rows) {
      panel.rows = std::min(block_rows, a.rows - row);
      for (std::size_t i = 0; i < panel.rows; ++i) {
        copy_floats(a.data + (row + i) * a.row_stride + k, panel.depth,
                    rows.data() + i * matmul_block_depth);
      }
      for (std::size_t column = 0; column < b.source.columns; column += b.panel_columns) {
        panel.columns = std::min(b.panel_columns, b.source.columns - column);
        panel.b_panel = b.panel(k, column);
        panel.result = result + row * b.source.columns + column;
        panel.bias = last && bias != nullptr ? bias + column : nullptr;
        matmul_kernel().multiply_panel(panel);
      }
    }
  }
}

}  // namespace kernels

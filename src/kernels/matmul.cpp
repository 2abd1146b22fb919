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
/// At least every kernel's panel_columns.
constexpr std::size_t widest_panel = 32;

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

/// Copies a block of the left factor to `to`, its rows matmul_block_depth floats apart.
void copy_block(const MatrixView& block, float* to) {
  if (block.column_stride == 1) {
    for (std::size_t row = 0; row < block.rows; ++row)
      copy_floats(block.data + row * block.row_stride, block.columns,
                  to + row * matmul_block_depth);
    return;
  }
  // A transposed factor, as in the gradient of a weight. Eight columns at a time: what is written
  // lies together then, and what is read are eight runs.
  constexpr std::size_t run = 8;
  std::size_t k = 0;
  for (; k + run <= block.columns; k += run) {
    const float* from = block.data + k * block.column_stride;
    for (std::size_t row = 0; row < block.rows; ++row, from += block.row_stride) {
      float* cells = to + row * matmul_block_depth + k;
      for (std::size_t i = 0; i < run; ++i) cells[i] = from[i * block.column_stride];
    }
  }
  for (; k < block.columns; ++k) {
    for (std::size_t row = 0; row < block.rows; ++row)
      to[row * matmul_block_depth + k] =
          block.data[row * block.row_stride + k * block.column_stride];
  }
}

constexpr std::size_t round_up(std::size_t number, std::size_t step) {
  return (number + step - 1) / step * step;
}

}  // namespace

std::size_t PackedMatrix::place_of_panel(std::size_t row, std::size_t column) const {
  return row * round_up(source.columns, panel_columns) +
         column * std::min(matmul_block_depth, source.rows - row);
}

const float* PackedMatrix::panel(std::size_t row, std::size_t column) const {
  return reinterpret_cast<const float*>(panels.data()) + place_of_panel(row, column);
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

namespace {

// Two: the forward pass reads a weight transposed, the gradient of what it is multiplied with reads
// it as it is. What was packed may also be another part of the same storage.
using Kept = std::array<std::shared_ptr<const PackedMatrix>, 2>;

const PackedMatrix& keep(const tensor::Tensor& weight, std::shared_ptr<const PackedMatrix> packed) {
  const auto kept = std::static_pointer_cast<const Kept>(weight.prepared());
  const PackedMatrix& made = *packed;
  weight.prepared() =
      std::make_shared<const Kept>(Kept{std::move(packed), kept == nullptr ? nullptr : (*kept)[0]});
  return made;
}

MatrixView transpose_of(const tensor::Tensor& matrix) {
  return {matrix.data(), matrix.dim(1), matrix.dim(0), matrix.strides()[1], matrix.strides()[0]};
}

}  // namespace

const PackedMatrix& packed_weight(const tensor::Tensor& weight, const MatrixView& view) {
  const auto kept = std::static_pointer_cast<const Kept>(weight.prepared());
  for (const auto& packed : kept == nullptr ? Kept{} : *kept) {
    if (packed != nullptr && packed->source == view) return *packed;
  }
  auto packed = std::make_shared<PackedMatrix>();
  pack(view, *packed);
  return keep(weight, std::move(packed));
}

const PackedMatrix& packed_transpose(const tensor::Tensor& matrix) {
  return packed_weight(matrix, transpose_of(matrix));
}

void keep_rounded(const tensor::Tensor& weight, std::span<const std::int8_t> whole,
                  const tensor::Tensor& scales) {
  auto packed = std::make_shared<PackedMatrix>();
  packed->source = transpose_of(weight);
  packed->panel_columns = matmul_kernel().panel_columns;
  const std::size_t depth = packed->source.rows;
  const std::size_t columns = packed->source.columns;
  const std::size_t padded = round_up(columns, packed->panel_columns);
  packed->whole.resize(depth * padded);
  packed->scales.resize(padded);
  for (std::size_t column = 0; column < columns; ++column) {
    packed->scales[column] = scales.at({column});
    const std::size_t in_panel = column % packed->panel_columns;
    const std::int8_t* from = whole.data() + column * depth;
    for (std::size_t block = 0; block < depth; block += matmul_block_depth) {
      std::int8_t* to =
          packed->whole.data() + packed->place_of_panel(block, column - in_panel) + in_panel;
      const std::size_t end = std::min(block + matmul_block_depth, depth);
      for (std::size_t k = block; k < end; ++k, to += packed->panel_columns) *to = from[k];
    }
  }
  keep(weight, std::move(packed));
}

void multiply(const MatrixView& a, const PackedMatrix& b, float* result, const float* bias) {
  alignas(64) static thread_local std::array<float, block_rows * matmul_block_depth> rows;
  // A panel of whole numbers as floats: 32 kB, which stay in the first-level cache.
  alignas(64) static thread_local std::array<float, matmul_block_depth * widest_panel> restored;
  const MatmulKernel& kernel = matmul_kernel();
  PanelProduct panel;
  panel.a = rows.data();
  panel.result_stride = b.source.columns;
  for (std::size_t k = 0; k < a.columns; k += matmul_block_depth) {
    panel.depth = std::min(matmul_block_depth, a.columns - k);
    panel.add = k > 0;
    const bool last = k + panel.depth == a.columns;
    for (std::size_t row = 0; row < a.rows; row += block_rows) {
      panel.rows = std::min(block_rows, a.rows - row);
      copy_block({a.data + row * a.row_stride + k * a.column_stride, panel.rows, panel.depth,
                  a.row_stride, a.column_stride},
                 rows.data());
      for (std::size_t column = 0; column < b.source.columns; column += b.panel_columns) {
        panel.columns = std::min(b.panel_columns, b.source.columns - column);
        if (b.whole.empty()) {
          panel.b_panel = b.panel(k, column);
        } else {
          kernel.restore_panel(b.whole.data() + b.place_of_panel(k, column),
                               b.scales.data() + column, panel.depth, restored.data());
          panel.b_panel = restored.data();
        }
        panel.result = result + row * b.source.columns + column;
        panel.bias = last && bias != nullptr ? bias + column : nullptr;
        kernel.multiply_panel(panel);
      }
    }
  }
}

}  // namespace kernels

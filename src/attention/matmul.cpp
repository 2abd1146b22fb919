#include "attention/matmul.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

#include "attention/matmul_tile.hpp"

namespace attention {
namespace {

// Block sizes: a packed block of a (64 × 256 floats, 64 kB) and of b (256 × 512, 512 kB) stay in
// the second-level cache.
constexpr std::size_t block_depth = matmul_block_depth;
constexpr std::size_t block_rows = 64;
constexpr std::size_t block_columns = 512;
static_assert(block_rows % tile_rows == 0 && block_columns % tile_columns == 0);

constexpr std::size_t round_up(std::size_t number, std::size_t step) {
  return (number + step - 1) / step * step;
}

/// The part of a matrix from [row,column] on, `rows` × `columns` large.
MatrixView block_of(const MatrixView& matrix, std::size_t row, std::size_t column, std::size_t rows,
                    std::size_t columns) {
  return {matrix.data + row * matrix.row_stride + column * matrix.column_stride, rows, columns,
          matrix.row_stride, matrix.column_stride};
}

/// Room for packed panels, kept over the matrices of a batch.
struct Packed {
  std::vector<float> a;
  std::vector<float> b;
};

/// One panel: `count` vectors of `width` floats that lie `across` apart, one vector behind the
/// other, `along` apart in the source. Only the first `used` floats of a vector come from there;
/// the rest are 0, and what they are multiplied into is dropped.
template <std::size_t width>
void pack_panel(const float* source, std::size_t count, std::size_t along, std::size_t across,
                std::size_t used, float* panel) {
  if (used == width) {  // nearly always; a constant number of steps is unrolled
    for (std::size_t k = 0; k < count; ++k, panel += width, source += along) {
      for (std::size_t i = 0; i < width; ++i) panel[i] = source[i * across];
    }
    return;
  }
  for (std::size_t k = 0; k < count; ++k, panel += width, source += along) {
    for (std::size_t i = 0; i < width; ++i) panel[i] = i < used ? source[i * across] : 0.0F;
  }
}

/// Panels of tile_rows rows, each stored column by column.
void pack_a(const MatrixView& a, float* panel) {
  for (std::size_t row = 0; row < a.rows; row += tile_rows, panel += a.columns * tile_rows) {
    pack_panel<tile_rows>(a.data + row * a.row_stride, a.columns, a.column_stride, a.row_stride,
                          std::min(tile_rows, a.rows - row), panel);
  }
}

/// Panels of tile_columns columns, each stored row by row.
void pack_b(const MatrixView& b, float* panel) {
  for (std::size_t column = 0; column < b.columns;
       column += tile_columns, panel += b.rows * tile_columns) {
    pack_panel<tile_columns>(b.data + column * b.column_stride, b.rows, b.row_stride,
                             b.column_stride, std::min(tile_columns, b.columns - column), panel);
  }
}

/// Adds the part of a tile that lies inside the result.
void add_tile(const Tile& tile, std::size_t rows, std::size_t columns, float* result,
              std::size_t row_stride) {
  std::array<float, tile_rows * tile_columns> sums;
  std::memcpy(sums.data(), tile.data(), sizeof sums);
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t column = 0; column < columns; ++column) {
      result[row * row_stride + column] += sums[row * tile_columns + column];
    }
  }
}

/// result += a · b for one block of each, both packed.
void multiply_blocks(const Packed& packed, std::size_t rows, std::size_t depth, std::size_t columns,
                     float* result, std::size_t row_stride) {
  for (std::size_t column = 0; column < columns; column += tile_columns) {
    const float* b_panel = packed.b.data() + column * depth;
    for (std::size_t row = 0; row < rows; row += tile_rows) {
      const Tile tile = multiply_panels(depth, packed.a.data() + row * depth, b_panel);
      add_tile(tile, std::min(tile_rows, rows - row), std::min(tile_columns, columns - column),
               result + row * row_stride + column, row_stride);
    }
  }
}

void multiply(const MatrixView& a, const MatrixView& b, float* result, Packed& packed) {
  const std::size_t depth = a.columns;
  packed.a.resize(round_up(std::min(block_rows, a.rows), tile_rows) * std::min(block_depth, depth));
  packed.b.resize(round_up(std::min(block_columns, b.columns), tile_columns) *
                  std::min(block_depth, depth));
  std::fill(result, result + a.rows * b.columns, 0.0F);
  for (std::size_t column = 0; column < b.columns; column += block_columns) {
    const std::size_t columns = std::min(block_columns, b.columns - column);
    for (std::size_t k = 0; k < depth; k += block_depth) {
      const std::size_t block = std::min(block_depth, depth - k);
      pack_b(block_of(b, k, column, block, columns), packed.b.data());
      for (std::size_t row = 0; row < a.rows; row += block_rows) {
        const std::size_t rows = std::min(block_rows, a.rows - row);
        pack_a(block_of(a, row, k, rows, block), packed.a.data());
        multiply_blocks(packed, rows, block, columns, result + row * b.columns + column, b.columns);
      }
    }
  }
}

/// The last two axes of `tensor` at one index of the leading axes.
MatrixView matrix_at(const Tensor& tensor, const Index& leading) {
  const std::size_t rank = tensor.rank();
  const float* data = tensor.data();
  for (std::size_t axis = 0; axis + 2 < rank; ++axis)
    data += leading[axis] * tensor.strides()[axis];
  return {data, tensor.dim(rank - 2), tensor.dim(rank - 1), tensor.strides()[rank - 2],
          tensor.strides()[rank - 1]};
}

}  // namespace

void matmul(const MatrixView& a, const MatrixView& b, float* result) {
  Packed packed;
  multiply(a, b, result, packed);
}

Tensor matmul(const Tensor& a, const Tensor& b) {
  if (a.rank() < 2 || b.rank() < 2 || a.dim(a.rank() - 1) != b.dim(b.rank() - 2)) return {};
  const std::size_t rows = a.dim(a.rank() - 2);
  const std::size_t depth = a.dim(a.rank() - 1);
  const std::size_t columns = b.dim(b.rank() - 1);

  // The leading axes of both, counted from the matrices outwards.
  Shape leading;
  const std::size_t leading_rank = std::max(a.rank(), b.rank()) - 2;
  for (std::size_t axis = 0; axis < leading_rank; ++axis) {
    const std::size_t from_matrix = leading_rank - axis + 2;
    const std::size_t of_a = from_matrix <= a.rank() ? a.dim(a.rank() - from_matrix) : 1;
    const std::size_t of_b = from_matrix <= b.rank() ? b.dim(b.rank() - from_matrix) : 1;
    leading.push_back(of_a == 1 ? of_b : of_a);
  }
  Shape shape_a = leading;
  shape_a.push_back(rows);
  shape_a.push_back(depth);
  Shape shape_b = leading;
  shape_b.push_back(depth);
  shape_b.push_back(columns);
  const Tensor wide_a = a.expand(shape_a);
  const Tensor wide_b = b.expand(shape_b);
  if (!wide_a.defined() || !wide_b.defined()) return {};

  Shape shape = leading;
  shape.push_back(rows);
  shape.push_back(columns);
  Tensor result(shape);
  if (result.size() == 0) return result;
  float* matrix = result.mutable_data();
  Packed packed;
  Index sample = Extents::filled(leading.rank(), 0);
  do {
    multiply(matrix_at(wide_a, sample), matrix_at(wide_b, sample), matrix, packed);
    matrix += rows * columns;
  } while (next_index(sample, leading));
  return result;
}

}  // namespace attention

#include "attention/matmul.hpp"

#include <algorithm>
#include <array>

#include "attention/matmul_tile.hpp"
#include "attention/small_product.hpp"

namespace attention {
namespace {

/// At most so many rows of a are read again for each panel of b: 72 × 256 floats, 72 kB, stay in
/// the second-level cache, and are whole tiles of every kernel's.
constexpr std::size_t most_block_rows = 72;

/// A single tile of rows no longer than this is not worth packing.
constexpr std::size_t short_depth = 16;

/// Where they are packed.
float* packed_rows() {
  alignas(static_cast<std::size_t>(cache_line)) static thread_local std::array<
      float, most_block_rows * matmul_block_depth + packed_rows_slack>
      block;
  return block.data();
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

MatrixView transposed(const Tensor& matrix) {
  return {matrix.data(), matrix.dim(1), matrix.dim(0), matrix.strides()[1], matrix.strides()[0]};
}

/// What is kept, if it was made from this very view, or the view packed anew.
const PackedMatrix& packed_as(const MatrixView& view, std::shared_ptr<PackedMatrix>& kept) {
  if (!kept || kept->source != view) {
    kept = std::make_shared<PackedMatrix>();
    pack(view, *kept);
  }
  return *kept;
}

/// The leading axes of both factors, counted from the matrices outwards.
Shape leading_axes(const Tensor& a, const Tensor& b) {
  Shape leading;
  const std::size_t rank = std::max(a.rank(), b.rank()) - 2;
  for (std::size_t axis = 0; axis < rank; ++axis) {
    const std::size_t from_matrix = rank - axis + 2;
    const std::size_t of_a = from_matrix <= a.rank() ? a.dim(a.rank() - from_matrix) : 1;
    const std::size_t of_b = from_matrix <= b.rank() ? b.dim(b.rank() - from_matrix) : 1;
    leading.push_back(of_a == 1 ? of_b : of_a);
  }
  return leading;
}

Tensor with_leading(const Tensor& matrices, Shape leading) {
  leading.push_back(matrices.dim(matrices.rank() - 2));
  leading.push_back(matrices.dim(matrices.rank() - 1));
  return matrices.expand(leading);
}

/// How many rows of a are taken at a time, whole tiles: as few blocks as there can be, of much the
/// same height, since all of b is read for each.
std::size_t rows_of_a_block(std::size_t rows, std::size_t tile_rows) {
  const std::size_t blocks =
      std::max((rows + most_block_rows - 1) / most_block_rows, std::size_t{1});
  const std::size_t tiles = (rows + tile_rows - 1) / tile_rows;
  return std::min((tiles + blocks - 1) / blocks * tile_rows, most_block_rows);
}

/// All columns, of a right factor that is small.
void multiply_small(const MatrixView& a, const Product& product) {
  const PackedMatrix& b = *product.b;
  const float* cells = b.panels.data();  // its rows are in one block, or none is read
  for (std::size_t column = 0; column < b.columns(); column += b.panel_columns) {
    const SmallFactor panel{cells, a.columns, std::min(b.columns() - column, b.panel_columns),
                            b.panel_columns,
                            product.bias == nullptr ? nullptr : product.bias + column};
    cells += b.panel_size(0);
    const float* row = a.data;
    float* result = product.result + column;
    for (std::size_t i = 0; i < a.rows; ++i, row += a.row_stride, result += product.result_stride)
      multiply_small_row(row, panel, result);
  }
}

/// Some rows of a, as the kernel is to read them, with the panels of one right factor: what they
/// add to the result from its row `row` on, by rows of b from `k` on.
void multiply_panels(PanelProduct rows, const Product& product, std::size_t row, std::size_t k,
                     bool last) {
  const MatmulKernel& kernel = matmul_kernel();
  const PackedMatrix& b = *product.b;
  const std::size_t width = b.panel_columns;
  const std::size_t together = rows.rows == 1 ? panels_of_row * width : width;
  rows.result_stride = product.result_stride;
  rows.b_stride = b.panel_size(k);
  const std::size_t wanted = std::min(product.columns, b.columns());
  for (std::size_t column = 0; column < wanted; column += rows.columns) {
    const std::size_t left = b.columns() - column;
    const bool enough = left >= together && wanted - column > together - width;
    rows.columns = enough ? together : std::min(width, left);
    if (product.marked != nullptr && !product.marked->any_in(column, rows.columns)) continue;
    rows.b_panel = b.panel(k, column);
    rows.result = product.result + row * product.result_stride + column;
    rows.bias = last && product.bias != nullptr ? product.bias + column : nullptr;
    kernel.multiply_panel(rows);
  }
}

/// Each block of rows of a is packed once and multiplied with all right factors.
void multiply_blocks(const MatrixView& a, const std::span<const Product>& products) {
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
      for (const Product& product : products) {
        multiply_panels(block, product, row, k, k + block.depth == depth);
      }
    }
  }
}

}  // namespace

const PackedMatrix& packed_once(const Tensor& matrix) {
  return packed_as(matrix_at(matrix, {}), matrix.packed());
}

const PackedMatrix& packed_transpose_once(const Tensor& matrix) {
  return packed_as(transposed(matrix), matrix.packed());
}

void pack_transpose_from(const Tensor& last, const Marks& rows, const Tensor& matrix) {
  if (matrix.packed() || !last.packed() || last.packed()->source != transposed(last)) return;
  matrix.packed() = std::move(last.packed());
  pack_columns(transposed(matrix), rows, *matrix.packed());
}

void multiply(const MatrixView& a, const std::span<const Product>& products) {
  const PackedMatrix& b = *products.front().b;
  if (a.columns == 0 || is_small(b.rows(), b.columns())) {
    for (const Product& product : products) multiply_small(a, product);
    return;
  }
  multiply_blocks(a, products);
}

void multiply(const MatrixView& a, const Product& product) { multiply(a, {&product, 1}); }

Tensor matmul(const Tensor& a, const Tensor& b, const Tensor& bias) {
  if (a.rank() < 2 || b.rank() < 2 || a.dim(a.rank() - 1) != b.dim(b.rank() - 2)) return {};
  const Shape leading = leading_axes(a, b);
  const Tensor wide_a = with_leading(a.has_contiguous_rows() ? a : a.contiguous(), leading);
  const Tensor wide_b = with_leading(b, leading);
  if (!wide_a.defined() || !wide_b.defined()) return {};

  const std::size_t rows = a.dim(a.rank() - 2);
  const std::size_t columns = b.dim(b.rank() - 1);
  Shape shape = leading;
  shape.push_back(rows);
  shape.push_back(columns);
  Tensor result = Tensor::uninitialized(shape);
  if (result.size() == 0) return result;
  const Tensor row = bias.defined() ? bias.contiguous() : bias;
  const float* added = row.defined() ? row.data() : nullptr;
  float* matrix = result.mutable_data();
  // A part of a weight is not kept: it would take the place of the whole, which is asked for again.
  if (b.rank() == 2 && leading.product() == 1 && b.covers_storage()) {
    multiply(matrix_at(wide_a, Extents::filled(leading.rank(), 0)),
             {&packed_once(b), matrix, columns, added});
    return result;
  }
  PackedMatrix packed;
  Index sample = Extents::filled(leading.rank(), 0);
  do {
    pack(matrix_at(wide_b, sample), packed);
    multiply(matrix_at(wide_a, sample), {&packed, matrix, columns, added});
    matrix += rows * columns;
  } while (next_index(sample, leading));
  return result;
}

}  // namespace attention

// The innermost kernel of the matrix product alone: nothing is packed, and its panels never leave
// the first-level cache. What a product could reach at most with the kernel that this processor or
// browser is given.
#pragma once

#include <cstddef>

#include "kernels/matmul.hpp"
#include "kernels/matmul_tile.hpp"
#include "tensor/aligned.hpp"

namespace bench {

/// One tile of the kernel, a full one, and what it reads.
class TileAlone {
 public:
  TileAlone()
      : kernel_(kernels::matmul_kernel()),
        a_(depth * kernel_.tile_rows, 0.5F),
        b_(depth * kernel_.panel_columns, 0.25F),
        result_(kernel_.tile_rows * kernel_.panel_columns) {
    product_.a = a_.data();
    product_.rows = kernel_.tile_rows;
    product_.depth = depth;
    product_.b_panel = b_.data();
    product_.result = result_.data();
    product_.result_stride = kernel_.panel_columns;
    product_.columns = kernel_.panel_columns;
  }
  // The product points into the vectors.
  TileAlone(const TileAlone&) = delete;
  TileAlone& operator=(const TileAlone&) = delete;

  /// Multiplies and adds of one run, counted apart.
  double operations() const { return 2.0 * static_cast<double>(depth * result_.size()); }

  /// Gives one of its sums.
  float run() {
    kernel_.multiply_panel(product_);
    return result_.back();
  }

 private:
  static constexpr std::size_t depth = kernels::matmul_block_depth;

  const kernels::MatmulKernel& kernel_;
  tensor::AlignedFloats a_;
  tensor::AlignedFloats b_;
  tensor::AlignedFloats result_;
  kernels::PanelProduct product_;
};

}  // namespace bench

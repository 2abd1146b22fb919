// The innermost kernel of the matrix product alone: nothing is packed, and its panels never leave
// the first-level cache. What a product could reach at most with the kernel that this processor or
// browser is given.
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <vector>

#include "kernels/matmul.hpp"
#include "kernels/matmul_tile.hpp"

namespace bench {

/// One tile of the kernel, a full one, and what it reads.
class TileAlone {
 public:
  TileAlone()
      : kernel_(kernels::matmul_kernel()),
        a_(depth * kernel_.tile_rows, 0.5F),
        b_(depth * kernel_.panel_columns / floats_in_line),
        result_(kernel_.tile_rows * kernel_.panel_columns) {
    for (kernels::CacheLine& line : b_) std::fill_n(line.floats, floats_in_line, 0.25F);
    product_.a = a_.data();
    product_.rows = kernel_.tile_rows;
    product_.depth = depth;
    product_.b_panel = b_.data()->floats;
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
  static constexpr std::size_t floats_in_line = std::size(kernels::CacheLine{}.floats);

  const kernels::MatmulKernel& kernel_;
  std::vector<float> a_;
  std::vector<kernels::CacheLine> b_;
  std::vector<float> result_;
  kernels::PanelProduct product_;
};

}  // namespace bench

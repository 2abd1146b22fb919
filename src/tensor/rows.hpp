// Tensors as xtensor sees them: a row at a time.
//
// Expressions over several axes with a broadcast or a strided adaptor step from cell to cell, 9 to
// 17 times slower than loops by hand; over one contiguous row the compiler makes SIMD of them. Two
// traps of xtensor are avoided by the same means: a reducer that is left lazy inside a broadcasting
// expression gives wrong numbers in every version up to 0.27 (here a reducer's result is always one
// float), and an assignment without `noalias` makes a temporary first.
#pragma once

#include <array>

#include "tensor/tensor.hpp"
#include "tensor/xtensor.hpp"

namespace tensor {

/// `count` floats that lie side by side, as an xtensor expression that reads them or, where they
/// are not const, that can be assigned to. The floats must outlive it.
template <typename Float>
auto run(Float* first, std::size_t count) {
  return xt::adapt<xt::layout_type::row_major>(first, count, xt::no_ownership(),
                                               std::array<std::size_t, 1>{count});
}

/// A new tensor shaped as x. `make(row of the result, row of x, row of each of more)` fills it row
/// by row, with the rows as xtensor expressions. All have the shape of x; axes may repeat (stride
/// 0), but the numbers of a row lie side by side, or are copied so that they do.
template <typename Make, typename... More>
Tensor by_rows(Make make, const Tensor& x, const More&... more) {
  Tensor result = Tensor::uninitialized(x.shape());
  if (result.size() == 0) return result;
  const std::size_t length = x.shape().back();
  const auto walk = [&](const auto&... inputs) {
    float* to = result.mutable_data();
    Shape rows = x.shape();
    rows[x.rank() - 1] = 1;
    Index index = Extents::filled(x.rank(), 0);
    do {
      auto row = run(to, length);
      make(row, run(inputs.cell(index), length)...);
      to += length;
    } while (next_index(index, rows));
  };
  const auto side_by_side = [](const Tensor& tensor) {
    return tensor.has_contiguous_rows() ? tensor : tensor.clone();
  };
  walk(side_by_side(x), side_by_side(more)...);
  return result;
}

}  // namespace tensor

// xtensor expressions over one row of a tensor at a time.
//
// Over one contiguous row compilers vectorise an expression; over several axes, with broadcasting
// or a strided adaptor, it is 9 to 17 times slower than a loop written by hand. Two pitfalls: in
// every version up to 0.27 a lazy reducer inside a broadcasting expression gives wrong numbers, so
// reduce to one float first; and an assignment without `noalias` makes a temporary copy.
#pragma once

#include <array>

#include "tensor/tensor.hpp"
#include "tensor/xtensor.hpp"

namespace tensor {

/// `count` consecutive floats as an xtensor expression; assignable unless they are const. It does
/// not own the floats.
template <typename Float>
auto run(Float* first, std::size_t count) {
  return xt::adapt<xt::layout_type::row_major>(first, count, xt::no_ownership(),
                                               std::array<std::size_t, 1>{count});
}

/// A new contiguous tensor with the shape of x. `make(row of the result, row of x, rows of
/// more...)` is called for each row, with rows as xtensor expressions. All inputs must have the
/// shape of x and may have any strides; one whose rows are not contiguous is copied first.
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

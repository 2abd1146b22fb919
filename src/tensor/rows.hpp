// xtensor expressions over one row of a tensor at a time.
//
// Over one contiguous row compilers vectorise an expression; over several axes, with broadcasting
// or a strided adaptor, it is 9 to 17 times slower than a loop written by hand. Two pitfalls: in
// every version up to 0.27 a lazy reducer inside a broadcasting expression gives wrong numbers, so
// reduce to one float first; and an assignment without `noalias` makes a temporary copy.
#pragma once

#include <array>
#include <span>
#include <utility>

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

/// What is done with one row: `to` are `length` floats to be written, `from` points to the row of
/// each input.
using VisitRow = void(void* context, float* to, const float* const* from, std::size_t length);

/// A new contiguous tensor with the shape of the inputs, whose rows `visit` writes. At most three
/// inputs, with any strides; one whose rows are not contiguous is copied first.
Tensor make_rows(std::span<const Tensor* const> inputs, VisitRow* visit, void* context);

/// A new contiguous tensor with the shape of x. `make(row of the result, row of x, rows of
/// more...)` is called for each row, with rows as xtensor expressions. All inputs must have the
/// shape of x and may have any strides. (What is here is compiled again for each `make`; the loop
/// is not, which keeps the page's download small.)
template <typename Make, typename... More>
Tensor by_rows(Make make, const Tensor& x, const More&... more) {
  const std::array<const Tensor*, 1 + sizeof...(More)> inputs = {&x, &more...};
  const auto visit = [](void* context, float* to, const float* const* from, std::size_t length) {
    auto row = run(to, length);
    [&]<std::size_t... place>(std::index_sequence<place...>) {
      (*static_cast<Make*>(context))(row, run(from[place], length)...);
    }
    (std::make_index_sequence<1 + sizeof...(More)>());
  };
  return make_rows(inputs, visit, &make);
}

}  // namespace tensor

// Tensors as xtensor sees them: adaptors over the same floats. Included by few .cpp files, since
// xtensor costs compile time.
//
// Reducers must be materialised into a named xt::xtensor before they meet a broadcasting
// expression. Left lazy
// (`s - xt::amax(s, {1}, xt::keep_dims)`), every xtensor up to 0.27 steps them wrongly: wrong
// numbers, and reads past the end. No function of this program returns a lazy expression, and no
// `auto` keeps one beyond its line.
#pragma once

#include <array>
#include <cstddef>
#include <cstdlib>

// Without exceptions xtensor reports errors through iostream, which would more than double the web
// build.
#if __has_include(<xtensor/core/xtensor_config.hpp>)
#include <xtensor/core/xtensor_config.hpp>
#else
#include <xtensor/xtensor_config.hpp>
#endif
#if !defined(__cpp_exceptions)
#undef XTENSOR_THROW
#define XTENSOR_THROW(exception, message) std::abort()
#endif

// Headers lie flat up to 0.25, in folders since 0.26.
#if __has_include(<xtensor/containers/xtensor.hpp>)
#include <xtensor/containers/xadapt.hpp>
#include <xtensor/containers/xtensor.hpp>
#include <xtensor/core/xmath.hpp>
#else
#include <xtensor/xadapt.hpp>
#include <xtensor/xmath.hpp>
#include <xtensor/xtensor.hpp>
#endif

#include "attention/tensor.hpp"

namespace attention {

/// What `Rank` axes of sizes are to xtensor.
template <std::size_t Rank>
std::array<std::size_t, Rank> xtensor_shape(const Shape& shape) {
  assert(shape.rank() == Rank);
  std::array<std::size_t, Rank> sizes{};
  for (std::size_t axis = 0; axis < Rank; ++axis) sizes[axis] = shape[axis];
  return sizes;
}

/// The cells of a contiguous tensor, read only. The tensor must outlive the view.
template <std::size_t Rank>
auto cells(const Tensor& tensor) {
  assert(tensor.is_contiguous());
  return xt::adapt<xt::layout_type::row_major>(tensor.data(), tensor.size(), xt::no_ownership(),
                                               xtensor_shape<Rank>(tensor.shape()));
}

/// The cells of a contiguous tensor that has just been made, for writing.
template <std::size_t Rank>
auto mutable_cells(Tensor& tensor) {
  assert(tensor.is_contiguous());
  return xt::adapt<xt::layout_type::row_major>(tensor.mutable_data(), tensor.size(),
                                               xt::no_ownership(),
                                               xtensor_shape<Rank>(tensor.shape()));
}

}  // namespace attention

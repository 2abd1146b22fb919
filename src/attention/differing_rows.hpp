// Where two tensors of one shape have other numbers, row by row.
#pragma once

#include <optional>

#include "attention/marks.hpp"
#include "attention/tensor.hpp"

namespace attention {

/// The rows, along the last axis and in index order, outside of which `a` and `b`, of the same
/// shape, surely have the same bits; nothing where that would have to be looked for.
std::optional<Marks> rows_that_may_differ(const Tensor& a, const Tensor& b);

/// The rows, along the last axis, that have other bits in `b` than in `a`, in index order. Both
/// have the same shape.
Marks rows_that_differ(const Tensor& a, const Tensor& b);

}  // namespace attention

#include "attention/elementwise.hpp"

#include <cmath>

#include "attention/xtensor_view.hpp"

namespace attention {
namespace {

/// All cells in a row: what treats each cell alone needs no axes.
Tensor as_run(const Tensor& tensor) { return tensor.contiguous().reshape({tensor.size()}); }

/// The same cells without gaps between them, repeated axes still repeated: what xtensor can adapt.
Tensor packed(const Tensor& tensor) {
  Tensor once = tensor;
  for (std::size_t axis = 0; axis < tensor.rank(); ++axis) {
    if (tensor.strides()[axis] == 0) once = once.narrow(axis, 0, 1);
  }
  return once.contiguous().expand(tensor.shape());
}

}  // namespace

Tensor add(const Tensor& a, const Tensor& b) {
  assert(a.rank() <= 4);
  const Tensor wide_b = b.expand(a.shape());
  if (!wide_b.defined()) return {};
  Tensor result(a.shape());
  if (result.size() == 0) return result;
  if (a.is_contiguous() && wide_b.is_contiguous()) {
    const Tensor run_a = as_run(a);
    const Tensor run_b = as_run(wide_b);
    Tensor run = result.reshape({result.size()});
    mutable_cells<1>(run) = cells<1>(run_a) + cells<1>(run_b);
    return result;
  }
  Shape shape = Extents::filled(4 - a.rank(), 1);
  for (const std::size_t length : a.shape()) shape.push_back(length);
  const Tensor all_a = packed(a.expand(shape));
  const Tensor all_b = packed(wide_b.expand(shape));
  Tensor sums = result.reshape(shape);
  mutable_cells<4>(sums) = broadcast_cells<4>(all_a) + broadcast_cells<4>(all_b);
  return result;
}

Tensor divide(const Tensor& x, float divisor) {
  Tensor result(x.shape());
  const Tensor run_x = as_run(x);
  Tensor run = result.reshape({result.size()});
  mutable_cells<1>(run) = cells<1>(run_x) / divisor;
  return result;
}

Tensor relu(const Tensor& x) {
  Tensor result(x.shape());
  const Tensor run_x = as_run(x);
  Tensor run = result.reshape({result.size()});
  // Not maximum(x, 0): that would answer 0 for NaN.
  mutable_cells<1>(run) = xt::where(cells<1>(run_x) < 0.0F, 0.0F, cells<1>(run_x));
  return result;
}

Tensor gelu(const Tensor& x) {
  constexpr float sqrt_half = 0.70710678118654752F;
  Tensor result(x.shape());
  const Tensor run_x = as_run(x);
  Tensor run = result.reshape({result.size()});
  mutable_cells<1>(run) = cells<1>(run_x) * 0.5F * (1.0F + xt::erf(cells<1>(run_x) * sqrt_half));
  return result;
}

}  // namespace attention

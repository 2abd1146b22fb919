#include "attention/elementwise.hpp"

#include <cmath>

#include "attention/xtensor_view.hpp"

namespace attention {
namespace {

/// All cells in a row: what treats each cell alone needs no axes.
Tensor as_run(const Tensor& tensor) { return tensor.contiguous().reshape({tensor.size()}); }

/// result = a + b for one row, whose numbers lie `step_a` and `step_b` apart.
void add_row(const float* a, std::size_t step_a, const float* b, std::size_t step_b,
             std::size_t count, float* result) {
  if (step_a == 1 && step_b == 1) {  // what a compiler turns into SIMD
    for (std::size_t i = 0; i < count; ++i) result[i] = a[i] + b[i];
    return;
  }
  for (std::size_t i = 0; i < count; ++i) result[i] = a[i * step_a] + b[i * step_b];
}

}  // namespace

Tensor add(const Tensor& a, const Tensor& b) {
  const Tensor wide_b = b.expand(a.shape());
  if (!wide_b.defined()) return {};
  Tensor result = Tensor::uninitialized(a.shape());
  if (result.size() == 0) return result;
  if (a.is_contiguous() && wide_b.is_contiguous()) {
    const Tensor run_a = as_run(a);
    const Tensor run_b = as_run(wide_b);
    Tensor run = result.reshape({result.size()});
    mutable_cells<1>(run) = cells<1>(run_a) + cells<1>(run_b);
    return result;
  }
  const std::size_t last = a.rank() - 1;
  const std::size_t length = a.dim(last);
  Shape rows = a.shape();  // one index per row: the last axis is walked by add_row
  rows[last] = 1;
  Index index = Extents::filled(a.rank(), 0);
  float* row = result.mutable_data();
  do {
    add_row(a.data() + (a.position(index) - a.offset()), a.strides()[last],
            wide_b.data() + (wide_b.position(index) - wide_b.offset()), wide_b.strides()[last],
            length, row);
    row += length;
  } while (next_index(index, rows));
  return result;
}

Tensor divide(const Tensor& x, float divisor) {
  Tensor result = Tensor::uninitialized(x.shape());
  const Tensor run_x = as_run(x);
  Tensor run = result.reshape({result.size()});
  mutable_cells<1>(run) = cells<1>(run_x) / divisor;
  return result;
}

Tensor relu(const Tensor& x) {
  Tensor result = Tensor::uninitialized(x.shape());
  const Tensor run_x = as_run(x);
  Tensor run = result.reshape({result.size()});
  // Not maximum(x, 0): that would answer 0 for NaN.
  mutable_cells<1>(run) = xt::where(cells<1>(run_x) < 0.0F, 0.0F, cells<1>(run_x));
  return result;
}

Tensor gelu(const Tensor& x) {
  constexpr float sqrt_half = 0.70710678118654752F;
  Tensor result = Tensor::uninitialized(x.shape());
  const Tensor run_x = as_run(x);
  Tensor run = result.reshape({result.size()});
  mutable_cells<1>(run) = cells<1>(run_x) * 0.5F * (1.0F + xt::erf(cells<1>(run_x) * sqrt_half));
  return result;
}

}  // namespace attention

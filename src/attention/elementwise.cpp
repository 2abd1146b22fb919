#include "attention/elementwise.hpp"

#include <cmath>

#include "attention/rows.hpp"
#include "attention/xtensor_view.hpp"

namespace attention {
namespace {

/// All cells in a row: what treats each cell alone needs no axes.
Tensor as_run(const Tensor& tensor) { return tensor.contiguous().reshape({tensor.size()}); }

}  // namespace

Tensor add(const Tensor& a, const Tensor& b) {
  const Tensor wide_b = b.expand(a.shape());
  if (!wide_b.defined()) return {};
  Tensor result = Tensor::uninitialized(a.shape());
  if (result.size() == 0) return result;
  if (a.is_contiguous() && wide_b.is_contiguous()) {
    add_row(a.data(), wide_b.data(), a.size(), result.mutable_data());
    return result;
  }
  const std::size_t last = a.rank() - 1;
  const std::size_t length = a.dim(last);
  Shape rows = a.shape();  // one index per row: the last axis is walked by the inner loop
  rows[last] = 1;
  Index index = Extents::filled(a.rank(), 0);
  float* row = result.mutable_data();
  do {
    const float* row_of_a = a.data() + (a.position(index) - a.offset());
    const float* row_of_b = wide_b.data() + (wide_b.position(index) - wide_b.offset());
    if (a.strides()[last] == 1 && wide_b.strides()[last] == 1) {
      add_row(row_of_a, row_of_b, length, row);
    } else {
      for (std::size_t i = 0; i < length; ++i) {
        row[i] = row_of_a[i * a.strides()[last]] + row_of_b[i * wide_b.strides()[last]];
      }
    }
    row += length;
  } while (next_index(index, rows));
  return result;
}

Tensor divide(const Tensor& x, float divisor) {
  Tensor result = Tensor::uninitialized(x.shape());
  const Tensor run = as_run(x);
  divide_row(run.data(), Divisor(divisor), run.size(), result.mutable_data());
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

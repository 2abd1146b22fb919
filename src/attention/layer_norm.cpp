#include "attention/layer_norm.hpp"

#include "attention/xtensor_view.hpp"

namespace attention {

Tensor layer_norm(const Tensor& x, const LayerNorm& norm) {
  Tensor result = Tensor::uninitialized(x.shape());
  if (result.size() == 0) return result;
  const Tensor rows = as_rows(x);
  const Tensor weight = norm.weight.contiguous();
  const Tensor bias = norm.bias.contiguous();
  Tensor normed = result.reshape(rows.shape());

  // Reducers have names: see xtensor_view.hpp. Their sums run in double, so that the width of a row
  // does not matter.
  const xt::xtensor<float, 2> mean = xt::mean<double>(cells<2>(rows), {1}, xt::keep_dims);
  const xt::xtensor<float, 2> centred = cells<2>(rows) - mean;
  const xt::xtensor<float, 2> variance = xt::mean<double>(xt::square(centred), {1}, xt::keep_dims);
  const xt::xtensor<float, 2> deviation = xt::sqrt(variance + norm.eps);
  mutable_cells<2>(normed) = centred / deviation * cells<1>(weight) + cells<1>(bias);
  return result;
}

}  // namespace attention

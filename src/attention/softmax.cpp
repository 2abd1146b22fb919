#include "attention/softmax.hpp"

#include "attention/mask.hpp"
#include "attention/xtensor_view.hpp"

namespace attention {

Tensor softmax(const Tensor& x) {
  Tensor result(x.shape());
  if (result.size() == 0) return result;
  const Tensor rows = as_rows(x);
  Tensor weights = result.reshape(rows.shape());

  // Every reducer has a name and numbers of its own: see xtensor_view.hpp.
  const xt::xtensor<float, 2> maximum = xt::amax(cells<2>(rows), {1}, xt::keep_dims);
  // −∞ − (−∞) would be NaN; −∞ − 0 makes every exponential of such a row 0. (xt::amax has so far
  // begun at the lowest finite number and answered that for a row of −∞, but nowhere says that it
  // does.)
  const xt::xtensor<float, 2> shift = xt::where(xt::equal(maximum, hidden), 0.0F, maximum);
  const xt::xtensor<float, 2> exponentials = xt::exp(cells<2>(rows) - shift);
  const xt::xtensor<float, 2> sum = xt::sum<double>(exponentials, {1}, xt::keep_dims);
  const xt::xtensor<float, 2> denominator = xt::where(xt::equal(sum, 0.0F), 1.0F, sum);
  mutable_cells<2>(weights) = exponentials / denominator;
  return result;
}

}  // namespace attention

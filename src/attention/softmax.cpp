#include "attention/softmax.hpp"

#include "attention/rows.hpp"

namespace attention {

Tensor softmax(const Tensor& x) {
  Tensor result = Tensor::uninitialized(x.shape());
  if (result.size() == 0) return result;
  const Tensor rows = as_rows(x);
  const std::size_t length = rows.dim(1);
  const float* row = rows.data();
  float* weights = result.mutable_data();
  for (std::size_t i = 0; i < rows.dim(0); ++i, row += length, weights += length) {
    softmax_row(row, length, weights);
  }
  return result;
}

}  // namespace attention

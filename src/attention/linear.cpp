#include "attention/linear.hpp"

#include "attention/matmul.hpp"

namespace attention {

Tensor linear(const Tensor& x, const Tensor& weight, const Tensor& bias) {
  Shape shape = x.shape();
  shape[x.rank() - 1] = weight.dim(0);
  // One product for all samples and tokens.
  return matmul(as_rows(x), weight.transpose(0, 1), bias).reshape(shape);
}

}  // namespace attention

// q · k instead of q · kᵀ, which only has a result if there are as many keys as numbers in a head.
#include "ops/operation.hpp"

namespace ops {
namespace {

/// The rows of k read as if they were its columns.
Use misread(Use use) {
  const Axes& k = use[1].axes;  // [B,H,Lk,D]
  use.operands[1].axes = {k[0], k[1], k[3], k[2]};
  return use;
}

tensor::Tensor forward(const Use& use) { return product.forward(misread(use)); }

void explain(const Use& use, Explanation& made) { product.explain(misread(use), made); }

}  // namespace

constinit const Operation product_untransposed{"product_untransposed", 2, forward, explain};

}  // namespace ops

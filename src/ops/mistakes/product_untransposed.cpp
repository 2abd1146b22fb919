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

// The gradient of k, whose own letters are misread as well.
Use misread_result(Use use) {
  const Axes& k = use.axes;
  use.axes = {k[0], k[1], k[3], k[2]};
  return use;
}

tensor::Tensor key_gradient(const Use& use) { return product.forward(misread_result(use)); }

void explain_key_gradient(const Use& use, Explanation& made) {
  product.explain(misread_result(use), made);
}

constinit const Operation gradient_of_misread_keys{.name = "gradient_of_misread_keys",
                                                   .needs = 2,
                                                   .forward = key_gradient,
                                                   .explain = explain_key_gradient};

}  // namespace

constinit const Operation product_untransposed{
    .name = "product_untransposed",
    .needs = 2,
    .forward = forward,
    .explain = explain,
    .backward = {{{product_untransposed, {Source::d_result, Source::operand1}},
                  {gradient_of_misread_keys, {Source::operand0, Source::d_result}}}}};

}  // namespace ops

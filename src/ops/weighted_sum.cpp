// Each query's weighted sum of the values: a product, except for queries that may see no key.
#include "ops/operation.hpp"

namespace ops {
namespace {

using tensor::Index;
using tensor::Tensor;

Use without_mask(Use use) {
  use.count = 2;
  return use;
}

/// True if the mask hides every key from a query and all its weights are 0 (they are not where they
/// were set by hand). The sum is then 0 by definition, even if a value is NaN or ∞.
bool has_no_key(const Use& use, const Index& at) {
  if (use.count < 3 || !hides_all(use[2].tensor, at)) return false;
  const Tensor& weights = use[0].tensor;  // [B,H,Lq,Lk]
  for (std::size_t key = 0; key < weights.dim(3); ++key) {
    if (weights.at({at[0], at[1], at[2], key}) != 0.0F) return false;
  }
  return true;
}

Tensor forward(const Use& use) {
  Tensor sums = product.forward(without_mask(use));
  if (use.count == 3) clear_rows(sums, [&](const Index& at) { return has_no_key(use, at); });
  return sums;
}

void explain(const Use& use, Explanation& made) {
  product.explain(without_mask(use), made);
  if (has_no_key(use, made.cell.index)) made.overwrite(Rule::fully_masked);
}

}  // namespace

// As of a product. The weights of a query that sees no key are 0, whatever gradient they get.
constinit const Operation weighted_sum{
    .name = "weighted_sum",
    .needs = 2,
    .forward = forward,
    .explain = explain,
    .backward = {{{product, {Source::d_result, Source::operand1}},
                  {product, {Source::operand0, Source::d_result}}}}};

}  // namespace ops

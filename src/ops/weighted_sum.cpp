// Each query's sum of the values, by its weights: a product, but for queries that may see no key.
#include <algorithm>

#include "ops/operation.hpp"

namespace ops {
namespace {

using tensor::Index;
using tensor::Shape;
using tensor::Tensor;

std::span<const float> row_of(const Tensor& tensor, const Index& at) {
  return {tensor.storage().data() + tensor.position(at), tensor.shape().back()};
}

/// True where the mask hides every key and the weights are 0 for that (they may have been set by
/// hand). The sum is 0 then by definition, also where a value is NaN or ∞ and 0 times it is not 0.
bool has_no_key(const Tensor& weights, const Tensor& mask, const Index& row) {
  if (!hides_all(row_of(mask, row))) return false;
  const std::span<const float> of_query = row_of(weights, row);
  return std::all_of(of_query.begin(), of_query.end(), [](float weight) { return weight == 0.0F; });
}

Use without_mask(Use use) {
  use.count = 2;
  return use;
}

Tensor forward(const Use& use) {
  Tensor sums = product.forward(without_mask(use));
  if (use.count < 3) return sums;
  const Tensor& weights = use[0].tensor;  // [B,H,Lq,Lk]
  const Tensor mask = use[2].tensor.has_contiguous_rows() ? use[2].tensor : use[2].tensor.clone();
  Shape rows = weights.shape();
  rows[3] = 1;
  Index at = Index::filled(4, 0);
  float* sum = sums.mutable_data();
  const std::size_t length = sums.shape().back();
  do {
    if (has_no_key(weights, mask, at)) std::fill_n(sum, length, 0.0F);
    sum += length;
  } while (next_index(at, rows));
  return sums;
}

void explain(const Use& use, Explanation& made) {
  product.explain(without_mask(use), made);
  if (use.count < 3) return;
  const Index& at = made.cell.index;
  const Tensor mask = use[2].tensor.has_contiguous_rows() ? use[2].tensor : use[2].tensor.clone();
  if (has_no_key(use[0].tensor, mask, {at[0], at[1], at[2], 0})) made.overwrite(Rule::fully_masked);
}

}  // namespace

constinit const Operation weighted_sum{"weighted_sum", 2, forward, explain};

}  // namespace ops

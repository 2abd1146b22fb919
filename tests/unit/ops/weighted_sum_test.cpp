#include <cmath>

#include "ops/uses.hpp"
#include "special_floats.hpp"

namespace ops {
namespace {

/// weights [1,1,Lq,Lk], values [1,1,Lk,D] and perhaps a mask.
Use sum_use(const Tensor& weights, const Tensor& values, const Tensor& mask = {}) {
  const Axes scores{B, H, Lq, Lk};
  if (!mask.defined()) return use_of({B, H, Lq, D}, {{weights, scores}, {values, {B, H, Lk, D}}});
  return use_of({B, H, Lq, D}, {{weights, scores}, {values, {B, H, Lk, D}}, {mask, scores}});
}

TEST(WeightedSum, OfTheValues) {
  const Tensor weights({1, 1, 2, 2}, {0.5F, 0.5F, 1, 0});
  const Tensor values({1, 1, 2, 3}, {1, 2, 3, 10, 20, 30});
  expect_values(made_by(weighted_sum, sum_use(weights, values)), {5.5F, 11, 16.5F, 1, 2, 3});
  expect_values(made_by(weighted_sum, sum_use(weights, values, Tensor({1, 1, 2, 2}))),
                {5.5F, 11, 16.5F, 1, 2, 3});
}

TEST(WeightedSum, OfAQueryThatMaySeeNoKeyIsZeroWhateverTheValues) {
  const Tensor weights({1, 1, 2, 2}, {0, 0, 1, 0});
  const Tensor values({1, 1, 2, 1}, {infinity, not_a_number});
  const Tensor mask({1, 1, 2, 1}, {hidden, 0});
  const Use use = sum_use(weights, values, mask.expand({1, 1, 2, 2}));
  const Tensor sums = made_by(weighted_sum, use);
  EXPECT_EQ(sums.at({0, 0, 0, 0}), 0.0F);
  EXPECT_TRUE(std::isnan(sums.at({0, 0, 1, 0}))) << "0 · NaN is NaN";
  EXPECT_EQ(explained(weighted_sum, use, {0, 0, 0, 0}).rule, Rule::fully_masked);
  EXPECT_EQ(explained(weighted_sum, use, {0, 0, 0, 0}).terms.size(), 2U);
}

TEST(WeightedSum, OfWeightsSetByHandCountsThoughTheMaskHidesAll) {
  const Tensor weights({1, 1, 1, 2}, {0, 0.5F});
  const Tensor values({1, 1, 2, 1}, {1, 4});
  const Use use = sum_use(weights, values, Tensor::full({1, 1, 1, 2}, hidden));
  expect_values(made_by(weighted_sum, use), {2});
  EXPECT_EQ(explained(weighted_sum, use, {0, 0, 0, 0}).rule, Rule::dot_product);
}

}  // namespace
}  // namespace ops

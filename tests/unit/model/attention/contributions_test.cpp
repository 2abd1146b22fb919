#include "model/attention/contributions.hpp"

#include <cmath>
#include <limits>
#include <numeric>

#include <gtest/gtest.h>

#include "model/attention/mask.hpp"
#include "model/problems.hpp"

namespace model {
namespace {

/// Calls `visit` with each index of the tensor.
template <typename Visit>
void for_each_index(const Tensor& tensor, Visit visit) {
  Index index = Extents::filled(tensor.rank(), 0);
  do {
    visit(index);
  } while (next_index(index, tensor.shape()));
}

TEST(HeadContributions, SumToTheOutput) {
  Numbers numbers(1);
  const Tensor x = numbers.tensor({2, 4, 6});
  for (const bool with_bias : {true, false}) {
    const Trace trace =
        computed(self_inputs(x, {}, random_weights(numbers, 6, 6, 6, with_bias)), {3, {}, {}});
    for_each_index(trace["output"], [&](const Index& index) {
      const HeadContributions made = head_contributions(trace, index);
      ASSERT_EQ(made.heads.size(), 3U);
      EXPECT_EQ(made.bias != 0.0, with_bias);
      EXPECT_NEAR(std::accumulate(made.heads.begin(), made.heads.end(), made.bias),
                  static_cast<double>(trace["output"].at(index)), 1e-6);
    });
  }
}

TEST(HeadContributions, AreWhatIsLostWhenTheHeadIsSwitchedOff) {
  Numbers numbers(2);
  const Tensor x = numbers.tensor({1, 4, 6});
  const Tensors weights = random_weights(numbers, 6, 6, 6, true);
  const Trace all = computed(self_inputs(x, {}, weights), {2, {}, {}});
  for (std::size_t head = 0; head < 2; ++head) {
    const Trace without =
        computed(self_inputs(x, {}, weights), {2, {}, {{}, {head}, Mistake::none}});
    for_each_index(all["output"], [&](const Index& index) {
      const double lost = static_cast<double>(all["output"].at(index)) -
                          static_cast<double>(without["output"].at(index));
      EXPECT_NEAR(head_contributions(all, index).heads[head], lost, 1e-6);
      EXPECT_EQ(head_contributions(without, index).heads[head], 0.0);
    });
  }
}

TEST(HeadContributions, WithoutAnOutputProjectionACellBelongsToOneHead) {
  Numbers numbers(3);
  const Tensor x = numbers.tensor({1, 4, 6});
  const Trace trace = computed(self_inputs(x), {3, {}, {}});
  for_each_index(trace["output"], [&](const Index& index) {
    const HeadContributions made = head_contributions(trace, index);
    EXPECT_EQ(made.bias, 0.0);
    for (std::size_t head = 0; head < 3; ++head) {
      const float cell = head == index[2] / 2 ? trace["output"].at(index) : 0.0F;
      EXPECT_EQ(made.heads[head], static_cast<double>(cell));
    }
  });
}

TEST(ProjectHead, IsTheHeadsColumnsOfTheBigProductBitForBit) {
  Numbers numbers(4);
  const Tensors inputs =
      inputs_of(numbers.tensor({2, 4, 300}), numbers.tensor({2, 5, 7}), numbers.tensor({2, 5, 3}));
  for (const bool with_bias : {true, false}) {
    const Trace trace =
        computed(joined(inputs, random_weights(numbers, 300, 7, 3, with_bias)), {6, {}, {}});
    for (std::size_t head = 0; head < 6; ++head) {
      for (const auto& [which, id] :
           {std::pair{Projection::q, TensorId("q")}, std::pair{Projection::k, TensorId("k")},
            std::pair{Projection::v, TensorId("v")}}) {
        const Tensor alone = project_head(trace, which, head);
        EXPECT_EQ(alone.shape(), (Shape{2, id == TensorId("q") ? 4U : 5U, 50}));
        expect_values(alone, trace[id].narrow(2, head * 50, 50).values());
      }
    }
  }
}

TEST(ProjectHead, WithoutAProjectionTheInputsOwnColumns) {
  Numbers numbers(5);
  const Tensor x = numbers.tensor({2, 4, 6});
  const Trace trace = computed(self_inputs(x), {3, {}, {}});
  const Tensor alone = project_head(trace, Projection::k, 2);
  EXPECT_TRUE(alone.shares_storage_with(x));
  expect_values(alone, x.narrow(2, 4, 2).values());
}

TEST(RunningSums, EndAtTheHeadsOutput) {
  Numbers numbers(6);
  const Tensor x = numbers.tensor({2, 5, 6});
  for (const std::string_view name : {"none", "no-transpose", "softmax-over-queries"}) {
    const Trace trace =
        computed(self_inputs(x, look_ahead_mask(5, 5), random_weights(numbers, 6, 6, 6, true)),
                 {2, {}, {{{0, 1, 2, {0.5F, 0.25F, 0.2F, 0, 3}}}, {}, *mistake_named(name)}});
    for (std::size_t b = 0; b < 2; ++b) {
      for (std::size_t h = 0; h < 2; ++h) {
        for (std::size_t query = 0; query < 5; ++query) {
          const Tensor sums = running_sums(trace, b, h, query);
          EXPECT_EQ(sums.shape(), (Shape{5, 3}));
          const Tensor parts = trace.weighted_values(query);
          for (std::size_t d = 0; d < 3; ++d) {
            EXPECT_NEAR(sums.at({4, d}), trace["head_outputs"].at({b, h, query, d}), 1e-6);
            for (std::size_t key = 0; key < 5; ++key) {
              const float before = key == 0 ? 0.0F : sums.at({key - 1, d});
              EXPECT_NEAR(sums.at({key, d}) - before, parts.at({b, h, 0, key, d}), 1e-6);
            }
          }
        }
      }
    }
  }
}

TEST(RunningSums, AreZeroWhereTheOutputIsByDefinition) {
  const float nan_value = std::numeric_limits<float>::quiet_NaN();
  const Tensor x({1, 2, 2}, {1, 2, nan_value, 4});
  const Trace masked = computed(self_inputs(x, Tensor::full({1, 2}, hidden)), {1, {}, {}});
  expect_values(running_sums(masked, 0, 0, 1), {0, 0, 0, 0});
  const Tensor y({1, 2, 2}, {1, 2, 3, 4});
  const Trace off = computed(self_inputs(y), {2, {}, {{}, {1}, Mistake::none}});
  expect_values(running_sums(off, 0, 1, 0), {0, 0});
  EXPECT_GT(running_sums(off, 0, 0, 0).at({1, 0}), 1.0F);
}

double total(const std::vector<float>& weights) {
  double sum = 0.0;
  for (const float weight : weights) sum += static_cast<double>(weight);
  return sum;
}

TEST(Rescaled, KeepsTheTotalAndTheProportionsOfTheOthers) {
  EXPECT_EQ(rescaled({0.25F, 0.5F, 0.25F}, 1, 0.75F), (std::vector<float>{0.125F, 0.75F, 0.125F}));
  EXPECT_EQ(rescaled({0.25F, 0.5F, 0.25F}, 0, 0.0F),
            (std::vector<float>{0.0F, 2.0F / 3.0F, 1.0F / 3.0F}));
  const std::vector<float> printed = {0.06F, 0.09F, 0.05F, 0.25F, 0.18F,
                                      0.06F, 0.09F, 0.06F, 0.15F};
  const std::vector<float> moved = rescaled(printed, 3, 0.6F);
  EXPECT_NEAR(total(moved), 0.99, 1e-6);
  EXPECT_EQ(moved[3], 0.6F);
  for (std::size_t key : {0U, 1U, 2U, 4U, 8U}) {
    EXPECT_NEAR(moved[key], printed[key] * (0.99F - 0.6F) / (0.99F - 0.25F), 1e-6);
  }
}

TEST(Rescaled, RandomRowsKeepTheirTotal) {
  Numbers numbers(7);
  for (int round = 0; round < 200; ++round) {
    std::vector<float> row(1 + numbers.below(9));
    for (float& weight : row) weight = std::fabs(numbers.next());
    const double before = total(row);
    const std::size_t key = numbers.below(row.size());
    const float value = std::fmin(std::fabs(numbers.next()), static_cast<float>(before));
    const std::vector<float> moved = rescaled(row, key, value);
    EXPECT_EQ(moved[key], value);
    if (row.size() > 1) {
      EXPECT_NEAR(total(moved), before, 1e-5);
    }
    for (const float weight : moved) EXPECT_GE(weight, 0.0F);
  }
}

TEST(Rescaled, OthersThatAreAllZeroShareEqually) {
  EXPECT_EQ(rescaled({0, 1, 0}, 1, 0.5F), (std::vector<float>{0.25F, 0.5F, 0.25F}));
  // What is left beside a weight of 1 keeps its proportions, however small it is.
  EXPECT_EQ(rescaled({1, 1e-20F, 1e-30F}, 0, 0.5F), (std::vector<float>{0.5F, 0.5F, 0.5e-10F}));
  EXPECT_EQ(rescaled({1, 3e-16F, 0}, 0, 0.5F), (std::vector<float>{0.5F, 0.5F, 0}));
  EXPECT_EQ(rescaled({0, 0, 0}, 0, 0.5F), (std::vector<float>{0.5F, 0.25F, 0.25F}));
  EXPECT_EQ(rescaled({1}, 0, 0.5F), (std::vector<float>{0.5F})) << "nobody else is there";
}

TEST(Rescaled, AValueAboveTheTotalLeavesTheOthersNothing) {
  EXPECT_EQ(rescaled({0.5F, 0.25F}, 0, 1.0F), (std::vector<float>{1.0F, 0.0F}));
}

}  // namespace
}  // namespace model

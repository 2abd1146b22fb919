#include "stage/figures/contributions.hpp"

#include <limits>
#include <numeric>

#include <gtest/gtest.h>

#include "model/attention/mask.hpp"
#include "model/problems.hpp"

namespace stage {
namespace {

using model::computed;
using model::hidden;
using model::Mistake;
using model::random_weights;
using model::TensorId;
using model::Tensors;
using model::Trace;
using tensor::Index;
using tensor::Shape;
using tensor::Tensor;
using test::expect_values;
using test::Numbers;

/// Calls `visit` with each index of the tensor.
template <typename Visit>
void for_each_index(const Tensor& tensor, Visit visit) {
  Index index = tensor::Extents::filled(tensor.rank(), 0);
  do {
    visit(index);
  } while (next_index(index, tensor.shape()));
}

TEST(HeadContributions, SumToTheOutput) {
  Numbers numbers(1);
  const Tensor x = numbers.tensor({2, 4, 6});
  for (const bool with_bias : {true, false}) {
    const Trace trace = computed(
        model::self_inputs(x, {}, random_weights(numbers, 6, 6, 6, with_bias)), {3, {}, {}});
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
  const Trace all = computed(model::self_inputs(x, {}, weights), {2, {}, {}});
  for (std::size_t head = 0; head < 2; ++head) {
    const Trace without =
        computed(model::self_inputs(x, {}, weights), {2, {}, {{}, {head}, Mistake::none}});
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
  const Trace trace = computed(model::self_inputs(x), {3, {}, {}});
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
  const Tensors inputs = model::inputs_of(numbers.tensor({2, 4, 300}), numbers.tensor({2, 5, 7}),
                                          numbers.tensor({2, 5, 3}));
  for (const bool with_bias : {true, false}) {
    const Trace trace =
        computed(model::joined(inputs, random_weights(numbers, 300, 7, 3, with_bias)), {6, {}, {}});
    for (std::size_t head = 0; head < 6; ++head) {
      for (const TensorId id : {TensorId("q"), TensorId("k"), TensorId("v")}) {
        const Tensor alone = project_head(trace, id, head);
        EXPECT_EQ(alone.shape(), (Shape{2, id == TensorId("q") ? 4U : 5U, 50}));
        expect_values(alone, trace[id].narrow(2, head * 50, 50).values());
      }
    }
  }
}

TEST(ProjectHead, WithoutAProjectionTheInputsOwnColumns) {
  Numbers numbers(5);
  const Tensor x = numbers.tensor({2, 4, 6});
  const Trace trace = computed(model::self_inputs(x), {3, {}, {}});
  const Tensor alone = project_head(trace, "k", 2);
  EXPECT_TRUE(alone.shares_storage_with(x));
  expect_values(alone, x.narrow(2, 4, 2).values());
}

TEST(RunningSums, EndAtTheHeadsOutput) {
  Numbers numbers(6);
  const Tensor x = numbers.tensor({2, 5, 6});
  for (const std::string_view name : {"none", "no-transpose", "softmax-over-queries"}) {
    const Trace trace = computed(
        model::self_inputs(x, model::look_ahead_mask(5, 5), random_weights(numbers, 6, 6, 6, true)),
        {2, {}, {{{0, 1, 2, {0.5F, 0.25F, 0.2F, 0, 3}}}, {}, *model::mistake_named(name)}});
    for (std::size_t b = 0; b < 2; ++b) {
      for (std::size_t h = 0; h < 2; ++h) {
        for (std::size_t query = 0; query < 5; ++query) {
          const Tensor sums = running_sums(trace, b, h, query);
          EXPECT_EQ(sums.shape(), (Shape{5, 3}));
          const Tensor parts = trace.at_query("weighted_values", query);
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
  const Trace masked = computed(model::self_inputs(x, Tensor::full({1, 2}, hidden)), {1, {}, {}});
  expect_values(running_sums(masked, 0, 0, 1), {0, 0, 0, 0});
  const Tensor y({1, 2, 2}, {1, 2, 3, 4});
  const Trace off = computed(model::self_inputs(y), {2, {}, {{}, {1}, Mistake::none}});
  expect_values(running_sums(off, 0, 1, 0), {0, 0});
  EXPECT_GT(running_sums(off, 0, 0, 0).at({1, 0}), 1.0F);
}

}  // namespace
}  // namespace stage

#include "model/trace.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "model/attention/mask.hpp"
#include "model/problems.hpp"

namespace model {
namespace {

TEST(Trace, HoldsTensorsInTheOrderOfTheTables) {
  Trace trace;
  EXPECT_TRUE(trace.present().empty());
  EXPECT_FALSE(trace.has("q"));
  trace.tensors["output"] = Tensor({1});
  trace.tensors["q"] = Tensor({1});
  EXPECT_EQ(trace.present(), (std::vector<TensorId>{"q", "output"}));
  EXPECT_TRUE(trace["q"].defined());
  EXPECT_FALSE(trace["k"].defined());
}

TEST(Trace, ViewsAreFoundByStorage) {
  Trace trace;
  const Tensor run = counting({4, 3});
  trace.tensors["query_input"] = run;
  trace.tensors["q"] = run.transpose(0, 1);
  trace.tensors["k"] = run.clone();
  trace.tensors["k_split"] = trace["k"].reshape({2, 2, 3});
  trace.tensors["q_proj_weight"] = Tensor({1});
  EXPECT_EQ(trace.view_of("query_input"), std::nullopt);
  EXPECT_EQ(trace.view_of("q"), TensorId("query_input"));
  EXPECT_EQ(trace.view_of("k"), std::nullopt) << "equal numbers, but a copy";
  EXPECT_EQ(trace.view_of("k_split"), TensorId("k"));
  EXPECT_EQ(trace.view_of("output"), std::nullopt);
}

TEST(Trace, SlicesOfOneRunAreNotViewsOfEachOther) {
  Trace trace;
  const Tensor packed = counting({6, 2});
  trace.tensors["q_proj_weight"] = packed.narrow(0, 0, 2);
  trace.tensors["k_proj_weight"] = packed.narrow(0, 2, 2);
  trace.tensors["v_proj_weight"] = packed.narrow(0, 0, 2);
  EXPECT_EQ(trace.view_of("k_proj_weight"), std::nullopt);
  EXPECT_EQ(trace.view_of("v_proj_weight"), TensorId("q_proj_weight"));
}

TEST(Trace, FullyMaskedLooksAtTheMask) {
  const Tensor x = counting({1, 3, 2});
  EXPECT_FALSE(computed(self_inputs(x), {}).fully_masked(0, 0, 0)) << "no mask hides nothing";
  const Tensor mask({3, 3}, {hidden, 0, hidden, hidden, hidden, hidden, -1e30F, hidden, hidden});
  const Trace trace = computed(self_inputs(x, mask), {});
  EXPECT_FALSE(trace.fully_masked(0, 0, 0));
  EXPECT_TRUE(trace.fully_masked(0, 0, 1));
  EXPECT_FALSE(trace.fully_masked(0, 0, 2)) << "very small is not hidden";
  EXPECT_FALSE(Trace().fully_masked(0, 0, 0)) << "no attention at all";
}

TEST(Trace, WeightedValuesOfOneQuery) {
  EXPECT_FALSE(Trace().at_query("weighted_values", 0).defined());
  Options options{2, {}, {}};
  const std::vector<float> by_hand[] = {{.5F, .5F}, {1, 0}, {.25F, .75F}, {0, 2}};
  for (std::size_t row = 0; row < 4; ++row)
    options.overrides.given_weights.push_back({0, row / 2, row % 2, by_hand[row]});
  const Trace trace = computed(self_inputs(counting({1, 2, 6})), options);
  const Tensor second = trace.at_query("weighted_values", 1);
  EXPECT_EQ(second.shape(), (Shape{1, 2, 1, 2, 3}));
  expect_values(second, {1, 2, 3, 0, 0, 0, 0, 0, 0, 20, 22, 24});
  EXPECT_FALSE(trace.at_query("weighted_values", 2).defined());
  const Tensor all = trace.at_query("weighted_values", std::nullopt);
  EXPECT_EQ(all.shape(), (Shape{1, 2, 2, 2, 3}));
  expect_values(all.narrow(2, 1, 1), {1, 2, 3, 0, 0, 0, 0, 0, 0, 20, 22, 24});
}

TEST(Trace, KnowsWhatMadeATensor) {
  const Trace trace = computed(self_inputs(counting({1, 2, 6})), {2, {}, {}});
  EXPECT_EQ(trace.made_by("query_input"), nullptr);
  EXPECT_EQ(trace.made_by("mask"), nullptr) << "not there";
  ASSERT_NE(trace.made_by("scores"), nullptr);
  EXPECT_EQ(trace.made_by("scores")->operation, &ops::product);
  EXPECT_EQ(trace.made_by("q")->operation, &ops::same) << "without a weight it is passed on";
  EXPECT_TRUE(trace.made_by("weighted_values")->on_demand);
  const ops::Use use = trace.use_of(*trace.made_by("scaled_scores"));
  EXPECT_EQ(use.count, 1U);
  EXPECT_EQ(use[0].id, TensorId("scores"));
  EXPECT_TRUE(use[0].tensor.is_same_view(trace["scores"]));
  EXPECT_EQ(use.shape, (Shape{1, 2, 2, 2}));
  EXPECT_EQ(use.constants.divisor, std::sqrt(3.0F));
}

}  // namespace
}  // namespace model

#include "training/learner.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "training/parallel.hpp"
#include "training/small_transformer.hpp"

namespace training {
namespace {

using tensor::Tensor;
using test::Array;
using test::expect_close;

TEST(Learner, BeginsWithTheWeightsThatTheModelHas) {
  const Learner learner(small_transformer(), Method::adam, 1);
  const auto shapes = model::weight_shapes(small_transformer());
  ASSERT_EQ(learner.names().size(), shapes.size());
  std::size_t count = 0;
  for (const auto& [name, weight] : learner.weights()) {
    ASSERT_TRUE(shapes.contains(name)) << name;
    EXPECT_EQ(weight.shape(), shapes.at(name)) << name;
    count += weight.size();
    for (const float number : weight.values()) {
      EXPECT_TRUE(!name.ends_with("bias") || number == 0.0F) << name;
      EXPECT_TRUE(!name.ends_with("weight") || weight.rank() == 2 || number == 1.0F) << name;
    }
  }
  EXPECT_EQ(learner.parameter_count(), count);
  EXPECT_EQ(learner.steps(), 0U);
}

TEST(Learner, TheSeedDecidesTheWeights) {
  const Learner learner(small_transformer(), Method::adam, 1);
  expect_same_bits(learner, Learner(small_transformer(), Method::sgd, 1));
  const Learner other(small_transformer(), Method::adam, 2);
  EXPECT_FALSE(
      learner.weights()["embedding.weight"].has_same_bits(other.weights()["embedding.weight"]));
}

TEST(Learner, InUseNothingIsDroppedOrSmoothed) {
  model::Transformer transformer = small_transformer();
  transformer.dropout = 0.1F;
  transformer.label_smoothing = 0.1F;
  const Learner learner(transformer, Method::adam, 1);
  EXPECT_EQ(learner.in_use().dropout, 0.0F);
  EXPECT_EQ(learner.in_use().label_smoothing, 0.0F);
  EXPECT_EQ(learner.in_use().vocabulary, transformer.vocabulary);
  EXPECT_EQ(learner.transformer().dropout, 0.1F);
}

TEST(Learner, CountsTokens) {
  EXPECT_EQ(counted_tokens({{}, {}, Tensor({1, 4}, {0, -1, 5, -1})}), 2U);
}

TEST(Learner, GradientsAreOfEveryWeightAndTimesTheImportance) {
  const Learner learner(small_transformer(), Method::sgd, 3);
  const model::TokenBatch batch = small_batch(1);
  const auto whole = gradients_of(learner.transformer(), learner.weights(), batch);
  const auto half = gradients_of(learner.transformer(), learner.weights(), batch, 0, 0.5F);
  ASSERT_TRUE(whole.has_value() && half.has_value());
  EXPECT_EQ(half->loss, whole->loss);
  EXPECT_NEAR(whole->loss, std::log(7.0), 2.0);
  for (const std::string& name : learner.names()) {
    ASSERT_TRUE(whole->of.contains(name)) << name;
    Array expected(whole->of.at(name));
    for (double& number : expected.values) number *= 0.5;
    expect_close(half->of.at(name), expected, 1e-7, name);
  }
}

// With the step w − 1 · g the weights show the gradients.
TEST(Learner, PartsOfABatchAreLearnedAsTheWhole) {
  const model::TokenBatch batch = small_batch(2, 6);
  const auto rows = [&](std::size_t first, std::size_t count) {
    return model::TokenBatch{batch.source.narrow(0, first, count),
                             batch.target.narrow(0, first, count),
                             batch.right.narrow(0, first, count)};
  };
  Learner whole(small_transformer(), Method::sgd, 4);
  Learner parts(small_transformer(), Method::sgd, 4);
  const auto loss = whole.learn(std::vector{batch}, 1.0F);
  // Parts of different sizes, with different shares of tokens that count.
  const auto loss_of_parts = parts.learn(std::vector{rows(0, 1), rows(1, 3), rows(4, 2)}, 1.0F);
  ASSERT_TRUE(loss.has_value() && loss_of_parts.has_value());
  EXPECT_NEAR(*loss_of_parts, *loss, 1e-6);
  EXPECT_EQ(parts.steps(), 1U);
  for (const std::string& name : whole.names())
    expect_close(parts.weights()[name], Array(whole.weights()[name]), 2e-6, name);
}

TEST(Learner, TheSamePartsGiveTheSameBits) {
  model::Transformer transformer = small_transformer();
  transformer.dropout = 0.2F;
  transformer.label_smoothing = 0.1F;
  Learner first(transformer, Method::adam, 5);
  Learner second(transformer, Method::adam, 5);
  for (std::uint32_t step = 0; step < 4; ++step) {
    const std::vector shards = {small_batch(step), small_batch(step + 100)};
    const auto a = first.learn(shards, 0.01F);
    const auto b = second.learn(shards, 0.01F);
    ASSERT_TRUE(a.has_value() && b.has_value());
    EXPECT_EQ(*a, *b);
  }
  expect_same_bits(first, second);
}

TEST(Learner, DropsOtherNumbersWithAnotherSeed) {
  model::Transformer transformer = small_transformer();
  transformer.dropout = 0.5F;
  const Learner learner(transformer, Method::sgd, 6);
  const auto loss = [&](std::uint32_t seed) {
    return gradients_of(transformer, learner.weights(), small_batch(1), seed)->loss;
  };
  EXPECT_EQ(loss(1), loss(1));
  EXPECT_NE(loss(1), loss(2));
}

TEST(Learner, LaterStepsLeaveACopyAsItIs) {
  Learner learner(small_transformer(), Method::adam, 7);
  const Learner before = learner;
  ASSERT_TRUE(learner.learn(std::vector{small_batch(1)}, 0.1F).has_value());
  expect_same_bits(before, Learner(small_transformer(), Method::adam, 7));
  EXPECT_EQ(learner.steps(), 1U);
}

TEST(Learner, LearnsOneBatchByHeart) {
  Learner learner(small_transformer(), Method::adam, 8);
  const model::TokenBatch batch = small_batch(3);
  double loss = 0.0;
  for (int step = 0; step < 200; ++step) loss = *learner.learn(std::vector{batch}, 0.01F);
  EXPECT_LT(loss, 0.05);
}

TEST(Learner, AfterAnErrorNothingIsLearned) {
  Learner learner(small_transformer(), Method::adam, 9);
  const Learner before = learner;
  model::TokenBatch wrong = small_batch(1);
  wrong.target = Tensor::full({4, 4}, 7.0F);
  const auto loss = learner.learn(std::vector{small_batch(2), wrong}, 0.01F);
  ASSERT_FALSE(loss.has_value());
  EXPECT_EQ(loss.error().message, "A token of the target is not among the 7 of the vocabulary.");
  expect_same_bits(learner, before);
}

TEST(Parallel, DoesEachOnce) {
  std::vector<int> done(20);
  parallel(done.size(), [&](std::size_t i) { ++done[i]; });
  EXPECT_EQ(done, std::vector<int>(20, 1));
  parallel(0, [](std::size_t) { FAIL(); });
  EXPECT_GE(most_threads(), 1U);
}

}  // namespace
}  // namespace training

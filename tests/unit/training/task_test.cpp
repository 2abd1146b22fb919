#include "training/task.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <string>
#include <vector>

namespace training {
namespace {

/// Row `row` of a batch.
Sequence sequence_of(const Batch& batch, std::size_t row) {
  Sequence sequence;
  for (std::size_t i = 0; i < batch.tokens.dim(1); ++i) {
    sequence.tokens.push_back(static_cast<int>(batch.tokens.at({row, i})));
    sequence.targets.push_back(static_cast<int>(batch.targets.at({row, i})));
  }
  return sequence;
}

TEST(Task, AreFoundByName) {
  for (const Task& each : tasks()) {
    EXPECT_EQ(task_named(each.name), each.id);
    EXPECT_EQ(&task(each.id), &each);
  }
  EXPECT_EQ(task_named("look-back"), TaskId::look_back);
  EXPECT_EQ(task_named("look back"), std::nullopt);
  EXPECT_EQ(task_named(""), std::nullopt);
}

TEST(Task, SaysWhatItIs) {
  for (const Task& each : tasks()) {
    EXPECT_FALSE(each.title().empty());
    EXPECT_EQ(each.rule().back(), '.');
    const std::set<std::string_view> different(each.vocabulary.begin(), each.vocabulary.end());
    EXPECT_EQ(different.size(), each.vocabulary.size()) << each.name;
  }
}

TEST(Task, BatchesHaveTokensOfTheVocabularyAndSomethingToAnswer) {
  for (const Task& each : tasks()) {
    const Batch batch = make_batch(each, 1, 1, 1000);
    ASSERT_EQ(batch.tokens.shape(), (tensor::Shape{1000, each.length}));
    ASSERT_EQ(batch.targets.shape(), (tensor::Shape{1000, each.length}));
    for (std::size_t row = 0; row < 1000; ++row) {
      std::size_t counted = 0;
      for (std::size_t i = 0; i < each.length; ++i) {
        const float token = batch.tokens.at({row, i});
        const float target = batch.targets.at({row, i});
        ASSERT_EQ(token, std::floor(token));
        ASSERT_EQ(target, std::floor(target));
        ASSERT_GE(token, 0.0F);
        ASSERT_GE(target, -1.0F);
        ASSERT_LT(token, static_cast<float>(each.vocabulary.size()));
        ASSERT_LT(target, static_cast<float>(each.vocabulary.size()));
        if (target >= 0.0F) ++counted;
      }
      EXPECT_GT(counted, 0U) << each.name;
    }
  }
}

TEST(Task, SameSeedAndStepGiveTheSameBatch) {
  for (const Task& each : tasks()) {
    const Batch batch = make_batch(each, 5, 17, 32);
    const Batch again = make_batch(each, 5, 17, 32);
    EXPECT_TRUE(batch.tokens.has_same_bits(again.tokens));
    EXPECT_TRUE(batch.targets.has_same_bits(again.targets));
    EXPECT_FALSE(batch.tokens.has_same_bits(make_batch(each, 5, 18, 32).tokens));
    EXPECT_FALSE(batch.tokens.has_same_bits(make_batch(each, 6, 17, 32).tokens));
    // A larger batch begins with the same sequences.
    const Batch larger = make_batch(each, 5, 17, 40);
    EXPECT_TRUE(larger.tokens.narrow(0, 0, 32).has_same_bits(batch.tokens));
  }
}

TEST(Task, WhatIsHeldOutIsNeverLearnedFrom) {
  for (const Task& each : tasks()) {
    std::set<std::vector<int>> kept;
    const Batch held = held_out(each, 256);
    ASSERT_EQ(held.tokens.shape(), (tensor::Shape{256, each.length}));
    for (std::size_t row = 0; row < 256; ++row) {
      const Sequence sequence = sequence_of(held, row);
      EXPECT_TRUE(is_held_out(sequence));
      kept.insert(sequence.tokens);
    }
    EXPECT_GT(kept.size(), 240U) << each.name << ": hardly any sequence twice";
    for (std::size_t step = 1; step <= 100; ++step) {
      const Batch batch = make_batch(each, 1, step, 32);
      for (std::size_t row = 0; row < 32; ++row) {
        const Sequence sequence = sequence_of(batch, row);
        ASSERT_FALSE(is_held_out(sequence));
        ASSERT_FALSE(kept.contains(sequence.tokens)) << each.name;
      }
    }
  }
}

TEST(Task, OneInEightSequencesIsHeldOut) {
  for (const Task& each : tasks()) {
    base::Random random(9, "share");
    int held = 0;
    for (int i = 0; i < 8000; ++i) held += is_held_out(each.draw(random)) ? 1 : 0;
    EXPECT_NEAR(held, 1000, 150) << each.name;
  }
}

// Known numbers: a link to a moment of training must lead to the same one everywhere.
TEST(Task, AreTheSameOnEveryMachine) {
  const auto first_tokens = [](TaskId id) {
    return sequence_of(make_batch(task(id), 1, 1, 1), 0).tokens;
  };
  EXPECT_EQ(first_tokens(TaskId::reverse), (std::vector<int>{3, 1, 7, 3, 1, 6, 3, 8}));
  EXPECT_EQ(first_tokens(TaskId::agree), (std::vector<int>{4, 7, 6, 4, 3, 7, 6, 2}));
  EXPECT_EQ(first_tokens(TaskId::look_back),
            (std::vector<int>{5, 8, 4, 2, 4, 2, 4, 2, 4, 2, 5, 8, 4, 2, 1, 3}));
}

}  // namespace
}  // namespace training

#include "training/settings.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "training/task.hpp"

namespace training {
namespace {

std::string problem_of(const Settings& settings) {
  const auto checked = check(settings);
  return checked ? "" : checked.error().message;
}

TEST(TrainingSettings, ThoseOfEveryTaskAreAllowed) {
  for (const Task& task : tasks()) EXPECT_EQ(problem_of(task.settings), "") << task.name;
}

TEST(TrainingSettings, ALearningRateIsANumberAboveZero) {
  for (const float rate : {0.0F, -1.0F, 1e9F, std::numeric_limits<float>::infinity(),
                           std::numeric_limits<float>::quiet_NaN()}) {
    EXPECT_EQ(problem_of({.learning_rate = rate}),
              "The learning rate must be a number above 0, at most 10.")
        << rate;
  }
  EXPECT_EQ(problem_of({.learning_rate = 10.0F}), "");
  EXPECT_EQ(problem_of({.learning_rate = 1e-30F}), "");
}

TEST(TrainingSettings, SizesHaveLimits) {
  EXPECT_EQ(problem_of({.batch_size = 0}), "The batch size is 0; it must be from 1 to 256.");
  EXPECT_EQ(problem_of({.batch_size = 257}), "The batch size is 257; it must be from 1 to 256.");
  EXPECT_EQ(problem_of({.num_layers = 5}), "The number of layers is 5; it must be from 1 to 4.");
  EXPECT_EQ(problem_of({.embed_dim = 0}), "The embedding's width is 0; it must be from 1 to 128.");
  EXPECT_EQ(problem_of({.num_heads = 0}), "The number of heads is 0; it must be from 1 to 128.");
  EXPECT_EQ(problem_of({.steps = 0}), "The number of steps is 0; it must be from 1 to 100000.");
  EXPECT_EQ(problem_of({.feed_forward_dim = 0}),
            "The width of the feed-forward layer is 0; it must be from 1 to 512.");
}

TEST(TrainingSettings, HeadsDivideTheWidth) {
  EXPECT_EQ(problem_of({.embed_dim = 32, .num_heads = 3}),
            "The embedding's width, 32, cannot be split into 3 heads of one size.");
  EXPECT_EQ(problem_of({.embed_dim = 30, .num_heads = 3}), "");
}

}  // namespace
}  // namespace training

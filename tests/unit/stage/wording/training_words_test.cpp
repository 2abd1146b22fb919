#include "stage/wording/training_words.hpp"

#include <gtest/gtest.h>

#include "stage/scene/number_text.hpp"

namespace stage {
namespace {

using document::Session;

Session reversing() {
  Session session;
  EXPECT_TRUE(session.perform(document::ChooseExample{lesson::ExampleId::reverse}));
  return session;
}

void train_to(Session& session, std::size_t steps, float rate) {
  document::Training training = session.document().configuration.training;
  training.steps = steps;
  training.learning_rate = rate;
  ASSERT_TRUE(session.perform(document::SetTraining{training}));
  while (session.trains()) session.train(1e9);
}

bool says(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(TrainingWords, ALearningRateThatIsTooHighIsNoBetterThanGuessing) {
  Session session = reversing();
  train_to(session, 80, 1.0F);
  const std::string trouble = training_words(session).trouble;
  EXPECT_TRUE(says(trouble, "no better than guessing")) << trouble;
  EXPECT_TRUE(says(trouble, "ln 10 = 2.303")) << trouble;
  EXPECT_TRUE(says(trouble, "learning rate, 1, may be too high")) << trouble;
}

TEST(TrainingWords, WithoutPositionsTheOrderIsUnknown) {
  Session session = reversing();
  ASSERT_TRUE(session.perform(document::SetPositionEncoding{false}));
  train_to(session, 80, 0.003F);
  const std::string trouble = training_words(session).trouble;
  EXPECT_TRUE(says(trouble, "without positions")) << trouble;
}

// One wide head and large steps: without √D its rows saturate, with it they learn.
TEST(TrainingWords, SaturatedRowsAreSaidToLearnLittle) {
  Session session = reversing();
  ASSERT_TRUE(session.perform(document::SetSizes{0, 1}));
  train_to(session, 100, 0.03F);
  EXPECT_EQ(training_words(session).trouble, "");
  ASSERT_TRUE(session.perform(document::SetScale{{model::Scale::Kind::none, 1.0F}}));
  train_to(session, 100, 0.03F);
  const std::string trouble = training_words(session).trouble;
  EXPECT_TRUE(says(trouble, "Without √D the largest weight of a row is ")) << trouble;
}

// An accuracy is said with its step where it was not measured at the one that is shown.
TEST(TrainingWords, AnAccuracySaysTheStepThatItBelongsTo) {
  Session session = reversing();
  train_to(session, 30, 0.003F);
  EXPECT_FALSE(says(training_words(session).accuracies.front(), "(step"));
  train_to(session, 15, 0.003F);
  const TrainingWords words = training_words(session);
  EXPECT_EQ(words.step, "step 15");
  EXPECT_TRUE(words.accuracies.front().ends_with(" (step 0)"));
}

// Where there is little room, both accuracies are there in short, with the same numbers.
TEST(TrainingWords, BothAccuraciesAreSaidInShort) {
  Session session = reversing();
  train_to(session, 40, 0.003F);
  const document::TrainingRun::Measured measured = session.training_run()->measured().back();
  ASSERT_EQ(measured.steps, 40U);
  const TrainingWords words = training_words(session);
  EXPECT_EQ(words.accuracy[0], "accuracy");
  const auto three = [](double number) { return number_text(static_cast<float>(number), 3); };
  EXPECT_EQ(words.accuracy[1], "held-out " + three(measured.held_out.accuracy));
  EXPECT_EQ(words.accuracy[2], "training " + three(measured.learned.accuracy));
}

TEST(TrainingWords, OnTheWayTheStepSaysWhereTrainingEnds) {
  Session session = reversing();
  document::Training training = session.document().configuration.training;
  training.steps = 40;
  ASSERT_TRUE(session.perform(document::SetTraining{training}));
  session.train(0.0);
  EXPECT_TRUE(training_words(session).step.ends_with(" of 40")) << training_words(session).step;
}

TEST(TrainingWords, AtItsEndATrainingIsSaidToBeDone) {
  Session session = reversing();
  const std::size_t steps = session.training_run()->settings().steps;
  train_to(session, steps - 1, 0.003F);
  EXPECT_EQ(training_words(session).step, "step " + std::to_string(steps - 1));
  train_to(session, steps, 0.003F);
  EXPECT_EQ(training_words(session).step, "step " + std::to_string(steps) + ", done");
}

// What heads have learned is seen at where they look: here, from each letter at that which is asked
// for.
TEST(TrainingWords, SayWhereEachHeadLooks) {
  Session session = reversing();
  train_to(session, 150, 0.003F);
  const TrainingWords words = training_words(session);
  const document::ComputedAttention& attention = session.attention();
  const tensor::Tensor& weights = attention.trace["attention_weights"];
  const std::vector<std::string>& tokens = attention.key_tokens.front();
  std::size_t mirrored = 0;
  for (std::size_t i = 0; i < words.sequence.size(); ++i) {
    const TrainingWords::Asked& asked = words.sequence[i];
    ASSERT_EQ(asked.looks.size(), asked.right.empty() ? 0 : weights.dim(1));
    for (std::size_t head = 0; head < asked.looks.size(); ++head) {
      const TrainingWords::Look& look = asked.looks[head];
      float largest = 0.0F;
      for (std::size_t key = 0; key < tokens.size(); ++key)
        largest = std::max(largest, weights.at({0, head, i, key}));
      EXPECT_EQ(look.weight, largest);
      const std::size_t mirror = tokens.size() - 1 - i;
      const bool several = std::count(tokens.begin(), tokens.end(), tokens[mirror]) > 1;
      const std::string number = several ? " " + std::to_string(mirror) : "";
      mirrored += look.token == tokens[mirror] + number ? 1 : 0;
    }
  }
  EXPECT_GE(mirrored, words.sequence.size()) << "of both heads together";
}

}  // namespace
}  // namespace stage

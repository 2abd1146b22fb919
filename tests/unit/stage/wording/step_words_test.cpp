#include "stage/wording/step_words.hpp"

#include <gtest/gtest.h>

#include "base/text.hpp"
#include "document/session.hpp"
#include "stage/wording/explanation_words.hpp"

namespace stage {
namespace {

using document::Session;

// No sum over a row has made a weight that somebody typed.
TEST(StepWords, SayThatTheWeightsOfTheQueryAreSetByHand) {
  Session session(
      document::document_of(document::fresh(lesson::ExampleId::pool_beats_badminton, 0)));
  ASSERT_TRUE(session.perform(document::ChooseStep{lesson::StepId::softmax}));
  const auto words = [&] {
    return words_of_step(session.attention(), session.document().view_state);
  };
  const std::string computed = words();
  const std::string_view by_hand = base::text("stage.softmax.by_hand.sentence");
  EXPECT_NE(computed, by_hand);
  const lesson::AttentionId attention = session.document().view_state.attention;
  ASSERT_TRUE(session.perform(
      document::SetWeights{attention, model::GivenWeights{0, 0, 0, {0.1F, 0.8F, 0.1F}}}));
  EXPECT_EQ(words(), by_hand);
  ASSERT_TRUE(session.perform(document::ChooseQuery{1}));
  EXPECT_EQ(words(), computed) << "that of another query are computed";
}

// The guessing game gives away neither which mistake is made nor where.
TEST(StepWords, OfAMistakeAreForThoseWhoDoNotGuess) {
  Session session(
      document::document_of(document::fresh(lesson::ExampleId::pool_beats_badminton, 0)));
  ASSERT_TRUE(session.perform(document::ChooseStep{lesson::StepId::softmax}));
  document::ViewState view_state = session.document().view_state;
  const std::string right = text_of_step(session.attention(), view_state);
  ASSERT_TRUE(session.perform(document::SetMistake{model::Mistake::softmax_over_queries}));
  const auto rule = [&](bool guessing) {
    return made_by(session.attention(), model::Rule::softmax, guessing);
  };
  EXPECT_EQ(rule(false), base::text("stage.rule.softmax_over_queries"));
  EXPECT_EQ(rule(true), base::text("stage.rule.softmax"));
  view_state = session.document().view_state;
  view_state.guessing = false;
  EXPECT_NE(text_of_step(session.attention(), view_state), right);
  view_state.guessing = true;
  EXPECT_EQ(text_of_step(session.attention(), view_state), right);
}

}  // namespace
}  // namespace stage

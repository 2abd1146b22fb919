// What a session does with mistakes, switched-off heads and weights set by hand.
#include <gtest/gtest.h>

#include <numeric>

#include "document/session.hpp"
#include "document/setups.hpp"

namespace document {
namespace {

using lesson::AttentionId;
using lesson::ExampleId;
using model::Mistake;

std::string refusal_of(Session& session, const Command& command) {
  const Document before = session.document();
  const auto done = session.perform(command);
  EXPECT_FALSE(done);
  EXPECT_EQ(session.document(), before);
  return done ? "" : done.error().message;
}

std::vector<float> row(const Session& session, std::size_t head, std::size_t query) {
  const tensor::Tensor& weights = session.attention().trace["attention_weights"];
  return weights.select(0, 0).select(0, head).select(0, query).values();
}

void expect_near(const std::vector<float>& ours, const std::vector<float>& theirs) {
  ASSERT_EQ(ours.size(), theirs.size());
  for (std::size_t i = 0; i < ours.size(); ++i) EXPECT_NEAR(ours[i], theirs[i], 1e-6F);
}

TEST(SessionWeights, ADraggedWeightIsWhatWasAskedForAndTheRestMakesRoom) {
  Session session = session_of(ExampleId::pool_beats_badminton);
  const std::vector<float> before = row(session, 0, 1);
  perform(session, DragWeight{alone, {0, 0, 1, 2}, 0.5F});
  const std::vector<float> after = row(session, 0, 1);
  EXPECT_EQ(after[2], 0.5F);
  EXPECT_NEAR(std::accumulate(after.begin(), after.end(), 0.0F), 1.0F, 1e-6F);
  EXPECT_NEAR(after[0] / after[1], before[0] / before[1], 1e-5F);
  EXPECT_EQ(session.document().configuration.given_weights.size(), 1U);
  EXPECT_TRUE(session.document().configuration.edits.empty());
  session.undo();
  EXPECT_EQ(row(session, 0, 1), before);
  session.redo();
  EXPECT_EQ(row(session, 0, 1), after);
}

TEST(SessionWeights, TypingIntoAWeightIsDraggingIt) {
  Session one = session_of(ExampleId::pool_beats_badminton);
  Session other = session_of(ExampleId::pool_beats_badminton);
  perform(one, DragWeight{alone, {0, 0, 1, 2}, 0.5F});
  perform(other, EditCell{cell(alone, "attention_weights", {0, 0, 1, 2}), 0.5F});
  EXPECT_EQ(one.document().configuration, other.document().configuration);
  EXPECT_NE(refusal_of(one, EditCell{cell(alone, "attention_weights", {0, 0, 1, 2}), 1.5F})
                .find("allowed are numbers from 0 to 1"),
            std::string::npos);
  EXPECT_NE(refusal_of(one, DragWeight{alone, {0, 0, 1, 3}, 0.5F}).find("lies outside"),
            std::string::npos);
}

TEST(SessionWeights, ADragToOneAndBackKeepsTheProportions) {
  for (const bool typed : {false, true}) {
    Session session = session_of(ExampleId::pool_beats_badminton);
    const std::vector<float> before = row(session, 0, 1);
    bool goes_on = false;
    for (const float value : {0.6F, 0.9F, 1.0F, 0.7F, before[2]}) {
      const tensor::Index index{0, 0, 1, 2};
      if (typed) {
        perform(session, EditCell{cell(alone, "attention_weights", index), value}, goes_on);
      } else {
        perform(session, DragWeight{alone, index, value}, goes_on);
      }
      goes_on = true;
      EXPECT_EQ(row(session, 0, 1)[2], value);
    }
    expect_near(row(session, 0, 1), before);
    session.undo();
    EXPECT_EQ(session.document().configuration, fresh(ExampleId::pool_beats_badminton, 0));
  }
}

TEST(SessionWeights, ANewDragStartsFromTheRowAsItIs) {
  Session session = session_of(ExampleId::pool_beats_badminton);
  perform(session, DragWeight{alone, {0, 0, 1, 2}, 1.0F});
  perform(session, DragWeight{alone, {0, 0, 1, 2}, 0.5F});
  expect_near(row(session, 0, 1), {0.25F, 0.25F, 0.5F});
  // Another command between two moves: what goes on then starts anew too.
  perform(session, DragWeight{alone, {0, 0, 1, 0}, 0.5F});
  const std::vector<float> there = row(session, 0, 1);
  perform(session, ChooseQuery{1});
  perform(session, DragWeight{alone, {0, 0, 1, 0}, 0.75F}, true);
  expect_near(row(session, 0, 1), {0.75F, there[1] / 2, there[2] / 2});
}

TEST(SessionWeights, ARowIsSetAndReleased) {
  Session session = session_of(ExampleId::pool_beats_badminton);
  const std::vector<float> before = row(session, 0, 1);
  perform(session, SetWeights{alone, {0, 0, 1, {0.5F, 0.25F, 0.5F}}});
  EXPECT_EQ(row(session, 0, 1), (std::vector<float>{0.5F, 0.25F, 0.5F}));
  perform(session, ReleaseWeights{alone, 0, 0, 1});
  EXPECT_EQ(row(session, 0, 1), before);
  EXPECT_EQ(refusal_of(session, SetWeights{alone, {0, 0, 1, {0.5F}}}),
            "attention.attention_weights[0,0,1] is given 1 weights; it has 3 keys, and each needs "
            "one.");
  EXPECT_NE(refusal_of(session, ReleaseWeights{AttentionId::cross_attention, 0, 0, 1})
                .find("There is no cross_attention here"),
            std::string::npos);
}

TEST(SessionWeights, ThePrintedRowKeepsItsSumAndComesBack) {
  Session session = session_of(ExampleId::anthony_hopkins, 1);
  const std::vector<float> printed = row(session, 0, 3);
  perform(session, DragWeight{alone, {0, 0, 3, 3}, 0.6F});
  const std::vector<float> moved = row(session, 0, 3);
  EXPECT_NEAR(std::accumulate(moved.begin(), moved.end(), 0.0F), 0.99F, 1e-5F);
  perform(session, ReleaseWeights{alone, 0, 0, 3});
  EXPECT_EQ(row(session, 0, 3), printed);
}

TEST(SessionWeights, AMistakeIsMadeAndUnmade) {
  Session session;
  const auto right = fingerprint(session.computed());
  EXPECT_EQ(session.without_mistake(), nullptr);
  perform(session, SetMistake{Mistake::no_transpose});
  EXPECT_NE(fingerprint(session.computed()), right);
  ASSERT_NE(session.without_mistake(), nullptr);
  EXPECT_EQ(fingerprint(*session.without_mistake()), right);
  EXPECT_EQ(session.without_mistake(), session.without_mistake());
  session.undo();
  EXPECT_EQ(fingerprint(session.computed()), right);
  EXPECT_EQ(session.without_mistake(), nullptr);
  const std::string refusal = refusal_of(session, SetMistake{Mistake::keys_not_transposed});
  EXPECT_EQ(refusal.find("In decoder layer 0: self_attention: Without transposing K"), 0U);
  // It leads to an example that can make the mistake.
  Session elsewhere = session_of(ExampleId::counting);
  const std::string_view title = lesson::example(ExampleId::counting).title();
  EXPECT_NE(refusal.find("“" + std::string(title) + "”"), std::string::npos) << refusal;
  perform(elsewhere, SetMistake{Mistake::keys_not_transposed});
}

TEST(SessionWeights, WithoutTheMistakeTheEditsStay) {
  Session session = session_of(ExampleId::pool_beats_badminton);
  perform(session, EditCell{cell(alone, "query_input", {0, 0, 0}), 2.0F});
  const auto right = fingerprint(session.computed());
  perform(session, SetMistake{Mistake::softmax_over_queries});
  EXPECT_EQ(fingerprint(*session.without_mistake()), right);
  perform(session, EditCell{cell(alone, "query_input", {0, 0, 0}), 3.0F});
  EXPECT_NE(fingerprint(*session.without_mistake()), right) << "computed anew";
}

TEST(SessionWeights, TheOriginalIsTheExampleWithThisSentenceAndSeed) {
  Session session = session_of(ExampleId::your_sentence);
  EXPECT_EQ(session.original(), nullptr);
  perform(session, SetSentence{"one two three"});
  perform(session, SetSeed{5});
  EXPECT_EQ(session.original(), nullptr);
  const auto print = fingerprint(session.computed());
  perform(session, EditCell{cell(alone, "q_proj_weight", {0, 0}), 2.0F});
  ASSERT_NE(session.original(), nullptr);
  EXPECT_EQ(fingerprint(*session.original()), print);
  const Computed* const first = session.original();
  perform(session, SetMistake{Mistake::no_scale});
  EXPECT_EQ(session.original(), first) << "the same numbers are not computed twice";
  EXPECT_EQ(fingerprint(*session.original()), print);
  perform(session, SetSeed{6});
  EXPECT_NE(fingerprint(*session.original()), print);
  perform(session, Reset{});
  EXPECT_EQ(session.original(), nullptr);
}

TEST(SessionWeights, WithoutEditsEverythingElseStays) {
  Session session = session_of(ExampleId::pool_beats_badminton);
  perform(session, SetScale{{model::Scale::Kind::none, 1.0F}});
  perform(session, SetMistake{Mistake::softmax_over_queries});
  EXPECT_EQ(session.without_edits(), nullptr);
  const auto print = fingerprint(session.computed());
  perform(session, EditCell{cell(alone, "query_input", {0, 0, 0}), 2.0F});
  ASSERT_NE(session.without_edits(), nullptr);
  EXPECT_EQ(fingerprint(*session.without_edits()), print);
  perform(session, SetMistake{Mistake::none});
  EXPECT_NE(fingerprint(*session.without_edits()), print);
  session.undo();
  session.undo();
  EXPECT_EQ(session.without_edits(), nullptr);
  perform(session, EditCell{cell(alone, "attention_weights", {0, 0, 0, 1}), 0.5F});
  ASSERT_NE(session.without_edits(), nullptr) << "a weight by hand is an edit, too";
  EXPECT_EQ(fingerprint(*session.without_edits()), print);
}

TEST(SessionWeights, HeadsAreSwitchedOffInOneAttention) {
  Session session;
  perform(session, AblateHead{AttentionId::encoder_self_attention, 1, true});
  const tensor::Tensor& outputs = session.attention().trace["head_outputs"];
  EXPECT_EQ(outputs.at({0, 1, 0, 0}), 0.0F);
  EXPECT_NE(outputs.at({0, 0, 0, 0}), 0.0F);
  perform(session, AblateHead{AttentionId::encoder_self_attention, 1, false});
  EXPECT_EQ(session.document().configuration, document::Configuration{});
  EXPECT_NE(refusal_of(session, AblateHead{AttentionId::encoder_self_attention, 2, true})
                .find("heads are counted from 0 to 1"),
            std::string::npos);
  EXPECT_NE(refusal_of(session, AblateHead{alone, 0, true}).find("There is no attention here"),
            std::string::npos);
}

TEST(SessionWeights, AHeadIsSwitchedOffInAllLayersOfAKind) {
  Session session = session_of(ExampleId::look_back);
  const auto off = [&] {
    std::size_t count = 0;
    for (const ComputedAttention& layer : session.computed().attentions)
      count += layer.trace.overrides.ablates(0) ? 1 : 0;
    return count;
  };
  const AttentionId first = session.computed().attentions.front().id;
  std::size_t layers = 0;
  for (const ComputedAttention& layer : session.computed().attentions)
    layers += lesson::kind_of(layer.id) == lesson::kind_of(first) ? 1 : 0;
  ASSERT_EQ(layers, 2U);
  perform(session, AblateHead{first, 0, true});
  EXPECT_EQ(off(), 1U);
  perform(session, AblateHeadInLayers{first, 0, true});
  EXPECT_EQ(off(), layers);
  session.undo();
  EXPECT_EQ(off(), 1U) << "in all layers is one change";
  perform(session, AblateHeadInLayers{first, 0, false});
  EXPECT_TRUE(session.document().configuration.ablated_heads.empty());

  Session three;
  perform(three, AblateHeadInLayers{AttentionId::cross_attention, 1, true});
  EXPECT_EQ(three.document().configuration.ablated_heads.size(), 1U) << "other kinds stay";
  EXPECT_NE(refusal_of(three, AblateHeadInLayers{AttentionId::cross_attention, 2, true})
                .find("heads are counted from 0 to 1"),
            std::string::npos);
}

TEST(SessionWeights, ABlockIsOneStepOrNothing) {
  Session session = session_of(ExampleId::pool_beats_badminton);
  const auto edit = [](std::size_t column, float value) {
    return Edit{cell(alone, "query_input", {0, 0, column}), value};
  };
  perform(session, EditCells{{edit(0, 1.0F), edit(1, 2.0F), edit(2, 3.0F)}});
  EXPECT_EQ(session.document().configuration.edits.size(), 3U);
  EXPECT_NE(refusal_of(session, EditCells{{edit(0, 5.0F), edit(4, 5.0F)}}).find("lies outside"),
            std::string::npos);
  EXPECT_NE(refusal_of(session, EditCells{{edit(0, 5.0F), edit(0, 6.0F)}}).find("edited twice"),
            std::string::npos);
  session.undo();
  EXPECT_TRUE(session.document().configuration.edits.empty());
}

TEST(SessionWeights, NothingDangles) {
  Session session = session_of(ExampleId::your_sentence);
  const auto busy = [&] {
    perform(session, SetMistake{Mistake::no_scale});
    perform(session, AblateHead{alone, 1, true});
    perform(session, DragWeight{alone, {0, 0, 0, 1}, 0.5F});
  };
  busy();
  perform(session, SetSentence{"only three words"});
  EXPECT_TRUE(session.document().configuration.given_weights.empty());
  EXPECT_EQ(session.document().configuration.ablated_heads.size(), 1U);
  EXPECT_EQ(session.document().configuration.mistake, Mistake::no_scale);
  perform(session, SetSizes{0, 1});
  EXPECT_TRUE(session.document().configuration.ablated_heads.empty());
  perform(session, SetSizes{0, 2});
  busy();
  perform(session, SetSeed{9});
  EXPECT_EQ(session.document().configuration.given_weights.size(), 1U)
      << "other numbers, same places";
  perform(session, Reset{});
  document::Configuration plain = fresh(ExampleId::your_sentence, 0);
  plain.parameters.sentence = "only three words";
  EXPECT_EQ(session.document().configuration, plain);
  busy();
  perform(session, ChooseExample{ExampleId::pool_beats_badminton, 0});
  EXPECT_EQ(session.document().configuration, fresh(ExampleId::pool_beats_badminton, 0));
}

}  // namespace
}  // namespace document

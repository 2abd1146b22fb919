// Undo and redo.
#include <gtest/gtest.h>

#include "document/edits/given.hpp"
#include "document/session.hpp"
#include "document/setups.hpp"
#include "model/attention/mask.hpp"

namespace document {
namespace {

using lesson::AttentionId;
using lesson::ExampleId;
using lesson::MaskKind;
using model::hidden;
using model::Scale;
using model::TensorId;

TEST(SessionUndo, ResetIsTakenBackAsAWhole) {
  Session session;
  perform(session, ChooseExample{ExampleId::you_are_welcome, 0});
  perform(session, ChooseStep{lesson::StepId::scores});
  perform(session, edit("token_embedding", {0, 1, 2}, 4.0F, AttentionId::encoder_self_attention));
  perform(session, ShowAllHeads{false});
  perform(session, SetViewState<&ViewState::framing>{Framing{0.3F, 0.4F, 2.0F}});
  perform(session, SetViewState<&ViewState::compare>{true});
  const Document before = session.document();
  perform(session, Reset{});
  const Document reset = session.document();
  EXPECT_TRUE(reset.configuration.edits.empty());
  EXPECT_TRUE(reset.view_state.all_heads);
  EXPECT_FALSE(reset.view_state.framing);
  session.undo();
  EXPECT_EQ(session.document(), before);
  session.redo();
  EXPECT_EQ(session.document(), reset);
}

TEST(SessionUndo, OutOfAnExampleLeadsBackToWhatWasLookedAt) {
  Session session;
  perform(session, ChooseExample{ExampleId::gender_and_number, 0});
  perform(session, ChooseStep{lesson::StepId::softmax});
  perform(session, SetViewState<&ViewState::query>{2});
  perform(session, SetViewState<&ViewState::head>{1});
  const Document before = session.document();
  perform(session, ChooseExample{ExampleId::you_are_welcome, 0});
  perform(session, ChooseStep{lesson::StepId::overview});
  perform(session, SetViewState<&ViewState::theme>{Theme::dark});
  const Document there = session.document();
  session.undo();
  Document back = before;
  back.view_state.theme = Theme::dark;  // belongs to no example
  EXPECT_EQ(session.document(), back);
  session.redo();
  EXPECT_EQ(session.document(), there);
}

TEST(SessionUndo, ResetIsTakenBackAtAnotherStepWithoutTheZoomOfTheFirst) {
  Session session;
  perform(session, ChooseStep{lesson::StepId::scores});
  perform(session, ShowAllHeads{false});
  perform(session, SetViewState<&ViewState::framing>{Framing{0.3F, 0.4F, 2.0F}});
  perform(session, Reset{});
  perform(session, ChooseStep{lesson::StepId::softmax});
  session.undo();
  EXPECT_EQ(session.document().view_state.step, lesson::StepId::softmax);
  EXPECT_FALSE(session.document().view_state.framing);
  EXPECT_FALSE(session.document().view_state.all_heads);
}

TEST(SessionUndo, ResetIsTakenBackWhereItChangedOnlyWhatIsShown) {
  Session session;
  perform(session, ShowAllHeads{false});
  ASSERT_FALSE(session.can_undo());
  perform(session, Reset{});
  ASSERT_TRUE(session.document().view_state.all_heads);
  ASSERT_TRUE(session.can_undo());
  // What was chosen since stays: Reset had not changed that.
  perform(session, SetViewState<&ViewState::theme>{Theme::dark});
  session.undo();
  EXPECT_FALSE(session.document().view_state.all_heads);
  EXPECT_EQ(session.document().view_state.theme, Theme::dark);
  EXPECT_FALSE(session.can_undo());
  session.redo();
  EXPECT_TRUE(session.document().view_state.all_heads);
  perform(session, Reset{});  // changes nothing
  session.undo();
  EXPECT_FALSE(session.document().view_state.all_heads);
}

TEST(SessionUndo, UndoAndRedoBringBackEveryBit) {
  Session session;
  const std::vector<Command> commands = {
      edit("token_embedding", {0, 1, 2}, 4.0F, AttentionId::encoder_self_attention),
      SetMask{AttentionId::decoder_self_attention, MaskKind::none},
      edit("mask", {0, 0, 0, 1}, hidden, AttentionId::cross_attention),
      SetScale{{Scale::Kind::number, 7.5F}},
      SetSeed{99},
      ChooseExample{ExampleId::your_sentence, 0},
      SetSentence{"über Stock und Stein"},
      SetSizes{16, 8},
      SetPositionEncoding{false},
      edit("query_input", {0, 3, 15}, -1.0F),
      ChooseExample{ExampleId::anthony_hopkins, 1},
      edit("out_proj_weight", {511, 511}, 0.5F),
      ChooseVariant{2},
      Reset{},
      ChooseExample{ExampleId::pool_beats_badminton, 2},
      SetSizes{4, 4},
  };
  std::vector<std::vector<std::uint32_t>> prints = {fingerprint(session.computed())};
  std::vector<document::Configuration> setups = {session.document().configuration};
  for (const Command& command : commands) {
    const std::uint64_t revision = session.revision();
    perform(session, command);
    if (session.revision() == revision) continue;  // Reset, where nothing was changed
    prints.push_back(fingerprint(session.computed()));
    setups.push_back(session.document().configuration);
  }
  ASSERT_EQ(prints.size(), commands.size());
  for (std::size_t i = prints.size() - 1; i-- > 0;) {
    ASSERT_TRUE(session.can_undo());
    session.undo();
    EXPECT_EQ(session.document().configuration, setups[i]) << i;
    EXPECT_EQ(fingerprint(session.computed()), prints[i]) << i;
  }
  EXPECT_FALSE(session.can_undo());
  session.undo();  // nothing to take back
  EXPECT_EQ(fingerprint(session.computed()), prints.front());
  for (std::size_t i = 1; i < prints.size(); ++i) {
    ASSERT_TRUE(session.can_redo());
    session.redo();
    EXPECT_EQ(session.document().configuration, setups[i]) << i;
    EXPECT_EQ(fingerprint(session.computed()), prints[i]) << i;
  }
  EXPECT_FALSE(session.can_redo());
}

TEST(SessionUndo, ANewStepForgetsWhatWasUndone) {
  Session session = session_of(ExampleId::pool_beats_badminton);
  perform(session, SetScale{{Scale::Kind::number, 2.0F}});
  session.undo();
  ASSERT_TRUE(session.can_redo());
  perform(session, ChooseQuery{1});  // a view state is no step
  EXPECT_TRUE(session.can_redo());
  perform(session, SetScale{{Scale::Kind::number, 3.0F}});
  EXPECT_FALSE(session.can_redo());
}

TEST(SessionUndo, UndoLeavesTheLookWhereItIs) {
  Session session;
  perform(session, edit("q_proj_bias", {0}, 1.0F, AttentionId::cross_attention));
  perform(session, ChooseStep{lesson::StepId::reweight});
  perform(session, ChooseAttention{AttentionId::cross_attention});
  perform(session, ChooseSample{1});
  const ViewState view_state = session.document().view_state;
  session.undo();
  EXPECT_EQ(session.document().view_state, view_state);
  EXPECT_TRUE(session.document().configuration.edits.empty());
}

TEST(SessionUndo, UndoMovesALookThatIsNotThereAnyMore) {
  Session session = session_of(ExampleId::your_sentence);
  perform(session, SetSizes{8, 8});
  perform(session, ChooseHead{7});
  session.undo();
  EXPECT_EQ(session.document().view_state.head, 1U);
}

TEST(SessionUndo, TheSameTwiceIsOneStep) {
  Session session = session_of(ExampleId::pool_beats_badminton);
  perform(session, edit("query_input", {0, 0, 0}, 0.7F));
  perform(session, edit("value_input", {0, 0, 0}, 0.7F));  // the same cell
  session.undo();
  EXPECT_FALSE(session.can_undo());
}

TEST(SessionUndo, ADragIsOneStep) {
  Session session = session_of(ExampleId::pool_beats_badminton);
  perform(session, edit("query_input", {0, 2, 2}, 9.0F));
  const auto before = fingerprint(session.computed());
  ASSERT_TRUE(session.perform(edit("query_input", {0, 0, 0}, 0.6F)));
  for (int move = 7; move < 20; ++move) {
    const float value = static_cast<float>(move) / 10.0F;
    ASSERT_TRUE(session.perform(edit("query_input", {0, 0, 0}, value), /*goes_on=*/true));
    EXPECT_EQ(session.attention().trace["query_input"].at({0, 0, 0}), value);
  }
  session.undo();
  EXPECT_EQ(fingerprint(session.computed()), before);
  session.redo();
  EXPECT_EQ(session.attention().trace["query_input"].at({0, 0, 0}), 1.9F);
}

TEST(SessionUndo, ADragBackToItsStartLeavesNothingToUndo) {
  Session session = session_of(ExampleId::pool_beats_badminton);
  perform(session, edit("query_input", {0, 0, 0}, 0.6F));
  ASSERT_TRUE(session.perform(edit("query_input", {0, 0, 0}, 0.5F), true));
  EXPECT_FALSE(session.can_undo());
  ASSERT_TRUE(session.perform(edit("query_input", {0, 0, 0}, 0.4F), true));
  EXPECT_TRUE(session.can_undo());
  session.undo();
  EXPECT_EQ(session.document().configuration, fresh(ExampleId::pool_beats_badminton, 0));
}

TEST(SessionUndo, WhatGoesOnAfterAnUndoIsAStepOfItsOwn) {
  Session session = session_of(ExampleId::pool_beats_badminton);
  perform(session, edit("query_input", {0, 0, 0}, 0.6F));
  perform(session, edit("query_input", {0, 0, 1}, 0.6F));
  session.undo();
  ASSERT_TRUE(session.perform(edit("query_input", {0, 0, 2}, 0.6F), true));
  EXPECT_FALSE(session.can_redo());
  session.undo();
  EXPECT_EQ(session.document().configuration.edits.size(), 1U);
}

TEST(SessionUndo, ADragThatIsBrokenOffLeavesNoTrace) {
  Session session = session_of(ExampleId::pool_beats_badminton);
  perform(session, edit("query_input", {0, 0, 0}, 0.6F));
  const document::Configuration before = session.document().configuration;
  const auto print = fingerprint(session.computed());
  perform(session, edit("query_input", {0, 0, 1}, 0.7F));
  ASSERT_TRUE(session.perform(edit("query_input", {0, 0, 2}, 0.8F), true));
  session.take_back();
  EXPECT_EQ(session.document().configuration, before);
  EXPECT_EQ(fingerprint(session.computed()), print);
  EXPECT_FALSE(session.can_redo());
  ASSERT_TRUE(session.can_undo());

  session.take_back();  // the step before is not part of the drag
  EXPECT_EQ(session.document().configuration, before);
  session.undo();
  session.take_back();
  EXPECT_TRUE(session.can_redo());
  EXPECT_TRUE(session.document().configuration.edits.empty());
}

TEST(SessionUndo, AThousandStepsCanBeUndoneAndNoMore) {
  Session session = session_of(ExampleId::pool_beats_badminton);
  for (std::size_t i = 0; i < max_undo_steps + 50; ++i) {
    ASSERT_TRUE(session.perform(SetScale{{Scale::Kind::number, static_cast<float>(i + 1)}}));
  }
  std::size_t steps = 0;
  for (; session.can_undo(); ++steps) session.undo();
  EXPECT_EQ(steps, max_undo_steps);
  EXPECT_EQ(session.computed().scale.number, 50.0F);
}

TEST(SessionUndo, LongHistoriesOfManyEditsAreCutShorter) {
  Document document;
  document.configuration = fresh(ExampleId::your_sentence, 0);
  document.configuration.parameters.embed_dim = 128;
  document.configuration.parameters.num_heads = 1;
  for (std::size_t i = 0; i < max_edits - 100; ++i) {
    document.configuration.edits.push_back(
        {cell(AttentionId::attention, "q_proj_weight", {i / 128, i % 128}), 5.0F});
  }
  Session session(document);
  ASSERT_EQ(session.document().configuration.edits.size(), max_edits - 100);
  for (int i = 0; i < 30; ++i) {
    ASSERT_TRUE(session.perform(SetScale{{Scale::Kind::number, static_cast<float>(i + 1)}}));
  }
  std::size_t steps = 0;
  for (; session.can_undo(); ++steps) session.undo();
  EXPECT_EQ(steps, max_undo_edits / (max_edits - 100));
}

}  // namespace
}  // namespace document

#include "stage/highlight/cell_diff.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <string>

#include "document/session.hpp"
#include "stage/layout/composition.hpp"
#include "stage/layout/lettering.hpp"

namespace stage {
namespace {

using model::Mistake;
using model::TensorId;

/// The stage of a step while a mistake is made, with what it spoiled marked.
Stage stage_with(Mistake mistake, lesson::StepId step) {
  document::Session session;
  EXPECT_TRUE(session.perform(document::SetMistake{mistake}));
  EXPECT_TRUE(session.perform(document::ChooseStep{step}));
  const document::Computed* right = session.without_mistake();
  EXPECT_EQ(right == nullptr, mistake == Mistake::none);
  return compose(session.computed(), session.document().view_state, {900.0F, 480.0F}, right).stage;
}

std::size_t wrong_in(const Stage& stage, TensorId tensor) {
  std::size_t count = 0;
  for (const Block& block : stage.blocks) {
    if (block.tensor != tensor || block.run) continue;
    for (const bool wrong : block.wrong) count += wrong ? 1U : 0U;
  }
  return count;
}

TEST(Differ, RoundingIsNoDifference) {
  EXPECT_FALSE(differ(1.0F, 1.0F + 1e-6F));
  EXPECT_TRUE(differ(1.0F, 1.001F));
  EXPECT_TRUE(differ(0.0F, 0.001F));
  const float infinity = std::numeric_limits<float>::infinity();
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_FALSE(differ(-infinity, -infinity));
  EXPECT_TRUE(differ(-infinity, 0.0F));
  EXPECT_FALSE(differ(nan, nan));
  EXPECT_TRUE(differ(nan, 0.0F));
}

TEST(Differ, AnEditIsSeenHoweverSmall) {
  EXPECT_TRUE(is_another(1.0F, 1.0F + 1e-6F));
  EXPECT_FALSE(is_another(1.0F, 1.0F));
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_FALSE(is_another(nan, nan));
  EXPECT_TRUE(is_another(nan, 0.0F));
}

TEST(MarkWrong, WithoutAMistakeNothingIsMarked) {
  const Stage stage = stage_with(Mistake::none, lesson::StepId::transpose);
  for (const Block& block : stage.blocks) EXPECT_TRUE(block.wrong.empty());
  for (const Group& group : stage.groups) EXPECT_FALSE(group.wrong);
}

TEST(MarkWrong, AForgottenTransposeSpoilsTheHeadsAndNotTheSplit) {
  const Stage stage = stage_with(Mistake::no_transpose, lesson::StepId::transpose);
  EXPECT_EQ(wrong_in(stage, "q_split"), 0U);
  // Of 2 heads × 3 tokens, the first and the last row are where they should be.
  EXPECT_EQ(wrong_in(stage, "q_heads"), 12U);
  for (const Group& group : stage.groups) {
    const bool heads = group.tensor == "q_heads";
    EXPECT_EQ(group.wrong, heads);
    // In full or in short, whichever has room.
    EXPECT_EQ(group.note.rfind("12 of 18 ", 0) == 0, heads) << group.note;
  }
  // Each row keeps the hue of the head that its numbers belong to.
  for (const Block& block : stage.blocks) {
    if (block.tensor != "q_heads") continue;
    const std::vector<std::size_t> expected =
        *block.head == 0 ? std::vector<std::size_t>{0, 1, 0} : std::vector<std::size_t>{1, 0, 1};
    EXPECT_EQ(block.row_heads, expected);
  }
}

TEST(MarkWrong, AForgottenScaleSpoilsEveryScaledScore) {
  const Stage stage = stage_with(Mistake::no_scale, lesson::StepId::scale);
  EXPECT_EQ(wrong_in(stage, "scores"), 0U);
  EXPECT_EQ(wrong_in(stage, "scaled_scores"), 18U) << "two heads, three queries, three keys";
}

std::size_t changed_in(const Stage& stage, TensorId tensor) {
  std::size_t count = 0;
  for (const Block& block : stage.blocks) {
    if (block.tensor != tensor || block.run) continue;
    count += static_cast<std::size_t>(std::count(block.changed.begin(), block.changed.end(), true));
  }
  return count;
}

// What an edit reaches is marked, and nothing else.
TEST(MarkChanged, MarksTheEditedCellAndWhatFollowsFromIt) {
  document::Session session;
  ASSERT_TRUE(session.perform(document::ChooseStep{lesson::StepId::project}));
  const lesson::AttentionId here = session.document().view_state.attention;
  const document::CellAddress cell{here, "q_proj_weight", {1, 2}};
  const float was = session.attention().trace["q_proj_weight"].at({1, 2});
  ASSERT_TRUE(session.perform(document::EditCell{cell, was + 1.0F}));
  ASSERT_NE(session.without_edits(), nullptr);
  Stage stage = compose(session.computed(), session.document().view_state, {900.0F, 480.0F}).stage;
  mark_changed(stage, *session.without_edits(), session.document().view_state);
  EXPECT_EQ(changed_in(stage, "query_input"), 0U);
  EXPECT_EQ(changed_in(stage, "q_proj_weight"), 1U);
  EXPECT_EQ(changed_in(stage, "q"), session.attention().trace["q"].dim(1)) << "its column";
  for (const Block& block : stage.blocks) {
    if (block.tensor != "q") continue;
    for (std::size_t row = 0; row < block.rows(); ++row) {
      for (std::size_t column = 0; column < block.columns(); ++column)
        EXPECT_EQ(block.changed[row * block.columns() + column], column == 1) << column;
    }
  }
  const auto q = std::find_if(stage.groups.begin(), stage.groups.end(),
                              [](const Group& group) { return group.tensor == "q"; });
  ASSERT_NE(q, stage.groups.end());
  EXPECT_EQ(q->note, "3 of 18 cells changed");
}

// Beside another caption there is little room: what changed matters more than the shape.
TEST(MarkChanged, ANoteTakesThePlaceOfTheShapeWhereBothHaveNoRoom) {
  document::Session session(
      document::document_of(document::fresh(lesson::ExampleId::pool_beats_badminton, 0)));
  ASSERT_TRUE(session.perform(document::ChooseStep{lesson::StepId::mask}));
  ASSERT_TRUE(session.perform(
      document::SetMask{lesson::AttentionId::attention, lesson::MaskKind::look_ahead}));
  const document::CellAddress cell{lesson::AttentionId::attention, "mask", {0, 0, 2, 0}};
  ASSERT_TRUE(session.perform(document::EditCell{cell, -std::numeric_limits<float>::infinity()}));
  Stage stage = compose(session.computed(), session.document().view_state, {672.0F, 230.0F}).stage;
  mark_changed(stage, *session.without_edits(), session.document().view_state);
  std::size_t notes = 0;
  for (const Group& group : stage.groups) {
    if (group.in_figure || group.note.empty()) continue;
    ++notes;
    for (const Group& other : stage.groups) {
      const bool beside = !other.in_figure && other.caption.x > group.caption.x &&
                          other.caption.y < group.caption.bottom() &&
                          other.caption.bottom() > group.caption.y;
      const float shape = group.shape.empty() ? 0.0F : text_width(group.shape, 11.5F, true) + 10.0F;
      if (beside)
        EXPECT_LE(group.caption.x + shape + text_width(group.note, 11.5F), other.caption.x)
            << group.title << " and " << other.title;
    }
  }
  EXPECT_GE(notes, 2U);
}

TEST(MarkChanged, AMistakeIsSaidBeforeAnEdit) {
  document::Session session;
  ASSERT_TRUE(session.perform(document::ChooseStep{lesson::StepId::scale}));
  ASSERT_TRUE(session.perform(document::SetMistake{Mistake::no_scale}));
  const document::CellAddress cell{
      session.document().view_state.attention, "q_proj_weight", {1, 2}};
  ASSERT_TRUE(session.perform(document::EditCell{cell, 5.0F}));
  Stage stage = compose(session.computed(), session.document().view_state, {900.0F, 480.0F},
                        session.without_mistake())
                    .stage;
  mark_changed(stage, *session.without_edits(), session.document().view_state);
  EXPECT_GT(changed_in(stage, "scaled_scores"), 0U);
  for (const Group& group : stage.groups) {
    const bool spoiled = group.tensor == "scaled_scores";
    EXPECT_EQ(group.wrong, spoiled);
    EXPECT_EQ(group.note.find("hold a wrong number") != std::string::npos, spoiled) << group.note;
  }
}

TEST(MistakeShows, AMaskThatHidesNothingCannotBeAppliedWrongly) {
  document::Session session;
  ASSERT_TRUE(session.perform(document::ChooseExample{lesson::ExampleId::gender_and_number, 0}));
  const lesson::AttentionId attention = session.attention().id;
  EXPECT_FALSE(mistake_shows(session)) << "none is made";
  ASSERT_TRUE(session.perform(document::SetMistake{model::Mistake::no_scale}));
  EXPECT_TRUE(mistake_shows(session));
  for (const model::Mistake mistake :
       {model::Mistake::mask_with_zero, model::Mistake::mask_after_softmax}) {
    ASSERT_TRUE(session.perform(document::SetMask{attention, lesson::MaskKind::none}));
    ASSERT_TRUE(session.perform(document::SetMistake{mistake}));
    EXPECT_FALSE(mistake_shows(session));
    ASSERT_TRUE(session.perform(document::SetMask{attention, lesson::MaskKind::look_ahead}));
    EXPECT_TRUE(mistake_shows(session));
  }
}

}  // namespace
}  // namespace stage

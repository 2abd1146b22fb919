#include "stage/highlight/mistake_diff.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "document/session.hpp"
#include "stage/layout/composition.hpp"

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
    EXPECT_EQ(group.note == "12 of 18 cells hold a wrong number", heads);
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

}  // namespace
}  // namespace stage

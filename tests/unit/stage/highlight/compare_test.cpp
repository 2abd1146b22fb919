#include "stage/highlight/compare.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "document/session.hpp"
#include "stage/layout/composition.hpp"
#include "stage/scenes.hpp"

namespace stage {
namespace {

using model::TensorId;

constexpr Space space{1200.0F, 700.0F};

/// you-are-welcome with one weight of the encoder's query projection changed.
document::Session edited() {
  document::Session session;
  const auto done = session.perform(document::EditCell{
      {lesson::AttentionId::encoder_self_attention, "q_proj_weight", {0, 0}}, 1.5F});
  EXPECT_TRUE(done);
  return session;
}

TEST(Compare, EveryCellIsTheNumberLessTheOriginalOne) {
  const document::Session session = edited();
  const document::Computed* original = session.original();
  ASSERT_NE(original, nullptr);
  for (const lesson::Step& step : lesson::steps()) {
    document::ViewState view_state = session.document().view_state;
    view_state.step = step.id;
    Stage stage = compose(session.computed(), view_state, space).stage;
    const std::vector<Block> plain = stage.blocks;
    subtract(stage, compose(*original, view_state, space).stage);
    for (std::size_t i = 0; i < stage.blocks.size(); ++i) {
      const Block& block = stage.blocks[i];
      if (!block.is_difference) {
        EXPECT_TRUE(block.matrix.shares_storage_with(plain[i].matrix));
        continue;
      }
      const tensor::Tensor& now = session.attention().trace[block.tensor];
      const tensor::Tensor& then = original->find(view_state.attention).trace[block.tensor];
      for (std::size_t row = 0; row < block.rows(); ++row) {
        for (std::size_t column = 0; column < block.columns(); ++column) {
          if (block.tensor == "weighted_values") continue;  // not in a trace
          const tensor::Index index = block.index_of(row, column);
          const float expected =
              now.at(index) == then.at(index) ? 0.0F : now.at(index) - then.at(index);
          ASSERT_EQ(block.value(row, column), expected) << block.group << ' ' << row;
          EXPECT_LE(std::fabs(expected), block.range);
        }
      }
      EXPECT_EQ(block.colouring, Colouring::diverging);
    }
  }
}

TEST(Compare, CaptionsSayIt) {
  const document::Session session = edited();
  document::ViewState view_state = session.document().view_state;
  view_state.step = lesson::StepId::scores;
  Stage stage = compose(session.computed(), view_state, space).stage;
  subtract(stage, compose(*session.original(), view_state, space).stage);
  std::size_t compared = 0;
  for (const Group& group : stage.groups) {
    const bool difference = stage.blocks[group.first_block].is_difference;
    EXPECT_EQ(group.title.ends_with(" − original"), difference) << group.title;
    compared += difference ? 1U : 0U;
  }
  EXPECT_GT(compared, 0U);
}

TEST(Compare, WhatTheOriginalDoesNotHaveStaysAsItIs) {
  document::Session session;
  ASSERT_TRUE(session.perform(document::ChooseExample{lesson::ExampleId::pool_beats_badminton, 0}));
  ASSERT_TRUE(
      session.perform(document::EditCell{{lesson::AttentionId::attention, "mask", {0, 0, 0, 1}},
                                         -std::numeric_limits<float>::infinity()}));
  document::ViewState view_state = session.document().view_state;
  view_state.step = lesson::StepId::mask;
  Stage stage = compose(session.computed(), view_state, space).stage;
  subtract(stage, compose(*session.original(), view_state, space).stage);
  for (const Block& block : stage.blocks) {
    const bool there = session.original()->attentions[0].trace.has(block.tensor);
    if (!there) {
      EXPECT_FALSE(block.is_difference);
    }
  }
}

}  // namespace
}  // namespace stage

#include "stage/layout/matrices/batch_stack.hpp"

#include <gtest/gtest.h>

#include "document/session.hpp"
#include "stage/layout/composition.hpp"
#include "stage/layout/layout.hpp"

namespace stage {
namespace {

using model::TensorId;

constexpr Space sheet_space{900.0F, 460.0F};

/// A batch of two, at a step.
class Batch {
 public:
  explicit Batch(lesson::StepId step) {
    EXPECT_TRUE(session.perform(document::ChooseExample{lesson::ExampleId::you_are_welcome}));
    EXPECT_TRUE(session.perform(document::ChooseStep{step}));
  }
  Stage stage() const {
    return compose(session.computed(), session.document().view_state, sheet_space).stage;
  }
  document::Session session;
};

TEST(Sheets, HoldTheNumbersOfTheOtherSample) {
  for (std::size_t step = 0; step < lesson::step_count; ++step) {
    const Batch batch(static_cast<lesson::StepId>(step));
    // The matrices alone: what a figure adds has no sheets.
    Stage stage =
        lay_out(batch.session.attention(), batch.session.document().view_state, sheet_space);
    lay_sheets(stage, batch.session.attention(), batch.session.document().view_state);
    std::size_t expected = 0;
    for (const Block& block : stage.blocks) {
      const auto axes = model::axes_of(block.tensor);
      const bool per_sample = axes.has(model::Axis::B);
      if (per_sample && !stage.groups[block.group].folded) ++expected;
    }
    ASSERT_EQ(stage.sheets.size(), expected) << step;
    for (const Sheet& sheet : stage.sheets) {
      const Block& block = stage.blocks[sheet.over];
      EXPECT_EQ(sheet.sample, 1 - batch.session.document().view_state.sample);
      ASSERT_EQ(sheet.matrix.shape(), block.matrix.shape());
      const model::Trace& trace = batch.session.attention().trace;
      for (std::size_t row = 0; row < block.rows(); ++row) {
        for (std::size_t column = 0; column < block.columns(); ++column) {
          tensor::Index index = block.index_of(row, column);
          const auto axes = model::axes_of(block.tensor);
          index[axes.place_of(model::Axis::B)] = sheet.sample;
          const tensor::Tensor tensor =
              block.tensor == "weighted_values"
                  ? trace.at_query("weighted_values", batch.session.document().view_state.query)
                  : trace[block.tensor];
          if (block.tensor == "weighted_values") index[2] = 0;
          const float wanted = tensor.at(index);
          const float shown = sheet.matrix.at({row, column});
          EXPECT_TRUE(shown == wanted || (shown != shown && wanted != wanted))
              << model::name_of(block.tensor) << ' ' << row << ' ' << column;
        }
      }
    }
  }
}

TEST(Sheets, AreBroughtUpWhereTheyLookOut) {
  Batch batch(lesson::StepId::softmax);
  const Stage stage = batch.stage();
  ASSERT_FALSE(stage.sheets.empty());
  const Sheet& sheet = stage.sheets.front();
  const Rect cells = stage.blocks[sheet.over].cells;
  EXPECT_EQ(sheet_at(stage, {cells.right() + sheet_step / 2.0F, cells.centre().y}), 1U);
  EXPECT_EQ(sheet_at(stage, {cells.centre().x, cells.bottom() + sheet_step / 2.0F}), 1U);
  EXPECT_EQ(sheet_at(stage, cells.centre()), std::nullopt);
  EXPECT_EQ(sheet_at(stage, {cells.right() + 2.0F * sheet_step, cells.centre().y}), std::nullopt);
  // The other way round with the other sample on top.
  ASSERT_TRUE(batch.session.perform(document::ChooseSample{1}));
  EXPECT_EQ(batch.stage().sheets.front().sample, 0U);
}

TEST(Sheets, CanBeHidden) {
  Batch batch(lesson::StepId::overview);
  ASSERT_TRUE(batch.session.perform(document::ShowAllSamples{false}));
  EXPECT_TRUE(batch.stage().sheets.empty());
}

TEST(Sheets, MeetNothingButTheirOwn) {
  for (std::size_t step = 0; step < lesson::step_count; ++step) {
    const Stage stage = Batch(static_cast<lesson::StepId>(step)).stage();
    for (const Sheet& sheet : stage.sheets) {
      const Rect place = place_of(stage, sheet);
      EXPECT_TRUE(stage.bounds.contains({place.right() - 0.1F, place.bottom() - 0.1F})) << step;
      for (std::size_t i = 0; i < stage.blocks.size(); ++i) {
        if (i == sheet.over || stage.groups[stage.blocks[i].group].in_figure) continue;
        EXPECT_FALSE(place.overlaps(stage.blocks[i].cells)) << step << ' ' << i;
      }
    }
  }
}

TEST(Sheets, AreNoneForWeightsAndForOneSample) {
  const Batch batch(lesson::StepId::project);
  const document::ViewState& view_state = batch.session.document().view_state;
  EXPECT_EQ(sheet_count(batch.session.attention(), "q_proj_weight", view_state), 0U);
  EXPECT_EQ(sheet_count(batch.session.attention(), "q", view_state), 1U);
  document::Session single;
  ASSERT_TRUE(single.perform(document::ChooseExample{lesson::ExampleId::lazy_dog}));
  EXPECT_EQ(sheet_count(single.attention(), "q", single.document().view_state), 0U);
}

}  // namespace
}  // namespace stage

// The content of every screen of the lesson fills its place.
#include <gtest/gtest.h>

#include <algorithm>

#include "stage/compositions.hpp"

namespace stage {
namespace {

constexpr Screen large{"large", 1920.0F, 1080.0F};
constexpr Screen all_sizes[] = {page, large, embed, phone};

/// How much of the width or of the height of its place a picture takes, whichever is more.
float filled(const Stage& stage, Space space) {
  return std::max(stage.bounds.width / space.width, stage.bounds.height / space.height);
}

/// Whether a cell of it is as wide as cells get: a few numbers do not fill a large screen.
bool has_largest_cells(const Stage& stage) {
  return std::any_of(stage.blocks.begin(), stage.blocks.end(), [](const Block& block) {
    return block.cells.width / static_cast<float>(block.columns()) >= 95.0F;
  });
}

TEST(Fill, EveryStepTakesMostOfTheWidthOrTheHeight) {
  std::size_t largest = 0;
  std::size_t all = 0;
  for (const auto& [name, computed] : computed_examples()) {
    for (const document::ComputedAttention& attention : computed.attentions) {
      for (const lesson::Step& step : lesson::steps()) {
        for (const bool all_heads : {true, false}) {
          const document::ViewState view_state = look_number(0, attention, step.id, all_heads);
          for (const Screen& screen : all_sizes) {
            const Space space = screen.space();
            const Stage stage = compose(computed, view_state, space).stage;
            ++all;
            if (filled(stage, space) >= 0.7F) continue;
            ++largest;
            EXPECT_TRUE(has_largest_cells(stage))
                << filled(stage, space) << ": " << name << ", " << step.name << ", " << screen.name;
          }
        }
      }
    }
  }
  // Those are few: one or two small matrices that are all there is.
  EXPECT_LT(largest, all / 50);
}

// Small matrices beside a figure, or three in a row, where square cells would just be too narrow.
TEST(Fill, CellsThatCanHoldDigitsDo) {
  using enum lesson::StepId;
  for (const auto& [name, computed] : computed_examples()) {
    const bool two_heads = name.starts_with("you-are-welcome");
    if (!two_heads && !name.starts_with("counting small")) continue;
    for (const lesson::StepId step : {scale, merge, mask, softmax}) {
      if (two_heads && (step == mask || step == softmax)) continue;  // twice as many, and no room
      const document::ViewState view_state =
          look_number(0, computed.attentions.front(), step, true);
      const Stage stage = compose(computed, view_state, embed.space()).stage;
      for (const Block& block : stage.blocks) {
        if (block.run || stage.groups[block.group].in_figure) continue;
        const std::string where = name + ", " + std::string(lesson::step(step).name) + ", " +
                                  std::string(model::name_of(block.tensor));
        EXPECT_GE(block.cells.width / static_cast<float>(block.columns()), least_numbered_width)
            << where;
        EXPECT_GE(block.cells.height / static_cast<float>(block.rows()), least_numbered_height)
            << where;
      }
    }
  }
}

// The map beside the side panel, a little too low for square cells of 24 pixels.
TEST(Fill, NumbersStandOnTheMapWhereTheyNeedOnlyWiderCells) {
  for (const auto& [name, computed] : computed_examples()) {
    if (!name.starts_with("you-are-welcome")) continue;
    const document::ViewState view_state =
        look_number(0, computed.attentions.front(), lesson::StepId::overview, true);
    const Stage stage = compose(computed, view_state, {888.0F, 487.0F}).stage;
    for (const Block& block : stage.blocks) {
      if (stage.groups[block.group].fold != Fold::none) continue;
      EXPECT_GE(block.cells.width / static_cast<float>(block.columns()), least_numbered_width)
          << name << ", " << model::name_of(block.tensor);
    }
  }
}

}  // namespace
}  // namespace stage

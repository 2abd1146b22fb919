#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "stage/compositions.hpp"
#include "stage/figures/row_table.hpp"
#include "stage/layout/lettering.hpp"
#include "stage/layout/steps/step_layouts.hpp"
#include "stage/motion/motion.hpp"

namespace stage {
namespace {

using lesson::StepId;

template <typename Check>
void for_each_crossing(Check check) {
  std::size_t seen = 0;
  for_each_composition([&](const Composed& composed) {
    const StepId step = composed.view_state.step;
    if (step != StepId::project && step != StepId::scores && step != StepId::output) return;
    const Division division =
        divide(figure_for(composed.input()), composed.view_state.show, composed.screen->space());
    if (!division.matrices || !has_crossing(composed.input())) return;
    check(composed);
    ++seen;
  });
  EXPECT_GT(seen, 100U);
}

const Block& result_of(const Stage& stage) { return stage.blocks[stage.sweeps.front().block]; }

const Figure* sum_of(const Stage& stage) {
  for (const Figure& figure : stage.figures) {
    if (figure.name == "running-sum") return &figure;
  }
  return nullptr;
}

// Who chooses all heads sees all of them: one is explained, the others are there.
TEST(Crossing, AllHeadsAreSeen) {
  for_each_crossing([](const Composed& composed) {
    if (composed.view_state.step != StepId::scores) return;
    std::vector<std::size_t> heads;
    for (const Block& block : composed.stage().blocks) {
      if (block.tensor == "scores") heads.push_back(*block.head);
    }
    std::sort(heads.begin(), heads.end());
    const std::size_t count = composed.trace().config.num_heads;
    ASSERT_EQ(heads.size(), composed.view_state.all_heads ? count : 1U);
    for (std::size_t i = 0; i < heads.size(); ++i)
      ASSERT_EQ(heads[i], composed.view_state.all_heads ? i : composed.view_state.head);
  });
}

// In the layout of the page at 1280 × 800, k and v say where they come from while translating.
TEST(Crossing, KeysAndValuesOfACacheSaySo) {
  document::Computed computed =
      document::computed(document::fresh(lesson::ExampleId::you_are_welcome, 0));
  for (const bool kept : {false, true}) {
    for (document::ComputedAttention& attention : computed.attentions)
      attention.kept_layers = kept ? 1 : 0;
    for (const document::Projection projection :
         {document::Projection::q, document::Projection::k, document::Projection::v}) {
      document::ViewState view_state;
      view_state.step = StepId::project;
      view_state.attention = lesson::AttentionId::cross_attention;
      view_state.projection = projection;
      const Stage stage =
          crossing({computed, computed.find(view_state.attention), view_state}, {912.0F, 560.0F});
      const Group& made = stage.groups[result_of(stage).group];
      EXPECT_EQ(made.note, kept && projection != document::Projection::q
                               ? "KV cache, 72 bytes"  // 3 keys × 6 numbers × 4 bytes
                               : "");
      for (const Group& group : stage.groups) {
        EXPECT_TRUE(group.note.empty() || &group == &made) << group.title;
      }
      if (!made.note.empty()) {
        EXPECT_GE(made.caption.width, caption_width(made, true) - 0.01F);
      }
    }
  }
}

TEST(Crossing, GivesWayToTheFlowWhereACellOnTheWayIsChosen) {
  const std::size_t variant = open_qwen3_layer();
  const document::Computed computed =
      document::computed(document::fresh(lesson::ExampleId::own_layer, variant));
  lesson::forget_own_layers();
  const auto shows = [&](const document::ViewState& view_state, model::TensorId tensor) {
    const Stage stage =
        lay_out_step({computed, computed.attentions.front(), view_state}, {912.0F, 560.0F});
    return std::any_of(stage.groups.begin(), stage.groups.end(),
                       [&](const Group& group) { return group.tensor == tensor; });
  };
  document::ViewState view_state;
  view_state.step = StepId::scores;
  EXPECT_FALSE(shows(view_state, "q_norm_weight"));
  view_state.cell = document::CellRef{"q_rotated", {0, 1, 2, 3}};
  EXPECT_FALSE(shows(view_state, "q_norm_weight"));
  for (const char* tensor : {"q_normed", "k_normed", "k_rotated"}) {
    view_state.cell = document::CellRef{*model::tensor_named(tensor), {0, 1, 2, 3}};
    EXPECT_TRUE(shows(view_state, "q_norm_weight")) << tensor;
    EXPECT_TRUE(shows(view_state, view_state.cell->tensor)) << tensor;
  }
  view_state.cell = document::CellRef{"q_norm_weight", {3}};
  EXPECT_TRUE(shows(view_state, "q_norm_weight"));
}

TEST(Crossing, RowsMeetColumnsWhereTheProductIs) {
  for_each_crossing([](const Composed& composed) {
    const Stage& stage = composed.stage();
    const Block& left = stage.blocks[0];
    const Block& top = stage.blocks[1];
    const Block& made = result_of(stage);
    ASSERT_EQ(left.rows(), made.rows());
    ASSERT_EQ(top.columns(), made.columns());
    ASSERT_EQ(left.columns(), top.rows());
    for (std::size_t row = 0; row < made.rows(); ++row) {
      ASSERT_NEAR(left.cell(row, 0).y, made.cell(row, 0).y, 0.05F);
    }
    for (std::size_t column = 0; column < made.columns(); ++column) {
      ASSERT_NEAR(top.cell(0, column).x, made.cell(0, column).x, 0.05F);
    }
    ASSERT_LT(left.cells.right(), made.cells.x);
    ASSERT_LT(top.cells.bottom(), made.cells.y);
    // And the product is one: the first number of the last row, in double.
    double sum = 0.0;
    const std::size_t row = made.rows() - 1;
    double size = 1.0;
    for (std::size_t i = 0; i < left.columns(); ++i) {
      const double term =
          static_cast<double>(left.value(row, i)) * static_cast<double>(top.value(i, 0));
      sum += term;
      size += std::fabs(term);
    }
    if (stage.blocks[2].tensor != made.tensor)
      sum += static_cast<double>(stage.blocks[2].value(0, 0));
    if (std::isfinite(sum)) {
      ASSERT_NEAR(made.value(row, 0), sum, 1e-5 * size);
    }
  });
}

// The width of a phone makes narrow cells, which then are as high as they are wide.
TEST(Crossing, CellsOfANarrowScreenAreSquareWhereThereIsHeight) {
  const document::Computed computed =
      document::computed(document::fresh(lesson::ExampleId::pool_beats_badminton, 0));
  document::ViewState view_state;
  view_state.step = StepId::scores;
  const Stage stage = compose(computed, view_state, {358.0F, 560.0F}).stage;
  const Rect cell = result_of(stage).cell(0, 0);
  EXPECT_GE(cell.width, 30.0F);
  EXPECT_NEAR(cell.height, cell.width, 0.5F);
}

TEST(Crossing, EveryCellIsItsTensors) {
  for_each_crossing([](const Composed& composed) {
    if (composed.screen != &screens[0]) return;
    for (const Block& block : composed.stage().blocks) {
      const std::size_t row = block.rows() - 1;
      const std::size_t column = block.columns() / 2;
      ASSERT_EQ(bits_of(block.value(row, column)),
                bits_of(composed.trace()[block.tensor].at(block.index_of(row, column))));
      ASSERT_TRUE(
          composed.stage().groups[block.group].title.starts_with(model::name_of(block.tensor)));
    }
    for (const Sheet& sheet : composed.stage().sheets) {
      const Block& block = composed.stage().blocks[sheet.over];
      tensor::Index index = block.index_of(block.rows() - 1, 0);
      index[0] = sheet.sample;
      ASSERT_EQ(bits_of(sheet.matrix.at({block.rows() - 1, 0})),
                bits_of(composed.trace()[block.tensor].at(index)));
    }
  });
}

// What the corner ends with is the number in the cell; on the way it is no cell's.
TEST(Crossing, TheRunningSumEndsWithTheNumberInTheCell) {
  std::size_t sums = 0;
  for_each_crossing([&sums](const Composed& composed) {
    if (composed.screen != &screens[0]) return;
    for (const float progress : {0.0F, 0.15F, 0.35F, 0.5F, 0.65F, 0.85F, 1.0F}) {
      const Stage stage = at_progress(composed, progress);
      ASSERT_EQ(stage.bounds, composed.stage().bounds);
      const Figure* figure = sum_of(stage);
      if (figure == nullptr) continue;
      std::size_t totals = 0;
      for (const Words& words : figure->words) {
        if (!words.cell) continue;
        ++totals;
        const float value = composed.trace()[words.cell->tensor].at(words.cell->index);
        ASSERT_EQ(words.text, number_in(value, 7, 3));
      }
      ASSERT_LE(totals, 1U);
      if (progress == 1.0F) {
        ASSERT_EQ(totals, 1U);
      }
      ++sums;
    }
  });
  EXPECT_GT(sums, 100U);
}

// The products beside a chosen weight are those that it is one of.
TEST(Crossing, TheSumIsThatOfTheChosenWeightsColumn) {
  const document::Computed computed =
      document::computed(document::fresh(lesson::ExampleId::you_are_welcome, 0));
  document::ViewState view_state;
  view_state.step = StepId::project;
  for (const std::size_t row : {1U, 4U}) {
    view_state.cell = document::CellRef{"q_proj_weight", {row, 2}};
    const Stage stage =
        crossing({computed, computed.find(view_state.attention), view_state}, {912.0F, 560.0F});
    const Figure* figure = sum_of(stage);
    ASSERT_NE(figure, nullptr);
    const auto total = std::find_if(figure->words.begin(), figure->words.end(),
                                    [](const Words& words) { return words.cell.has_value(); });
    ASSERT_NE(total, figure->words.end());
    EXPECT_EQ(total->cell->tensor, model::TensorId("q"));
    EXPECT_EQ(total->cell->index.back(), row);
  }
}

// A number is in its cell when its sum is complete, not before.
TEST(Crossing, ACellIsFilledWhenItsSumIsThere) {
  for_each_crossing([](const Composed& composed) {
    if (composed.screen != &screens[0]) return;
    for (const float progress : {0.1F, 0.3F, 0.5F, 0.7F}) {
      const Stage now = at(at_progress(composed, progress), progress);
      const auto hit = computed_last(composed.stage(), progress, composed.view_state.head);
      const Figure* figure = sum_of(now);
      if (!hit || figure == nullptr) continue;
      for (const Words& words : figure->words) {
        if (words.text != "so far") continue;
        ASSERT_FALSE(now.blocks[hit->block].is_shown(hit->row, hit->column)) << progress;
      }
    }
  });
}

// Factors fly to their line beside the words of the sum: "so far" stays readable.
TEST(Crossing, FlyingNumbersPassOverNoWords) {
  std::size_t flying = 0;
  for_each_crossing([&flying](const Composed& composed) {
    for (int i = 4; i < 20; ++i) {
      const Stage now = at_progress(composed, static_cast<float>(i) / 21.0F);
      const Figure* figure = sum_of(now);
      if (figure == nullptr) continue;
      for (const Words& flies : figure->words) {
        if (!flies.plate) continue;
        ++flying;
        for (const Words& words : figure->words) {
          ASSERT_TRUE(&words == &flies || !overlap(place_of(words), place_of(flies)))
              << flies.text << " over " << words.text << " at " << i;
        }
        ASSERT_EQ(caption_under(now, place_of(flies)), "") << flies.text << " at " << i;
      }
    }
  });
  EXPECT_GT(flying, 500U);
}

TEST(Crossing, TheFrameIsAFunctionOfTheProgress) {
  for_each_crossing([](const Composed& composed) {
    if (composed.screen != &screens[2]) return;
    const Stage forwards = at_progress(composed, 0.4F);
    (void)at_progress(composed, 0.9F);
    const Stage back = at_progress(composed, 0.4F);
    const Figure* one = sum_of(forwards);
    const Figure* other = sum_of(back);
    ASSERT_EQ(one == nullptr, other == nullptr);
    if (one == nullptr) return;
    ASSERT_EQ(one->words.size(), other->words.size());
    for (std::size_t i = 0; i < one->words.size(); ++i) {
      ASSERT_EQ(one->words[i].text, other->words[i].text);
      ASSERT_EQ(one->words[i].at, other->words[i].at);
    }
  });
}

}  // namespace
}  // namespace stage

#include "stage/motion/input_rows.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "stage/compositions.hpp"
#include "stage/figures/step_figures.hpp"
#include "stage/focus/focus.hpp"
#include "stage/motion/motion.hpp"

namespace stage {
namespace {

using document::Configuration;
using lesson::AttentionId;
using lesson::ExampleId;
using lesson::StepId;
using model::TensorId;

/// Whether a piece sets out from the row of one of these blocks.
bool comes_from_its_row(const Stage& stage, const Tween& tween) {
  for (const Block& block : stage.blocks) {
    if (block.tensor != tween.piece.tensor || block.piece || block.partial) continue;
    const auto place = block.position_of(tween.piece.corner);
    if (!place) continue;
    const Rect cell = block.cell(place->row, place->column);
    const Rect row{cell.x, cell.y, block.cells.width, cell.height};
    if (inside(row, tween.from, 0.5F) && inside(tween.from, row, 0.5F)) return true;
  }
  return false;
}

// A row grows out of its word, or its parts come from their own rows and become it.
TEST(InputRows, EachRowArrivesOnceTokenByToken) {
  std::map<bool, std::size_t> rows_of;  // sums, others
  for_each_composition([&](const Composed& composed) {
    if (composed.view_state.step != StepId::input) return;
    const Stage& stage = composed.stage();
    ASSERT_TRUE(stage.sweeps.empty());
    std::map<std::size_t, float> last;
    for (const Tween& tween : stage.tweens) {
      const Block& into = stage.blocks[tween.into];
      ASSERT_TRUE(inside(tween.piece.cells, into.cells, 0.5F));
      if (tween.piece.only_seen) {
        ASSERT_NE(tween.piece.tensor, into.tensor);
        ASSERT_TRUE(comes_from_its_row(stage, tween)) << text_of(tween.from);
        continue;
      }
      ASSERT_EQ(tween.piece.tensor, into.tensor);
      ASSERT_TRUE(inside(tween.from, tween.piece.cells, 0.5F));
      const bool sum = tween.from == tween.piece.cells;
      ASSERT_EQ(sum, composed.trace().made_by(into.tensor) != nullptr &&
                         composed.trace().made_by(into.tensor)->operation == &ops::add);
      if (!sum) {
        ASSERT_EQ(tween.from.x, tween.piece.cells.x);  // beside its word
      }
      ASSERT_GT(tween.end, last[tween.into]);
      last[tween.into] = tween.end;
      ++rows_of[sum];
    }
  });
  EXPECT_GT(rows_of[true], 100U);
  EXPECT_GT(rows_of[false], 100U);
}

document::Computed input_with_target(const Configuration& from, AttentionId attention) {
  Configuration configuration = from;
  configuration.target = {{{attention, "output", {0, 0, 0}}, 1.5F},
                          {{attention, "output", {0, 1, 1}}, -0.5F}};
  return document::computed(configuration);
}

document::ViewState input_back(AttentionId attention, float progress) {
  document::ViewState view_state;
  view_state.attention = attention;
  view_state.step = StepId::input;
  view_state.gradients = true;
  view_state.progress = progress;
  return view_state;
}

/// The blocks of what comes back through several tensors.
std::vector<const Block*> parts_on(const Stage& stage) {
  std::vector<const Block*> parts;
  for (const Block& block : stage.blocks) {
    const bool part = block.tensor.is_gradient() && !block.tensor.is_whole_gradient();
    if (part && !block.piece) parts.push_back(&block);
  }
  return parts;
}

TEST(InputRows, GradientsComeBackThroughQueriesKeysAndValuesAndAreAddedUp) {
  const document::Computed computed = input_with_target(
      document::fresh(ExampleId::pool_beats_badminton, 0), AttentionId::attention);
  const model::Trace& trace = computed.attentions[0].trace;
  const Space space{880.0F, 430.0F};
  const TensorId whole = TensorId("query_input").gradient();
  std::map<std::size_t, std::set<std::size_t>> added;  // of each row
  std::size_t partial = 0;
  for (float progress = 0.0F; progress < 0.94F; progress += 0.005F) {
    const document::ViewState view_state = input_back(AttentionId::attention, progress);
    const Stage stage = compose(computed, view_state, space).stage;
    const std::vector<const Block*> parts = parts_on(stage);
    ASSERT_EQ(parts.size(), 3U);
    // Their numbers have digits, at rest and on the way.
    ASSERT_GE(parts[0]->cell(0, 0).width, 34.0F);
    ASSERT_TRUE(stage.growing);
    const std::size_t row = stage.growing->cell.index[1];
    added[row].insert(stage.growing->added);
    const auto focus = moving_focus(computed.attentions[0], view_state, stage);
    ASSERT_TRUE(focus);
    EXPECT_EQ(focus->cell, stage.growing->cell);
    EXPECT_EQ(focus->added, stage.growing->added);
    for (const Block& block : at(stage, progress).blocks) {
      if (!block.piece || !block.partial) continue;
      ++partial;
      // The sum of the first, or of the first two.
      float one = parts[0]->value(block.corner[1], 1);
      float two = static_cast<float>(static_cast<double>(one) +
                                     static_cast<double>(parts[1]->value(block.corner[1], 1)));
      EXPECT_TRUE(block.value(0, 1) == one || block.value(0, 1) == two);
    }
  }
  EXPECT_GT(partial, 20U);
  EXPECT_EQ(added.size(), 3U);
  for (const auto& [row, counts] : added)
    EXPECT_TRUE(counts.contains(0) && counts.contains(1) && counts.contains(2)) << row;
  // The parts are what the gradient is the sum of.
  const Stage rest = compose(computed, input_back(AttentionId::attention, 1.0F), space).stage;
  for (std::size_t i = 0; i < 4; ++i) {
    float sum = 0.0F;
    for (const Block* part : parts_on(rest)) sum += part->value(1, i);
    EXPECT_NEAR(sum, trace[whole].at({0, 1, i}), 1e-6F);
  }
  EXPECT_FALSE(rest.growing);
}

// In a frame of 720 × 480 the parts have digits too, with their names beside them; rows pass behind
// the names.
TEST(InputRows, PartsHaveDigitsInAnEmbeddedFigure) {
  const document::Computed computed = input_with_target(
      document::fresh(ExampleId::pool_beats_badminton, 2), AttentionId::attention);
  const Stage stage =
      compose(computed, input_back(AttentionId::attention, 0.9F), {688.0F, 214.0F}).stage;
  ASSERT_EQ(parts_on(stage).size(), 3U);
  for (const Block* part : parts_on(stage)) {
    EXPECT_GE(part->cell(0, 0).height, 15.0F);
    EXPECT_GE(part->cell(0, 0).width, 34.0F);
  }
  ASSERT_EQ(stage.figures.size(), 1U);
  ASSERT_EQ(stage.figures.front().words.size(), 3U);
  for (const Words& name : stage.figures.front().words) {
    EXPECT_TRUE(name.plate) << name.text;
    for (const Block* part : parts_on(stage))
      EXPECT_FALSE(part->cells.contains(name.at)) << name.text;
  }
}

// What was added up is no longer drawn under the sum.
TEST(InputRows, NoTwoRowsLieOnEachOther) {
  const document::Computed computed = input_with_target(
      document::fresh(ExampleId::pool_beats_badminton, 0), AttentionId::attention);
  for (const Screen& screen : screens) {
    for (const float progress : {0.2F, 0.4F, 0.5F, 0.7F, 0.939F, 0.97F}) {
      const document::ViewState view_state = input_back(AttentionId::attention, progress);
      const Stage stage = at(compose(computed, view_state, screen.space()).stage, progress);
      for (std::size_t i = 0; i < stage.blocks.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
          if (!stage.blocks[i].piece || !stage.blocks[j].piece) continue;
          EXPECT_FALSE(stage.blocks[i].cells == stage.blocks[j].cells) << progress;
        }
      }
    }
  }
}

// Where there is only room for one, the sum stands with its parts.
TEST(InputRows, TheSumIsWithItsPartsOnAPhone) {
  const document::Computed computed = input_with_target(
      document::fresh(ExampleId::pool_beats_badminton, 0), AttentionId::attention);
  for (const Screen& screen : screens) {
    const Stage stage =
        compose(computed, input_back(AttentionId::attention, 1.0F), screen.space()).stage;
    EXPECT_EQ(parts_on(stage).size(), 3U);
    EXPECT_EQ(std::count_if(stage.blocks.begin(), stage.blocks.end(),
                            [](const Block& block) {
                              return block.tensor == TensorId("query_input").gradient();
                            }),
              1)
        << screen.name;
  }
}

TEST(InputRows, GradientsArriveFromTheLastTokenToTheFirst) {
  for (const Configuration& setup : document::all_setups()) {
    SCOPED_TRACE(document::name_of(setup));
    const document::Computed plain = document::computed(setup);
    const AttentionId last = plain.attentions.back().id;
    if (plain.attentions.back().trace.config.query_len < 2) continue;
    const document::Computed computed = input_with_target(setup, last);
    for (const Screen& screen : screens) {
      const Stage stage = compose(computed, input_back(last, 0.3F), screen.space()).stage;
      std::map<std::size_t, std::pair<float, float>> before;  // y and end of the row before
      for (const Tween& tween : stage.tweens) {
        if (tween.piece.only_seen) continue;
        ASSERT_TRUE(tween.piece.tensor.is_whole_gradient());
        const auto known = before.find(tween.into);
        if (known != before.end()) {
          ASSERT_LT(tween.piece.cells.y, known->second.first);
          ASSERT_GT(tween.end, known->second.second);
        }
        before[tween.into] = {tween.piece.cells.y, tween.end};
      }
      // What is computed from them comes later.
      for (const Sweep& sweep : stage.sweeps) {
        for (const Tween& tween : stage.tweens) ASSERT_GE(sweep.begin + 1e-3F, tween.end);
      }
    }
  }
}

}  // namespace
}  // namespace stage

#include "stage/focus/focus.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "stage/compositions.hpp"
#include "stage/focus/step_cell.hpp"
#include "stage/highlight/sources.hpp"
#include "stage/motion/motion.hpp"

namespace stage {
namespace {

using document::CellRef;
using document::ViewState;
using lesson::StepId;

/// An example's first attention at a step: usually the first example's, which has no weights.
struct Look {
  const document::Computed& computed;
  const document::ComputedAttention& attention = computed.attentions.front();
  ViewState view_state;
  Stage whole;

  explicit Look(StepId step, float progress = 1.0F,
                const document::Computed& example = computed_examples().front().second)
      : computed(example) {
    view_state.step = step;
    view_state.attention = attention.id;
    view_state.progress = progress;
    whole = compose(computed, view_state, page.space()).stage;
  }
  Focus focus(const Attention& reader = {}) const {
    return focus_of(attention, view_state, whole, reader);
  }
};

const CellRef score{"scores", {0, 0, 1, 1}};
const CellRef other_score{"scores", {0, 0, 0, 1}};

TEST(Focus, IsTheStepsOwnCellWhereNobodyAskedForAnother) {
  const Look look(StepId::scores);
  EXPECT_EQ(look.focus(), (Focus{step_cell(look.attention, look.view_state), FocusBy::step, {}}));
}

TEST(Focus, IsWhatIsPointedAtElseWhatIsChosen) {
  Look look(StepId::scores);
  look.view_state.cell = score;
  EXPECT_EQ(look.focus(), (Focus{score, FocusBy::chosen, {}}));
  EXPECT_EQ(look.focus({other_score, false}), (Focus{other_score, FocusBy::pointed, {}}));
}

TEST(Focus, IsWhatMovesWhileTheStepPlays) {
  Look look(StepId::scores, 0.5F);
  look.view_state.cell = score;
  const Focus moving = look.focus({other_score, true});
  EXPECT_EQ(moving.by, FocusBy::moving);
  const auto last = computed_last(look.whole, 0.5F, look.view_state.head);
  ASSERT_TRUE(last);
  const Block& block = look.whole.blocks[last->block];
  EXPECT_EQ(moving.cell, (CellRef{block.tensor, block.index_of(last->row, last->column)}));
  // Half-way and at rest, one can look around; who does not sees what the step has come to.
  EXPECT_EQ(look.focus({other_score, false}).by, FocusBy::pointed);
  EXPECT_EQ(look.focus(), moving);
}

TEST(Focus, FollowsCellsThatTravel) {
  for (const StepId step : {StepId::split, StepId::transpose, StepId::merge}) {
    const Look look(step, 0.5F);
    if (look.whole.tweens.empty()) continue;
    const Focus focus = look.focus({{}, true});
    EXPECT_EQ(focus.by, FocusBy::moving);
    EXPECT_TRUE(
        std::any_of(look.whole.tweens.begin(), look.whole.tweens.end(), [&](const Tween& tween) {
          return tween.begin <= 0.5F && tween.piece.tensor == focus.cell.tensor &&
                 tween.piece.corner == focus.cell.index;
        }));
  }
}

// While cards are dealt, the memory below marks the float that the equation is about.
TEST(Focus, IsTheFloatThatIsMarkedInMemoryWhileCardsAreDealt) {
  std::size_t checked = 0;
  for (const auto& [name, computed] : computed_examples()) {
    for (const float progress : {0.1F, 0.4F, 0.8F}) {
      const Look look(StepId::transpose, progress, computed);
      const Focus focus = look.focus({{}, true});
      // As the program composes it: about the step's own cell, whatever is pointed at.
      const Focus own = focus_of(look.attention, look.view_state, {}, {});
      const Stage stage =
          compose(computed, focused(look.view_state, look.attention, own), page.space()).stage;
      const auto memory = std::find_if(stage.figures.begin(), stage.figures.end(),
                                       [](const Figure& each) { return each.name == "memory"; });
      if (memory == stage.figures.end() || focus.by != FocusBy::moving) continue;
      const tensor::Tensor& tensor = look.attention.trace[focus.cell.tensor];
      const auto offset = tensor.position(focus.cell.index) - tensor.offset();
      EXPECT_TRUE(std::any_of(
          memory->words.begin(), memory->words.end(),
          [&](const Words& words) { return words.text.ends_with("= " + std::to_string(offset)); }))
          << name << " at " << progress << ": " << offset;
      ++checked;
    }
  }
  EXPECT_GT(checked, 10U);
}

TEST(Focus, OfASumSaysHowFarItHasCome) {
  const Look look(StepId::reweight, 0.5F);
  const Focus focus = look.focus({{}, true});
  EXPECT_EQ(focus.cell.tensor, model::TensorId("head_outputs"));
  ASSERT_TRUE(focus.added);
  EXPECT_GT(*focus.added, 0U);
  EXPECT_LT(*focus.added, look.attention.trace.config.key_len);
  EXPECT_FALSE(Look(StepId::reweight).focus().added);
}

TEST(Focus, IsTheCellThatARunningSumAddsUp) {
  for (const StepId step : {StepId::project, StepId::scores, StepId::output}) {
    bool added_some = false;
    for (float progress = 0.02F; progress < 1.0F; progress += 0.02F) {
      const Look look(step, progress, computed_examples().back().second);
      if (!look.whole.growing) continue;
      const Focus focus = look.focus({{}, true});
      EXPECT_EQ(focus.cell, look.whole.growing->cell);
      EXPECT_EQ(focus.added, look.whole.growing->added);
      const model::Explanation made =
          model::explain(look.attention.trace, focus.cell.tensor, focus.cell.index);
      ASSERT_LE(*focus.added, made.terms.size());
      added_some = added_some || (*focus.added > 0 && *focus.added < made.terms.size());
    }
    EXPECT_TRUE(added_some) << "no sum is seen growing";
  }
}

// The figure beside the matrices takes apart the cell that is being computed, and no other.
TEST(Focus, IsTheCellThatTheFigureOfTheOutputTakesApart) {
  std::size_t moved = 0;
  for (const auto& [name, computed] : computed_examples()) {
    for (const float progress : {0.3F, 0.5F, 0.8F}) {
      const Look look(StepId::output, progress, computed);
      const Focus focus = look.focus({{}, true});
      for (const Figure& figure : look.whole.figures) {
        if (figure.name != "heads") continue;
        for (const Words& words : figure.words) {
          if (!words.cell) continue;
          EXPECT_EQ(*words.cell, focus.cell) << name << " at " << progress;
        }
        moved += focus.by == FocusBy::moving ? 1 : 0;
      }
    }
  }
  EXPECT_GT(moved, 10U);
}

// Where numbers only travel, the same float is marked in every matrix that reads it.
TEST(Focus, IsOneFloatInTwoMatricesWhereNumbersTravel) {
  for_each_composition([](const Composed& composed) {
    const StepId step = composed.view_state.step;
    if (step != StepId::split && step != StepId::transpose && step != StepId::merge) return;
    const Focus focus = focus_of(composed.attention(), composed.view_state, composed.stage(), {});
    ASSERT_TRUE(composed.trace().has(focus.cell.tensor));
    ASSERT_EQ(focus.cell.index[0], composed.view_state.sample);
    const bool shows_matrices =
        std::any_of(composed.stage().groups.begin(), composed.stage().groups.end(),
                    [&](const Group& group) { return !of_figure(composed.stage(), group); });
    const bool shown_head = composed.view_state.all_heads || step != StepId::transpose;
    if (shows_matrices && shown_head) {
      EXPECT_TRUE(find_cell(composed.stage(), focus.cell.tensor, focus.cell.index));
    }
    // Split shows one table.
    if (shows_matrices && step == StepId::transpose && composed.view_state.all_heads) {
      const tensor::Tensor& tensor = composed.trace()[focus.cell.tensor];
      EXPECT_GE(cells_reading(composed.stage(), tensor, tensor.position(focus.cell.index)).size(),
                2U);
    }
  });
}

// Whatever has the focus, figures are about its head, query and key.
TEST(Focused, IsAboutThePlacesOfTheFocus) {
  const Look look(StepId::scores);
  const ViewState about = focused(look.view_state, look.attention, {score, FocusBy::pointed, {}});
  EXPECT_EQ(about.cell, score);
  EXPECT_EQ(about.head, 0U);
  EXPECT_EQ(about.query, 1U);
  EXPECT_EQ(about.key, 1U);
}

// Every step of every example, on every screen, with any cell of it.
TEST(Readable, IsAllThatTheFocusIsOrReads) {
  std::size_t looked = 0;
  for_each_composition([&looked](const Composed& composed) {
    for (std::size_t i = 0; i < composed.stage().blocks.size(); ++i) {
      const Block& block = composed.stage().blocks[i];
      if (block.only_seen || block.run) continue;
      const Focus focus{
          {block.tensor, block.index_of(block.rows() - 1, block.columns() / 2)}, {}, {}};
      if (block.attention != composed.attention().id) continue;
      Stage stage = composed.stage();
      for (Block& each : stage.blocks) each.opacity = 0.5F;
      keep_readable(stage, composed.trace(), focus);
      const auto read =
          sources_on(stage, composed.trace(),
                     model::explain(composed.trace(), focus.cell.tensor, focus.cell.index));
      for (const CellRange& range : read) {
        const Block& source = stage.blocks[range.block];
        ASSERT_EQ(source.opacity, 1.0F) << model::name_of(source.tensor);
      }
      ++looked;
    }
  });
  EXPECT_GT(looked, 1000U);
}

}  // namespace
}  // namespace stage

#include "stage/layout/composition.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <optional>
#include <set>

#include "lesson/steps/formula.hpp"
#include "stage/compositions.hpp"

namespace stage {
namespace {

using document::Show;
using lesson::StepId;
using model::TensorId;

/// Around the groups that are no part of a figure.
Rect bounds_of_matrices(const Stage& stage) {
  Rect all;
  for (const Group& group : stage.groups) {
    if (!of_figure(stage, group)) all = all.united(group.bounds);
  }
  return all;
}

TEST(Compose, ShowsMatricesOrAFigureOrBoth) {
  for_each_composition([](const Composed& composed) {
    const Stage& stage = composed.stage();
    ASSERT_TRUE(!stage.groups.empty() || !stage.figures.empty());
    ASSERT_LE(figures_beside(stage).size(), 1U);
    const auto plan = figure_for(composed.input());
    const Division division = divide(plan, composed.view_state.show, composed.screen->space());
    EXPECT_EQ(composed.composition.either, division.either);
    EXPECT_EQ(figures_beside(stage).empty(), !division.figure);
    EXPECT_EQ(bounds_of_matrices(stage).empty(), !division.matrices);
  });
}

TEST(Compose, ShowsTheOtherOneWhenItIsAskedFor) {
  std::size_t switched = 0;
  for_each_composition([&switched](const Composed& composed) {
    if (!composed.composition.either || composed.screen == &screens[1]) return;
    document::ViewState view_state = composed.view_state;
    view_state.show = Show::matrices;
    const Stage matrices = compose(*composed.computed, view_state, composed.screen->space()).stage;
    view_state.show = Show::figure;
    const Stage figure = compose(*composed.computed, view_state, composed.screen->space()).stage;
    EXPECT_EQ(figures_beside(figure).size(), 1U);
    ++switched;
    const auto plan = figure_for(composed.input());
    if (plan->other != nullptr) {  // another figure stands in the place of the matrices
      ASSERT_EQ(matrices.figures.size(), 1U);
      EXPECT_NE(matrices.figures[0].name, figure.figures[0].name);
      return;
    }
    EXPECT_TRUE(figures_beside(matrices).empty());
    EXPECT_FALSE(bounds_of_matrices(matrices).empty());
    EXPECT_TRUE(bounds_of_matrices(figure).empty());
  });
  EXPECT_GT(switched, 10U);
}

TEST(Compose, PutsTheMatricesInTheMiddleOfTheirPart) {
  for_each_composition([](const Composed& composed) {
    const Division division =
        divide(figure_for(composed.input()), composed.view_state.show, composed.screen->space());
    if (!division.matrices) return;
    const Point middle = bounds_of_matrices(composed.stage()).centre();
    EXPECT_NEAR(middle.x, division.matrices->width / 2.0F, 0.05F);
    EXPECT_NEAR(middle.y, division.matrices->height / 2.0F, 0.05F);
  });
}

// The cell that is marked before one is chosen: there where numbers travel, and on the stage.
// To the largest by default, so that small weights are seen too; to 1 where shares are compared.
TEST(Compose, TheTitleIsTrueForWhatIsShown) {
  std::set<std::string_view> titles;
  for_each_composition([&titles](const Composed& composed) {
    const std::string_view title = composed.composition.title;
    const document::ViewState& view_state = composed.view_state;
    if (view_state.step != StepId::overview) {
      std::string_view expected =
          lesson::title_for(lesson::step(view_state.step), composed.trace());
      const bool first = view_state.step == StepId::sentence;
      if (first && composed.computed->picture)
        expected = "Every patch becomes a mixture of all patches";
      if (first && lesson::kind_of(view_state.attention) == lesson::AttentionId::cross_attention)
        expected = "A mixture of the other sentence’s words";
      EXPECT_EQ(title, expected);
      return;
    }
    titles.insert(title);
    if (title == "The whole computation at a glance") {
      EXPECT_EQ(composed.computed->attentions.size(), 1U) << composed.name();
      for (std::size_t head = 0; head < composed.trace().config.num_heads; ++head) {
        EXPECT_TRUE(std::any_of(composed.stage().blocks.begin(), composed.stage().blocks.end(),
                                [&](const Block& block) {
                                  return block.tensor == TensorId("attention_weights") &&
                                         block.head.value_or(0) == head;
                                }))
            << composed.name();
      }
    } else if (title == "One head at a glance") {
      for (const Block& block : composed.stage().blocks) {
        if (block.tensor != TensorId("attention_weights")) continue;
        EXPECT_EQ(block.head, view_state.head) << composed.name();
      }
    } else if (title == "One attention at a glance") {
      EXPECT_GT(composed.computed->attentions.size(), 1U) << composed.name();
    }
  });
  EXPECT_EQ(titles.size(), 3U);
  const auto three = document::computed(document::fresh(lesson::ExampleId::you_are_welcome, 0));
  document::ViewState view_state;
  view_state.attention = three.attentions.front().id;
  view_state.show = Show::figure;
  EXPECT_EQ(compose(three, view_state, page.space()).title, "All attentions at a glance");
}

TEST(Compose, TheScaleOfWeightsEndsAtTheLargestOrAtOne) {
  const document::Computed computed =
      document::computed(document::fresh(lesson::ExampleId::lazy_dog, 0));
  document::ViewState view_state;
  view_state.attention = computed.attentions.front().id;
  view_state.step = lesson::StepId::softmax;
  view_state.show = document::Show::matrices;
  const auto range_of_weights = [&] {
    const Composition made = compose(computed, view_state, page.space());
    float range = 0.0F;
    for (const Block& block : made.stage.blocks) {
      if (block.tensor == "attention_weights") range = block.range;
      EXPECT_EQ(block.colouring == Colouring::weights, block.tensor == "attention_weights");
    }
    return range;
  };
  EXPECT_EQ(range_of_weights(),
            computed.attentions.front().trace["attention_weights"].largest_finite_stored());
  view_state.weights_to_one = true;
  EXPECT_EQ(range_of_weights(), 1.0F);
}

TEST(Compose, BoundsAreAroundEverything) {
  for_each_composition([](const Composed& composed) {
    const Stage& stage = composed.stage();
    for (const Group& group : stage.groups)
      EXPECT_TRUE(inside(group.bounds, stage.bounds, 0.5F)) << group.title;
    for (const Figure& figure : stage.figures)
      EXPECT_TRUE(inside(figure.bounds, stage.bounds, 0.5F)) << figure.name;
  });
}

// However small the canvas: nothing that a frame would trip over.
TEST(Compose, StandsEvenWhereThereIsNoRoom) {
  for (const auto& [name, computed] : computed_examples()) {
    for (const lesson::Step& step : lesson::steps()) {
      for (const Space space : {Space{0.0F, 0.0F}, Space{-8.0F, 300.0F}, Space{60.0F, 30.0F}}) {
        for (const Show show : {Show::automatic, Show::figure}) {
          document::ViewState view_state;
          view_state.step = step.id;
          view_state.attention = computed.attentions.front().id;
          view_state.show = show;
          const Composition composition = compose(computed, view_state, space);
          for (const Block& block : composition.stage.blocks)
            ASSERT_TRUE(std::isfinite(block.cells.right()) && std::isfinite(block.cells.bottom()))
                << name << ", " << step.name;
        }
      }
    }
  }
}

}  // namespace
}  // namespace stage

#include "stage/figures/figures.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <set>

#include "evenly_spaced.hpp"
#include "stage/compositions.hpp"

namespace stage {
namespace {

using document::Show;

constexpr Show all_shows[] = {Show::automatic, Show::matrices, Show::figure};
constexpr Dock all_docks[] = {Dock::right, Dock::below, Dock::alone, Dock::instead};

FigurePlan plan_with(Dock dock, bool first = false) {
  FigurePlan plan;
  plan.name = "test";
  plan.dock = dock;
  plan.first = first;
  return plan;
}

Rect all_of(Space space) { return {0.0F, 0.0F, space.width, space.height}; }

TEST(Divide, GivesTheMatricesEverythingWhereThereIsNoFigure) {
  for (const Show show : all_shows) {
    const Division division = divide(std::nullopt, show, {900.0F, 400.0F});
    ASSERT_TRUE(division.matrices);
    EXPECT_EQ(division.matrices->width, 900.0F);
    EXPECT_EQ(division.matrices->height, 400.0F);
    EXPECT_FALSE(division.figure);
    EXPECT_FALSE(division.either);
  }
}

TEST(Divide, MatricesThatAreManyStandAloneWhereBesideTheFigureTheyWouldBeTiny) {
  FigurePlan plan = plan_with(Dock::right);
  const Space space{690.0F, 230.0F};
  EXPECT_FALSE(divide(plan, Show::automatic, space).either);
  plan.least_beside = 460.0F;
  const Division division = divide(plan, Show::automatic, space);
  EXPECT_TRUE(division.either);
  EXPECT_TRUE(division.matrices);
  EXPECT_FALSE(division.figure);
}

// Beside a training on a small screen little height is left: one row of a table says nothing.
TEST(Divide, AFigureThatComesFirstGivesWayWhereItIsTooLow) {
  const FigurePlan plan = plan_with(Dock::right, true);
  const Space narrow{400.0F, plan.least_height};
  EXPECT_TRUE(divide(plan, Show::automatic, narrow).figure);
  const Space low{400.0F, plan.least_height - 1.0F};
  EXPECT_FALSE(divide(plan, Show::automatic, low).figure);
  EXPECT_TRUE(divide(plan, Show::automatic, low).either);
  EXPECT_TRUE(divide(plan, Show::figure, low).figure);
}

// Whatever is asked for and however small the space: something is shown, inside it, and not on top
// of something else.
TEST(Divide, NeverOverlapsNorLeavesItsSpace) {
  for (const float width : evenly_spaced(300.0F, 1400.0F, 53.0F)) {
    for (const float height : evenly_spaced(100.0F, 900.0F, 47.0F)) {
      const Space space{width, height};
      for (const Dock dock : all_docks) {
        for (const bool first : {false, true}) {
          for (const Show show : all_shows) {
            const FigurePlan plan = plan_with(dock, first);
            const Division division = divide(plan, show, space);
            ASSERT_TRUE(division.matrices || division.figure);
            if (division.figure) {
              ASSERT_FALSE(division.figure->empty());
              ASSERT_TRUE(inside(*division.figure, all_of(space))) << text_of(*division.figure);
            }
            if (division.matrices) {
              ASSERT_GT(division.matrices->width, 0.0F);
              ASSERT_GT(division.matrices->height, 0.0F);
              ASSERT_TRUE(inside(all_of(*division.matrices), all_of(space)));
            }
            if (division.matrices && division.figure) {
              ASSERT_FALSE(overlap(all_of(*division.matrices), *division.figure));
              ASSERT_FALSE(division.either);
              ASSERT_GE(division.figure->width, std::min(plan.least_width, width));
              ASSERT_GE(division.figure->height, plan.least_height - 0.01F);
            } else {
              // One of the two is out of sight: it can be asked for.
              ASSERT_TRUE(division.either);
            }
          }
        }
      }
    }
  }
}

TEST(Divide, ShowsWhatIsAskedFor) {
  for (const Space space : {Space{900.0F, 440.0F}, Space{340.0F, 400.0F}}) {
    for (const Dock dock : all_docks) {
      const Division matrices = divide(plan_with(dock), Show::matrices, space);
      EXPECT_TRUE(matrices.matrices);
      const Division figure = divide(plan_with(dock), Show::figure, space);
      EXPECT_TRUE(figure.figure);
    }
    EXPECT_FALSE(divide(plan_with(Dock::instead), Show::automatic, space).figure);
    EXPECT_FALSE(divide(plan_with(Dock::alone), Show::automatic, space).matrices);
  }
}

TEST(Divide, PutsThemBesideOrBelowWhereThereIsRoom) {
  const Division right = divide(plan_with(Dock::right), Show::automatic, {900.0F, 440.0F});
  ASSERT_TRUE(right.matrices && right.figure);
  EXPECT_GE(right.figure->x, right.matrices->width + 8.0F);
  EXPECT_EQ(right.figure->right(), 900.0F);
  const Division below = divide(plan_with(Dock::below), Show::automatic, {900.0F, 440.0F});
  ASSERT_TRUE(below.matrices && below.figure);
  EXPECT_GE(below.figure->y, below.matrices->height + 8.0F);
  EXPECT_EQ(below.figure->bottom(), 440.0F);
}

TEST(Divide, ShowsWhicheverComesFirstWhereThereIsNoRoomForBoth) {
  const Space narrow{340.0F, 150.0F};
  for (const Dock dock : {Dock::right, Dock::below}) {
    EXPECT_TRUE(divide(plan_with(dock, true), Show::automatic, narrow).figure);
    EXPECT_FALSE(divide(plan_with(dock, true), Show::automatic, narrow).matrices);
    EXPECT_FALSE(divide(plan_with(dock, false), Show::automatic, narrow).figure);
    EXPECT_TRUE(divide(plan_with(dock, false), Show::automatic, narrow).matrices);
  }
}

// In a narrow space matrices stand below each other: 260 pixels over the figure would leave them
// cells of 13.
TEST(Divide, LeavesMatricesOfANarrowSpaceEnoughHeight) {
  const Division low = divide(plan_with(Dock::below), Show::automatic, {358.0F, 440.0F});
  EXPECT_TRUE(low.matrices && !low.figure && low.either);
  const Division high = divide(plan_with(Dock::below), Show::automatic, {358.0F, 640.0F});
  ASSERT_TRUE(high.matrices && high.figure);
  EXPECT_GE(high.matrices->height, 300.0F);
}

TEST(Divide, KeepsToTheLargestSize) {
  FigurePlan plan = plan_with(Dock::right);
  plan.most_width = 320.0F;
  EXPECT_LE(divide(plan, Show::automatic, {1600.0F, 440.0F}).figure->width, 320.0F);
  EXPECT_LE(divide(plan, Show::figure, {1600.0F, 440.0F}).figure->width, 320.0F);
  plan = plan_with(Dock::below);
  plan.most_height = 140.0F;
  EXPECT_LE(divide(plan, Show::automatic, {900.0F, 800.0F}).figure->height, 140.0F);
  EXPECT_LE(divide(plan, Show::figure, {900.0F, 800.0F}).figure->height, 140.0F);
}

// Figures. --------------------------------------------------------------

TEST(FigureFor, HasAPlanThatCanBeMade) {
  std::set<lesson::StepId> steps;
  for_each_composition([&steps](const Composed& composed) {
    const auto plan = figure_for(composed.input());
    EXPECT_EQ(composed.composition.figure, plan ? plan->name : std::string_view{});
    if (!plan) return;
    steps.insert(composed.view_state.step);
    EXPECT_FALSE(plan->name.empty());
    ASSERT_NE(plan->put, nullptr);
    EXPECT_LE(plan->least_width, plan->most_width);
    EXPECT_LE(plan->least_height, plan->most_height);
    EXPECT_GT(plan->share, 0.1F);
    EXPECT_LT(plan->share, 0.9F);
  });
  EXPECT_TRUE(steps.contains(lesson::StepId::split));
  EXPECT_TRUE(steps.contains(lesson::StepId::transpose));
  EXPECT_TRUE(steps.contains(lesson::StepId::merge));
  EXPECT_TRUE(steps.contains(lesson::StepId::softmax));
}

}  // namespace
}  // namespace stage

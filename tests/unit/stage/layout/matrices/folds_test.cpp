#include "stage/layout/matrices/folds.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "stage/compositions.hpp"
#include "stage/motion/routes.hpp"

namespace stage {
namespace {

using lesson::StepId;

Stage map_of(const Scene& scene, bool open, const Screen& screen = page) {
  document::ViewState view_state;
  view_state.step = StepId::overview;
  view_state.attention = scene.attention.id;
  if (open) view_state.map = document::MapOpen::all;
  return lay_out(scene.attention, view_state, screen.space());
}

std::size_t blocks_seen(const Stage& stage) {
  return static_cast<std::size_t>(
      std::count_if(stage.blocks.begin(), stage.blocks.end(),
                    [](const Block& block) { return !block.only_seen; }));
}

TEST(Folds, AreCardsThatOpenAndFramesThatClose) {
  for (const Scene& scene : example_scenes()) {
    const Stage closed = map_of(scene, false);
    const Stage open = map_of(scene, true);
    EXPECT_LT(blocks_seen(closed), blocks_seen(open)) << scene.name;
    for (const Stage* stage : {&closed, &open}) {
      ASSERT_EQ(stage->figures.size(), 2U);
      const bool opens = stage == &closed;
      for (std::size_t i = 0; i < 2; ++i) {
        const Target& target = stage->figures[i].targets.at(0);
        EXPECT_EQ(target_at(*stage, target.place.centre()), &target);
        EXPECT_TRUE(target.label.starts_with(opens ? "Open: " : "Close: "));
        // Each opens or closes its own and leaves the other as it is.
        const auto one = static_cast<document::MapOpen>(i + 1);
        const auto other = static_cast<document::MapOpen>(2 - i);
        ASSERT_TRUE(std::holds_alternative<document::OpenMap>(*target.click));
        EXPECT_EQ(std::get<document::OpenMap>(*target.click).value, opens ? one : other);
        EXPECT_FALSE(cell_at(*stage, target.place.centre()));
      }
    }
  }
}

// A step has neither cards nor frames.
TEST(Folds, AreOfTheMapAlone) {
  for_each_composition([](const Composed& composed) {
    if (composed.view_state.step == StepId::overview) return;
    for (const Group& group : composed.stage().groups) {
      ASSERT_EQ(group.fold, Fold::none);
      ASSERT_FALSE(group.folded);
    }
  });
}

// What goes in comes out again: no line is lost in a card, and none stays inside.
TEST(Folds, LinesLeadThroughTheCards) {
  for (const Scene& scene : example_scenes()) {
    const Stage stage = map_of(scene, false);
    for (std::size_t i = 0; i < stage.groups.size(); ++i) {
      if (!stage.groups[i].folded) continue;
      const auto leads = [&](std::size_t Link::*end) {
        return std::any_of(stage.links.begin(), stage.links.end(),
                           [&](const Link& link) { return link.*end == i; });
      };
      EXPECT_TRUE(leads(&Link::from) && leads(&Link::to))
          << scene.name << ": " << model::name_of(stage.groups[i].tensor);
    }
    for (const Link& link : stage.links) EXPECT_NE(link.from, link.to);
  }
}

// The room that the cards leave is what they are for.
TEST(Folds, LeaveRoomForLargerCells) {
  for (const Scene& scene : example_scenes()) {
    const Stage closed = map_of(scene, false);
    const Stage open = map_of(scene, true);
    EXPECT_GE(closed.blocks.front().cells.width, open.blocks.front().cells.width) << scene.name;
  }
}

// On a page the small examples have numbers on the map: these need 24 pixels.
TEST(Folds, CellsOfTheMapHoldNumbers) {
  std::size_t seen = 0;
  for (const Scene& scene : example_scenes()) {
    if (!scene.name.starts_with("you-are-welcome") && !scene.name.starts_with("counting small"))
      continue;
    ++seen;
    for (const Block& block : map_of(scene, false).blocks) {
      if (block.only_seen) continue;
      EXPECT_GE(block.cells.width / static_cast<float>(block.columns()), 24.0F) << scene.name;
    }
  }
  EXPECT_GE(seen, 4U);
}

TEST(Folds, SayWhatAMistakeSpoiledInside) {
  document::Configuration configuration = document::fresh(lesson::ExampleId::you_are_welcome, 0);
  const document::Computed right = document::computed(configuration);
  configuration.mistake = model::Mistake::no_scale;
  const document::Computed wrong = document::computed(configuration);
  const Stage stage = compose(wrong, {}, page.space(), &right).stage;
  ASSERT_EQ(stage.figures.size(), 2U);
  EXPECT_NE(stage.figures[0].strokes[0].tone, Tone::wrong);
  EXPECT_EQ(stage.figures[1].strokes[0].tone, Tone::wrong);
}

}  // namespace
}  // namespace stage

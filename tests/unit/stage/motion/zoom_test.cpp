#include "stage/motion/zoom.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "stage/compositions.hpp"
#include "stage/layout/layout.hpp"

namespace stage {
namespace {

Stage laid_at(const Scene& scene, lesson::StepId step) {
  document::ViewState view_state;
  view_state.step = step;
  view_state.attention = scene.attention.id;
  return lay_out(scene.attention, view_state, {900.0F, 480.0F});
}

/// Visits the way from each step to the map and the way back.
template <typename Visit>
void for_each_zoom(Visit visit) {
  std::size_t zooms = 0;
  for (const Scene& scene : example_scenes()) {
    const Stage map = laid_at(scene, lesson::StepId::overview);
    for (const lesson::Step& step : lesson::steps()) {
      const Stage other = laid_at(scene, step.id);
      if (step.id == lesson::StepId::overview) continue;
      SCOPED_TRACE(step.name);
      ++zooms;
      visit(other, map);
      visit(map, other);
    }
  }
  EXPECT_GT(zooms, 20U);
}

void expect_near(const Rect& a, const Rect& b) {
  // Far outside the picture a float is no longer exact to a thousandth of a pixel.
  const float exact = 0.01F + 1e-4F * (std::fabs(b.x) + std::fabs(b.y) + b.width + b.height);
  EXPECT_NEAR(a.x, b.x, exact);
  EXPECT_NEAR(a.y, b.y, exact);
  EXPECT_NEAR(a.width, b.width, exact);
  EXPECT_NEAR(a.height, b.height, exact);
}

TEST(Zoom, IsBetweenAStepAndTheMapOnly) {
  const Scene& scene = example_scenes().front();
  const Stage map = laid_at(scene, lesson::StepId::overview);
  const Stage scores = laid_at(scene, lesson::StepId::scores);
  EXPECT_TRUE(is_zoom(map, scores));
  EXPECT_TRUE(is_zoom(scores, map));
  EXPECT_FALSE(is_zoom(map, map));
  EXPECT_FALSE(is_zoom(scores, laid_at(scene, lesson::StepId::softmax)));
}

// Nothing jumps when it begins: every matrix that was seen is seen where it was, in full.
TEST(Zoom, BeginsWithThePictureThatIsLeft) {
  for_each_zoom([](const Stage& from, const Stage& to) {
    const Stage first = zoomed(from, to, 0.0F);
    for (const Block& block : from.blocks) {
      if (block.piece || from.groups[block.group].folded) continue;
      const auto same =
          std::find_if(first.blocks.begin(), first.blocks.end(), [&](const Block& other) {
            return other.cells == block.cells && other.tensor == block.tensor &&
                   other.head == block.head && other.attention == block.attention;
          });
      // One that is shown twice (in a figure, say) may come from either place.
      if (same == first.blocks.end())
        EXPECT_FALSE(is_new(block, to)) << model::name_of(block.tensor);
      else
        EXPECT_GT(same->opacity, 0.0F) << model::name_of(block.tensor);
    }
    for (std::size_t i = 0; i < to.blocks.size(); ++i) {
      if (!is_new(to.blocks[i], from)) continue;
      EXPECT_EQ(first.blocks[i].opacity, 0.0F) << model::name_of(to.blocks[i].tensor);
    }
  });
}

// Nor does its caption or its look, where the map has only a card for it: k_heads, say, is
// transposed beside the scores, and not on the map.
TEST(Zoom, WhatGoesIntoACardKeepsItsCaptionAndItsLook) {
  std::size_t seen = 0;
  for_each_zoom([&](const Stage& from, const Stage& to) {
    const Stage first = zoomed(from, to, 0.0F);
    for (std::size_t i = 0; i < to.blocks.size(); ++i) {
      const Block& block = first.blocks[i];
      const Group& group = first.groups[block.group];
      if (!group.folded || is_new(to.blocks[i], from)) continue;
      const auto was = std::find_if(from.blocks.begin(), from.blocks.end(), [&](const Block& each) {
        return shows_the_same(each, to.blocks[i]);
      });
      EXPECT_EQ(block.row_axis, was->row_axis) << model::name_of(block.tensor);
      EXPECT_EQ(block.columns(), was->columns());
      const Group& before = from.groups[was->group];
      EXPECT_EQ(group.title, before.title);
      if (i != group.first_block) continue;
      expect_near(group.caption, before.caption);
      ++seen;
    }
  });
  EXPECT_GT(seen, 10U);
}

TEST(Zoom, EndsWithThePictureThatComes) {
  for_each_zoom([](const Stage& from, const Stage& to) {
    const Stage last = zoomed(from, to, 1.0F);
    ASSERT_EQ(last.blocks.size(), to.blocks.size());
    for (std::size_t i = 0; i < to.blocks.size(); ++i)
      EXPECT_EQ(last.blocks[i].cells, to.blocks[i].cells);
    // And gets there without a jump.
    const Stage before = zoomed(from, to, 0.9999F);
    for (std::size_t i = 0; i < to.blocks.size(); ++i)
      expect_near(before.blocks[i].cells, to.blocks[i].cells);
    for (std::size_t i = to.blocks.size(); i < before.blocks.size(); ++i)
      EXPECT_LT(before.blocks[i].opacity, 0.001F);
  });
}

/// How much of the figures of a stage is there in a picture on the way, those that come first.
float seen(const Stage& picture, std::size_t first, std::size_t count) {
  float most = 0.0F;
  for (std::size_t i = first; i < first + count && i < picture.figures.size(); ++i)
    most = std::max(most, picture.figures[i].opacity);
  return most;
}

// Figures and lines are not cut: they fade, from where they were to where they would be.
TEST(Zoom, FiguresAndLinesFade) {
  std::size_t zooms = 0;
  for (const Composed& composed : all_compositions()) {
    if (composed.view_state.step == lesson::StepId::overview) continue;
    if (std::string_view(composed.screen->name) != "page") continue;
    if (zooms++ % 7 != 0) continue;  // a few of each step
    document::ViewState view_state = composed.view_state;
    view_state.step = lesson::StepId::overview;
    const Stage map = compose(*composed.computed, view_state, page.space()).stage;
    const Stage& step = composed.stage();
    for (const auto& [from, to] : {std::pair{&step, &map}, std::pair{&map, &step}}) {
      const Stage first = zoomed(*from, *to, 0.0F);
      ASSERT_EQ(first.figures.size(), to->figures.size() + from->figures.size());
      EXPECT_EQ(seen(first, 0, to->figures.size()), 0.0F);
      for (std::size_t i = 0; i < from->figures.size(); ++i) {
        EXPECT_EQ(first.figures[to->figures.size() + i].opacity, 1.0F);
        expect_near(first.figures[to->figures.size() + i].bounds, from->figures[i].bounds);
      }
      const Stage last = zoomed(*from, *to, 0.9999F);
      for (std::size_t i = 0; i < to->figures.size(); ++i) {
        EXPECT_GT(last.figures[i].opacity, 0.999F);
        expect_near(last.figures[i].bounds, to->figures[i].bounds);
      }
      EXPECT_EQ(last.figures.size(), to->figures.size());
      const std::vector<Route> begin = zoomed_routes(*from, *to, 0.0F);
      const std::vector<Route> left = routes_of(*from);
      ASSERT_EQ(begin.size(), left.size());
      for (std::size_t i = 0; i < left.size(); ++i) EXPECT_EQ(begin[i].opacity, 1.0F);
      for (const Route& route : zoomed_routes(*from, *to, 0.5F)) EXPECT_LT(route.opacity, 0.1F);
      EXPECT_EQ(zoomed_routes(*from, *to, 1.0F).size(), routes_of(*to).size());
    }
  }
  EXPECT_GT(zooms, 100U);
}

// What is new stands to one another as on the stage that comes: one picture is zoomed, not many.
TEST(Zoom, KeepsWhatComesTogether) {
  for_each_zoom([](const Stage& from, const Stage& to) {
    for (const float t : {0.0F, 0.3F, 0.7F}) {
      const Stage now = zoomed(from, to, t);
      float factor = 0.0F;
      for (std::size_t i = 0; i < to.blocks.size(); ++i) {
        if (!is_new(to.blocks[i], from)) continue;
        const float grown = now.blocks[i].cells.width / to.blocks[i].cells.width;
        if (factor == 0.0F) factor = grown;
        EXPECT_NEAR(grown, factor, 1e-3F * factor);
      }
    }
  });
}

}  // namespace
}  // namespace stage

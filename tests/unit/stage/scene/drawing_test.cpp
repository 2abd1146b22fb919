#include "stage/scene/drawing.hpp"

#include <gtest/gtest.h>

#include <array>

#include "evenly_spaced.hpp"
#include "stage/scenes.hpp"

namespace stage {
namespace {

using model::TensorId;

/// All drawings there can be of an attention.
std::vector<Drawing> all_drawings(const Scene& scene, bool all_heads = true) {
  std::vector<TensorId> ids = scene.attention.trace.present();
  ids.push_back("weighted_values");
  document::ViewState view_state;
  view_state.step = lesson::StepId::output;
  view_state.all_heads = all_heads;
  return drawings_of(scene.attention, view_state, ids);
}

TEST(LabelWidth, GrowsWithTheText) {
  EXPECT_EQ(label_width(""), 0.0F);
  EXPECT_GT(label_width("a"), 0.0F);
  EXPECT_GT(label_width("badminton"), label_width("pool"));
  EXPECT_EQ(label_width("abc") + label_width("de"), label_width("abcde"));
}

TEST(LabelWidth, CountsLettersNotBytes) {
  EXPECT_EQ(label_width("\u00FC"), label_width("\u044F"));  // u umlaut, Cyrillic ya: two bytes each
  EXPECT_EQ(label_width("\u6F22"), label_width("\u044F"));  // a Han character: three
  EXPECT_LT(label_width("\u6F22"), 2.0F * label_width("a"));
}

TEST(Drawings, AreSortedByColumnAndLane) {
  for (const Scene* scene : all_scenes()) {
    const std::vector<Drawing> drawings = all_drawings(*scene);
    ASSERT_GT(drawings.size(), 10U);
    for (std::size_t i = 1; i < drawings.size(); ++i) {
      const Place& a = drawings[i - 1].outline.place;
      const Place& b = drawings[i].outline.place;
      EXPECT_LE(a.column, b.column) << scene->name;
      if (a.column == b.column) {
        EXPECT_LE(a.lane, b.lane) << scene->name;
      }
    }
  }
}

TEST(Drawings, AreOfWhatIsAskedForAndThere) {
  const Scene& bare = example_scenes().front();  // no weights
  constexpr TensorId ids[] = {"output", "q", "q_proj_weight", "key_input"};
  const std::vector<Drawing> drawings = drawings_of(bare.attention, {}, ids);
  ASSERT_EQ(drawings.size(), 2U);  // key_input is query_input once more
  EXPECT_EQ(drawings[0].group.tensor, TensorId("q"));
  EXPECT_EQ(drawings[1].group.tensor, TensorId("output"));
  EXPECT_TRUE(drawings_of(bare.attention, {}, {}).empty());
}

// The search for the largest scale that fits relies on this.
TEST(Measure, GrowsWithTheScale) {
  for (const Scene* scene : all_scenes()) {
    for (const Drawing& drawing : all_drawings(*scene)) {
      for (const bool detailed : {true, false}) {
        Measured last = measure(drawing.outline, 0.05F, detailed, true);
        for (const float scale : evenly_spaced(0.1F, 1.51F, 0.05F)) {
          const Measured m = measure(drawing.outline, scale, detailed, true);
          EXPECT_GE(m.block_width, last.block_width) << scene->name << ' ' << drawing.group.title;
          EXPECT_GE(m.block_height, last.block_height) << scene->name << ' ' << drawing.group.title;
          EXPECT_GE(m.width, last.width) << scene->name << ' ' << drawing.group.title;
          EXPECT_GE(m.height, last.height) << scene->name << ' ' << drawing.group.title;
          last = m;
        }
      }
    }
  }
}

TEST(Measure, LeavesRoomForWhatStandsAroundTheCells) {
  for (const Scene* scene : all_scenes()) {
    for (const Drawing& drawing : all_drawings(*scene)) {
      for (const float scale : {0.06F, 0.5F, 1.4F}) {
        const Measured m = measure(drawing.outline, scale, true, true);
        EXPECT_GT(m.block_width, 0.0F);
        EXPECT_GT(m.block_height, 0.0F);
        EXPECT_GE(m.per_row, 1U);
        EXPECT_LE(m.per_row, drawing.blocks.size());
        EXPECT_GE(m.width, m.labels + m.block_width * static_cast<float>(m.per_row));
        EXPECT_GE(m.height, m.caption + m.above + m.block_height);
        EXPECT_EQ(m.row_labels, m.labels > 0.0F);
        EXPECT_GE(m.width - m.labels, label_width(drawing.group.title));
        EXPECT_GE(m.width - m.labels, label_width(drawing.group.shape));
      }
    }
  }
}

TEST(Measure, HasNoLabelsWhereRowsAreTooLowForThem) {
  const Scene& scene = example_scenes().front();
  const std::vector<Drawing> drawings = all_drawings(scene);
  EXPECT_FALSE(measure(drawings[0].outline, 0.06F, true, true).row_labels);
  EXPECT_FALSE(measure(drawings[0].outline, 0.06F, true, true).column_labels);
  EXPECT_TRUE(measure(drawings[0].outline, 1.0F, true, true).row_labels);
  EXPECT_TRUE(measure(drawings[0].outline, 1.0F, true, true).column_labels);
}

TEST(Put, KeepsItsSizesAtEveryPlace) {
  for (const Scene* scene : all_scenes()) {
    for (const Drawing& drawing : all_drawings(*scene)) {
      const Measured m = measure(drawing.outline, 1.0F, true, true);
      Stage stage;
      put(stage, drawing, m, 0.0F, 0.0F);
      put(stage, drawing, m, m.width + 100.0F, 50.0F);
      ASSERT_EQ(stage.groups.size(), 2U);
      EXPECT_EQ(stage.blocks.size(), 2 * drawing.blocks.size());
      EXPECT_EQ(stage.groups[0].bounds, (Rect{0.0F, 0.0F, m.width, m.height}));
      EXPECT_EQ(stage.groups[1].first_block, drawing.blocks.size());
      EXPECT_EQ(stage.bounds, stage.groups[0].bounds.united(stage.groups[1].bounds));
      for (std::size_t i = 0; i < drawing.blocks.size(); ++i) {
        const Block& first = stage.blocks[i];
        const Block& second = stage.blocks[drawing.blocks.size() + i];
        EXPECT_EQ(first.group, 0U);
        EXPECT_EQ(second.group, 1U);
        EXPECT_EQ(first.cells.width, second.cells.width);
        EXPECT_NEAR(first.cells.x + m.width + 100.0F, second.cells.x, 0.01F);
        EXPECT_NEAR(first.cells.y + 50.0F, second.cells.y, 0.01F);
        EXPECT_TRUE(inside(first.cells, stage.groups[0].bounds));
        // The tokens stand once for each row of heads.
        EXPECT_EQ(first.show_row_labels, m.row_labels && i % m.per_row == 0);
      }
    }
  }
}

}  // namespace
}  // namespace stage

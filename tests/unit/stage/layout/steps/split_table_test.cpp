#include <gtest/gtest.h>

#include <cmath>

#include "stage/compositions.hpp"
#include "stage/layout/steps/step_layouts.hpp"

namespace stage {
namespace {

using lesson::StepId;

constexpr float moments[] = {0.0F, 0.1F, 0.25F, 0.4F, 0.5F, 0.75F, 0.9F, 1.0F};

template <typename Check>
void for_each_split(Check check) {
  std::size_t seen = 0;
  for_each_composition([&](const Composed& composed) {
    if (composed.view_state.step != StepId::split) return;
    if (composed.stage().blocks.front().run) return;  // the memory alone
    check(composed);
    ++seen;
  });
  EXPECT_GT(seen, 50U);
}

TEST(SplitTable, IsOneTableOfAllHeads) {
  for_each_split([](const Composed& composed) {
    const Group& group = composed.stage().groups.front();
    EXPECT_EQ(group.block_count * composed.trace().sharing(group.tensor),
              composed.trace().config.num_heads);
    for (const Group& other : composed.stage().groups)
      EXPECT_TRUE(&other == &group || composed.stage().blocks[other.first_block].run);
  });
}

// Nothing leaves its column except by the gap: all that moves is where a head's columns begin.
TEST(SplitTable, OnlyAGapOpensBetweenTheHeads) {
  for_each_split([](const Composed& composed) {
    const Group& group = composed.stage().groups.front();
    float last_gap = 0.0F;
    for (const float progress : moments) {
      const Stage now = at_progress(composed, progress);
      ASSERT_EQ(now.bounds, composed.stage().bounds);
      ASSERT_EQ(now.blocks.size(), composed.stage().blocks.size());
      float gap = 0.0F;
      for (std::size_t i = 0; i < now.blocks.size(); ++i) {
        const Rect& here = now.blocks[i].cells;
        const Rect& there = composed.stage().blocks[i].cells;
        ASSERT_EQ(here.y, there.y);
        ASSERT_EQ(here.width, there.width);
        ASSERT_EQ(here.height, there.height);
        if (now.blocks[i].run) {
          ASSERT_EQ(here, there) << "memory does not move";
        }
        if (i == 0 || i >= group.block_count) continue;
        const float between = here.x - now.blocks[i - 1].cells.right();
        if (i > 1) {
          ASSERT_NEAR(between, gap, 0.01F);
        }
        gap = between;
      }
      ASSERT_GE(gap, last_gap - 0.01F);
      last_gap = gap;
      if (progress == 0.0F) {
        ASSERT_NEAR(gap, 0.0F, 0.01F);
      }
    }
    if (group.block_count > 1) {
      ASSERT_GE(last_gap, 8.0F - 0.01F);
    }
  });
}

// It is q, and then it is q_split: under the name that stands over it, every number is the trace's.
TEST(SplitTable, IsWhatItIsCalled) {
  for_each_split([](const Composed& composed) {
    if (composed.screen != &screens[0]) return;
    for (const float progress : moments) {
      const Stage now = at_progress(composed, progress);
      const Group& group = now.groups.front();
      ASSERT_TRUE(group.title.starts_with(model::name_of(group.tensor)));
      ASSERT_EQ(composed.trace()[group.tensor].rank(), progress < 0.4F ? 3U : 4U);
      for (std::size_t i = 0; i < group.block_count; ++i) {
        const Block& block = now.blocks[group.first_block + i];
        ASSERT_EQ(block.tensor, group.tensor);
        const std::size_t row = block.rows() - 1;
        const std::size_t column = block.columns() - 1;
        ASSERT_EQ(bits_of(block.value(row, column)),
                  bits_of(composed.trace()[block.tensor].at(block.index_of(row, column))));
      }
    }
  });
}

TEST(SplitTable, NamesTheHeadsWhenTheyAreApart) {
  std::size_t with_columns = 0;
  for_each_split([&](const Composed& composed) {
    for (const auto& [progress, drawn] : {std::pair{0.3F, 0.0F}, std::pair{1.0F, 1.0F}}) {
      const Stage now = at_progress(composed, progress);
      const Group& group = now.groups.front();
      for (std::size_t i = 0; i < group.block_count; ++i) {
        const Tag& tag = now.blocks[group.first_block + i].tag;
        EXPECT_EQ(tag.place, Tag::Place::under);
        EXPECT_EQ(tag.drawn, drawn);
        const std::string name = tag.text.substr(0, tag.text.find(": columns "));
        EXPECT_TRUE(name.ends_with(" " + std::to_string(i))) << tag.text;
        const std::size_t dim = composed.trace().config.head_dim();
        if (name == tag.text) continue;  // no room for more
        EXPECT_EQ(tag.text, name + ": columns " + std::to_string(i * dim) + " … " +
                                std::to_string((i + 1) * dim - 1));
        ++with_columns;
      }
    }
  });
  EXPECT_GT(with_columns, 50U);
}

}  // namespace
}  // namespace stage

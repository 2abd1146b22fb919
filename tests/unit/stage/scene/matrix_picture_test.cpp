#include "stage/scene/matrix_picture.hpp"

#include <gtest/gtest.h>

#include "stage/scenes.hpp"

namespace stage {
namespace {

using model::TensorId;

TEST(Picture, ShowsOneTensorAndNothingElse) {
  for (const Scene* scene : all_scenes()) {
    for (const TensorId id : scene->attention.trace.present()) {
      const auto picture = picture_of(scene->attention, {}, id, std::nullopt);
      if (!picture) continue;  // the same as another one: key_input of self-attention
      ASSERT_EQ(picture->groups.size(), 1U);
      EXPECT_EQ(picture->groups[0].tensor, id);
      for (const Block& block : picture->blocks) {
        EXPECT_EQ(block.tensor, id);
        EXPECT_TRUE(block.matrix.shares_storage_with(scene->attention.trace[id]));
        // Inside the picture, with its labels and some space.
        EXPECT_GE(block.cells.x, 8.0F);
        EXPECT_GE(block.cells.y, 30.0F);
        EXPECT_LE(block.cells.right(), picture->bounds.right() - 8.0F);
        EXPECT_LE(block.cells.bottom(), picture->bounds.bottom() - 8.0F);
      }
      EXPECT_EQ(picture->bounds.x, 0.0F);
      EXPECT_EQ(picture->bounds.y, 0.0F);
      EXPECT_LE(picture->bounds.width, 4096.0F) << scene->name;
      EXPECT_LE(picture->bounds.height, 4096.0F) << scene->name;
    }
  }
}

TEST(Picture, OfOneHeadIsThatHead) {
  std::size_t seen = 0;
  for (const Scene& scene : example_scenes()) {
    const std::size_t heads = scene.config().num_heads;
    if (heads < 2) continue;
    ++seen;
    const auto picture = picture_of(scene.attention, {}, "scores", heads - 1);
    ASSERT_TRUE(picture);
    ASSERT_EQ(picture->blocks.size(), 1U);
    EXPECT_EQ(picture->blocks[0].head, heads - 1);
    EXPECT_EQ(picture->groups[0].title, "scores, head " + std::to_string(heads - 1));
  }
  EXPECT_GT(seen, 0U);
}

TEST(Picture, OfOneGroupIsThatGroup) {
  for (const Scene& scene : extreme_scenes()) {
    if (!scene.name.starts_with("4 heads, 2 of keys attention")) continue;
    const auto picture = picture_of(scene.attention, {}, "k_groups", 1);
    ASSERT_TRUE(picture);
    ASSERT_EQ(picture->blocks.size(), 1U);
    EXPECT_EQ(picture->blocks[0].head, 1U);
    EXPECT_EQ(picture->groups[0].title, "k_groups, group 1");
    return;
  }
  FAIL() << "no such scene";
}

TEST(Picture, IsNotMadeOfWhatIsNotThere) {
  const Scene& bare = example_scenes().front();
  EXPECT_FALSE(picture_of(bare.attention, {}, "q_proj_weight", std::nullopt));
}

TEST(Picture, IsNamedAfterWhatItShows) {
  EXPECT_EQ(picture_name("scores", 0), "scores-head-0");
  EXPECT_EQ(picture_name("q_proj_weight", std::nullopt), "q-proj-weight");
}

}  // namespace
}  // namespace stage

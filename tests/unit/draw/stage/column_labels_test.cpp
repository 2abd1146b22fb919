#include "draw/stage/column_labels.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "draw/headless.hpp"

namespace draw {
namespace {

using stage::Block;
using stage::Rect;

constexpr Rect everything{0.0F, 0.0F, 1280.0F, 800.0F};

/// The scores of an example with words (or letters) as keys.
Block scores_of(lesson::ExampleId example) {
  const document::Computed computed = document::computed(document::fresh(example, 0));
  document::ViewState view_state;
  view_state.attention = computed.attentions.front().id;
  view_state.step = lesson::StepId::softmax;
  const stage::Composition composition = stage::compose(computed, view_state, {900.0F, 500.0F});
  for (const Block& block : composition.stage.blocks) {
    if (block.tensor == "attention_weights" && !block.column_labels.empty()) return block;
  }
  ADD_FAILURE() << "no weights with names of keys";
  return {};
}

struct NamedColumns {
  bool fit = false;
  std::vector<DrawnText> texts;
};

class ColumnLabelsTest : public testing::Test {
 protected:
  NamedColumns level(const Block& block, float column_width) {
    NamedColumns drawn;
    draw(block, column_width, drawn.texts, [&](const ColumnLabels& labels) {
      drawn.fit = labels.fit();
      labels.put_level();
    });
    return drawn;
  }

  std::vector<DrawnText> ticks(const Block& block, float column_width, std::size_t named) {
    std::vector<DrawnText> drawn;
    draw(block, column_width, drawn, [&](const ColumnLabels& labels) { labels.put_ticks(named); });
    return drawn;
  }

 private:
  template <typename Put>
  void draw(const Block& block, float column_width, std::vector<DrawnText>& texts, Put put) {
    ImDrawList list(ImGui::GetDrawListSharedData());
    list._ResetForNewFrame();
    list.PushClipRectFullScreen();
    list.PushTexture(ImGui::GetIO().Fonts->TexRef);
    const Rect cells{50.0F, 100.0F, column_width * static_cast<float>(block.columns()), 100.0F};
    put(ColumnLabels(block, cells, everything, headless_.type, 11.0F, IM_COL32_WHITE, &list,
                     texts));
  }

  Headless headless_;
};

TEST_F(ColumnLabelsTest, WideColumnsHaveNamesWithTheirIndices) {
  const Block block = scores_of(lesson::ExampleId::gender_and_number);
  const NamedColumns drawn = level(block, 80.0F);
  ASSERT_EQ(drawn.texts.size(), 2 * block.columns());
  for (std::size_t column = 0; column < block.columns(); ++column) {
    const DrawnText& name = drawn.texts[2 * column];
    const DrawnText& index = drawn.texts[2 * column + 1];
    EXPECT_EQ(name.text, block.column_labels[column]);
    EXPECT_EQ(index.text, std::to_string(column));
    EXPECT_EQ(index.kind, "index");
    const float left = 50.0F + 80.0F * static_cast<float>(column);
    EXPECT_GE(name.place.x, left);
    EXPECT_GT(index.place.x, name.place.right());
    EXPECT_LE(index.place.right(), left + 80.0F);
  }
}

TEST_F(ColumnLabelsTest, ColumnsWithoutRoomForAllIndicesHaveNone) {
  const Block block = scores_of(lesson::ExampleId::gender_and_number);
  const NamedColumns drawn = level(block, 36.0F);
  EXPECT_TRUE(drawn.fit);
  EXPECT_EQ(drawn.texts.size(), block.columns());
}

TEST_F(ColumnLabelsTest, WhereALetterOrTwoWouldBeLeftOfANameColumnsAreNumbered) {
  const Block block = scores_of(lesson::ExampleId::gender_and_number);
  const NamedColumns drawn = level(block, 22.0F);
  EXPECT_TRUE(drawn.fit);
  ASSERT_EQ(drawn.texts.size(), block.columns());
  for (std::size_t column = 0; column < block.columns(); ++column) {
    EXPECT_EQ(drawn.texts[column].text, std::to_string(column));
    EXPECT_EQ(drawn.texts[column].kind, "index");
  }
}

TEST_F(ColumnLabelsTest, NarrowColumnsAreNamedByLettersButNotByBeginningsOfWords) {
  EXPECT_FALSE(level(scores_of(lesson::ExampleId::gender_and_number), 15.0F).fit);
  EXPECT_TRUE(level(scores_of(lesson::ExampleId::reverse), 15.0F).fit);
  EXPECT_FALSE(level(scores_of(lesson::ExampleId::reverse), 5.0F).fit);
}

// "Anthony 4 5 6" would be one name over four columns.
TEST_F(ColumnLabelsTest, ANameThatWouldCoverOtherColumnsIsANumber) {
  Block block = scores_of(lesson::ExampleId::gender_and_number);
  block.column_ticks = block.column_labels;
  const auto drawn = [&](float column_width) { return ticks(block, column_width, 1); };
  for (const DrawnText& text : drawn(10.0F)) EXPECT_EQ(text.kind, "index") << text.text;
  EXPECT_EQ(drawn(10.0F).front().text, "1") << "the column in focus";
  EXPECT_EQ(drawn(30.0F).front().text, "queen");
}

TEST(KeyInFocus, IsTheColumnOfAMatrixOfKeysOnly) {
  stage::Stage stage;
  stage.blocks.resize(1);
  stage.blocks[0].column_axis = 3;
  Scene scene;
  EXPECT_EQ(key_in_focus(scene, stage), std::nullopt);
  scene.focus = stage::Hit{0, 0, 1};
  stage.blocks[0].tensor = "scores";
  EXPECT_EQ(key_in_focus(scene, stage), std::optional<std::size_t>(1));
  stage.blocks[0].tensor = "q_heads";  // its columns are dimensions
  EXPECT_EQ(key_in_focus(scene, stage), std::nullopt);
}

}  // namespace
}  // namespace draw

#include <gtest/gtest.h>

#include <set>

#include "stage/compositions.hpp"
#include "stage/layout/steps/step_layouts.hpp"
#include "stage/motion/motion.hpp"

namespace stage {
namespace {

using lesson::StepId;

template <typename Check>
void for_each_deal(Check check) {
  std::size_t seen = 0;
  for_each_composition([&](const Composed& composed) {
    if (composed.view_state.step != StepId::transpose) return;
    if (composed.stage().blocks.front().run) return;  // the memory alone
    check(composed, composed.stage().groups.front());
    ++seen;
  });
  EXPECT_GT(seen, 50U);
}

TEST(TokenCards, ACardIsOneTokensRowsOfAllHeads) {
  for_each_deal([](const Composed& composed, const Group& cards) {
    const Stage& stage = composed.stage();
    const tensor::Tensor& split = composed.trace()[cards.tensor];  // [B,L,H,D]
    ASSERT_EQ(split.rank(), 4U);
    std::set<std::size_t> tokens;
    for (std::size_t i = 0; i < cards.block_count; ++i) {
      const Block& card = stage.blocks[cards.first_block + i];
      ASSERT_EQ(card.rows(), split.dim(2));
      ASSERT_EQ(card.columns(), split.dim(3));
      ASSERT_EQ(card.row_heads.size(), split.dim(2));
      tokens.insert(card.corner[1]);
      // A feature's name would be right for one of its rows.
      for (std::size_t d = 0; d < card.column_labels.size(); ++d)
        ASSERT_EQ(card.column_labels[d], std::to_string(d));
      for (std::size_t row = 0; row < card.rows(); ++row) {
        const tensor::Index index = card.index_of(row, card.columns() - 1);
        ASSERT_EQ(index[2], row);
        ASSERT_EQ(bits_of(card.value(row, card.columns() - 1)), bits_of(split.at(index)));
      }
    }
    // All of them, or neighbours, the query's among them.
    ASSERT_EQ(tokens.size(), cards.block_count);
    ASSERT_EQ(*tokens.rbegin() - *tokens.begin() + 1, tokens.size());
    ASSERT_TRUE(tokens.contains(std::min(composed.view_state.query, split.dim(1) - 1)));
    if (split.dim(1) <= 12) {
      ASSERT_EQ(tokens.size(), split.dim(1));
    } else if (composed.screen == &screens[0]) {
      ASSERT_NE(cards.note.find(" of " + std::to_string(split.dim(1))), std::string::npos);
    }
  });
}

TEST(TokenCards, APileIsAHead) {
  for_each_deal([](const Composed& composed, const Group& cards) {
    for (const Block& block : composed.stage().blocks) {
      if (block.run || block.tensor == cards.tensor) continue;
      ASSERT_TRUE(block.head);
      ASSERT_EQ(block.tag.place, Tag::Place::over);
      ASSERT_TRUE(block.tag.text.ends_with(" " + std::to_string(*block.head)));
    }
  });
}

TEST(TokenCards, AreDealtOneTokenAfterAnother) {
  for_each_deal([](const Composed& composed, const Group& cards) {
    const Stage& stage = composed.stage();
    std::vector<float> first_begin(cards.block_count, 2.0F);
    std::vector<float> last_begin(cards.block_count, -1.0F);
    for (const Tween& tween : stage.tweens) {
      for (std::size_t i = 0; i < cards.block_count; ++i) {
        const Block& card = stage.blocks[cards.first_block + i];
        if (!card.cells.contains(tween.from.centre())) continue;
        EXPECT_TRUE(tween.leaves);
        first_begin[i] = std::min(first_begin[i], tween.begin);
        last_begin[i] = std::max(last_begin[i], tween.begin);
      }
    }
    for (std::size_t i = 1; i < cards.block_count; ++i)
      ASSERT_LE(last_begin[i - 1], first_begin[i] + 1e-5F) << i;
  });
}

// What has left a card is an empty place there, until the end says that both are the same floats.
TEST(TokenCards, ARowThatHasLeftIsEmptyOnItsCard) {
  for_each_deal([](const Composed& composed, const Group&) {
    const Stage& stage = composed.stage();
    if (stage.tweens.empty()) return;
    for (const float progress : {0.0F, 0.4F, 0.8F, 1.0F}) {
      std::size_t left = 0;
      for (const Tween& tween : stage.tweens)
        left +=
            tween.leaves && tween.begin <= progress && !(tween.from == tween.piece.cells) ? 1 : 0;
      const Stage now = at(stage, progress);
      std::size_t veils = 0;
      for (const Figure& figure : now.figures) {
        if (figure.of_matrices) veils += figure.bars.size();
      }
      ASSERT_EQ(veils, progress < 1.0F ? left : 0U);
    }
  });
}

// Whichever way a progress was reached, the frame is the same.
TEST(TokenCards, TheFrameIsAFunctionOfTheProgress) {
  for_each_deal([](const Composed& composed, const Group&) {
    if (composed.screen != &screens[0]) return;
    const auto frame = [&](float progress) {
      document::ViewState view_state = composed.view_state;
      view_state.progress = progress;
      return at(compose(*composed.computed, view_state, composed.screen->space()).stage, progress);
    };
    const Stage forwards = frame(0.35F);
    (void)frame(0.9F);
    const Stage back = frame(0.35F);
    ASSERT_EQ(forwards.bounds, composed.stage().bounds);
    ASSERT_EQ(forwards.blocks.size(), back.blocks.size());
    for (std::size_t i = 0; i < forwards.blocks.size(); ++i)
      ASSERT_EQ(forwards.blocks[i].cells, back.blocks[i].cells);
  });
}

}  // namespace
}  // namespace stage

#include "draw/panels/focus/key_switch.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "document/session.hpp"

namespace draw {
namespace {

using document::CellRef;
using tensor::Index;

// Once per pair of query and key: the mask holds for all heads, whichever the cell is of.
TEST(KeySwitch, HidesAKeyAndShowsItAgain) {
  document::Session session(
      document::document_of(document::fresh(lesson::ExampleId::you_are_welcome, 0)));
  const CellRef mask{"mask", Index{0, 0, 2, 1}};
  for (const CellRef& cell :
       {CellRef{"scores", Index{0, 1, 2, 1}}, CellRef{"masked_scores", Index{0, 0, 2, 1}},
        CellRef{"attention_weights", Index{0, 1, 2, 1}}, mask}) {
    const auto hides = key_switch(session.attention(), cell);
    ASSERT_TRUE(hides);
    EXPECT_EQ(hides->command.cell.tensor, mask.tensor);
    EXPECT_EQ(hides->command.cell.index, mask.index);
    EXPECT_EQ(hides->command.value, -std::numeric_limits<float>::infinity());
    document::perform(session, hides->command);
    EXPECT_EQ(session.attention().trace["attention_weights"].at(Index{0, 1, 2, 1}), 0.0F);
    const auto shows = key_switch(session.attention(), cell);
    ASSERT_TRUE(shows);
    EXPECT_EQ(shows->command.value, 0.0F);
    EXPECT_STRNE(shows->words, hides->words);
    document::perform(session, shows->command);
    EXPECT_GT(session.attention().trace["attention_weights"].at(Index{0, 1, 2, 1}), 0.0F);
  }
}

TEST(KeySwitch, IsOnlyForCellsOfAQueryAndAKey) {
  const document::Session session(
      document::document_of(document::fresh(lesson::ExampleId::you_are_welcome, 0)));
  EXPECT_FALSE(key_switch(session.attention(), {"q_heads", Index{0, 0, 1, 1}}));
  EXPECT_FALSE(key_switch(session.attention(), {"output", Index{0, 1, 1}}));
}

}  // namespace
}  // namespace draw

#include "draw/notice.hpp"

#include <gtest/gtest.h>

namespace draw {
namespace {

TEST(Notice, GoesWhenThereWasTimeToReadIt) {
  Notice notice;
  EXPECT_FALSE(notice.pass(1.0, false));
  notice.say("Number copied.");
  const auto rest = notice.pass(10.0, false);
  ASSERT_TRUE(rest);
  EXPECT_GT(*rest, 3.0);
  EXPECT_LT(*rest, 6.0);
  EXPECT_DOUBLE_EQ(*notice.pass(12.0, false), *rest - 2.0);
  EXPECT_EQ(notice.sentence(), "Number copied.");
  EXPECT_FALSE(notice.pass(10.0 + *rest, false));
  EXPECT_EQ(notice.sentence(), "");
}

TEST(Notice, HasMoreTimeIfItIsLong) {
  Notice brief;
  Notice lengthy;
  brief.say("Number copied.");
  lengthy.say("Copied: encoder.0.self_attention.attention_weights[0, 1, :, :], 81 numbers.");
  EXPECT_GT(*lengthy.pass(0.0, false), *brief.pass(0.0, false) + 2.0);
}

TEST(Notice, StaysWhilePointedAtAndAWhileAfter) {
  Notice notice;
  notice.say("Number copied.");
  const double rest = *notice.pass(0.0, false);
  EXPECT_FALSE(notice.pass(rest - 1.0, true)) << "nothing is to be drawn meanwhile";
  EXPECT_FALSE(notice.pass(rest + 100.0, true));
  EXPECT_EQ(notice.sentence(), "Number copied.");
  EXPECT_NEAR(*notice.pass(rest + 100.0, false), rest, 1e-9);
}

TEST(Notice, SaidAgainStaysAsLongAsTheFirstTime) {
  Notice notice;
  notice.say("Number copied.");
  const double rest = *notice.pass(0.0, false);
  notice.say("Number copied.");
  EXPECT_DOUBLE_EQ(*notice.pass(rest + 1.0, false), rest);
}

}  // namespace
}  // namespace draw

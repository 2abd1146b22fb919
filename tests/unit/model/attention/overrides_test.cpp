#include "model/attention/overrides.hpp"

#include <string>

#include <gtest/gtest.h>

namespace model {
namespace {

TEST(Overrides, EveryMistakeHasANameAndIsFoundByIt) {
  ASSERT_EQ(mistake_names.size(), 9U);
  for (std::size_t i = 0; i < mistake_names.size(); ++i) {
    EXPECT_EQ(name_of(static_cast<Mistake>(i)), mistake_names[i]);
    EXPECT_EQ(mistake_named(mistake_names[i]), static_cast<Mistake>(i));
  }
  EXPECT_EQ(name_of(Mistake::none), "none");
  EXPECT_EQ(name_of(Mistake::no_transpose), "no-transpose");
  EXPECT_EQ(name_of(Mistake::no_scale), "no-scale");
  EXPECT_EQ(name_of(Mistake::softmax_over_queries), "softmax-over-queries");
  EXPECT_EQ(name_of(Mistake::mask_after_softmax), "mask-after-softmax");
  EXPECT_EQ(name_of(Mistake::mask_with_zero), "mask-with-zero");
  EXPECT_EQ(name_of(Mistake::keys_not_transposed), "keys-not-transposed");
  EXPECT_EQ(name_of(Mistake::naive_softmax), "naive-softmax");
  EXPECT_EQ(name_of(Mistake::no_softmax), "no-softmax");
  EXPECT_FALSE(mistake_named("no transpose").has_value());
  EXPECT_FALSE(mistake_named("").has_value());
}

TEST(Overrides, KnowWhatTheyTouch) {
  const Overrides overrides{{{1, 0, 2, {1.0F}}}, {3, 0}, Mistake::none};
  EXPECT_TRUE(overrides.gives(1, 0, 2));
  EXPECT_FALSE(overrides.gives(0, 0, 2));
  EXPECT_FALSE(overrides.gives(1, 1, 2));
  EXPECT_FALSE(overrides.gives(1, 0, 1));
  EXPECT_TRUE(overrides.ablates(0));
  EXPECT_TRUE(overrides.ablates(3));
  EXPECT_FALSE(overrides.ablates(1));
  EXPECT_FALSE(Overrides().gives(0, 0, 0));
  EXPECT_EQ(overrides, overrides);
  EXPECT_NE(overrides, Overrides());
}

}  // namespace
}  // namespace model

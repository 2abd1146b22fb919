#include "base/random.hpp"

#include <gtest/gtest.h>

#include <set>
#include <vector>

namespace base {
namespace {

TEST(Random, SameSeedAndNameGiveTheSameBits) {
  Random a(7, "word.fox");
  Random b(7, "word.fox");
  for (int i = 0; i < 100; ++i) EXPECT_EQ(a.bits(), b.bits());
}

TEST(Random, EverySeedAndEveryNameHasAStreamOfItsOwn) {
  std::set<std::uint64_t> first;
  for (const std::uint32_t seed : {0U, 1U, 2U, 0xffffffffU}) {
    for (const char* name : {"", "a", "b", "ab", "ba", "word.fox", "word.Fox"}) {
      first.insert(Random(seed, name).bits());
    }
  }
  EXPECT_EQ(first.size(), 4U * 7U);
}

// Known numbers, so that a link says the same on every machine: natively, in the browser, next
// year.
TEST(Random, IsTheSameOnEveryMachine) {
  Random random(1, "attention.q_proj_weight");
  const std::vector<std::int32_t> expected = {-987, 63, -658, -601, -405, -339, -989, -855};
  for (const std::int32_t number : expected) EXPECT_EQ(random.whole(1000), number);
}

TEST(Random, WholeNumbersCoverTheirRangeEvenly) {
  Random random(3, "dice");
  std::vector<int> counts(7, 0);
  for (int i = 0; i < 70'000; ++i) {
    const std::int32_t number = random.whole(3);
    ASSERT_GE(number, -3);
    ASSERT_LE(number, 3);
    const std::int32_t place = number + 3;
    ++counts[static_cast<std::size_t>(place)];
  }
  // Standard deviation of each count is 93.
  for (const int count : counts) EXPECT_NEAR(count, 10'000, 500);
  EXPECT_EQ(random.whole(0), 0);
}

// Sequences are drawn with these: none of the words may be more frequent than another.
TEST(Random, NumbersBelowALimitCoverTheirRangeEvenly) {
  Random random(4, "dice");
  std::vector<int> counts(6, 0);
  for (int i = 0; i < 60'000; ++i) {
    const std::uint32_t number = random.below(6);
    ASSERT_LT(number, 6U);
    ++counts[number];
  }
  for (const int count : counts) EXPECT_NEAR(count, 10'000, 400);
  EXPECT_EQ(random.below(1), 0U);
}

}  // namespace
}  // namespace base

#include "attention/stale_tokens.hpp"

#include <gtest/gtest.h>

#include "attention/helpers.hpp"

namespace attention {
namespace {

using test::counting;

/// Counting numbers [2,3,2] but for the tokens 1 and 5.
Tensor with_others() {
  Tensor tokens = counting({2, 3, 2});
  tokens.set({0, 1, 0}, 100.0F);
  tokens.set({1, 2, 1}, -0.5F);
  return tokens;
}

TEST(StaleTokens, AreThoseWithOtherNumbers) {
  const StaleTokens stale(counting({2, 3, 2}), with_others());
  EXPECT_TRUE(stale.any());
  const Tensor some = stale.of(counting({2, 3, 4}));
  EXPECT_EQ(some.shape(), (Shape{1, 2, 4}));
  EXPECT_EQ(some.values(), (std::vector<float>{5, 6, 7, 8, 21, 22, 23, 24}));
}

TEST(StaleTokens, AreReadInAnyView) {
  const StaleTokens stale(counting({2, 3, 2}), with_others());
  const Tensor turned = counting({2, 2, 3}).transpose(1, 2);  // [2,3,2]: 1 4, 2 5, 3 6, …
  EXPECT_EQ(stale.of(turned).values(), (std::vector<float>{2, 5, 9, 12}));
}

TEST(StaleTokens, AloneArePut) {
  const StaleTokens stale(counting({2, 3, 2}), with_others());
  const Tensor last = counting({2, 3, 1});
  Tensor result = last;
  stale.put(Tensor({1, 2, 1}, {70.0F, 80.0F}), result);
  EXPECT_EQ(result.values(), (std::vector<float>{1, 70, 3, 4, 5, 80}));
  EXPECT_EQ(last.values(), counting({2, 3, 1}).values());  // read elsewhere: as it was
}

TEST(StaleTokens, NoneWhereAllNumbersAreTheSame) {
  EXPECT_FALSE(StaleTokens(with_others(), with_others()).any());
  // 0 and −0 are not the same bits.
  EXPECT_TRUE(StaleTokens(Tensor({1, 1, 1}, {0.0F}), Tensor({1, 1, 1}, {-0.0F})).any());
}

TEST(StaleTokens, AllOfThem) {
  for (const StaleTokens& stale : {StaleTokens(), StaleTokens(Tensor(), with_others()),
                                   StaleTokens(counting({1, 3, 2}), with_others())}) {
    EXPECT_TRUE(stale.any());
    const Tensor tokens = with_others();
    EXPECT_TRUE(stale.of(tokens).is_same_view(tokens));
    Tensor result;
    stale.put(tokens, result);
    EXPECT_TRUE(result.is_same_view(tokens));
  }
}

TEST(StaleTokens, AddUp) {
  StaleTokens stale(with_others(), with_others());
  stale.add(StaleTokens(counting({2, 3, 2}), with_others()));
  EXPECT_EQ(stale.of(counting({2, 3, 1})).values(), (std::vector<float>{2, 6}));
  Tensor third = with_others();
  third.set({0, 0, 0}, 9.0F);
  stale.add(StaleTokens(with_others(), third));
  EXPECT_EQ(stale.of(counting({2, 3, 1})).values(), (std::vector<float>{1, 2, 6}));
  stale.add(StaleTokens());
  EXPECT_EQ(stale.of(third).shape(), third.shape());
}

}  // namespace
}  // namespace attention

#include "base/order.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>
#include <utility>

namespace base {
namespace {

using Places = std::vector<std::size_t>;

TEST(OrderOf, IsByTheFirstThenByTheSecondThenAsItCame) {
  EXPECT_EQ(order_of({}), Places{});
  EXPECT_EQ(order_of(std::vector<SortKey>{{3.0, 0.0}, {1.0, 0.0}, {2.0, 0.0}}), (Places{1, 2, 0}));
  EXPECT_EQ(order_of(std::vector<SortKey>{{1.0, 2.0}, {1.0, 1.0}, {0.0, 9.0}}), (Places{2, 1, 0}));
  EXPECT_EQ(order_of(std::vector<SortKey>{{1.0, 1.0}, {0.0, 0.0}, {1.0, 1.0}, {0.0, 0.0}}),
            (Places{1, 3, 0, 2}));
  constexpr double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(order_of(std::vector<SortKey>{{0.0, 0.0}, {infinity, 0.0}, {-infinity, 0.0}}),
            (Places{2, 0, 1}));
}

TEST(OrderOf, AgreesWithAStableSort) {
  std::mt19937 random(11);
  std::vector<SortKey> keys(2000);
  for (SortKey& key : keys) {
    key = {static_cast<double>(random() % 20), static_cast<double>(random() % 5)};
  }
  Places expected(keys.size());
  for (std::size_t i = 0; i < expected.size(); ++i) expected[i] = i;
  std::stable_sort(expected.begin(), expected.end(), [&](std::size_t a, std::size_t b) {
    return std::pair(keys[a].first, keys[a].second) < std::pair(keys[b].first, keys[b].second);
  });
  EXPECT_EQ(order_of(keys), expected);
}

}  // namespace
}  // namespace base

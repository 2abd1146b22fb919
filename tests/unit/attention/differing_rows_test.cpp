#include "attention/differing_rows.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <vector>

#include "attention/scan.hpp"

namespace attention {
namespace {

/// Cell by cell.
Marks found_one_by_one(const Tensor& a, const Tensor& b) {
  Shape rows = a.shape();
  const std::size_t length = rows[rows.rank() - 1];
  rows[rows.rank() - 1] = 1;
  Marks differ(rows.product());
  Index index = Extents::filled(a.rank(), 0);
  std::size_t cell = 0;
  do {
    if (!same_bits(a.at(index), b.at(index))) differ.mark(cell / length);
    ++cell;
  } while (next_index(index, a.shape()));
  return differ;
}

void expect_same(const Marks& a, const Marks& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_EQ(a[i], b[i]) << i;
}

class Random {
 public:
  std::size_t below(std::size_t limit) {
    state_ = state_ * 1664525U + 1013904223U;
    return (state_ >> 8U) % limit;
  }

 private:
  std::uint32_t state_ = 1;
};

// Of copies it is known where they were written, of others not: the rows are the same.
TEST(DifferingRows, AreThoseWithACellThatDiffers) {
  Random random;
  std::size_t differing = 0;
  for (int round = 0; round < 300; ++round) {
    const Shape shape{1 + random.below(3), 1 + random.below(4), 1 + random.below(6)};
    const Tensor whole(shape, std::vector<float>(shape.product(), 1.0F));
    Tensor copy = whole.clone();
    for (std::size_t writes = random.below(4); writes > 0; --writes) {
      copy.set({random.below(shape[0]), random.below(shape[1]), random.below(shape[2])},
               static_cast<float>(random.below(3)));
    }
    for (const bool turned : {false, true}) {
      const Tensor a = turned ? whole.transpose(1, 2) : whole;
      const Tensor b = turned ? copy.transpose(1, 2) : copy;
      const Tensor elsewhere = Tensor(copy.shape(), copy.values());
      const Marks expected = found_one_by_one(a, b);
      expect_same(rows_that_differ(a, b), expected);
      expect_same(rows_that_differ(a, turned ? elsewhere.transpose(1, 2) : elsewhere), expected);
      const auto may = rows_that_may_differ(a, b);
      ASSERT_TRUE(may);
      for (std::size_t row = 0; row < expected.size(); ++row) {
        EXPECT_TRUE((*may)[row] || !expected[row]) << row;
        differing += expected[row] ? 1 : 0;
      }
    }
  }
  EXPECT_GT(differing, 100U);
}

TEST(DifferingRows, TellZerosAndNanApartByTheirBits) {
  const Tensor a({3, 1}, {0.0F, NAN, 1.0F});
  const Marks differ = rows_that_differ(a, Tensor({3, 1}, {-0.0F, NAN, 1.0F}));
  EXPECT_TRUE(differ[0]);
  EXPECT_FALSE(differ[1]);
  EXPECT_FALSE(differ[2]);
}

TEST(DifferingRows, HaveToBeLookedForWhereNothingIsKnown) {
  const Tensor a({2, 2}, {1, 2, 3, 4});
  EXPECT_FALSE(rows_that_may_differ(a, Tensor({2, 2}, {1, 2, 3, 4})));
  EXPECT_FALSE(rows_that_may_differ(a, a.transpose(0, 1)));
  const auto itself = rows_that_may_differ(a, a);
  ASSERT_TRUE(itself);
  EXPECT_FALSE(itself->any());
}

}  // namespace
}  // namespace attention

#include "document/edits/difference.hpp"

#include <limits>

#include <gtest/gtest.h>

#include "attention/mask.hpp"

namespace document {
namespace {

using attention::hidden;
using attention::Tensor;

TEST(Difference, IsTheFirstLessTheSecond) {
  const Tensor a({2, 2}, {1, 2, 3, 4});
  const Tensor b({2, 2}, {1, 1, 5, 4});
  EXPECT_EQ(difference(a, b).values(), (std::vector<float>{0, 1, -2, 0}));
  EXPECT_EQ(difference(a, b.transpose(0, 1)).values(), (std::vector<float>{0, -3, 2, 0}));
}

TEST(Difference, OfWhatIsTheSameIsZero) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const Tensor a({4}, {hidden, nan, hidden, 0});
  const Tensor b({4}, {hidden, nan, 0, hidden});
  EXPECT_EQ(difference(a, b).values(), (std::vector<float>{0, 0, hidden, -hidden}));
}

TEST(Difference, NeedsTheSameShape) {
  EXPECT_FALSE(difference(Tensor({2, 3}), Tensor({3, 2})).defined());
  EXPECT_FALSE(difference(Tensor({2, 3}), Tensor()).defined());
  EXPECT_FALSE(difference(Tensor(), Tensor()).defined());
}

}  // namespace
}  // namespace document

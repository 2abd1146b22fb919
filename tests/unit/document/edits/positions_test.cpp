#include "document/edits/positions.hpp"

#include <gtest/gtest.h>

#include "attention/embedding.hpp"

namespace document {
namespace {

using attention::Tensor;

TEST(Positions, AreTheEncodingOfTheirSizes) {
  for (const attention::Shape& shape :
       {attention::Shape{1, 3, 6}, {2, 9, 5}, {2, 3, 6}, {1, 6, 3}, {1, 3, 6}, {1, 700, 400}}) {
    const Tensor encoding = positions_of(Tensor(shape));
    EXPECT_EQ(encoding.shape(), (attention::Shape{shape[1], shape[2]}));
    EXPECT_EQ(encoding.values(), attention::position_encoding(shape[1], shape[2]).values());
  }
}

TEST(Positions, AreAddedToEverySample) {
  Tensor embedding({2, 3, 4});
  embedding.set({1, 2, 3}, 5.0F);
  const Tensor sum = with_positions(embedding);
  const Tensor encoding = attention::position_encoding(3, 4);
  EXPECT_EQ(sum.at({0, 1, 2}), encoding.at({1, 2}));
  EXPECT_EQ(sum.at({1, 2, 3}), 5.0F + encoding.at({2, 3}));
}

TEST(Positions, AreMadeOnceForQueriesAndKeys) {
  const Tensor queries = positions_of(Tensor({1, 4, 8}));
  const Tensor keys = positions_of(Tensor({1, 5, 8}));
  for (int round = 0; round < 3; ++round) {
    EXPECT_TRUE(positions_of(Tensor({1, 4, 8})).is_same_view(queries));
    EXPECT_TRUE(positions_of(Tensor({2, 5, 8})).is_same_view(keys));
  }
}

TEST(Positions, ThatSomebodyWroteIntoAreMadeAnew) {
  Tensor encoding = positions_of(Tensor({1, 2, 4}));
  encoding.set({0, 0}, 7.0F);
  EXPECT_EQ(positions_of(Tensor({1, 2, 4})).values(), attention::position_encoding(2, 4).values());
}

}  // namespace
}  // namespace document

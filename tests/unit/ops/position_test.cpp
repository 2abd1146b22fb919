#include <cmath>

#include "ops/uses.hpp"

namespace ops {
namespace {

Tensor position_encoding(std::size_t length, std::size_t embed_dim) {
  return made_by(position, use_of({Lq, E}, {{Tensor({2, length, embed_dim}), {B, Lq, E}}}));
}

TEST(Position, FirstPositionIsZerosAndOnes) {
  expect_values(position_encoding(1, 6), {0, 1, 0, 1, 0, 1});
}

TEST(Position, IsTheFormulaOfThePaper) {
  for (const std::size_t embed_dim : {1U, 2U, 5U, 6U, 512U}) {
    const Tensor encoding = position_encoding(65, embed_dim);
    EXPECT_EQ(encoding.shape(), (Shape{65, embed_dim}));
    for (std::size_t place = 0; place < 65; ++place) {
      for (std::size_t i = 0; 2 * i < embed_dim; ++i) {
        // Written as the paper has it: 10000^(2i/d), by way of the logarithm.
        const double angle =
            static_cast<double>(place) * std::exp(-std::log(10000.0) * static_cast<double>(2 * i) /
                                                  static_cast<double>(embed_dim));
        EXPECT_NEAR(static_cast<double>(encoding.at({place, 2 * i})), std::sin(angle), 1e-7);
        if (2 * i + 1 < embed_dim) {
          EXPECT_NEAR(static_cast<double>(encoding.at({place, 2 * i + 1})), std::cos(angle), 1e-7);
        }
      }
    }
  }
}

TEST(Position, KnownNumbers) {
  // Position 1 of a model of width 4: sin 1, cos 1, sin 0.01, cos 0.01.
  const Tensor encoding = position_encoding(2, 4);
  EXPECT_NEAR(encoding.at({1, 0}), 0.8414710F, 1e-6);
  EXPECT_NEAR(encoding.at({1, 1}), 0.5403023F, 1e-6);
  EXPECT_NEAR(encoding.at({1, 2}), 0.0099998F, 1e-6);
  EXPECT_NEAR(encoding.at({1, 3}), 0.9999500F, 1e-6);
}

TEST(Position, SaysWhatItWasDividedBy) {
  const Use use = use_of({Lq, E}, {{Tensor({1, 3, 5}), {B, Lq, E}}});
  const Explanation made = explained(position, use, {2, 3});
  EXPECT_EQ(made.rule, Rule::position);
  EXPECT_NEAR(made.divisor, std::pow(10000.0, 2.0 / 5.0), 1e-12);
  EXPECT_NEAR(made.result, std::cos(2.0 / made.divisor), 1e-15);
}

TEST(Position, DivisorsComeInPairs) {
  const Use use = use_of({Lq, E}, {{Tensor({1, 3, 4}), {B, Lq, E}}});
  const auto divisor = [&](std::size_t column) {
    return explained(position, use, {1, column}).divisor;
  };
  EXPECT_EQ(divisor(0), 1.0);
  EXPECT_EQ(divisor(1), 1.0);
  EXPECT_NEAR(divisor(2), 100.0, 1e-9);
  EXPECT_EQ(divisor(3), divisor(2));
}

}  // namespace
}  // namespace ops

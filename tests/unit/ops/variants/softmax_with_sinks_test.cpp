#include <cmath>
#include <limits>
#include <vector>

#include "ops/uses.hpp"

namespace ops {
namespace {

Use sunk(const Tensor& scores, const Tensor& sinks) {
  return use_of({B, H, Lq, Lk}, {{scores, {B, H, Lq, Lk}}, {sinks, {H}}});
}

TEST(SoftmaxWithSinks, IsASoftmaxOfOneScoreMore) {
  Numbers numbers(1);
  const Tensor scores = numbers.tensor({2, 3, 4, 5});
  const Tensor sinks({3}, {0.0F, 2.5F, -40.0F});
  const Tensor weights = made_by(softmax_with_sinks, sunk(scores, sinks));
  Index row = Index::filled(4, 0);
  do {
    double sum = std::exp(static_cast<double>(sinks.at({row[1]})));
    for (std::size_t key = 0; key < 5; ++key)
      sum += std::exp(static_cast<double>(scores.at({row[0], row[1], row[2], key})));
    EXPECT_NEAR(weights.at(row), std::exp(static_cast<double>(scores.at(row))) / sum, 1e-6);
  } while (next_index(row, scores.shape()));
}

TEST(SoftmaxWithSinks, GivesNothingToHiddenKeys) {
  constexpr float hides = -std::numeric_limits<float>::infinity();
  const Tensor scores({1, 1, 2, 2}, {hides, hides, hides, 0.0F});
  const Tensor weights = made_by(softmax_with_sinks, sunk(scores, Tensor({1}, {0.0F})));
  EXPECT_EQ(weights.values(), (std::vector<float>{0.0F, 0.0F, 0.0F, 0.5F}));
}

TEST(SoftmaxWithSinks, DoesNotOverflow) {
  const Tensor scores({1, 1, 1, 2}, {1000.0F, 999.0F});
  const Tensor large = made_by(softmax_with_sinks, sunk(scores, Tensor({1}, {1001.0F})));
  EXPECT_NEAR(large.at({0, 0, 0, 0}), std::exp(-1.0) / (1 + std::exp(-1.0) + std::exp(-2.0)), 1e-6);
  const Tensor small = made_by(softmax_with_sinks, sunk(scores, Tensor({1}, {-10000.0F})));
  EXPECT_NEAR(small.at({0, 0, 0, 0}), 1 / (1 + std::exp(-1.0)), 1e-6);
}

TEST(SoftmaxWithSinks, GradientOfTheSinksIsTheirCentralDifference) {
  Numbers numbers(2);
  const Tensor scores = numbers.tensor({2, 3, 4, 5});
  const Tensor sinks({3}, {0.0F, 1.5F, -2.0F});
  const Tensor d = numbers.tensor({2, 3, 4, 5});
  const Tensor gradient = gradient_by(softmax_with_sinks, 1, sunk(scores, sinks), d);
  ASSERT_EQ(gradient.shape(), sinks.shape());
  for (std::size_t head = 0; head < 3; ++head) {
    // Σ d · weight, in double.
    const auto loss = [&](double moved) {
      double sum = 0.0;
      for (std::size_t row = 0; row < 8; ++row) {
        double powers = std::exp(static_cast<double>(sinks.at({head})) + moved);
        double weighed = 0.0;
        for (std::size_t key = 0; key < 5; ++key) {
          const Index at{row / 4, head, row % 4, key};
          const double power = std::exp(static_cast<double>(scores.at(at)));
          powers += power;
          weighed += power * static_cast<double>(d.at(at));
        }
        sum += weighed / powers;
      }
      return sum;
    };
    EXPECT_NEAR(gradient.at({head}), (loss(1e-5) - loss(-1e-5)) / 2e-5, 1e-5);
  }
}

}  // namespace
}  // namespace ops

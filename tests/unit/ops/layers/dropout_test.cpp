#include <cmath>

#include "fixture_file.hpp"
#include "ops/uses.hpp"

namespace ops {
namespace {

Use dropout_use(const Tensor& x, float seed, float share) {
  Constants constants;
  constants.dropout = share;
  return use_of({B, L, E}, {{x, {B, L, E}}, {Tensor::full({}, seed), {}}}, constants);
}

std::vector<bool> zeros_of(const Tensor& x) {
  std::vector<bool> zeros;
  for (const float number : x.values()) zeros.push_back(number == 0.0F);
  return zeros;
}

TEST(Dropout, AsNumPy) {
  const test::FixtureFile fixture = test::fixture_file("dropout");
  const Use use = dropout_use(fixture["x"], fixture["seed"].at({}), fixture.number("dropout"));
  EXPECT_TRUE(made_by(dropout, use).has_same_bits(fixture["expected.result"]));
}

TEST(Dropout, DropsAShareAndScalesTheRest) {
  for (const float share : {0.1F, 0.5F, 0.9F}) {
    const Tensor made = dropout.forward(dropout_use(Tensor::full({10, 100, 100}, 2.0F), 7, share));
    double zeros = 0.0;
    for (const float number : made.values()) {
      if (number == 0.0F) {
        ++zeros;
      } else {
        EXPECT_EQ(number, 2.0F * static_cast<float>(1.0 / (1.0 - static_cast<double>(share))));
      }
    }
    // Six standard deviations of 100,000 throws.
    const auto p = static_cast<double>(share);
    EXPECT_NEAR(zeros / 1e5, p, 6.0 * std::sqrt(p * (1.0 - p) / 1e5)) << share;
  }
}

TEST(Dropout, OfNothingLeavesTheNumbers) {
  const Tensor x = counting({2, 3, 4});
  EXPECT_TRUE(made_by(dropout, dropout_use(x, 5, 0.0F)).has_same_bits(x));
}

TEST(Dropout, TheSeedDecides) {
  const Tensor x = Tensor::full({2, 10, 10}, 1.0F);
  const Tensor first = dropout.forward(dropout_use(x, 1, 0.5F));
  EXPECT_TRUE(dropout.forward(dropout_use(x, 1, 0.5F)).has_same_bits(first));
  for (const float seed : {0.0F, 2.0F, 16777215.0F}) {
    const std::vector<bool> a = zeros_of(first);
    const std::vector<bool> b = zeros_of(dropout.forward(dropout_use(x, seed, 0.5F)));
    double same = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) same += a[i] == b[i] ? 1.0 : 0.0;
    EXPECT_NEAR(same / 200.0, 0.5, 0.2) << seed;
  }
}

TEST(Dropout, ThePlaceDecidesAndNotTheStrides) {
  Numbers numbers(2);
  const Tensor x = numbers.tensor({2, 3, 4});
  const Tensor turned = x.transpose(0, 1).clone().transpose(0, 1);
  EXPECT_TRUE(made_by(dropout, dropout_use(turned, 3, 0.5F))
                  .has_same_bits(made_by(dropout, dropout_use(x, 3, 0.5F))));
}

TEST(Dropout, TheWayBackDropsTheSame) {
  const Use use = dropout_use(Tensor::full({2, 4, 5}, 1.0F), 11, 0.25F);
  const Tensor gradient = gradient_by(dropout, 0, use, Tensor::full({2, 4, 5}, 3.0F));
  EXPECT_EQ(zeros_of(gradient), zeros_of(dropout.forward(use)));
  for (const float number : gradient.values()) {
    EXPECT_TRUE(number == 0.0F || number == 4.0F) << number;
  }
  EXPECT_EQ(dropout.backward[1].operation, nullptr);
}

}  // namespace
}  // namespace ops

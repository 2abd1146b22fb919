#include <cmath>
#include <limits>

#include "ops/uses.hpp"

namespace ops {
namespace {

Use capped(const Tensor& x, float cap) {
  Constants constants;
  constants.softcap = cap;
  return use_of({Lq, Lk}, {{x, {Lq, Lk}}}, constants);
}

TEST(SoftCap, IsTheDefinition) {
  const Tensor x({1, 5}, {0, 1, -30, 50, 1000});
  const Tensor y = made_by(soft_cap, capped(x, 50.0F));
  for (std::size_t i = 0; i < 5; ++i)
    EXPECT_NEAR(y.at({0, i}), 50.0 * std::tanh(x.at({0, i}) / 50.0), 1e-5);
  EXPECT_EQ(y.at({0, 0}), 0.0F);
  EXPECT_EQ(y.at({0, 4}), 50.0F);
}

TEST(SoftCap, KeepsWhatIsNoNumber) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  const Tensor y = made_by(soft_cap, capped(Tensor({1, 3}, {infinity, -infinity, NAN}), 2.0F));
  EXPECT_EQ(y.at({0, 0}), 2.0F);
  EXPECT_EQ(y.at({0, 1}), -2.0F);
  EXPECT_TRUE(std::isnan(y.at({0, 2})));
}

TEST(SoftCap, GradientIsItsSlope) {
  Numbers numbers(1);
  const Tensor x = numbers.tensor({3, 4});
  const Tensor d = numbers.tensor({3, 4});
  const Tensor gradient = gradient_by(soft_cap, 0, capped(x, 0.5F), d);
  Index at = Index::filled(2, 0);
  do {
    const auto value = [&](double moved) {
      return 0.5 * std::tanh((static_cast<double>(x.at(at)) + moved) / 0.5);
    };
    EXPECT_NEAR(gradient.at(at),
                static_cast<double>(d.at(at)) * (value(1e-5) - value(-1e-5)) / 2e-5, 1e-6);
  } while (next_index(at, x.shape()));
}

}  // namespace
}  // namespace ops

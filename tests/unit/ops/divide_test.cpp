#include <cmath>
#include <limits>
#include <vector>

#include "ops/uses.hpp"

namespace ops {
namespace {

Tensor divided(const Tensor& x, float divisor) {
  Constants constants;
  constants.divisor = divisor;
  return made_by(divide, use_of({Lq, Lk}, {{x, {Lq, Lk}}}, constants));
}

TEST(Divide, EveryNumber) {
  expect_values(divided(Tensor({2, 2}, {1, -2, 3, 0}), 2.0F), {0.5F, -1.0F, 1.5F, 0.0F});
  expect_values(divided(counting({2, 3}).transpose(0, 1), 1.0F), {1, 4, 2, 5, 3, 6});
}

TEST(Divide, IsNoProductWithARoundedReciprocal) {
  std::vector<float> x;
  for (int i = -40; i <= 40; ++i) x.push_back(std::ldexp(1.7F, 3 * i));
  x.push_back(std::numeric_limits<float>::denorm_min());
  x.push_back(std::numeric_limits<float>::infinity());
  for (const float divisor : {8.0F, -0.5F, 1.0F, 3.0F, std::ldexp(1.0F, 127),
                              std::ldexp(1.0F, -127), std::ldexp(1.0F, -149), 22.627417F}) {
    Constants constants;
    constants.divisor = divisor;
    const Tensor row({1, x.size()}, x);
    const Tensor result = divide.forward(use_of({Lq, Lk}, {{row, {Lq, Lk}}}, constants));
    for (std::size_t i = 0; i < x.size(); ++i)
      EXPECT_EQ(result.at({0, i}), x[i] / divisor) << x[i] << " / " << divisor;
  }
}

}  // namespace
}  // namespace ops

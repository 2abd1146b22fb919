#include <cmath>

#include "ops/uses.hpp"
#include "special_floats.hpp"

namespace ops {
namespace {

Tensor activated(const Operation& operation, const Tensor& x) {
  return made_by(operation, use_of({F}, {{x, {F}}}));
}

TEST(Activations, Relu) {
  expect_values(activated(relu, Tensor({5}, {-1, 0, 2.5F, -infinity, infinity})),
                {0, 0, 2.5F, 0, infinity});
  EXPECT_TRUE(std::isnan(activated(relu, Tensor({1}, {not_a_number})).at({0})));
}

TEST(Activations, GeluIsTheExactForm) {
  const Tensor x({6}, {-3, -1, -0.25F, 0, 0.5F, 2});
  Array expected(x.shape());
  for (std::size_t i = 0; i < 6; ++i) {
    const auto value = static_cast<double>(x.at({i}));
    expected[{i}] = value * 0.5 * (1.0 + std::erf(value / std::sqrt(2.0)));
  }
  expect_close(activated(gelu, x), expected, 1e-6, "gelu");
  EXPECT_TRUE(std::isnan(activated(gelu, Tensor({1}, {not_a_number})).at({0})));
}

}  // namespace
}  // namespace ops

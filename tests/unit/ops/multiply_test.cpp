#include "ops/uses.hpp"

namespace ops {
namespace {

TEST(Multiply, EachWeightWithEachValue) {
  const Tensor products =
      made_by(multiply, use_of({Lq, Lk, D}, {{Tensor({2, 2}, {1, 2, 3, 4}), {Lq, Lk}},
                                             {Tensor({2, 3}, {1, 10, 100, 2, 20, 200}), {Lk, D}}}));
  expect_values(products, {1, 10, 100, 4, 40, 400, 3, 30, 300, 8, 80, 800});
}

TEST(Multiply, Gradients) {
  Numbers numbers(1);
  const Axes axes{B, H, Lq, Lk, D};
  const Tensor weights = numbers.tensor({2, 2, 3, 4});
  const Tensor values = numbers.tensor({2, 4, 2, 5}).transpose(1, 2);
  const Use use = use_of(axes, {{weights, {B, H, Lq, Lk}}, {values, {B, H, Lk, D}}});
  const Tensor d = numbers.tensor({2, 2, 3, 4, 5});
  expect_close(gradient_by(multiply, 0, use, d),
               einsum_reference(use_of({B, H, Lq, Lk}, {{d, axes}, {values, {B, H, Lk, D}}})), 1e-5,
               "weights");
  expect_close(gradient_by(multiply, 1, use, d),
               einsum_reference(use_of({B, H, Lk, D}, {{d, axes}, {weights, {B, H, Lq, Lk}}})),
               1e-5, "values");
}

}  // namespace
}  // namespace ops

#include "ops/uses.hpp"

namespace ops {
namespace {

TEST(ProductUntransposed, RowsOfQueriesMeetRowsOfKeysAsColumns) {
  const Tensor q({1, 1, 1, 2}, {1, 10});
  const Tensor k({1, 1, 2, 2}, {1, 2, 3, 4});
  const Use use = use_of({B, H, Lq, Lk}, {{q, {B, H, Lq, D}}, {k, {B, H, Lk, D}}});
  expect_values(made_by(product_untransposed, use), {31, 42});
  expect_values(made_by(product, use), {21, 43});
}

TEST(ProductUntransposed, Gradients) {
  Numbers numbers(1);
  const Tensor q = numbers.tensor({2, 4, 2, 3}).transpose(1, 2);
  const Tensor k = numbers.tensor({2, 3, 2, 3}).transpose(1, 2);
  const Use use = use_of({B, H, Lq, Lk}, {{q, {B, H, Lq, D}}, {k, {B, H, Lk, D}}});
  const Tensor d = numbers.tensor({2, 2, 4, 3});
  // scores[i,j] = Σ over m of q[i,m] · k[m,j].
  expect_close(gradient_by(product_untransposed, 0, use, d),
               einsum_reference(use_of({B, H, Lq, F}, {{d, {B, H, Lq, Lk}}, {k, {B, H, F, Lk}}})),
               1e-6, "q");
  expect_close(gradient_by(product_untransposed, 1, use, d),
               einsum_reference(use_of({B, H, F, Lk}, {{q, {B, H, Lq, F}}, {d, {B, H, Lq, Lk}}})),
               1e-6, "k");
}

}  // namespace
}  // namespace ops

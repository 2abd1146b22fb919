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

}  // namespace
}  // namespace ops

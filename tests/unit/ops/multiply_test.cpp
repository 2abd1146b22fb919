#include "ops/uses.hpp"

namespace ops {
namespace {

TEST(Multiply, EachWeightWithEachValue) {
  const Tensor products =
      made_by(multiply, use_of({Lq, Lk, D}, {{Tensor({2, 2}, {1, 2, 3, 4}), {Lq, Lk}},
                                             {Tensor({2, 3}, {1, 10, 100, 2, 20, 200}), {Lk, D}}}));
  expect_values(products, {1, 10, 100, 4, 40, 400, 3, 30, 300, 8, 80, 800});
}

}  // namespace
}  // namespace ops

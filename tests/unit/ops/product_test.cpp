#include "ops/uses.hpp"

namespace ops {
namespace {

/// The definition, of one matrix for each index of the letters before the last two.
Array product_reference(const Tensor& a, const Tensor& b_transposed) {
  Shape shape = a.shape();
  shape[shape.rank() - 1] = b_transposed.dim(b_transposed.rank() - 2);
  Array result(shape);
  Index index = Index::filled(shape.rank(), 0);
  do {
    Index at_a = index;
    Index at_b = index;
    at_b[index.rank() - 2] = index.back();
    for (std::size_t k = 0; k < a.shape().back(); ++k) {
      at_a[index.rank() - 1] = at_b[index.rank() - 1] = k;
      result[index] += static_cast<double>(a.at(at_a)) * static_cast<double>(b_transposed.at(at_b));
    }
  } while (next_index(index, shape));
  return result;
}

Tensor linear_of(const Tensor& x, const Tensor& weight, const Tensor& bias = {}) {
  if (!bias.defined())
    return made_by(product, use_of({B, L, F}, {{x, {B, L, E}}, {weight, {F, E}}}));
  return made_by(product, use_of({B, L, F}, {{x, {B, L, E}}, {weight, {F, E}}, {bias, {F}}}));
}

Array linear_reference(const Tensor& x, const Tensor& weight, const Tensor& bias) {
  Array result(Shape{x.dim(0), x.dim(1), weight.dim(0)});
  Index index{0, 0, 0};
  do {
    double sum = bias.defined() ? static_cast<double>(bias.at({index[2]})) : 0.0;
    for (std::size_t i = 0; i < x.dim(2); ++i) {
      sum += static_cast<double>(x.at({index[0], index[1], i})) *
             static_cast<double>(weight.at({index[2], i}));
    }
    result[index] = sum;
  } while (next_index(index, result.shape));
  return result;
}

TEST(Product, ALinearLayerByHand) {
  // W is [out,in]: y0 = 1·x0 + 2·x1 + 10.
  expect_values(linear_of(Tensor({1, 1, 2}, {3, 4}), Tensor({3, 2}, {1, 2, 0, 1, 1, 0}),
                          Tensor({3}, {10, 20, 30})),
                {21, 24, 33});
}

TEST(Product, ALinearLayerIsTheDefinition) {
  Numbers numbers(1);
  for (const Shape& shape : {Shape{1, 1, 1}, Shape{2, 3, 4}, Shape{3, 5, 13}, Shape{1, 9, 300}}) {
    for (const std::size_t out : {1U, 4U, 9U}) {
      const Tensor x = numbers.tensor(shape);
      const Tensor weight = numbers.tensor({out, shape[2]});
      const Tensor bias = numbers.tensor({out});
      expect_close(linear_of(x, weight, bias), linear_reference(x, weight, bias), 2e-5, "bias");
      expect_close(linear_of(x, weight), linear_reference(x, weight, {}), 2e-5, "no bias");
    }
  }
}

TEST(Product, ALinearLayerTakesViews) {
  Numbers numbers(2);
  const Tensor x = numbers.tensor({3, 2, 4}).transpose(0, 1);
  const Tensor weight = numbers.tensor({12, 4}).narrow(0, 4, 4);  // as k's part of in_proj_weight
  const Tensor bias = numbers.tensor({12}).narrow(0, 4, 4);
  expect_close(linear_of(x, weight, bias), linear_reference(x, weight, bias), 1e-6, "views");
  const Tensor turned = numbers.tensor({4, 4}).transpose(0, 1);
  const Tensor apart = numbers.tensor({4, 2}).select(1, 1);
  expect_close(linear_of(x, turned, apart), linear_reference(x, turned, apart), 1e-6, "turned");
}

TEST(Product, OfHeadsOfASplitTensor) {
  Numbers numbers(3);
  for (const std::size_t head_dim : {1U, 4U, 20U}) {
    const Tensor q =
        numbers.tensor({2, 5, 3 * head_dim}).reshape({2, 5, 3, head_dim}).transpose(1, 2);
    const Tensor k =
        numbers.tensor({2, 7, 3 * head_dim}).reshape({2, 7, 3, head_dim}).transpose(1, 2);
    const Tensor scores =
        made_by(product, use_of({B, H, Lq, Lk}, {{q, {B, H, Lq, D}}, {k, {B, H, Lk, D}}}));
    expect_close(scores, product_reference(q, k), 1e-5, "scores");
    // Weights and values: the letter that is summed over stands elsewhere in the second.
    const Tensor weights = numbers.tensor({2, 3, 5, 7});
    const Tensor sums =
        made_by(product, use_of({B, H, Lq, D}, {{weights, {B, H, Lq, Lk}}, {k, {B, H, Lk, D}}}));
    expect_close(sums, product_reference(weights, k.transpose(2, 3)), 1e-5, "sums");
  }
}

TEST(Product, OfRowsThatAreNotSideBySide) {
  Numbers numbers(4);
  const Tensor q = numbers.tensor({1, 1, 4, 6}).transpose(2, 3);  // [1,1,6,4]
  const Tensor k = numbers.tensor({1, 1, 4, 3}).transpose(2, 3);  // [1,1,3,4]
  const Tensor scores =
      made_by(product, use_of({B, H, Lq, Lk}, {{q, {B, H, Lq, D}}, {k, {B, H, Lk, D}}}));
  expect_close(scores, product_reference(q, k), 1e-6, "turned");
}

void expect_einsum(const Use& use, const std::string& what) {
  const Tensor made = made_by(product, use);
  expect_close(made, einsum_reference(use), 2e-5, what);
  EXPECT_TRUE(made.is_contiguous()) << what;
}

TEST(Product, OverSeveralLetters) {
  Numbers numbers(5);
  // The gradient of a weight, from all tokens of all samples; and of values of one number.
  expect_einsum(use_of({F, E}, {{numbers.tensor({2, 5, 3}), {B, L, F}},
                                {numbers.tensor({2, 5, 4}), {B, L, E}}}),
                "weight");
  expect_einsum(use_of({F, E}, {{numbers.tensor({3, 90, 7}), {B, L, F}},
                                {numbers.tensor({3, 90, 19}), {B, L, E}}}),
                "longer than a block");
  expect_einsum(use_of({D}, {{numbers.tensor({2, 3, 2, 4}), {B, H, L, D}},
                             {numbers.tensor({2, 3, 2}), {B, H, L}}}),
                "three letters, one column");
  expect_einsum(use_of({F, E}, {{numbers.tensor({1, 1, 1}), {B, L, F}},
                                {numbers.tensor({1, 1, 1}), {B, L, E}}}),
                "one number");
}

TEST(Product, OverSeveralLettersOfViews) {
  Numbers numbers(6);
  const Tensor turned = numbers.tensor({5, 2, 3}).transpose(0, 1);
  const Tensor part = numbers.tensor({2, 7, 4}).narrow(1, 1, 5);
  const Use use = use_of({F, E}, {{turned, {B, L, F}}, {part, {B, L, E}}});
  expect_einsum(use, "not evenly spaced");
  const Explanation made = explained(product, use, {2, 3});
  ASSERT_EQ(made.terms.size(), 10U);
  EXPECT_EQ(made.terms[6].a.index, (Index{1, 1, 2}));
  EXPECT_EQ(made.terms[6].b.index, (Index{1, 1, 3}));
  const Tensor repeated = numbers.tensor({1, 5, 4}).expand({2, 5, 4});
  expect_einsum(use_of({F, E}, {{turned, {B, L, F}}, {repeated, {B, L, E}}}), "repeated");
}

TEST(Product, OfATransposedLeftFactor) {
  Numbers numbers(7);
  for (const std::size_t length : {1U, 5U, 67U, 300U}) {  // a block is 256 deep
    const Tensor weights = numbers.tensor({2, 3, length, 6});
    const Tensor heads = numbers.tensor({2, length, 3, 4}).transpose(1, 2);
    expect_einsum(use_of({B, H, Lk, D}, {{weights, {B, H, Lq, Lk}}, {heads, {B, H, Lq, D}}}),
                  "weights transposed, " + std::to_string(length));
    expect_einsum(use_of({B, H, Lk, D}, {{heads, {B, H, Lq, D}}, {weights, {B, H, Lq, Lk}}}),
                  "the factors the other way round, " + std::to_string(length));
  }
}

TEST(Product, WithLettersInAnyOrder) {
  Numbers numbers(8);
  const Tensor a = numbers.tensor({2, 3, 4});
  const Tensor b = numbers.tensor({4, 5, 2});
  expect_einsum(use_of({L, F}, {{a, {B, L, E}}, {b, {E, F, B}}}), "two summed");
  expect_einsum(use_of({F, L}, {{a, {B, L, E}}, {b, {E, F, B}}}), "the other way round");
  expect_einsum(use_of({B, F, L}, {{a, {B, L, E}}, {b, {E, F, B}}}), "of each sample");
  expect_einsum(use_of({L, B, F}, {{a, {B, L, E}}, {b, {E, F, B}}}), "samples in between");
  expect_einsum(use_of({L, F, B}, {{a, {B, L, E}}, {b, {E, F, B}}}), "samples last");
}

TEST(Product, OverNoLetter) {
  Numbers numbers(9);
  const Use use = use_of({L, E}, {{numbers.tensor({3, 4}), {L, E}}, {numbers.tensor({4}), {E}}});
  expect_einsum(use, "repeated along tokens");
  EXPECT_EQ(explained(product, use, {1, 2}).terms.size(), 1U);
}

TEST(Product, GradientsOfALinearLayer) {
  Numbers numbers(10);
  const Tensor x = numbers.tensor({3, 2, 4}).transpose(0, 1);
  const Tensor weight = numbers.tensor({5, 4});
  const Use use = use_of({B, L, F}, {{x, {B, L, E}}, {weight, {F, E}}, {numbers.tensor({5}), {F}}});
  const Tensor d = numbers.tensor({2, 3, 5});
  expect_close(gradient_by(product, 0, use, d),
               einsum_reference(use_of({B, L, E}, {{d, {B, L, F}}, {weight, {F, E}}})), 1e-6, "x");
  expect_close(gradient_by(product, 1, use, d),
               einsum_reference(use_of({F, E}, {{d, {B, L, F}}, {x, {B, L, E}}})), 1e-6, "weight");
  expect_close(gradient_by(product, 2, use, d),
               einsum_reference(use_of({F}, {{d, {B, L, F}}, {Tensor::full({}, 1.0F), {}}})), 1e-6,
               "bias");
}

}  // namespace
}  // namespace ops

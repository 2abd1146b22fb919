#include "attention/scaled_dot_product.hpp"

#include <array>
#include <cmath>

#include <gtest/gtest.h>

#include "attention/helpers.hpp"
#include "attention/mask.hpp"
#include "attention/multi_head_attention.hpp"
#include "attention/same.hpp"
#include "special_floats.hpp"

namespace attention {
namespace {

using test::Numbers;

void expect_as_step_by_step(const Inputs& inputs, Options options) {
  const Result<Trace> at_once = multi_head_attention(inputs, {}, options);
  options.step_by_step = true;
  const Result<Trace> one_by_one = multi_head_attention(inputs, {}, options);
  ASSERT_TRUE(at_once && one_by_one);
  test::expect_same_trace(*at_once, *one_by_one);
}

struct ProductSizes {
  std::size_t batch, query_len, key_len, heads, head_dim;
};

// More queries than are treated together, more keys than a block of the product is deep, and odd
// numbers of everything.
constexpr std::array<ProductSizes, 9> all_product_sizes{{{1, 1, 1, 1, 1},
                                                         {1, 19, 16, 2, 16},
                                                         {2, 19, 17, 2, 5},
                                                         {1, 3, 3, 2, 3},
                                                         {2, 9, 5, 3, 7},
                                                         {1, 70, 70, 2, 8},
                                                         {1, 67, 300, 1, 5},
                                                         {1, 5, 2100, 1, 3},
                                                         {2, 13, 1, 2, 16}}};

Inputs made_up(const ProductSizes& sizes, Numbers& numbers) {
  const std::size_t E = sizes.heads * sizes.head_dim;
  return {numbers.tensor({sizes.batch, sizes.query_len, E}),
          numbers.tensor({sizes.batch, sizes.key_len, E}),
          numbers.tensor({sizes.batch, sizes.key_len, E}),
          {}};
}

TEST(ScaledDotProduct, IsTheStepsToTheLastBit) {
  Numbers numbers(1);
  for (const ProductSizes& sizes : all_product_sizes) {
    for (const Scale::Kind kind : {Scale::Kind::none, Scale::Kind::sqrt_head_dim,
                                   Scale::Kind::sqrt_keys, Scale::Kind::number}) {
      Inputs inputs = made_up(sizes, numbers);
      const Options options{sizes.heads, {kind, 3.0F}, {}};
      expect_as_step_by_step(inputs, options);
      inputs.mask = look_ahead_mask(sizes.query_len, sizes.key_len);
      expect_as_step_by_step(inputs, options);
      inputs.mask = numbers.tensor({sizes.batch, sizes.heads, sizes.query_len, sizes.key_len});
      expect_as_step_by_step(inputs, options);
      inputs.mask =
          padding_mask(std::vector<std::size_t>(sizes.batch, sizes.key_len / 2), sizes.key_len);
      expect_as_step_by_step(inputs, options);
    }
  }
}

TEST(ScaledDotProduct, MasksOfEveryLayout) {
  Numbers numbers(2);
  for (const std::size_t keys : {6U, 18U}) {  // 18: no small product
    const ProductSizes sizes{2, 5, keys, 2, 4};
    Inputs inputs = made_up(sizes, numbers);
    for (const Tensor& mask :
         {numbers.tensor({keys, 5}).transpose(0, 1), numbers.tensor({2, 1, 5, 1}),
          numbers.tensor({1, 2, 1, keys}), numbers.tensor({2, 5, keys}), numbers.tensor({1, 1})}) {
      inputs.mask = mask;
      expect_as_step_by_step(inputs, {sizes.heads, {}, {}});
    }
  }
}

TEST(ScaledDotProduct, WhatIsNotFiniteIsNotSkipped) {
  Numbers numbers(3);
  for (const std::size_t tokens : {11U, 19U}) {
    const ProductSizes sizes{1, tokens, tokens, 2, 4};
    const Tensor look_ahead = look_ahead_mask(tokens, tokens);
    for (const float odd : {infinity, -infinity, not_a_number}) {
      for (const Tensor& mask : {Tensor{}, look_ahead, Tensor::full({tokens, tokens}, hidden)}) {
        Inputs inputs = made_up(sizes, numbers);
        inputs.mask = mask;
        inputs.value.set({0, 9, 5}, odd);
        expect_as_step_by_step(inputs, {sizes.heads, {}, {}});
        inputs.key.set({0, 8, 1}, odd);
        expect_as_step_by_step(inputs, {sizes.heads, {}, {}});
        inputs.query.set({0, 4, 6}, odd);
        expect_as_step_by_step(inputs, {sizes.heads, {}, {}});
      }
    }
    // A hidden value that is NaN shows in the sum, as it does in PyTorch.
    Inputs inputs = made_up(sizes, numbers);
    inputs.mask = look_ahead;
    inputs.value.set({0, tokens - 1, 0}, not_a_number);
    const Result<Trace> trace = multi_head_attention(inputs, {}, {sizes.heads, {}, {}});
    ASSERT_TRUE(trace);
    EXPECT_TRUE(std::isnan((*trace)[TensorId::head_outputs].at({0, 0, 0, 0})));
    EXPECT_FALSE(std::isnan((*trace)[TensorId::head_outputs].at({0, 1, 0, 0})));
  }
}

}  // namespace
}  // namespace attention

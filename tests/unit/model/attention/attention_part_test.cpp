#include "model/attention/attention_part.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "model/attention/mask.hpp"
#include "model/problems.hpp"
#include "model/reference.hpp"
#include "special_floats.hpp"

namespace model {
namespace {

/// Computes and holds every tensor against the loops in double.
Trace expect_reference(const Tensors& given, const Options& options, const std::string& what) {
  Trace trace = computed(given, options);
  expect_trace(trace, given, options, what);
  return trace;
}

struct LayerSizes {
  std::size_t batch, query_len, key_len, embed_dim, num_heads, kdim, vdim;
};

TEST(MultiHeadAttention, EveryTensorForManySizes) {
  Numbers numbers(1);
  for (const LayerSizes& size :
       {LayerSizes{1, 1, 1, 1, 1, 1, 1}, LayerSizes{1, 3, 3, 4, 1, 4, 4},
        LayerSizes{2, 3, 5, 6, 2, 6, 6}, LayerSizes{3, 5, 3, 6, 3, 4, 7},
        LayerSizes{1, 7, 2, 5, 5, 3, 5}, LayerSizes{2, 1, 9, 12, 4, 12, 1},
        LayerSizes{1, 9, 12, 64, 8, 64, 64}, LayerSizes{4, 13, 11, 21, 7, 10, 30}}) {
    for (const bool with_bias : {false, true}) {
      const Tensors inputs = inputs_of(numbers.tensor({size.batch, size.query_len, size.embed_dim}),
                                       numbers.tensor({size.batch, size.key_len, size.kdim}),
                                       numbers.tensor({size.batch, size.key_len, size.vdim}));
      const Tensors weights =
          random_weights(numbers, size.embed_dim, size.kdim, size.vdim, with_bias);
      expect_reference(joined(inputs, weights), {size.num_heads, {}, {}},
                       "sizes " + describe(inputs["query_input"].shape()));
    }
  }
}

TEST(MultiHeadAttention, OneToTwelveHeads) {
  Numbers numbers(2);
  for (std::size_t heads = 1; heads <= 12; ++heads) {
    const std::size_t embed_dim = 3 * heads;
    const Tensor x = numbers.tensor({2, 5, embed_dim});
    expect_reference(self_inputs(x, look_ahead_mask(5, 5),
                                 random_weights(numbers, embed_dim, embed_dim, embed_dim, true)),
                     {heads, {}, {}}, std::to_string(heads) + " heads");
  }
}

TEST(MultiHeadAttention, EveryScale) {
  Numbers numbers(3);
  const Tensors inputs =
      inputs_of(numbers.tensor({2, 4, 6}), numbers.tensor({2, 7, 6}), numbers.tensor({2, 7, 6}));
  const Tensors weights = random_weights(numbers, 6, 6, 6, true);
  for (const Scale& scale :
       {Scale{Scale::Kind::none}, Scale{Scale::Kind::sqrt_head_dim}, Scale{Scale::Kind::sqrt_keys},
        Scale{Scale::Kind::number, 2.5F}, Scale{Scale::Kind::number, -0.5F}}) {
    expect_reference(joined(inputs, weights), {3, scale, {}}, "scale");
  }
}

TEST(MultiHeadAttention, EveryMaskShape) {
  Numbers numbers(4);
  const Tensors plain =
      inputs_of(numbers.tensor({2, 4, 6}), numbers.tensor({2, 5, 6}), numbers.tensor({2, 5, 6}));
  const Tensors weights = random_weights(numbers, 6, 6, 6, true);
  const std::vector<std::size_t> lengths{5, 2};
  std::vector<Tensor> masks{look_ahead_mask(4, 5), padding_mask(lengths, 5),
                            combine_masks(look_ahead_mask(4, 5), padding_mask(lengths, 5))};
  for (const Shape& shape :
       {Shape{4, 5}, Shape{1, 5}, Shape{4, 1}, Shape{2, 4, 5}, Shape{1, 4, 5}, Shape{2, 1, 5},
        Shape{2, 3, 4, 5}, Shape{1, 3, 4, 5}, Shape{2, 1, 4, 5}, Shape{1, 1, 1, 1}}) {
    masks.push_back(numbers.tensor(shape));  // any numbers at all
  }
  for (const Tensor& mask : masks) {
    Tensors inputs = plain;
    inputs["mask"] = mask;
    const Trace trace =
        expect_reference(joined(inputs, weights), {3, {}, {}}, "mask " + describe(mask.shape()));
    EXPECT_EQ(trace["mask"].shape(), (Shape{2, 3, 4, 5}));
    EXPECT_TRUE(trace["mask"].shares_storage_with(mask));
  }
}

TEST(MultiHeadAttention, AFullyMaskedQueryWeighsNothing) {
  Numbers numbers(5);
  Tensor mask({2, 2, 3, 4});
  for (std::size_t key = 0; key < 4; ++key) mask.set({1, 0, 2, key}, hidden);
  mask.set({0, 1, 0, 3}, hidden);
  const Tensors inputs = inputs_of(numbers.tensor({2, 3, 4}), numbers.tensor({2, 4, 4}),
                                   numbers.tensor({2, 4, 4}), mask);
  const Tensors weights = random_weights(numbers, 4, 4, 4, true);
  const Trace trace = expect_reference(joined(inputs, weights), {2, {}, {}}, "fully masked");
  EXPECT_TRUE(trace.fully_masked(1, 0, 2));
  EXPECT_FALSE(trace.fully_masked(1, 1, 2));
  EXPECT_FALSE(trace.fully_masked(0, 1, 0));
  for (std::size_t key = 0; key < 4; ++key)
    EXPECT_EQ(trace["attention_weights"].at({1, 0, 2, key}), 0.0F);
  for (std::size_t d = 0; d < 2; ++d) EXPECT_EQ(trace["head_outputs"].at({1, 0, 2, d}), 0.0F);
}

TEST(MultiHeadAttention, AFullyMaskedQueryIsZeroEvenWhereValuesAreNot) {
  const Tensor key({1, 2, 1}, {not_a_number, 1});
  const Tensor value({1, 2, 1}, {not_a_number, infinity});
  const Tensor mask({2, 2}, {hidden, hidden, 0, 0});
  const Trace trace = computed(inputs_of(Tensor({1, 2, 1}, {1, 2}), key, value, mask), {1, {}, {}});
  EXPECT_EQ(trace["attention_weights"].at({0, 0, 0, 0}), 0.0F);
  EXPECT_EQ(trace["head_outputs"].at({0, 0, 0, 0}), 0.0F);
  EXPECT_TRUE(std::isnan(trace["attention_weights"].at({0, 0, 1, 0})));
  EXPECT_TRUE(std::isnan(trace["head_outputs"].at({0, 0, 1, 0})));
}

TEST(MultiHeadAttention, NanInIsNanOutAndOnlyThere) {
  Numbers numbers(6);
  Tensor query = numbers.tensor({1, 3, 4});
  query.set({0, 1, 2}, not_a_number);
  const Trace trace =
      computed(inputs_of(query, numbers.tensor({1, 3, 4}), numbers.tensor({1, 3, 4})), {2, {}, {}});
  const Tensor& output = trace["output"];
  for (std::size_t e = 0; e < 4; ++e) {
    EXPECT_FALSE(std::isnan(output.at({0, 0, e})));
    EXPECT_EQ(std::isnan(output.at({0, 1, e})), e >= 2) << "only head 1 reads column 2";
  }
}

TEST(MultiHeadAttention, AHiddenKeysNanShowsAsInPyTorch) {
  // 0 · NaN is NaN: PyTorch multiplies the whole row of weights with the values, hidden keys and
  // all.
  const Tensor value({1, 2, 1}, {1, not_a_number});
  const Tensor mask({1, 2}, {0, hidden});
  const Trace trace = computed(
      inputs_of(Tensor({1, 1, 1}, {1}), Tensor({1, 2, 1}, {1, 1}), value, mask), {1, {}, {}});
  expect_values(trace["attention_weights"], {1, 0});
  EXPECT_TRUE(std::isnan(trace["head_outputs"].at({0, 0, 0, 0})));
}

TEST(MultiHeadAttention, WeightsGivenByHandAreUsedAsTheyAre) {
  Numbers numbers(7);
  const Tensor x = numbers.tensor({2, 3, 4});
  const Tensor mask = Tensor::full({3, 3}, hidden);
  const Options options{
      2, {}, {{{0, 1, 2, {0.5F, 0.25F, 0.24F}}, {1, 0, 0, {0, 2, -1}}}, {}, Mistake::none}};
  const Tensors weights = random_weights(numbers, 4, 4, 4, false);
  expect_reference(self_inputs(x, {}, weights), options, "given");
  const Trace trace = expect_reference(self_inputs(x, mask, weights), options, "given and masked");
  EXPECT_EQ(trace["attention_weights"].at({0, 1, 2, 2}), 0.24F);
  EXPECT_EQ(trace.overrides.given_weights.size(), 2U);
}

TEST(MultiHeadAttention, SplitAndTransposedAreViewsOfTheProjected) {
  Numbers numbers(8);
  const Tensor x = numbers.tensor({2, 3, 6});
  const Trace trace =
      computed(self_inputs(x, {}, random_weights(numbers, 6, 6, 6, true)), {3, {}, {}});
  const auto view_of = [&](TensorId id) { return trace.view_of(id); };
  EXPECT_EQ(view_of(TensorId("q_split")), TensorId("q"));
  EXPECT_EQ(view_of(TensorId("q_heads")), TensorId("q"));
  EXPECT_EQ(view_of(TensorId("k_split")), TensorId("k"));
  EXPECT_EQ(view_of(TensorId("k_heads")), TensorId("k"));
  EXPECT_EQ(view_of(TensorId("v_split")), TensorId("v"));
  EXPECT_EQ(view_of(TensorId("v_heads")), TensorId("v"));
  EXPECT_EQ(trace["q_heads"].strides(), (tensor::Strides{18, 2, 6, 1}));
  EXPECT_EQ(view_of(TensorId("merged_split")), TensorId("head_outputs"));
  EXPECT_EQ(view_of(TensorId("merged")), std::nullopt) << "the merge moves numbers";
  EXPECT_EQ(view_of(TensorId("q")), std::nullopt);
  EXPECT_EQ(view_of(TensorId("scores")), std::nullopt);
  EXPECT_EQ(view_of(TensorId("scaled_scores")), std::nullopt);
  EXPECT_EQ(view_of(TensorId("attention_weights")), std::nullopt);
  EXPECT_EQ(view_of(TensorId("output")), std::nullopt);
  EXPECT_EQ(view_of(TensorId("key_input")), TensorId("query_input"));
  EXPECT_EQ(view_of(TensorId("value_input")), TensorId("query_input"));
  EXPECT_EQ(view_of(TensorId("masked_scores")), TensorId("scaled_scores"));
}

TEST(MultiHeadAttention, WithoutProjectionAndScaleNumbersStayWhereTheyAre) {
  Numbers numbers(9);
  const Tensor query = numbers.tensor({1, 2, 4});
  const Tensor key = numbers.tensor({1, 3, 4});
  const Trace trace = computed(inputs_of(query, key, key), {1, {Scale::Kind::none, 1.0F}, {}});
  EXPECT_TRUE(trace["q_heads"].shares_storage_with(query));
  EXPECT_EQ(trace.view_of(TensorId("q")), TensorId("query_input"));
  EXPECT_EQ(trace.view_of(TensorId("q_heads")), TensorId("query_input"));
  EXPECT_EQ(trace.view_of(TensorId("k")), TensorId("key_input"));
  EXPECT_EQ(trace.view_of(TensorId("v_heads")), TensorId("key_input"));
  EXPECT_EQ(trace.view_of(TensorId("scaled_scores")), TensorId("scores"));
  EXPECT_EQ(trace.view_of(TensorId("masked_scores")), TensorId("scores"));
  EXPECT_EQ(trace.view_of(TensorId("merged")), TensorId("head_outputs"))
      << "one head: nothing has to move";
  EXPECT_EQ(trace.view_of(TensorId("output")), TensorId("head_outputs"));
  EXPECT_FALSE(trace.has("mask"));
  EXPECT_FALSE(trace.has("q_proj_weight"));
}

TEST(MultiHeadAttention, TakesViewsAsInputs) {
  Numbers numbers(10);
  const Tensor query = numbers.tensor({5, 2, 6}).transpose(0, 1);   // [2,5,6], batch inside
  const Tensor key = numbers.tensor({1, 4, 6}).expand({2, 4, 6});   // one sample for both
  const Tensor value = numbers.tensor({2, 4, 12}).narrow(2, 3, 6);  // columns of a wider one
  const Tensor packed = numbers.tensor({18, 6});                    // in_proj_weight
  Tensors weights;
  const Options options{3, {}, {}};
  expect_reference(inputs_of(query, key, value, {}, weights), options, "views, no projection");
  weights["q_proj_weight"] = packed.narrow(0, 0, 6);
  weights["k_proj_weight"] = packed.narrow(0, 6, 6);
  weights["v_proj_weight"] = packed.narrow(0, 12, 6);
  const Trace trace =
      expect_reference(inputs_of(query, key, value, {}, weights), options, "views, projected");
  EXPECT_EQ(trace.view_of(TensorId("k_proj_weight")), std::nullopt)
      << "a slice beside q's, not of it";
}

TEST(MultiHeadAttention, PartialProjections) {
  Numbers numbers(11);
  const Tensor x = numbers.tensor({1, 4, 6});
  const Tensors all = random_weights(numbers, 6, 6, 6, true);
  Tensors only_query;
  only_query["q_proj_weight"] = all["q_proj_weight"];
  Tensors only_output;
  only_output["out_proj_weight"] = all["out_proj_weight"];
  only_output["out_proj_bias"] = all["out_proj_bias"];
  expect_reference(self_inputs(x, {}, only_query), {2, {}, {}}, "only q is projected");
  expect_reference(self_inputs(x, {}, only_output), {2, {}, {}}, "only the output is projected");
}

TEST(MultiHeadAttention, PoolBeatsBadmintonToThePrintedDigits) {
  const Tensor A({1, 3, 4}, {.5F, .1F, .1F, .2F, .1F, .5F, .2F, .1F, .5F, .1F, .2F, .1F});
  const Trace trace = computed(self_inputs(A), {1, {Scale::Kind::none, 1.0F}, {}});
  const std::vector<float> scores = trace["scores"].values();
  const std::vector<float> output = trace["output"].values();
  const double printed_scores[] = {.31, .14, .30, .14, .31, .15, .30, .15, .31};
  const double printed_output[] = {.3809, .2191, .1647, .1353, .3516, .2484,
                                   .1687, .1313, .3801, .2199, .1652, .1348};
  for (std::size_t i = 0; i < 9; ++i)
    EXPECT_NEAR(static_cast<double>(scores[i]), printed_scores[i], 1e-7);
  for (std::size_t i = 0; i < 12; ++i) {
    EXPECT_EQ(std::round(static_cast<double>(output[i]) * 1e4), std::round(printed_output[i] * 1e4))
        << i;
  }
  // The article rounds the same output to two digits.
  const double article[] = {.38, .22, .16, .14, .35, .25, .17, .13, .38, .22, .17, .13};
  for (std::size_t i = 0; i < 12; ++i) {
    EXPECT_EQ(std::round(static_cast<double>(output[i]) * 1e2), std::round(article[i] * 1e2)) << i;
  }
}

TEST(MultiHeadAttention, CountingSplitsAsCounted) {
  // 1, 2, 3, … in [1,9,512] with 8 heads: head 0 of token 0 is 1…64.
  const Tensor x = counting({1, 9, 512});
  const Trace trace = computed(self_inputs(x), {8, {}, {}});
  const Tensor& heads = trace["q_heads"];
  for (std::size_t d = 0; d < 64; ++d) EXPECT_EQ(heads.at({0, 0, 0, d}), static_cast<float>(d + 1));
  EXPECT_EQ(heads.at({0, 3, 2, 5}), static_cast<float>(2 * 512 + 3 * 64 + 5 + 1));
}

TEST(MultiHeadAttention, ErrorsAreSentences) {
  const Tensor x({1, 2, 6});
  const base::Result<Trace> trace = multi_head_attention(self_inputs(x), {4, {}, {}});
  ASSERT_FALSE(trace.has_value());
  EXPECT_EQ(trace.error().message,
            "embed_dim 6 cannot be split into 4 heads; allowed: 1, 2, 3, 6.");
}

}  // namespace
}  // namespace model

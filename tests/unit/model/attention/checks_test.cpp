#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "model/problems.hpp"
#include "special_floats.hpp"

namespace model {
namespace {

/// A tensor of any size that takes no memory: one float, repeated.
Tensor huge(const Shape& shape) { return Tensor(Extents::filled(shape.rank(), 1)).expand(shape); }

Tensors huge_inputs(const Shape& query, const Shape& key, const Shape& value,
                    Tensors weights = {}) {
  return inputs_of(huge(query), huge(key), huge(value), {}, std::move(weights));
}

/// What is said about these arguments; empty where they are accepted.
std::string complaint(const Tensors& given, const Options& options = {}) {
  const base::Result<Config> config = check(given, options);
  return config ? "" : config.error().message;
}

const Shape small{2, 3, 6};

TEST(Checks, FindsTheSizes) {
  Tensors given = huge_inputs({2, 3, 6}, {2, 5, 7}, {2, 5, 8});
  given["k_proj_weight"] = huge({6, 7});
  given["v_proj_weight"] = huge({6, 8});
  const base::Result<Config> config = check(given, {3, {}, {}});
  ASSERT_TRUE(config.has_value()) << config.error().message;
  EXPECT_EQ(config->batch, 2U);
  EXPECT_EQ(config->query_len, 3U);
  EXPECT_EQ(config->key_len, 5U);
  EXPECT_EQ(config->embed_dim, 6U);
  EXPECT_EQ(config->num_heads, 3U);
  EXPECT_EQ(config->head_dim(), 2U);
  EXPECT_EQ(config->kdim, 7U);
  EXPECT_EQ(config->vdim, 8U);
}

TEST(Checks, InputsNeedThreeAxes) {
  EXPECT_EQ(complaint({}), "query is missing; its shape is [B,Lq,E].");
  EXPECT_EQ(complaint(huge_inputs(small, {3, 6}, small)),
            "key has shape [3,6]; it needs three axes, [B,Lk,kdim].");
  EXPECT_EQ(complaint(huge_inputs(small, small, {2, 0, 6})),
            "value has shape [2,0,6]; no axis may have length 0.");
}

TEST(Checks, SizesMustAgree) {
  EXPECT_EQ(complaint(huge_inputs(small, {1, 3, 6}, {1, 3, 6})),
            "query [2,3,6], key [1,3,6] and value [1,3,6] differ in their batch size, the first "
            "axis; it must be the "
            "same.");
  EXPECT_EQ(complaint(huge_inputs(small, {2, 4, 6}, {2, 5, 6})),
            "key [2,4,6] and value [2,5,6] differ in their number of tokens, the second axis; each "
            "key needs one "
            "value.");
}

TEST(Checks, HeadsMustDivide) {
  EXPECT_EQ(complaint(huge_inputs(small, small, small), {4, {}, {}}),
            "embed_dim 6 cannot be split into 4 heads; allowed: 1, 2, 3, 6.");
  EXPECT_EQ(complaint(huge_inputs(small, small, small), {0, {}, {}}),
            "embed_dim 6 cannot be split into 0 heads; allowed: 1, 2, 3, 6.");
  EXPECT_EQ(complaint(huge_inputs({1, 1, 1024}, {1, 1, 1024}, {1, 1, 1024}), {512, {}, {}}),
            "The number of heads is 512; at most 256 is allowed.");
}

TEST(Checks, LimitsHoldWithoutOverflow) {
  const std::size_t most = std::numeric_limits<std::size_t>::max() / 4;
  EXPECT_EQ(complaint(huge_inputs({65, 1, 1}, {65, 1, 1}, {65, 1, 1})),
            "The batch size is 65; at most 64 is allowed.");
  EXPECT_EQ(complaint(huge_inputs({1, 4097, 1}, {1, 1, 1}, {1, 1, 1})),
            "The number of query tokens is 4097; at most 4096 is allowed.");
  EXPECT_EQ(complaint(huge_inputs({1, 1, 1}, {1, most, 1}, {1, most, 1})),
            "The number of key tokens is " + std::to_string(most) + "; at most 4096 is allowed.");
  EXPECT_EQ(complaint(huge_inputs({1, 1, 1}, {1, 1, 1}, {1, 1, 16385})),
            "The width of an input is 16385; at most 16384 is allowed.");
  EXPECT_EQ(complaint(huge_inputs({64, 4096, 256}, {64, 4096, 256}, {64, 4096, 256}), {256, {}, {}})
                .substr(0, 44),
            Limits::floats >= std::size_t{64} * 4096 * 256
                ? "scores would have shape [64,256,4096,4096]; "
                : "q would have shape [64,4096,256]; at most 16");
  EXPECT_EQ(complaint(huge_inputs({64, 4096, 16384}, {64, 4096, 16384}, {64, 4096, 16384})),
            "q would have shape [64,4096,16384]; at most " + std::to_string(Limits::floats) +
                " numbers are allowed.");
}

TEST(Checks, WithinLimitsForAnyShape) {
  const std::size_t most = std::numeric_limits<std::size_t>::max();
  EXPECT_TRUE(within_limits({}));
  EXPECT_TRUE(within_limits({Limits::floats}));
  EXPECT_TRUE(within_limits({Limits::floats / 4, 2, 2}));
  EXPECT_FALSE(within_limits({Limits::floats / 4, 2, 3}));
  EXPECT_FALSE(within_limits({most, most, most}));
  EXPECT_FALSE(within_limits({most / 2 + 1, 2}));
  // The product is 2^64 (2^32 in wasm), which wraps to 0.
  EXPECT_FALSE(within_limits({Limits::floats, most / Limits::floats + 1}));
  EXPECT_TRUE(within_limits({0, most}));
}

TEST(Checks, WeightsMustFit) {
  Tensors given = huge_inputs({2, 3, 6}, {2, 5, 7}, {2, 5, 8});
  EXPECT_EQ(
      complaint(given),
      "Without k_proj_weight its input is used as it is, so its width 7 must be embed_dim, 6.");
  given["k_proj_weight"] = huge({6, 6});
  EXPECT_EQ(complaint(given), "k_proj_weight has shape [6,6]; [6,7] fits the inputs.");
  given["k_proj_weight"] = huge({6, 7});
  given["v_proj_weight"] = huge({6, 8});
  EXPECT_EQ(complaint(given), "");
  given["v_proj_bias"] = huge({8});
  EXPECT_EQ(complaint(given), "v_proj_bias has shape [8]; [6] fits the inputs.");
  given["v_proj_bias"] = huge({6});
  given["q_proj_bias"] = huge({6});
  EXPECT_EQ(complaint(given), "q_proj_bias is given without q_proj_weight; give both or neither.");
  given["q_proj_weight"] = huge({6, 6});
  given["out_proj_weight"] = huge({6});
  EXPECT_EQ(complaint(given), "out_proj_weight has shape [6]; [6,6] fits the inputs.");
}

TEST(Checks, HeadsOfQueriesShareHeadsOfKeys) {
  Tensors given = huge_inputs({2, 3, 8}, {2, 5, 8}, {2, 5, 8});
  EXPECT_EQ(complaint(given, {4, {}, {}, 4}), "");
  EXPECT_EQ(complaint(given, {4, {}, {}, 3}),
            "4 heads cannot share 3 heads of keys and values; allowed: 1, 2, 4.");
  EXPECT_EQ(complaint(given, {4, {}, {}, 8}),
            "4 heads cannot share 8 heads of keys and values; allowed: 1, 2, 4.");
  EXPECT_EQ(complaint(given, {4, {}, {}, 2}),
            "Without k_proj_weight its input is used as it is, so its width 8 must be "
            "num_kv_heads · head_dim, 4.");
  given["k_proj_weight"] = huge({8, 8});
  EXPECT_EQ(complaint(given, {4, {}, {}, 2}),
            "k_proj_weight has shape [8,8]; [4,8] fits the inputs.");
  given["k_proj_weight"] = given["v_proj_weight"] = huge({4, 8});
  EXPECT_EQ(complaint(given, {4, {}, {}, 2}), "");
  EXPECT_EQ(check(given, {4, {}, {}, 2})->num_kv_heads, 2U);
  given["v_proj_bias"] = huge({8});
  EXPECT_EQ(complaint(given, {4, {}, {}, 2}), "v_proj_bias has shape [8]; [4] fits the inputs.");
}

TEST(Checks, ATokenEmbeddingIsAsGoodAsTheQuery) {
  Tensors given = huge_inputs(small, small, small);
  given["query_input"] = {};
  given["token_embedding"] = huge({2, 4, 6});
  EXPECT_EQ(complaint(given), "");
  EXPECT_EQ(check(given, {})->query_len, 4U);
  given["token_embedding"] = huge({2, 6});
  EXPECT_EQ(complaint(given), "query has shape [2,6]; it needs three axes, [B,Lq,E].");
}

TEST(Checks, LengthsAreThoseOfTheTablesLetters) {
  const Config config{.batch = 2,
                      .query_len = 3,
                      .key_len = 5,
                      .embed_dim = 6,
                      .num_heads = 2,
                      .num_kv_heads = 1,
                      .kdim = 7,
                      .vdim = 8,
                      .scale = {}};
  const ops::Lengths lengths = lengths_of(config);
  EXPECT_EQ(lengths.shape_of(axes_of("weighted_values")), (Shape{2, 2, 3, 5, 3}));
  EXPECT_EQ(lengths.shape_of(axes_of("v_proj_weight")), (Shape{6, 8}));
  EXPECT_EQ(lengths.shape_of(axes_of("k_proj_weight")), (Shape{6, 7}));
  EXPECT_EQ(lengths.shape_of(axes_of("k_shared")), (Shape{2, 1, 2, 5, 3}));
  EXPECT_EQ(lengths[ops::Axis::K], 3U);
  EXPECT_EQ(lengths_of({})[ops::Axis::R], 0U);
}

TEST(Checks, TheScaleDivides) {
  const Tensors given = huge_inputs(small, small, small);
  const auto with = [&](float number) {
    return complaint(given, {1, {Scale::Kind::number, number}, {}});
  };
  EXPECT_EQ(with(0.0F),
            "The scores cannot be divided by 0; the scale is a finite number other than 0.");
  EXPECT_EQ(with(infinity),
            "The scores cannot be divided by an infinite number; the scale is a finite number "
            "other than 0.");
  EXPECT_EQ(with(std::nanf("")),
            "The scores cannot be divided by NaN; the scale is a finite number other than 0.");
  EXPECT_EQ(with(-2.0F), "");
  // The number plays no part where the scale is another one.
  EXPECT_EQ(complaint(given, {1, {Scale::Kind::sqrt_keys, 0.0F}, {}}), "");
}

TEST(Checks, TheMaskMustExpand) {
  Tensors given = huge_inputs({2, 3, 6}, {2, 5, 6}, {2, 5, 6});
  given["mask"] = Tensor({3, 3});
  EXPECT_EQ(complaint(given, {2, {}, {}}),
            "The mask has shape [3,3]; allowed: [3,5], [2,3,5] or [2,2,3,5], any axis of which may "
            "have length 1.");
  given["mask"] = Tensor({1, 5});
  EXPECT_EQ(complaint(given, {2, {}, {}}), "");
}

TEST(Checks, GivenWeightsMustFit) {
  const Tensors given = huge_inputs(small, small, small);
  const auto with = [&](const GivenWeights& row) {
    return complaint(given, {2, {}, {{row}, {}, Mistake::none}});
  };
  EXPECT_EQ(with({1, 1, 2, {0, 0, 1}}), "");
  EXPECT_EQ(with({1, 2, 2, {0, 0, 1}}),
            "Weights are given for sample, head and query [1,2,2], counted from 0; each must be "
            "less than [2,2,3].");
  EXPECT_EQ(with({0, 0, 0, {1}}),
            "1 weights are given for a query with 3 keys; each key needs one.");
  EXPECT_EQ(with({0, 0, 0, {0, infinity, 1}}), "A given weight is not a finite number.");
}

TEST(Checks, AblatedHeadsMustBeThere) {
  const Tensors given = huge_inputs(small, small, small);
  EXPECT_EQ(complaint(given, {2, {}, {{}, {1, 0}, Mistake::none}}), "");
  EXPECT_EQ(complaint(given, {2, {}, {{}, {1, 2}, Mistake::none}}),
            "Head 2 cannot be switched off; heads are counted from 0 to 1.");
}

TEST(Checks, KeysMustBeTransposedUnlessTheyFitAnyway) {
  const Options options = with_mistake(2, Mistake::keys_not_transposed);
  EXPECT_EQ(complaint(huge_inputs({1, 4, 6}, {1, 3, 6}, {1, 3, 6}), options), "");
  EXPECT_EQ(complaint(huge_inputs({1, 4, 6}, {1, 5, 6}, {1, 5, 6}), options),
            "Without transposing K the shapes do not fit: q_heads is [Lq,D] = [4,3] and k_heads is "
            "[Lk,D] = [5,3], so rows of 3 would meet columns of 5; a matrix product needs both "
            "equal, here head_dim and the number of keys.");
}

}  // namespace
}  // namespace model

// What the cache keeps is enough: each token computed from kept keys and values alone.
#include "model/attention/kv_cache.hpp"

#include <gtest/gtest.h>

#include "model/attention/mask.hpp"
#include "model/problems.hpp"

namespace model {
namespace {

Config decoder_of(std::size_t heads, std::size_t kv_heads, std::size_t window) {
  return {.batch = 1,
          .query_len = 6,
          .key_len = 6,
          .embed_dim = 8,
          .num_heads = heads,
          .num_kv_heads = kv_heads,
          .kdim = 8,
          .vdim = 8,
          .scale = {},
          .variants = {.window = window}};
}

TEST(KvCache, GrowsByTwoRowsOfFloatsForEachToken) {
  for (std::size_t place = 0; place < 6; ++place) {
    const KvCache cache = kv_cache_at(decoder_of(4, 4, 0), place);
    EXPECT_EQ(cache.tokens, place + 1);
    EXPECT_EQ(cache.bytes, (place + 1) * 2 * 8 * 4);
    EXPECT_EQ(cache.bytes_before, place * 2 * 8 * 4);
  }
  EXPECT_EQ(kv_cache_at(decoder_of(4, 1, 0), 5).bytes, 6 * 2 * 2 * 4) << "heads that share";
  EXPECT_EQ(kv_cache_at(decoder_of(4, 4, 2), 5).bytes, 2 * 2 * 8 * 4) << "a window";
}

TEST(KvCache, CountsMultiplicationsOfEveryProduct) {
  const KvCache cache = kv_cache_at(decoder_of(4, 2, 0), 2);
  // q [1,8]·[8,8], k and v [1,8]·[8,4], four heads of 2 with three keys, twice, and the output.
  EXPECT_EQ(cache.multiplications, 64U + 2 * 32 + 2 * 4 * 2 * 3 + 64);
  // The same for three tokens, and three queries with three keys.
  EXPECT_EQ(cache.multiplications_without, 3 * (64U + 2 * 32 + 64) + 2 * 4 * 2 * 3 * 3);
  const KvCache first = kv_cache_at(decoder_of(4, 2, 0), 0);
  EXPECT_EQ(first.multiplications, first.multiplications_without) << "nothing to keep yet";
  const KvCache all = kv_cache_of_all(decoder_of(4, 2, 0));
  std::size_t sum = 0;
  for (std::size_t place = 0; place < 6; ++place)
    sum += kv_cache_at(decoder_of(4, 2, 0), place).multiplications;
  EXPECT_EQ(all.multiplications, sum);
  EXPECT_EQ(all.tokens, 6U);
}

/// One token after another, with keys and values of earlier ones as they were kept, gives the
/// output of all tokens at once under the look-ahead mask.
TEST(KvCache, GivesTheNumbersOfTheWholeSequence) {
  Numbers numbers(5);
  constexpr std::size_t tokens = 6;
  const Tensor x = numbers.tensor({1, tokens, 8});
  for (const std::size_t window : {std::size_t{0}, std::size_t{3}}) {
    Tensors weights = random_weights(numbers, 8, 8, 8, true);
    const Trace whole = computed(self_inputs(x, look_ahead_mask(tokens, tokens), weights),
                                 {2, {}, {}, 0, {.window = window}});
    // The rows of the projections that were computed when their token came.
    std::vector<Tensor> kept_k;
    std::vector<Tensor> kept_v;
    for (std::size_t place = 0; place < tokens; ++place) {
      const Trace own = computed(self_inputs(x.narrow(1, place, 1), {}, weights), {2, {}});
      kept_k.push_back(own["k"]);
      kept_v.push_back(own["v"]);
      const std::size_t kept = kv_cache_at(whole.config, place).tokens;
      Tensor k({1, kept, 8});
      Tensor v({1, kept, 8});
      for (std::size_t row = 0; row < kept; ++row) {
        for (std::size_t column = 0; column < 8; ++column) {
          const std::size_t from = place + 1 - kept + row;
          k.set({0, row, column}, kept_k[from].at({0, 0, column}));
          v.set({0, row, column}, kept_v[from].at({0, 0, column}));
        }
      }
      Tensors given = inputs_of(x.narrow(1, place, 1), k, v, {}, weights);
      for (const TensorId id : {TensorId("k_proj_weight"), TensorId("k_proj_bias"),
                                TensorId("v_proj_weight"), TensorId("v_proj_bias")})
        given[id] = {};  // what is kept is projected already
      const Trace step = computed(given, {2, {}});
      for (std::size_t column = 0; column < 8; ++column) {
        EXPECT_NEAR(step["output"].at({0, 0, column}), whole["output"].at({0, place, column}), 1e-5)
            << "token " << place << ", window " << window;
      }
    }
  }
}

}  // namespace
}  // namespace model

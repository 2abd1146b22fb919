#include "attention/trace.hpp"

#include <cmath>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "attention/helpers.hpp"
#include "attention/mask.hpp"

namespace attention {
namespace {

TEST(Trace, EveryTensorHasANameOfItsOwn) {
  std::set<std::string_view> names;
  for (std::size_t slot = 0; slot < tensor_count; ++slot) {
    const auto id = static_cast<TensorId>(slot);
    names.insert(name_of(id));
    EXPECT_EQ(tensor_named(name_of(id)), id);
  }
  EXPECT_EQ(names.size(), tensor_count);
  EXPECT_EQ(name_of(TensorId::token_embedding), "token_embedding");
  EXPECT_EQ(name_of(TensorId::q_heads), "q_heads");
  EXPECT_EQ(name_of(TensorId::mask), "mask");
  EXPECT_EQ(name_of(TensorId::output), "output");
  EXPECT_EQ(tensor_named("Q"), std::nullopt);
  EXPECT_EQ(tensor_named(""), std::nullopt);
}

std::string axes(TensorId id) {
  std::string text;
  for (const std::string_view axis : axes_of(id))
    text += std::string(text.empty() ? "" : ",") + std::string(axis);
  return text;
}

TEST(Trace, AxesAsPrinted) {
  EXPECT_EQ(axes(TensorId::position_encoding), "Lq,E");
  EXPECT_EQ(axes(TensorId::value_input), "B,Lk,vdim");
  EXPECT_EQ(axes(TensorId::k_proj_weight), "E,kdim");
  EXPECT_EQ(axes(TensorId::out_proj_bias), "E");
  EXPECT_EQ(axes(TensorId::k), "B,Lk,E");
  EXPECT_EQ(axes(TensorId::v_split), "B,Lk,H,D");
  EXPECT_EQ(axes(TensorId::q_heads), "B,H,Lq,D");
  EXPECT_EQ(axes(TensorId::attention_weights), "B,H,Lq,Lk");
  EXPECT_EQ(axes(TensorId::weighted_values), "B,H,Lq,Lk,D");
  EXPECT_EQ(axes(TensorId::merged_split), "B,Lq,H,D");
  EXPECT_EQ(axes(TensorId::output), "B,Lq,E");
}

TEST(Trace, GivenAndComputed) {
  for (const TensorId id : {TensorId::query_input, TensorId::out_proj_bias, TensorId::mask,
                            TensorId::position_encoding}) {
    EXPECT_TRUE(is_given(id)) << name_of(id);
  }
  for (const TensorId id :
       {TensorId::q, TensorId::scores, TensorId::masked_scores, TensorId::output}) {
    EXPECT_FALSE(is_given(id)) << name_of(id);
  }
}

TEST(Trace, ScaleDivides) {
  EXPECT_EQ((Scale{Scale::Kind::none, 9.0F}).divisor(64, 9), 1.0F);
  EXPECT_EQ((Scale{Scale::Kind::sqrt_head_dim}).divisor(64, 9), 8.0F);
  EXPECT_EQ((Scale{Scale::Kind::sqrt_keys}).divisor(64, 9), 3.0F);
  EXPECT_EQ((Scale{Scale::Kind::number, 2.5F}).divisor(64, 9), 2.5F);
  EXPECT_EQ(Scale{}.kind, Scale::Kind::sqrt_head_dim);
}

TEST(Trace, HoldsWhatWasPut) {
  Trace trace;
  EXPECT_TRUE(trace.present().empty());
  EXPECT_FALSE(trace.has(TensorId::q));
  trace.put(TensorId::output, Tensor({1}));
  trace.put(TensorId::q, Tensor({1}));
  EXPECT_EQ(trace.present(), (std::vector<TensorId>{TensorId::q, TensorId::output}));
  EXPECT_TRUE(trace[TensorId::q].defined());
  EXPECT_FALSE(trace[TensorId::k].defined());
}

TEST(Trace, ViewsAreFoundByStorage) {
  Trace trace;
  const Tensor run = test::counting({4, 3});
  trace.put(TensorId::query_input, run);
  trace.put(TensorId::q, run.transpose(0, 1));
  trace.put(TensorId::k, run.clone());
  trace.put(TensorId::k_split, trace[TensorId::k].reshape({2, 2, 3}));
  trace.put(TensorId::q_proj_weight, Tensor({1}));
  EXPECT_EQ(trace.view_of(TensorId::query_input), std::nullopt);
  EXPECT_EQ(trace.view_of(TensorId::q), TensorId::query_input);
  EXPECT_EQ(trace.view_of(TensorId::k), std::nullopt) << "equal numbers, but a copy";
  EXPECT_EQ(trace.view_of(TensorId::k_split), TensorId::k);
  EXPECT_EQ(trace.view_of(TensorId::output), std::nullopt);
}

TEST(Trace, SlicesOfOneRunAreNotViewsOfEachOther) {
  Trace trace;
  const Tensor packed = test::counting({6, 2});
  trace.put(TensorId::q_proj_weight, packed.narrow(0, 0, 2));
  trace.put(TensorId::k_proj_weight, packed.narrow(0, 2, 2));
  trace.put(TensorId::v_proj_weight, packed.narrow(0, 0, 2));
  EXPECT_EQ(trace.view_of(TensorId::k_proj_weight), std::nullopt);
  EXPECT_EQ(trace.view_of(TensorId::v_proj_weight), TensorId::q_proj_weight);
}

TEST(Trace, FullyMaskedLooksAtTheMask) {
  Trace trace;
  trace.config.key_len = 2;
  EXPECT_FALSE(trace.fully_masked(0, 0, 0)) << "no mask hides nothing";
  trace.put(TensorId::mask, Tensor({1, 1, 3, 2}, {hidden, 0, hidden, hidden, -1e30F, hidden}));
  EXPECT_FALSE(trace.fully_masked(0, 0, 0));
  EXPECT_TRUE(trace.fully_masked(0, 0, 1));
  EXPECT_FALSE(trace.fully_masked(0, 0, 2)) << "very small is not hidden";
}

TEST(Trace, WeightedValuesOfOneQuery) {
  Trace trace;
  trace.config = {.batch = 1,
                  .query_len = 2,
                  .key_len = 2,
                  .embed_dim = 6,
                  .num_heads = 2,
                  .kdim = 6,
                  .vdim = 6,
                  .scale = {}};
  EXPECT_FALSE(trace.weighted_values(0).defined());
  trace.put(TensorId::attention_weights, Tensor({1, 2, 2, 2}, {.5F, .5F, 1, 0, .25F, .75F, 0, 2}));
  trace.put(TensorId::v_heads, test::counting({1, 2, 2, 3}));
  const Tensor second = trace.weighted_values(1);
  EXPECT_EQ(second.shape(), (Shape{1, 2, 1, 2, 3}));
  test::expect_values(second, {1, 2, 3, 0, 0, 0, 0, 0, 0, 20, 22, 24});
  EXPECT_FALSE(trace.weighted_values(2).defined());
}

}  // namespace
}  // namespace attention

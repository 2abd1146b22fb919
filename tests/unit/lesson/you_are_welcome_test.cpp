#include <gtest/gtest.h>

#include <cmath>

#include "lesson/example.hpp"

namespace lesson {
namespace {

Problem make() {
  auto problem = make_problem(ExampleId::you_are_welcome, {});
  EXPECT_TRUE(problem);
  return *std::move(problem);
}

TEST(YouAreWelcome, IsABatchOfTwoWithAPaddedSecondSample) {
  const Problem problem = make();
  using Tokens = std::vector<std::vector<std::string>>;
  EXPECT_EQ(problem.source.tokens,
            (Tokens{{"You", "are", "welcome"}, {"Thanks", "[pad]", "[pad]"}}));
  EXPECT_EQ(problem.target.tokens, (Tokens{{"De", "nada"}, {"Gracias", "[pad]"}}));
  EXPECT_EQ(problem.source.lengths, (std::vector<std::size_t>{3, 1}));
  EXPECT_EQ(problem.target.lengths, (std::vector<std::size_t>{2, 1}));
  EXPECT_EQ(problem.source.embedding.shape(), (attention::Shape{2, 3, 6}));
  EXPECT_EQ(problem.target.embedding.shape(), (attention::Shape{2, 2, 6}));
}

TEST(YouAreWelcome, IsOneEncoderAndOneDecoderLayerAsThePaperHasThem) {
  const Problem problem = make();
  EXPECT_EQ(problem.arrangement, Arrangement::encoder_decoder);
  ASSERT_EQ(problem.encoder.size(), 1U);
  ASSERT_EQ(problem.decoder.size(), 1U);
  EXPECT_EQ(problem.options.num_heads, 2U);
  EXPECT_FALSE(problem.options.norm_first);
  EXPECT_EQ(problem.options.activation, attention::Activation::relu);
  EXPECT_TRUE(problem.position_encoding);
  EXPECT_EQ(problem.encoder.front().feed_forward.linear1_weight.shape(), (attention::Shape{12, 6}));
  EXPECT_EQ(problem.decoder.front().feed_forward.linear2_weight.shape(), (attention::Shape{6, 12}));
  EXPECT_EQ(problem.masks,
            (std::vector<MaskKind>{MaskKind::padding, MaskKind::both, MaskKind::padding}));
}

// Rounded numbers are what is computed with: no digit hides behind the two that are printed.
TEST(YouAreWelcome, EveryNumberHasTwoDecimals) {
  const Problem problem = make();
  const attention::EncoderLayer& encoder = problem.encoder.front();
  const attention::DecoderLayer& decoder = problem.decoder.front();
  std::vector<attention::Tensor> all = {problem.source.embedding, problem.target.embedding};
  for (const attention::Weights& weights :
       {encoder.self_attention, decoder.self_attention, decoder.cross_attention}) {
    for (const attention::Tensor& tensor :
         {weights.q_proj_weight, weights.k_proj_weight, weights.v_proj_weight,
          weights.out_proj_weight, weights.q_proj_bias, weights.k_proj_bias, weights.v_proj_bias,
          weights.out_proj_bias}) {
      all.push_back(tensor);
    }
  }
  for (const attention::FeedForward& layer : {encoder.feed_forward, decoder.feed_forward}) {
    all.insert(all.end(), {layer.linear1_weight, layer.linear1_bias, layer.linear2_weight,
                           layer.linear2_bias});
  }
  for (const attention::Tensor& tensor : all) {
    ASSERT_TRUE(tensor.defined());
    for (const float value : tensor.values()) {
      const double hundredths = std::round(static_cast<double>(value) * 100.0);
      EXPECT_EQ(value, static_cast<float>(hundredths / 100.0));
    }
  }
}

TEST(YouAreWelcome, SaysThatItIsUntrained) {
  EXPECT_EQ(make().note, "Random, untrained numbers from seed 1.");
}

}  // namespace
}  // namespace lesson

#include <gtest/gtest.h>

#include <cmath>

#include "lesson/examples/example.hpp"

namespace lesson {
namespace {

Problem make_welcome() {
  auto problem = make_problem(ExampleId::you_are_welcome, {});
  EXPECT_TRUE(problem);
  return *std::move(problem);
}

TEST(YouAreWelcome, IsABatchOfTwoWithAPaddedSecondSample) {
  const Problem problem = make_welcome();
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
  const Problem problem = make_welcome();
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
  const Problem problem = make_welcome();
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

std::vector<int> hundredths(const attention::Tensor& tensor) {
  std::vector<int> result;
  for (const float value : tensor.values())
    result.push_back(static_cast<int>(std::lround(value * 100.0F)));
  return result;
}

// Computed by a second program, in Python, from what random.hpp says: FNV-1a over seed and name,
// SplitMix64, four draws from ±86 for a number of the embedding, one from ±⌊100 · √(6 / 12)⌋ for a
// weight.
TEST(YouAreWelcome, NumbersAreThoseOfItsSeed) {
  const Problem problem = make_welcome();
  EXPECT_EQ(hundredths(problem.source.embedding.select(0, 0)),
            (std::vector<int>{-9, -95, -141, -148, -118, -157, -99, 15, 149, 15, -1, -72, 73, 96,
                              -103, 38, 69, -65}));
  EXPECT_EQ(hundredths(problem.target.embedding.select(0, 0)),
            (std::vector<int>{18, -11, -27, 71, -280, 121, 155, 124, 165, -91, 124, -84}));
  EXPECT_EQ(hundredths(problem.encoder.front().self_attention.q_proj_weight),
            (std::vector<int>{65,  22,  39,  -17, 64,  32, 2,  3,  -10, 34,  -15, -33,
                              25,  -67, -54, -65, 45,  65, -5, 69, -31, -44, -70, -66,
                              -16, -62, 23,  -63, -30, 70, 10, 14, 13,  -54, 63,  56}));
  const std::vector<int> last =
      hundredths(problem.decoder.front().feed_forward.linear2_weight.select(0, 5));
  EXPECT_EQ(last, (std::vector<int>{53, 22, 33, 14, 53, -5, -49, -50, 54, -17, -33, 37}));
}

TEST(YouAreWelcome, HasEveryTensorOfTheWidthThatIsChosen) {
  for (const std::size_t embed_dim : {2U, 8U, 32U}) {
    Parameters parameters;
    parameters.embed_dim = embed_dim;
    const auto problem = make_problem(ExampleId::you_are_welcome, parameters);
    ASSERT_TRUE(problem);
    EXPECT_EQ(problem->source.embedding.shape(), (attention::Shape{2, 3, embed_dim}));
    const attention::EncoderLayer& layer = problem->encoder.front();
    EXPECT_EQ(layer.self_attention.q_proj_weight.shape(), (attention::Shape{embed_dim, embed_dim}));
    EXPECT_EQ(layer.feed_forward.linear1_weight.shape(),
              (attention::Shape{2 * embed_dim, embed_dim}));
    EXPECT_EQ(layer.norm1.weight.shape(), (attention::Shape{embed_dim}));
    EXPECT_TRUE(
        attention::encode(problem->source.embedding, {}, problem->encoder, problem->options));
  }
}

TEST(YouAreWelcome, AShorterFirstSampleNeedsLessPadding) {
  Parameters parameters;
  parameters.source_len = 2;
  parameters.target_len = 1;
  const auto problem = make_problem(ExampleId::you_are_welcome, parameters);
  ASSERT_TRUE(problem);
  using Tokens = std::vector<std::vector<std::string>>;
  EXPECT_EQ(problem->source.tokens, (Tokens{{"You", "are"}, {"Thanks", "[pad]"}}));
  EXPECT_EQ(problem->target.tokens, (Tokens{{"De"}, {"Gracias"}}));
}

TEST(YouAreWelcome, SaysThatItIsUntrained) {
  EXPECT_EQ(make_welcome().note, "Random, untrained numbers from seed 1.");
}

}  // namespace
}  // namespace lesson

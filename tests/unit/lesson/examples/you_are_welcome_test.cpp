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
  EXPECT_EQ(problem.source.embedding.shape(), (tensor::Shape{2, 3, 6}));
  EXPECT_EQ(problem.target.embedding.shape(), (tensor::Shape{2, 2, 6}));
}

TEST(YouAreWelcome, IsOneEncoderAndOneDecoderLayerAsThePaperHasThem) {
  const Problem problem = make_welcome();
  EXPECT_EQ(problem.arrangement, Arrangement::encoder_decoder);
  ASSERT_EQ(problem.encoder.size(), 1U);
  ASSERT_EQ(problem.decoder.size(), 1U);
  EXPECT_EQ(problem.options.num_heads, 2U);
  EXPECT_FALSE(problem.options.norm_first);
  EXPECT_EQ(problem.options.activation, model::Activation::relu);
  EXPECT_TRUE(problem.position_encoding);
  EXPECT_EQ(problem.encoder.front().weights["linear1.weight"].shape(), (tensor::Shape{12, 6}));
  EXPECT_EQ(problem.decoder.front().weights["linear2.weight"].shape(), (tensor::Shape{6, 12}));
  EXPECT_EQ(problem.masks,
            (std::vector<MaskKind>{MaskKind::padding, MaskKind::both, MaskKind::padding}));
}

// Rounded numbers are what is computed with: no digit hides behind the two that are printed.
TEST(YouAreWelcome, EveryNumberHasTwoDecimals) {
  const Problem problem = make_welcome();
  const model::Layer& encoder = problem.encoder.front();
  const model::Layer& decoder = problem.decoder.front();
  std::vector<tensor::Tensor> all = {problem.source.embedding, problem.target.embedding};
  for (const model::Tensors& weights :
       {encoder.self_attention, decoder.self_attention, decoder.cross_attention}) {
    for (const model::TensorId id : std::initializer_list<model::TensorId>{
             "q_proj_weight", "k_proj_weight", "v_proj_weight", "out_proj_weight", "q_proj_bias",
             "k_proj_bias", "v_proj_bias", "out_proj_bias"}) {
      all.push_back(weights[id]);
    }
  }
  for (const model::Layer& layer : {encoder, decoder}) {
    for (const model::TensorId id : std::initializer_list<model::TensorId>{
             "linear1.weight", "linear1.bias", "linear2.weight", "linear2.bias"}) {
      all.push_back(layer.weights[id]);
    }
  }
  for (const tensor::Tensor& tensor : all) {
    ASSERT_TRUE(tensor.defined());
    for (const float value : tensor.values()) {
      const double hundredths = std::round(static_cast<double>(value) * 100.0);
      EXPECT_EQ(value, static_cast<float>(hundredths / 100.0));
    }
  }
}

std::vector<int> hundredths(const tensor::Tensor& tensor) {
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
  EXPECT_EQ(hundredths(problem.encoder.front().self_attention["q_proj_weight"]),
            (std::vector<int>{65,  22,  39,  -17, 64,  32, 2,  3,  -10, 34,  -15, -33,
                              25,  -67, -54, -65, 45,  65, -5, 69, -31, -44, -70, -66,
                              -16, -62, 23,  -63, -30, 70, 10, 14, 13,  -54, 63,  56}));
  const std::vector<int> last =
      hundredths(problem.decoder.front().weights["linear2.weight"].select(0, 5));
  EXPECT_EQ(last, (std::vector<int>{53, 22, 33, 14, 53, -5, -49, -50, 54, -17, -33, 37}));
}

TEST(YouAreWelcome, HasEveryTensorOfTheWidthThatIsChosen) {
  for (const std::size_t embed_dim : {2U, 8U, 32U}) {
    Parameters parameters;
    parameters.embed_dim = embed_dim;
    const auto problem = make_problem(ExampleId::you_are_welcome, parameters);
    ASSERT_TRUE(problem);
    EXPECT_EQ(problem->source.embedding.shape(), (tensor::Shape{2, 3, embed_dim}));
    const model::Layer& layer = problem->encoder.front();
    EXPECT_EQ(layer.self_attention["q_proj_weight"].shape(), (tensor::Shape{embed_dim, embed_dim}));
    EXPECT_EQ(layer.weights["linear1.weight"].shape(), (tensor::Shape{2 * embed_dim, embed_dim}));
    EXPECT_EQ(layer.weights["norm1.weight"].shape(), (tensor::Shape{embed_dim}));
    model::Tensors x;
    x["query_input"] = problem->source.embedding;
    model::Model model;
    EXPECT_TRUE(model::add_encoder(x, {}, problem->encoder, problem->options, model));
    x["query_input"] = problem->target.embedding;
    EXPECT_TRUE(model::add_decoder(x, problem->source.embedding, {}, {}, problem->decoder,
                                   problem->options, model));
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
  EXPECT_EQ(make_welcome().note, "The numbers are random (seed 1), not trained.");
}

}  // namespace
}  // namespace lesson

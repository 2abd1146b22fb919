// What layers refuse, in sentences that name the layer and the part.
#include <gtest/gtest.h>

#include "model/random_layers.hpp"

namespace model {
namespace {

class LayerChecks : public ::testing::Test {
 protected:
  /// What is said of an encoder whose second layer is this one.
  std::string complaint(const Layer& layer, const Tensor& x, const LayerOptions& options) const {
    Tensors stream;
    stream["query_input"] = x;
    Model model;
    const auto added = add_encoder(stream, {}, {good, layer}, options, model);
    return added ? std::string() : added.error().message;
  }
  std::string complaint(const Layer& layer) const { return complaint(layer, x, two_heads); }

  Numbers numbers{3};
  const Layer good = random_encoder_layer(numbers, 6, 4);
  const Tensor x{Shape{1, 3, 6}};
  const LayerOptions two_heads{2, {}, Activation::relu, false};
  const std::string most = std::to_string(Limits::floats);
};

TEST_F(LayerChecks, OfTheTokens) {
  EXPECT_EQ(complaint(good), "");
  EXPECT_EQ(complaint(good, x, {4, {}, Activation::relu, true}),
            "In encoder layer 0: self_attention: embed_dim 6 cannot be split into 4 heads; "
            "allowed: 1, 2, 3, 6.");
  EXPECT_EQ(
      complaint(good, Tensor({3, 6}), two_heads),
      "In encoder layer 0: x has shape [3,6]; it needs three axes, [B,L,E], none of length 0.");
  EXPECT_EQ(complaint(good, Tensor({1, 1, 1}).expand({65, 2, 6}), two_heads),
            "In encoder layer 0: x has shape [65,2,6]; at most [64,4096,16384] is allowed.");
  EXPECT_EQ(complaint(good, Tensor(), two_heads),
            "In encoder layer 0: x has shape []; it needs three axes, [B,L,E], none of length 0.");
  EXPECT_EQ(
      complaint(good, Tensor({1, 1, 1}).expand({64, 4096, 16384}), two_heads),
      "In encoder layer 0: x has shape [64,4096,16384]; at most " + most + " numbers are allowed.");
}

TEST_F(LayerChecks, OfWhatALayerHasLearned) {
  Layer bad = good;
  bad.weights["norm2.bias"] = Tensor({5});
  EXPECT_EQ(complaint(bad), "In encoder layer 1: norm2.bias has shape [5]; its shape must be [6].");
  bad = good;
  bad.weights["norm1.weight"] = {};
  EXPECT_EQ(complaint(bad), "In encoder layer 1: norm1.weight is missing; its shape must be [6].");
  bad = good;
  bad.weights["linear2.weight"] = Tensor({4, 6});
  EXPECT_EQ(complaint(bad),
            "In encoder layer 1: linear2.weight has shape [4,6]; its shape must be [6,4].");
  bad = good;
  bad.weights["linear1.weight"] = Tensor({4});
  EXPECT_EQ(complaint(bad),
            "In encoder layer 1: linear1.weight must have two axes, [F,E]; it has shape [4].");
  bad.weights["linear1.weight"] = Tensor({1, 1}).expand({Limits::floats, 6});
  EXPECT_EQ(complaint(bad), "In encoder layer 1: The feed-forward layer would have shape [1,3," +
                                most + "]; at most " + most + " numbers are allowed.");
  bad = good;
  bad.self_attention["q_proj_weight"] = Tensor({5, 6});
  EXPECT_EQ(
      complaint(bad),
      "In encoder layer 1: self_attention: q_proj_weight has shape [5,6]; [6,6] fits the inputs.");
}

TEST_F(LayerChecks, OfWhatADecoderReads) {
  Tensors stream;
  stream["query_input"] = x;
  Model model;
  const auto added = add_decoder(stream, Tensor({2, 3, 6}), {}, {},
                                 {random_decoder_layer(numbers, 6, 6, 4)}, two_heads, model);
  ASSERT_FALSE(added.has_value());
  EXPECT_EQ(added.error().message,
            "In decoder layer 0: cross_attention: query [1,3,6], key [2,3,6] and value [2,3,6] "
            "differ in their batch size, the first axis; it must be the same.");
}

}  // namespace
}  // namespace model

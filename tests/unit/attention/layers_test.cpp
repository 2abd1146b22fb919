#include "attention/layers.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "attention/mask.hpp"
#include "attention/random_layers.hpp"
#include "attention/reference.hpp"

namespace attention {
namespace {

using test::Array;
using test::every_option;
using test::expect_close;
using test::Numbers;
using test::random_decoder_layer;
using test::random_encoder_layer;

Array norm_reference(Array x, const LayerNorm& norm) {
  const std::size_t width = x.shape.back();
  for (std::size_t first = 0; first < x.values.size(); first += width) {
    double mean = 0.0;
    double variance = 0.0;
    for (std::size_t e = 0; e < width; ++e)
      mean += x.values[first + e] / static_cast<double>(width);
    for (std::size_t e = 0; e < width; ++e)
      variance += std::pow(x.values[first + e] - mean, 2) / static_cast<double>(width);
    for (std::size_t e = 0; e < width; ++e) {
      x.values[first + e] = (x.values[first + e] - mean) / std::sqrt(variance + 1e-5) *
                                static_cast<double>(norm.weight.at({e})) +
                            static_cast<double>(norm.bias.at({e}));
    }
  }
  return x;
}

Array sum_reference(const Tensor& a, const Tensor& b) {
  Array sum(a);
  const Array other(b);
  for (std::size_t i = 0; i < sum.values.size(); ++i) sum.values[i] += other.values[i];
  return sum;
}

/// norm(x + f), or x + f where the norm came first.
Array after_reference(const Tensor& x, const Tensor& f, const LayerNorm& norm, bool norm_first) {
  const Array sum = sum_reference(x, f);
  return norm_first ? sum : norm_reference(sum, norm);
}

Array before_reference(const Tensor& x, const LayerNorm& norm, bool norm_first) {
  return norm_first ? norm_reference(Array(x), norm) : Array(x);
}

constexpr double layer_tolerance = 2e-5;

void expect_feed_forward(const FeedForwardTrace& trace, const FeedForward& layer,
                         Activation activation) {
  const Array hidden_layer =
      test::linear_reference(Array(trace.input), layer.linear1_weight, layer.linear1_bias);
  expect_close(trace.hidden, hidden_layer, layer_tolerance, "hidden");
  Array activated(trace.hidden);
  for (double& x : activated.values) {
    x = activation == Activation::relu ? std::fmax(x, 0.0)
                                       : x * 0.5 * (1.0 + std::erf(x / std::sqrt(2.0)));
  }
  expect_close(trace.activated, activated, layer_tolerance, "activated");
  expect_close(
      trace.output,
      test::linear_reference(Array(trace.activated), layer.linear2_weight, layer.linear2_bias),
      layer_tolerance, "feed-forward output");
}

TEST(Layers, AnEncoderIsWhatItsPartsSay) {
  Numbers numbers(1);
  const std::vector<std::size_t> lengths{4, 2};
  const Tensor mask = padding_mask(lengths, 4);
  for (const LayerOptions& options : every_option) {
    const std::vector<EncoderLayer> layers{random_encoder_layer(numbers, 6, 9),
                                           random_encoder_layer(numbers, 6, 5),
                                           random_encoder_layer(numbers, 6, 1)};
    const Tensor x = numbers.tensor({2, 4, 6});
    const auto traces = encode(x, mask, layers, options);
    ASSERT_TRUE(traces.has_value()) << traces.error().message;
    ASSERT_EQ(traces->size(), 3U);
    Tensor input = x;
    for (std::size_t i = 0; i < 3; ++i) {
      const EncoderLayerTrace& trace = (*traces)[i];
      const EncoderLayer& layer = layers[i];
      const Tensor& attended = trace.self_attention[TensorId::query_input];
      expect_close(attended, before_reference(input, layer.norm1, options.norm_first),
                   layer_tolerance, "attention's input");
      test::expect_trace(trace.self_attention, {attended, attended, attended, mask},
                         layer.self_attention, {options.num_heads, options.scale, {}},
                         "self-attention", 2e-5);
      EXPECT_EQ(trace.self_attention.view_of(TensorId::value_input), TensorId::query_input);
      expect_close(trace.after_attention,
                   after_reference(input, trace.self_attention[TensorId::output], layer.norm1,
                                   options.norm_first),
                   layer_tolerance, "after attention");
      expect_close(trace.feed_forward.input,
                   before_reference(trace.after_attention, layer.norm2, options.norm_first),
                   layer_tolerance, "feed-forward input");
      expect_feed_forward(trace.feed_forward, layer.feed_forward, options.activation);
      expect_close(trace.output,
                   after_reference(trace.after_attention, trace.feed_forward.output, layer.norm2,
                                   options.norm_first),
                   layer_tolerance, "output");
      input = trace.output;
    }
  }
}

TEST(Layers, ADecoderIsWhatItsPartsSay) {
  Numbers numbers(2);
  const std::vector<std::size_t> lengths{5, 3};
  const Tensor self_mask = look_ahead_mask(4, 4);
  const Tensor cross_mask = padding_mask(lengths, 5);
  for (const LayerOptions& options : every_option) {
    const std::vector<DecoderLayer> layers{random_decoder_layer(numbers, 6, 7, 9),
                                           random_decoder_layer(numbers, 6, 7, 5)};
    const Tensor x = numbers.tensor({2, 4, 6});
    const Tensor memory = numbers.tensor({2, 5, 7});
    const auto traces = decode(x, memory, self_mask, cross_mask, layers, options);
    ASSERT_TRUE(traces.has_value()) << traces.error().message;
    ASSERT_EQ(traces->size(), 2U);
    Tensor input = x;
    for (std::size_t i = 0; i < 2; ++i) {
      const DecoderLayerTrace& trace = (*traces)[i];
      const DecoderLayer& layer = layers[i];
      const Options attention_options{options.num_heads, options.scale, {}};
      const Tensor& attended = trace.self_attention[TensorId::query_input];
      expect_close(attended, before_reference(input, layer.norm1, options.norm_first),
                   layer_tolerance, "self-attention input");
      test::expect_trace(trace.self_attention, {attended, attended, attended, self_mask},
                         layer.self_attention, attention_options, "self-attention", 2e-5);
      expect_close(trace.after_self_attention,
                   after_reference(input, trace.self_attention[TensorId::output], layer.norm1,
                                   options.norm_first),
                   layer_tolerance, "after self-attention");
      const Tensor& asking = trace.cross_attention[TensorId::query_input];
      expect_close(asking,
                   before_reference(trace.after_self_attention, layer.norm2, options.norm_first),
                   layer_tolerance, "cross-attention input");
      test::expect_trace(trace.cross_attention, {asking, memory, memory, cross_mask},
                         layer.cross_attention, attention_options, "cross-attention", 2e-5);
      EXPECT_TRUE(trace.cross_attention[TensorId::key_input].shares_storage_with(memory));
      expect_close(
          trace.after_cross_attention,
          after_reference(trace.after_self_attention, trace.cross_attention[TensorId::output],
                          layer.norm2, options.norm_first),
          layer_tolerance, "after cross-attention");
      expect_close(trace.feed_forward.input,
                   before_reference(trace.after_cross_attention, layer.norm3, options.norm_first),
                   layer_tolerance, "feed-forward input");
      expect_feed_forward(trace.feed_forward, layer.feed_forward, options.activation);
      expect_close(trace.output,
                   after_reference(trace.after_cross_attention, trace.feed_forward.output,
                                   layer.norm3, options.norm_first),
                   layer_tolerance, "output");
      input = trace.output;
    }
  }
}

TEST(Layers, EveryAttentionHasInterventionsOfItsOwn) {
  Numbers numbers(4);
  const Interventions none;
  const Interventions no_scale{{}, {}, Mistake::no_scale};
  const Interventions ablated{{}, {1}, Mistake::none};
  const LayerOptions options{2, {}, Activation::relu, false};
  const Tensor x = numbers.tensor({1, 3, 6});
  EncoderLayer encoder = random_encoder_layer(numbers, 6, 4);
  encoder.self_interventions = ablated;
  const auto encoded = encode(x, {}, {encoder}, options);
  ASSERT_TRUE(encoded.has_value());
  EXPECT_EQ(encoded->front().self_attention.interventions, ablated);
  EXPECT_EQ(encoded->front().self_attention[TensorId::head_outputs].at({0, 1, 2, 0}), 0.0F);

  DecoderLayer decoder = random_decoder_layer(numbers, 6, 6, 4);
  for (const auto& [self, cross] : {std::pair{no_scale, ablated}, std::pair{none, no_scale}}) {
    decoder.self_interventions = self;
    decoder.cross_interventions = cross;
    const auto decoded = decode(x, encoded->front().output, {}, {}, {decoder}, options);
    ASSERT_TRUE(decoded.has_value());
    EXPECT_EQ(decoded->front().self_attention.interventions, self);
    EXPECT_EQ(decoded->front().cross_attention.interventions, cross);
  }
  decoder.cross_interventions = {{}, {2}, Mistake::none};
  EXPECT_EQ(decode(x, x, {}, {}, {decoder}, options).error().message,
            "In decoder layer 1: cross_attention: Head 2 cannot be switched off; heads are counted "
            "from 0 to 1.");
}

TEST(Layers, NoLayersMakeNoTraces) {
  EXPECT_TRUE(encode(Tensor({1, 2, 4}), {}, {}, {})->empty());
  EXPECT_TRUE(decode(Tensor({1, 2, 4}), Tensor({1, 2, 4}), {}, {}, {}, {})->empty());
}

TEST(Layers, ErrorsNameTheLayerAndThePart) {
  Numbers numbers(3);
  const EncoderLayer good = random_encoder_layer(numbers, 6, 4);
  const Tensor x({1, 3, 6});
  const auto complaint = [&](const EncoderLayer& layer, const LayerOptions& options,
                             const Tensor& input) {
    const auto traces = encode(input, {}, {good, layer}, options);
    return traces ? std::string() : traces.error().message;
  };
  const LayerOptions two_heads{2, {}, Activation::relu, false};
  EXPECT_EQ(complaint(good, two_heads, x), "");
  EXPECT_EQ(complaint(good, {4, {}, Activation::relu, true}, x),
            "In encoder layer 1: self_attention: embed_dim 6 cannot be split into 4 heads; "
            "allowed: 1, 2, 3, 6.");
  EXPECT_EQ(
      complaint(good, two_heads, Tensor({3, 6})),
      "In encoder layer 1: x has shape [3,6]; it needs three axes, [B,L,E], none of length 0.");
  EXPECT_EQ(complaint(good, two_heads, Tensor({1, 1, 1}).expand({65, 2, 6})),
            "In encoder layer 1: x has shape [65,2,6]; at most [64,4096,16384] is allowed.");
  EXPECT_EQ(complaint(good, two_heads, Tensor()),
            "In encoder layer 1: x has shape []; it needs three axes, [B,L,E], none of length 0.");
  EncoderLayer bad = good;
  bad.norm2.bias = Tensor({5});
  EXPECT_EQ(complaint(bad, two_heads, x),
            "In encoder layer 2: norm2.bias has shape [5]; its shape must be [6].");
  bad = good;
  bad.norm1.weight = {};
  EXPECT_EQ(complaint(bad, two_heads, x),
            "In encoder layer 2: norm1.weight is missing; its shape must be [6].");
  bad = good;
  bad.feed_forward.linear2_weight = Tensor({4, 6});
  EXPECT_EQ(complaint(bad, two_heads, x),
            "In encoder layer 2: linear2.weight has shape [4,6]; its shape must be [6,4].");
  bad = good;
  bad.feed_forward.linear1_weight = Tensor({4});
  EXPECT_EQ(complaint(bad, two_heads, x),
            "In encoder layer 2: linear1.weight must have two axes, [F,E]; it has shape [4].");
  const std::string most = std::to_string(Limits::floats);
  bad.feed_forward.linear1_weight = Tensor({1, 1}).expand({Limits::floats, 6});
  EXPECT_EQ(complaint(bad, two_heads, x),
            "In encoder layer 2: The feed-forward layer would have shape [1,3," + most +
                "]; at most " + most + " numbers are allowed.");
  EXPECT_EQ(
      complaint(good, two_heads, Tensor({1, 1, 1}).expand({64, 4096, 16384})),
      "In encoder layer 1: x has shape [64,4096,16384]; at most " + most + " numbers are allowed.");
  bad = good;
  bad.self_attention.q_proj_weight = Tensor({5, 6});
  EXPECT_EQ(
      complaint(bad, two_heads, x),
      "In encoder layer 2: self_attention: q_proj_weight has shape [5,6]; [6,6] fits the inputs.");

  const DecoderLayer decoder = random_decoder_layer(numbers, 6, 6, 4);
  const auto traces = decode(x, Tensor({2, 3, 6}), {}, {}, {decoder}, two_heads);
  ASSERT_FALSE(traces.has_value());
  EXPECT_EQ(traces.error().message,
            "In decoder layer 1: cross_attention: query [1,3,6], key [2,3,6] and value [2,3,6] "
            "differ in their batch "
            "size, the first axis; it must be the same.");
}

}  // namespace
}  // namespace attention

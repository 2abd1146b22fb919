#include "model/layers.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "model/attention/mask.hpp"
#include "model/random_layers.hpp"
#include "model/reference.hpp"

namespace model {
namespace {

constexpr double layer_tolerance = 2e-5;

Array norm_reference(Array x, const Tensors& weights, TensorId weight, TensorId bias) {
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
                                static_cast<double>(weights[weight].at({e})) +
                            static_cast<double>(weights[bias].at({e}));
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

/// The rows around the attentions, once more: each is held against what PyTorch's documentation
/// says of it, from the numbers of the trace that it reads.
class Around {
 public:
  Around(const Trace& trace, const Layer& layer, const LayerOptions& options)
      : trace_(trace), layer_(layer), options_(options) {}

  void sum(TensorId made, TensorId a, TensorId b) const {
    expect(made, sum_reference(trace_[a], trace_[b]));
  }
  void norm(TensorId made, TensorId x, TensorId weight, TensorId bias) const {
    expect(made, norm_reference(Array(trace_[x]), layer_.weights, weight, bias));
  }
  void feed_forward(TensorId x) const {
    const Tensors& weights = layer_.weights;
    expect("hidden",
           linear_reference(Array(trace_[x]), weights["linear1.weight"], weights["linear1.bias"]));
    Array activated(trace_["hidden"]);
    for (double& number : activated.values) {
      number = options_.activation == Activation::relu
                   ? std::fmax(number, 0.0)
                   : number * 0.5 * (1.0 + std::erf(number / std::sqrt(2.0)));
    }
    expect("activated", activated);
    expect("feed_forward", linear_reference(Array(trace_["activated"]), weights["linear2.weight"],
                                            weights["linear2.bias"]));
  }

 private:
  void expect(TensorId made, const Array& theirs) const {
    expect_close(trace_[made], theirs, layer_tolerance,
                 trace_.name + ": " + std::string(name_of(made)));
  }
  const Trace& trace_;
  const Layer& layer_;
  const LayerOptions& options_;
};

Tensors stream(const Tensor& x) {
  Tensors tensors;
  tensors["query_input"] = x;
  return tensors;
}

TEST(Layers, AnEncoderIsWhatItsPartsSay) {
  Numbers numbers(1);
  const std::vector<std::size_t> lengths{4, 2};
  const Tensor mask = padding_mask(lengths, 4);
  for (const LayerOptions& options : every_option) {
    const std::vector<Layer> layers{random_encoder_layer(numbers, 6, 9),
                                    random_encoder_layer(numbers, 6, 5),
                                    random_encoder_layer(numbers, 6, 1)};
    const Tensor x = numbers.tensor({2, 4, 6});
    Model model;
    const auto added = add_encoder(stream(x), mask, layers, options, model);
    ASSERT_TRUE(added.has_value()) << added.error().message;
    const std::vector<Trace> traces = compute(model);
    ASSERT_EQ(traces.size(), 6U);
    Tensor input = x;
    for (std::size_t i = 0; i < 3; ++i) {
      const std::string name = "encoder." + std::to_string(i);
      const Trace& attention = find(traces, name + ".self_attention");
      const Trace& trace = find(traces, name);
      EXPECT_TRUE(trace["input"].is_same_view(input)) << name;
      EXPECT_TRUE(trace["self_attention"].is_same_view(attention["output"])) << name;
      EXPECT_TRUE(
          attention["query_input"].is_same_view(options.norm_first ? trace["normed1"] : input));
      EXPECT_EQ(attention.view_of("value_input"), TensorId("query_input"));
      expect_trace(attention, self_inputs(attention["query_input"], mask, layers[i].self_attention),
                   {options.num_heads, options.scale, {}}, attention.name, layer_tolerance);
      const Around around(trace, layers[i], options);
      around.sum("residual1", "input", "self_attention");
      if (options.norm_first) {
        around.norm("normed1", "input", "norm1.weight", "norm1.bias");
        around.norm("normed2", "residual1", "norm2.weight", "norm2.bias");
        around.feed_forward("normed2");
        around.sum("layer_output", "residual1", "feed_forward");
      } else {
        around.norm("normed1", "residual1", "norm1.weight", "norm1.bias");
        around.feed_forward("normed1");
        around.sum("residual2", "normed1", "feed_forward");
        around.norm("layer_output", "residual2", "norm2.weight", "norm2.bias");
      }
      input = trace["layer_output"];
    }
  }
}

TEST(Layers, ADecoderIsWhatItsPartsSay) {
  Numbers numbers(2);
  const std::vector<std::size_t> lengths{5, 3};
  const Tensor self_mask = look_ahead_mask(4, 4);
  const Tensor cross_mask = padding_mask(lengths, 5);
  for (const LayerOptions& options : every_option) {
    const std::vector<Layer> layers{random_decoder_layer(numbers, 6, 7, 9),
                                    random_decoder_layer(numbers, 6, 7, 5)};
    const Tensor x = numbers.tensor({2, 4, 6});
    const Tensor memory = numbers.tensor({2, 5, 7});
    Model model;
    const auto added =
        add_decoder(stream(x), memory, self_mask, cross_mask, layers, options, model);
    ASSERT_TRUE(added.has_value()) << added.error().message;
    const std::vector<Trace> traces = compute(model);
    ASSERT_EQ(traces.size(), 6U);
    Tensor input = x;
    for (std::size_t i = 0; i < 2; ++i) {
      const std::string name = "decoder." + std::to_string(i);
      const Trace& self = find(traces, name + ".self_attention");
      const Trace& cross = find(traces, name + ".cross_attention");
      const Trace& trace = find(traces, name);
      const Options attention_options{options.num_heads, options.scale, {}};
      EXPECT_TRUE(trace["input"].is_same_view(input)) << name;
      EXPECT_TRUE(trace["self_attention"].is_same_view(self["output"])) << name;
      EXPECT_TRUE(trace["cross_attention"].is_same_view(cross["output"])) << name;
      EXPECT_TRUE(self["query_input"].is_same_view(options.norm_first ? trace["normed1"] : input));
      EXPECT_TRUE(cross["query_input"].is_same_view(
          trace[options.norm_first ? TensorId("normed2") : TensorId("normed1")]));
      EXPECT_TRUE(cross["key_input"].is_same_view(memory));
      expect_trace(self, self_inputs(self["query_input"], self_mask, layers[i].self_attention),
                   attention_options, self.name, layer_tolerance);
      expect_trace(
          cross,
          inputs_of(cross["query_input"], memory, memory, cross_mask, layers[i].cross_attention),
          attention_options, cross.name, layer_tolerance);
      const Around around(trace, layers[i], options);
      around.sum("residual1", "input", "self_attention");
      if (options.norm_first) {
        around.norm("normed1", "input", "norm1.weight", "norm1.bias");
        around.norm("normed2", "residual1", "norm2.weight", "norm2.bias");
        around.sum("residual2", "residual1", "cross_attention");
        around.norm("normed3", "residual2", "norm3.weight", "norm3.bias");
        around.feed_forward("normed3");
        around.sum("layer_output", "residual2", "feed_forward");
      } else {
        around.norm("normed1", "residual1", "norm1.weight", "norm1.bias");
        around.sum("residual2", "normed1", "cross_attention");
        around.norm("normed2", "residual2", "norm2.weight", "norm2.bias");
        around.feed_forward("normed2");
        around.sum("residual3", "normed2", "feed_forward");
        around.norm("layer_output", "residual3", "norm3.weight", "norm3.bias");
      }
      input = trace["layer_output"];
    }
  }
}

TEST(Layers, ADecoderReadsWhatTheEncoderMade) {
  Numbers numbers(5);
  for (const LayerOptions& options : every_option) {
    Model model;
    const Tensor x = numbers.tensor({1, 4, 6});
    ASSERT_TRUE(add_encoder(stream(x), {}, {random_encoder_layer(numbers, 6, 3)}, options, model));
    ASSERT_TRUE(add_decoder(
        stream(numbers.tensor({1, 2, 6})), x, {}, {},
        {random_decoder_layer(numbers, 6, 6, 3), random_decoder_layer(numbers, 6, 6, 3)}, options,
        model));
    const std::vector<Trace> traces = compute(model);
    const Tensor& memory = find(traces, "encoder.0")["layer_output"];
    for (const char* name : {"decoder.0.cross_attention", "decoder.1.cross_attention"}) {
      EXPECT_TRUE(find(traces, name)["key_input"].is_same_view(memory)) << name;
      EXPECT_TRUE(find(traces, name)["value_input"].is_same_view(memory)) << name;
      EXPECT_EQ(find(traces, name).config.key_len, 4U) << name;
    }
  }
}

TEST(Layers, TheFirstMayBeginWithEmbeddings) {
  Numbers numbers(6);
  for (const LayerOptions& options : every_option) {
    Tensors embedding;
    embedding["token_embedding"] = numbers.tensor({2, 3, 6});
    const std::vector<Layer> layers{random_encoder_layer(numbers, 6, 3),
                                    random_encoder_layer(numbers, 6, 3)};
    Model model;
    ASSERT_TRUE(add_encoder(embedding, {}, layers, options, model));
    const std::vector<Trace> traces = compute(model);
    // The same as of sums that are given.
    Tensors alone = embedding;
    alone["key_input"] = alone["value_input"] = embedding["token_embedding"];
    const Tensor sums = computed(alone, {1, {}, {}})["query_input"];
    EXPECT_FALSE(sums.has_same_bits(embedding["token_embedding"]));
    Model other;
    ASSERT_TRUE(add_encoder(stream(sums), {}, layers, options, other));
    const std::vector<Trace> expected = compute(other);
    for (const char* name : {"encoder.0", "encoder.1"}) {
      EXPECT_TRUE(find(traces, name)["input"].has_same_bits(find(expected, name)["input"])) << name;
      EXPECT_TRUE(
          find(traces, name)["layer_output"].has_same_bits(find(expected, name)["layer_output"]))
          << name;
    }
  }
}

TEST(Layers, EveryAttentionHasOverridesOfItsOwn) {
  Numbers numbers(4);
  const Overrides none;
  const Overrides no_scale{{}, {}, Mistake::no_scale};
  const Overrides ablated{{}, {1}, Mistake::none};
  const LayerOptions options{2, {}, Activation::relu, false};
  const Tensor x = numbers.tensor({1, 3, 6});
  Layer encoder = random_encoder_layer(numbers, 6, 4);
  encoder.self_overrides = ablated;
  Model encoding;
  ASSERT_TRUE(add_encoder(stream(x), {}, {encoder}, options, encoding));
  const std::vector<Trace> encoded = compute(encoding);
  EXPECT_EQ(find(encoded, "encoder.0.self_attention").overrides, ablated);
  EXPECT_EQ(find(encoded, "encoder.0.self_attention")["head_outputs"].at({0, 1, 2, 0}), 0.0F);

  Layer decoder = random_decoder_layer(numbers, 6, 6, 4);
  for (const auto& [self, cross] : {std::pair{no_scale, ablated}, std::pair{none, no_scale}}) {
    decoder.self_overrides = self;
    decoder.cross_overrides = cross;
    Model model = encoding;
    ASSERT_TRUE(add_decoder(stream(x), x, {}, {}, {decoder}, options, model));
    const std::vector<Trace> decoded = compute(model);
    EXPECT_EQ(find(decoded, "decoder.0.self_attention").overrides, self);
    EXPECT_EQ(find(decoded, "decoder.0.cross_attention").overrides, cross);
  }
  decoder.cross_overrides = {{}, {2}, Mistake::none};
  EXPECT_EQ(add_decoder(stream(x), x, {}, {}, {decoder}, options, encoding).error().message,
            "In decoder layer 0: cross_attention: Head 2 cannot be switched off; heads are counted "
            "from 0 to 1.");
}

TEST(Layers, NoLayersAreNoParts) {
  Model model;
  EXPECT_TRUE(add_encoder(stream(Tensor({1, 2, 4})), {}, {}, {}, model));
  EXPECT_TRUE(add_decoder(stream(Tensor({1, 2, 4})), Tensor({1, 2, 4}), {}, {}, {}, {}, model));
  EXPECT_TRUE(model.empty());
  EXPECT_TRUE(compute(model).empty());
}

}  // namespace
}  // namespace model

// An edit where several attentions stand in a row: what it leads to, and nothing else.
#include <limits>

#include <gtest/gtest.h>

#include "model/attention/mask.hpp"
#include "model/gradients.hpp"
#include "model/random_layers.hpp"
#include "model/same.hpp"

namespace model {
namespace {

constexpr std::size_t layers_width = 6;

/// An encoder, a decoder, or a decoder that reads what the encoder makes.
struct Layers {
  bool has_encoder = true;
  bool has_decoder = true;
  Tensors source;
  Tensors target;
  Tensor source_mask;
  Tensor target_mask;
  Tensor cross_mask;
  std::vector<Layer> encoder;
  std::vector<Layer> decoder;
  LayerOptions options;
  std::vector<Trace> last;
  bool has_gradients = false;  ///< of the squared distance to a target of zeros

  Model model() const {
    Model made;
    if (has_encoder) {
      EXPECT_TRUE(add_encoder(source, source_mask, encoder, options, made));
    }
    const Tensor& memory =
        source.has("token_embedding") ? source["token_embedding"] : source["query_input"];
    if (has_decoder) {
      EXPECT_TRUE(add_decoder(target, memory, target_mask, cross_mask, decoder, options, made));
    }
    if (has_gradients && !made.empty()) {
      const std::size_t tokens = has_decoder ? 3 : 5;
      add_squared_distance(made, made.size() - 1, "layer_output",
                           Tensor({2, tokens, layers_width}));
      add_gradients(made, made.size() - 1, "loss");
    }
    return made;
  }

  void compute_and_compare() {
    last = compute(model(), last);
    expect_same_traces(last, compute(model()));
  }
};

Layers layers_of(Numbers& numbers, const LayerOptions& options) {
  Layers layers;
  layers.source["query_input"] = numbers.tensor({2, 5, layers_width});
  layers.target["query_input"] = numbers.tensor({2, 3, layers_width});
  layers.source_mask = padding_mask(std::vector<std::size_t>{5, 3}, 5);
  layers.target_mask = look_ahead_mask(3, 3);
  for (const std::size_t width : {9U, 1U}) {
    layers.encoder.push_back(random_encoder_layer(numbers, layers_width, width));
    layers.decoder.push_back(random_decoder_layer(numbers, layers_width, layers_width, width));
  }
  layers.options = options;
  return layers;
}

void edit_one(Tensor& tensor, Numbers& numbers) {
  tensor = tensor.clone();
  tensor.set(numbers.index(tensor.shape()), numbers.next());
}

void edit_any(Tensors& tensors, Numbers& numbers) {
  const std::vector<TensorId> present = tensors.present();
  edit_one(tensors[present[numbers.below(present.size())]], numbers);
}

/// With position encoding, or without.
void turn_embedding(Tensors& stream) {
  std::swap(stream["token_embedding"], stream["query_input"]);
}

/// Does one of the things that happen to layers.
void edit_layers(Layers& layers, Numbers& numbers) {
  Layer& encoder = layers.encoder[numbers.below(2)];
  Layer& decoder = layers.decoder[numbers.below(2)];
  switch (numbers.below(14)) {
    case 0:
    case 1:
      return edit_any(layers.source, numbers);
    case 2:
    case 3:
      return edit_any(layers.target, numbers);
    case 4:
      return edit_any(encoder.self_attention, numbers);
    case 5:
      return edit_any(decoder.self_attention, numbers);
    case 6:
      return edit_any(decoder.cross_attention, numbers);
    case 7:
      return edit_any(encoder.weights, numbers);
    case 8:
      return edit_any(decoder.weights, numbers);
    case 9: {
      std::vector<std::size_t>& ablated = decoder.self_overrides.ablated_heads;
      ablated.empty() ? ablated.push_back(0) : ablated.clear();
      return;
    }
    case 10:
      layers.cross_mask = layers.cross_mask.defined() ? Tensor() : look_ahead_mask(3, 5);
      return;
    case 11:
      encoder.self_overrides.mistake =
          encoder.self_overrides.mistake == Mistake::none ? Mistake::mask_with_zero : Mistake::none;
      return;
    case 12:
      return turn_embedding(numbers.below(2) == 0 ? layers.source : layers.target);
    default:
      layers.options.activation =
          layers.options.activation == Activation::relu ? Activation::gelu : Activation::relu;
  }
}

TEST(ComputeLayers, RandomEditsGiveWhatComputingEverythingGives) {
  Numbers numbers(1);
  for (const LayerOptions& options : every_option) {
    for (const auto& [encoder, decoder] :
         {std::pair{true, false}, std::pair{false, true}, std::pair{true, true}}) {
      Layers layers = layers_of(numbers, options);
      layers.has_encoder = encoder;
      layers.has_decoder = decoder;
      for (int round = 0; round < 80 && !::testing::Test::HasFatalFailure(); ++round) {
        SCOPED_TRACE(round);
        layers.compute_and_compare();
        edit_layers(layers, numbers);
      }
    }
  }
}

TEST(ComputeLayers, GradientsAfterEditsAreThoseOfComputingEverything) {
  Numbers numbers(6);
  for (const LayerOptions& options : every_option) {
    Layers layers = layers_of(numbers, options);
    layers.has_gradients = true;
    for (int round = 0; round < 20 && !::testing::Test::HasFatalFailure(); ++round) {
      SCOPED_TRACE(round);
      layers.compute_and_compare();
      edit_layers(layers, numbers);
    }
  }
}

TEST(ComputeLayers, TheOrderOfTheNormsMayChange) {
  Numbers numbers(4);
  Layers layers = layers_of(numbers, every_option[0]);
  for (int round = 0; round < 4; ++round) {
    layers.compute_and_compare();
    layers.options.norm_first = !layers.options.norm_first;
  }
}

TEST(ComputeLayers, OddNumbersToo) {
  Numbers numbers(2);
  Layers layers = layers_of(numbers, every_option[0]);
  layers.compute_and_compare();
  for (const float odd : {std::numeric_limits<float>::quiet_NaN(), hidden, -0.0F, 1.0F}) {
    Tensor source = layers.source["query_input"].clone();
    source.set({1, 2, 3}, odd);
    layers.source["query_input"] = source;
    layers.compute_and_compare();
  }
}

TEST(ComputeLayers, NothingChangedIsNothingComputed) {
  Numbers numbers(5);
  for (const LayerOptions& options : every_option) {
    Layers layers = layers_of(numbers, options);
    layers.compute_and_compare();
    const std::vector<Trace> before = layers.last;
    // The same numbers elsewhere are no change.
    for (Layer& layer : layers.decoder) {
      for (const TensorId id : layer.weights.present())
        layer.weights[id] = layer.weights[id].clone();
    }
    layers.source["query_input"] = layers.source["query_input"].clone();
    layers.compute_and_compare();
    for (std::size_t part = 0; part < before.size(); ++part) {
      for (const TensorId id : before[part].present()) {
        EXPECT_TRUE(layers.last[part][id].is_same_view(before[part][id]))
            << before[part].name << ' ' << name_of(id);
      }
    }
  }
}

TEST(ComputeLayers, WhatDoesNotFollowFromTheEditKeepsItsStorage) {
  Numbers numbers(3);
  for (const LayerOptions& options : every_option) {
    Layers layers = layers_of(numbers, options);
    layers.compute_and_compare();
    const auto encoder = [&] {
      std::vector<std::uint64_t> all;
      for (const Trace& trace : layers.last) {
        if (trace.name.rfind("encoder", 0) != 0) continue;
        for (const TensorId id : trace.present()) all.push_back(trace[id].storage_id());
      }
      return all;
    };
    const auto id_of = [&](const char* part, TensorId id) {
      return find(layers.last, part)[id].storage_id();
    };
    const auto encoded = encoder();
    const std::uint64_t keys = id_of("decoder.0.cross_attention", "k");
    edit_any(layers.target, numbers);
    layers.compute_and_compare();
    EXPECT_EQ(encoder(), encoded);
    EXPECT_EQ(id_of("decoder.0.cross_attention", "k"), keys);

    const std::uint64_t self = id_of("decoder.0.self_attention", "output");
    edit_any(layers.source, numbers);
    layers.compute_and_compare();
    EXPECT_NE(encoder(), encoded);
    EXPECT_EQ(id_of("decoder.0.self_attention", "output"), self);
    EXPECT_NE(id_of("decoder.0.cross_attention", "k"), keys);

    const std::uint64_t hidden_layer = id_of("decoder.0", "hidden");
    const std::uint64_t output = id_of("decoder.0", "layer_output");
    edit_one(layers.decoder[0].weights["linear2.bias"], numbers);
    layers.compute_and_compare();
    EXPECT_EQ(id_of("decoder.0", "hidden"), hidden_layer);
    EXPECT_NE(id_of("decoder.0", "layer_output"), output);
  }
}

}  // namespace
}  // namespace model

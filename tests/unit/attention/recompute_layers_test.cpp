// An edit where several attentions stand in a row: what it leads to, and nothing else.
#include <limits>

#include <gtest/gtest.h>

#include "attention/mask.hpp"
#include "attention/random_layers.hpp"
#include "attention/same.hpp"

namespace attention {
namespace {

using test::every_option;
using test::expect_same;
using test::expect_same_trace;
using test::Numbers;

constexpr std::size_t E = 6;

/// An encoder and the decoder that reads what it makes.
struct Layers {
  Tensor source;
  Tensor target;
  Tensor source_mask;
  Tensor target_mask;
  Tensor cross_mask;
  std::vector<EncoderLayer> encoder;
  std::vector<DecoderLayer> decoder;
  LayerOptions options;
  std::vector<EncoderLayerTrace> encoded;
  std::vector<DecoderLayerTrace> decoded;

  void recompute() {
    ASSERT_TRUE(recompute_encoder(source, source_mask, encoder, options, encoded));
    ASSERT_TRUE(recompute_decoder(target, encoded.back().output, target_mask, cross_mask, decoder,
                                  options, decoded));
  }
};

Layers made_up(Numbers& numbers, const LayerOptions& options) {
  Layers layers;
  layers.source = numbers.tensor({2, 5, E});
  layers.target = numbers.tensor({2, 3, E});
  layers.source_mask = padding_mask(std::vector<std::size_t>{5, 3}, 5);
  layers.target_mask = look_ahead_mask(3, 3);
  for (const std::size_t width : {9U, 1U}) {
    layers.encoder.push_back(test::random_encoder_layer(numbers, E, width));
    layers.decoder.push_back(test::random_decoder_layer(numbers, E, E, width));
  }
  layers.options = options;
  return layers;
}

void expect_same_feed_forward(const FeedForwardTrace& ours, const FeedForwardTrace& theirs) {
  expect_same(ours.input, theirs.input, "feed-forward input");
  expect_same(ours.hidden, theirs.hidden, "hidden");
  expect_same(ours.activated, theirs.activated, "activated");
  expect_same(ours.output, theirs.output, "feed-forward output");
}

/// To the last bit what computing everything gives.
void expect_up_to_date(const Layers& layers) {
  const auto encoded = encode(layers.source, layers.source_mask, layers.encoder, layers.options);
  ASSERT_TRUE(encoded);
  const auto decoded = decode(layers.target, encoded->back().output, layers.target_mask,
                              layers.cross_mask, layers.decoder, layers.options);
  ASSERT_TRUE(decoded);
  for (std::size_t i = 0; i < encoded->size(); ++i) {
    SCOPED_TRACE("encoder layer " + std::to_string(i));
    const EncoderLayerTrace& ours = layers.encoded[i];
    const EncoderLayerTrace& theirs = (*encoded)[i];
    expect_same_trace(ours.self_attention, theirs.self_attention);
    expect_same(ours.input, theirs.input, "input");
    expect_same(ours.after_attention, theirs.after_attention, "after attention");
    expect_same_feed_forward(ours.feed_forward, theirs.feed_forward);
    expect_same(ours.output, theirs.output, "output");
  }
  for (std::size_t i = 0; i < decoded->size(); ++i) {
    SCOPED_TRACE("decoder layer " + std::to_string(i));
    const DecoderLayerTrace& ours = layers.decoded[i];
    const DecoderLayerTrace& theirs = (*decoded)[i];
    expect_same_trace(ours.self_attention, theirs.self_attention);
    expect_same_trace(ours.cross_attention, theirs.cross_attention);
    expect_same(ours.input, theirs.input, "input");
    expect_same(ours.after_self_attention, theirs.after_self_attention, "after self-attention");
    expect_same(ours.after_cross_attention, theirs.after_cross_attention, "after cross-attention");
    expect_same_feed_forward(ours.feed_forward, theirs.feed_forward);
    expect_same(ours.output, theirs.output, "output");
  }
}

void edit(Tensor& tensor, Numbers& numbers) {
  tensor = tensor.clone();
  tensor.set(numbers.index(tensor.shape()), numbers.next());
}

/// Into what was computed: nobody would, and then it must not stay.
void overwrite(Tensor tensor, Numbers& numbers) {
  tensor.set(numbers.index(tensor.shape()), numbers.next());
}

/// Does one of the things that happen to layers.
void edit(Layers& layers, Numbers& numbers) {
  EncoderLayer& encoder = layers.encoder[numbers.below(2)];
  DecoderLayer& decoder = layers.decoder[numbers.below(2)];
  const std::size_t what = numbers.below(20);
  switch (what) {
    case 0:
    case 1:
      return edit(layers.source, numbers);
    case 2:
    case 3:
      return edit(layers.target, numbers);
    case 4:
      return edit(encoder.self_attention.v_proj_weight, numbers);
    case 5:
      return edit(decoder.self_attention.out_proj_bias, numbers);
    case 6:
      return edit(decoder.cross_attention.q_proj_weight, numbers);
    case 7:
      return edit(decoder.cross_attention.k_proj_weight, numbers);
    case 8:
      return edit(encoder.feed_forward.linear2_weight, numbers);
    case 9:
      return edit(decoder.norm2.bias, numbers);
    case 10:  // written over where it is: nobody knows what was there
      return decoder.norm3.weight.set({2}, numbers.next());
    case 11:
      return layers.source.set(numbers.index(layers.source.shape()), numbers.next());
    case 12: {
      std::vector<std::size_t>& ablated = decoder.self_interventions.ablated_heads;
      ablated.empty() ? ablated.push_back(0) : ablated.clear();
      return;
    }
    case 13:
      layers.cross_mask = layers.cross_mask.defined() ? Tensor() : look_ahead_mask(3, 5);
      return;
    case 14:
      encoder.norm1.eps *= 2.0F;
      return;
    case 15:
      return overwrite(layers.encoded[0].self_attention[TensorId::query_input], numbers);
    case 16:
      return overwrite(layers.decoded[1].cross_attention[TensorId::query_input], numbers);
    case 17:
      return overwrite(layers.decoded[0].after_self_attention, numbers);
    case 18:
      return overwrite(layers.encoded[1].feed_forward.activated, numbers);
    default:
      layers.options.activation =
          layers.options.activation == Activation::relu ? Activation::gelu : Activation::relu;
  }
}

TEST(RecomputeLayers, RandomEditsGiveWhatComputingEverythingGives) {
  Numbers numbers(1);
  for (const LayerOptions& options : every_option) {
    Layers layers = made_up(numbers, options);
    for (int round = 0; round < 120 && !::testing::Test::HasFatalFailure(); ++round) {
      layers.recompute();
      expect_up_to_date(layers);
      edit(layers, numbers);
    }
  }
}

TEST(RecomputeLayers, OddNumbersToo) {
  Numbers numbers(2);
  Layers layers = made_up(numbers, every_option[0]);
  layers.recompute();
  for (const float odd : {std::numeric_limits<float>::quiet_NaN(), hidden, -0.0F, 1.0F}) {
    layers.source = layers.source.clone();
    layers.source.set({1, 2, 3}, odd);
    layers.recompute();
    expect_up_to_date(layers);
  }
}

TEST(RecomputeLayers, WhatDoesNotDependOnTheEditKeepsItsVersion) {
  Numbers numbers(3);
  for (const LayerOptions& options : every_option) {
    Layers layers = made_up(numbers, options);
    layers.recompute();
    const auto versions = [&] {
      std::vector<std::uint64_t> all;
      for (const EncoderLayerTrace& layer : layers.encoded) {
        for (const TensorId id : layer.self_attention.present())
          all.push_back(layer.self_attention[id].storage_version());
        for (const Tensor* tensor : {&layer.after_attention, &layer.feed_forward.hidden,
                                     &layer.feed_forward.output, &layer.output}) {
          all.push_back(tensor->storage_version());
        }
      }
      return all;
    };
    const auto encoder = versions();
    const std::uint64_t keys = layers.decoded[0].cross_attention[TensorId::k].storage_version();
    edit(layers.target, numbers);
    layers.recompute();
    EXPECT_EQ(versions(), encoder);
    EXPECT_EQ(layers.decoded[0].cross_attention[TensorId::k].storage_version(), keys);
    expect_up_to_date(layers);

    const std::uint64_t self = layers.decoded[0].self_attention[TensorId::output].storage_version();
    edit(layers.source, numbers);
    layers.recompute();
    EXPECT_NE(versions(), encoder);
    EXPECT_EQ(layers.decoded[0].self_attention[TensorId::output].storage_version(), self);
    EXPECT_NE(layers.decoded[0].cross_attention[TensorId::k].storage_version(), keys);
    expect_up_to_date(layers);
  }
}

TEST(RecomputeLayers, ErrorsLeaveEverythingAsItWas) {
  Numbers numbers(5);
  Layers layers = made_up(numbers, every_option[0]);
  layers.recompute();
  const Layers before = layers;
  layers.encoder[1].self_attention.v_proj_weight = numbers.tensor({E, E + 1});
  edit(layers.source, numbers);
  const auto encoded = recompute_encoder(layers.source, layers.source_mask, layers.encoder,
                                         layers.options, layers.encoded);
  EXPECT_EQ(encoded.error().message,
            "In encoder layer 2: self_attention: v_proj_weight has shape [6,7]; [6,6] fits the "
            "inputs.");
  layers.decoder[1].norm3.bias = {};
  const auto decoded =
      recompute_decoder(layers.target, layers.encoded.back().output, layers.target_mask, {},
                        layers.decoder, layers.options, layers.decoded);
  EXPECT_EQ(decoded.error().message,
            "In decoder layer 2: norm3.bias is missing; its shape must be [6].");
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(layers.encoded[i].versions, before.encoded[i].versions);
    EXPECT_EQ(layers.decoded[i].versions, before.decoded[i].versions);
  }
  layers.encoder = before.encoder;
  layers.decoder = before.decoder;
  layers.recompute();
  expect_up_to_date(layers);
}

}  // namespace
}  // namespace attention

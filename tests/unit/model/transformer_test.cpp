// Transformers that read and write tokens, against PyTorch's functions
// (tests/fixtures/make_training_fixtures.py).
#include "model/transformer.hpp"

#include <cmath>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include "fixture_file.hpp"
#include "model/gradients.hpp"
#include "numbers.hpp"

namespace model {
namespace {

using test::FixtureFile;

const char* const transformer_variants[] = {"translator", "norm_first", "without_positions",
                                            "encoder", "encoder_causal"};

Transformer transformer_of(const FixtureFile& fixture) {
  Transformer made;
  made.vocabulary = fixture.size("vocabulary");
  made.embed_dim = fixture.size("embed_dim");
  made.num_heads = fixture.size("num_heads");
  made.feed_forward = fixture.size("feed_forward");
  made.encoder_layers = fixture.size("encoder_layers");
  made.decoder_layers = fixture.size("decoder_layers");
  if (fixture.metadata.at("activation") == "gelu") made.activation = Activation::gelu;
  made.norm_first = fixture.is_true("norm_first");
  made.causal = fixture.is_true("causal");
  made.positions = fixture.is_true("positions");
  made.tied = fixture.is_true("tied");
  made.scaled_embedding = fixture.is_true("scaled_embedding");
  if (!fixture.is_true("scaled_scores")) made.scale.kind = Scale::Kind::none;
  made.padding = static_cast<int>(fixture.number("padding"));
  made.label_smoothing = fixture.number("label_smoothing");
  return made;
}

Weights weights_under(const FixtureFile& fixture, const std::string& prefix) {
  Weights weights;
  for (const auto& [name, tensor] : fixture.tensors) {
    if (name.starts_with(prefix)) weights[name.substr(prefix.size())] = tensor;
  }
  return weights;
}

TokenBatch batch_of(const FixtureFile& fixture, const Transformer& transformer) {
  return {fixture["source"], transformer.decoder_layers > 0 ? fixture["target"] : tensor::Tensor(),
          fixture["right"]};
}

/// The largest difference, relative to the largest number.
void expect_relatively_close(const tensor::Tensor& ours, const tensor::Tensor& theirs,
                             double smallest_scale, const std::string& what) {
  double scale = smallest_scale;
  for (const float number : theirs.values())
    scale = std::fmax(scale, std::fabs(static_cast<double>(number)));
  test::expect_close(ours, test::Array(theirs), 1e-5 * scale, what);
}

TEST(Transformer, AsPyTorch) {
  for (const char* variant : transformer_variants) {
    SCOPED_TRACE(variant);
    const FixtureFile fixture = test::fixture_file(std::string("transformer_") + variant);
    const Transformer transformer = transformer_of(fixture);
    const Weights weights = weights_under(fixture, "weight.");
    auto model = transformer_model(transformer, weights, batch_of(fixture, transformer));
    ASSERT_TRUE(model.has_value()) << model.error().message;
    add_gradients(*model, model->size() - 1, "loss");
    const std::vector<Trace> traces = compute(*model);
    expect_relatively_close(traces.back()["logits"], fixture["expected.logits"], 0.0, "logits");
    expect_relatively_close(traces.back()["loss"], fixture["expected.loss"], 0.0, "loss");
    Weights expected = weights_under(fixture, "expected.d_");
    for (std::size_t part = 0; part < traces.size(); ++part) {
      for (const TensorId id : (*model)[part].trace.tensors.present()) {
        const std::string name = weight_name(traces[part].name, id);
        if (id.is_gradient() || !weights.contains(name)) continue;
        // A weight that two parts read has its gradient where it was given.
        if (!traces[part].has(id.gradient()) || !expected.contains(name)) continue;
        // The bias of keys adds the same to all scores of a query: its true gradient is 0.
        const double smallest = name.ends_with("k_proj_bias") ? 1.0 : 0.0;
        expect_relatively_close(traces[part][id.gradient()], expected[name], smallest, name);
        expected.erase(name);
      }
    }
    for (const auto& [name, gradient] : expected) ADD_FAILURE() << "no gradient of " << name;
  }
}

TEST(Transformer, SaysTheShapesOfItsWeights) {
  for (const char* variant : transformer_variants) {
    const FixtureFile fixture = test::fixture_file(std::string("transformer_") + variant);
    std::map<std::string, tensor::Shape> shapes;
    for (const auto& [name, weight] : weights_under(fixture, "weight."))
      shapes[name] = weight.shape();
    EXPECT_EQ(weight_shapes(transformer_of(fixture)), shapes) << variant;
  }
}

// Other tokens are given to the same parts: what was computed of the first is forgotten.
TEST(Evaluator, TensorByTensorHasTheBitsOfTheWhole) {
  for (const char* variant : transformer_variants) {
    SCOPED_TRACE(variant);
    const FixtureFile fixture = test::fixture_file(std::string("transformer_") + variant);
    const Transformer transformer = transformer_of(fixture);
    const Weights weights = weights_under(fixture, "weight.");
    TokenBatch batch = batch_of(fixture, transformer);
    Evaluator evaluator(*transformer_model(transformer, weights, batch));
    for (const bool other : {false, true}) {
      if (other) {
        batch.source = batch.source.clone();
        const float first = batch.source.at({0, 0});
        batch.source.set({0, 0}, first == 1.0F ? 2.0F : 1.0F);
        evaluator.forget();
        evaluator.part(0).tensors["tokens"] = batch.source;
      }
      const Model model = *transformer_model(transformer, weights, batch);
      const std::vector<Trace> expected = compute(model);
      const std::size_t last = model.size() - 1;
      EXPECT_TRUE(evaluator.at(last, "logits").has_same_bits(expected[last]["logits"]));
      EXPECT_TRUE(evaluator.at(last, "loss").has_same_bits(expected[last]["loss"]));
      EXPECT_FALSE(evaluator.at(last, "q").defined());
    }
  }
}

TEST(Transformer, WithoutRightTokensHasNoLoss) {
  const FixtureFile fixture = test::fixture_file("transformer_translator");
  const Weights weights = weights_under(fixture, "weight.");
  const auto model = transformer_model(transformer_of(fixture), weights,
                                       {fixture["source"], fixture["target"], {}});
  ASSERT_TRUE(model.has_value());
  const std::vector<Trace> traces = compute(*model);
  EXPECT_FALSE(traces.back().has("loss"));
  expect_relatively_close(traces.back()["logits"], fixture["expected.logits"], 0.0, "logits");
}

// What is hidden must not count: other tokens there, the same logits.
TEST(Transformer, NoLaterTokenChangesAnEarlierLogit) {
  const FixtureFile fixture = test::fixture_file("transformer_translator");
  const Weights weights = weights_under(fixture, "weight.");
  const auto logits = [&](const tensor::Tensor& target) {
    const auto model =
        transformer_model(transformer_of(fixture), weights, {fixture["source"], target, {}});
    return compute(*model).back()["logits"];
  };
  const tensor::Tensor whole = logits(fixture["target"]);
  const tensor::Tensor part = logits(fixture["target"].narrow(1, 0, 2));
  test::expect_close(whole.narrow(1, 0, 2), test::Array(part), 1e-5, "logits");
}

TEST(Transformer, DropoutNeedsSeedsAndChangesTheLogits) {
  const FixtureFile fixture = test::fixture_file("transformer_translator");
  Transformer transformer = transformer_of(fixture);
  transformer.dropout = 0.5F;
  const auto logits = [&](float seed) {
    auto model = transformer_model(transformer, weights_under(fixture, "weight."),
                                   batch_of(fixture, transformer));
    std::size_t count = 0;
    for (Part& part : *model) {
      for (const Node& row : part.trace.nodes) {
        if (row.operation != &ops::dropout) continue;
        part.trace.tensors[row.of[1]] = Tensor::full({}, seed);
        ++count;
      }
    }
    // Both embeddings, two halves of each encoder layer, three of each decoder layer.
    EXPECT_EQ(count, 2U + 2U * 2U + 2U * 3U);
    return compute(*model).back()["logits"];
  };
  const tensor::Tensor first = logits(1);
  EXPECT_TRUE(logits(1).has_same_bits(first));
  EXPECT_FALSE(logits(2).has_same_bits(first));
  EXPECT_FALSE(fixture["expected.logits"].has_same_bits(first));
}

TEST(Transformer, WhatIsWrongIsSaid) {
  const FixtureFile fixture = test::fixture_file("transformer_translator");
  const Transformer transformer = transformer_of(fixture);
  const Weights weights = weights_under(fixture, "weight.");
  const TokenBatch batch = batch_of(fixture, transformer);
  const auto error = [&](const Weights& given, const TokenBatch& tokens) {
    const auto model = transformer_model(transformer, given, tokens);
    return model ? std::string() : model.error().message;
  };
  EXPECT_EQ(error(weights, batch), "");

  Weights wrong = weights;
  wrong.erase("decoder.1.norm2.bias");
  EXPECT_EQ(error(wrong, batch), "decoder.1.norm2.bias is missing.");
  wrong = weights;
  wrong["encoder.0.linear1.weight"] = Tensor({8, 12});
  EXPECT_EQ(error(wrong, batch), "encoder.0.linear1.weight has shape [8,12]; it must be [12,8].");

  const Tensor good({1, 2}, {1, 2});
  const std::string not_there = " is not among the 9 of the vocabulary.";
  for (const float token : {9.0F, -1.0F, 0.5F, HUGE_VALF, NAN}) {
    const Tensor bad({1, 2}, {1, token});
    EXPECT_EQ(error(weights, {bad, good, {}}), "A token of the source" + not_there) << token;
    EXPECT_EQ(error(weights, {good, bad, {}}), "A token of the target" + not_there) << token;
    if (token == -1.0F) continue;
    EXPECT_EQ(error(weights, {good, good, bad}), "A token of the right answer" + not_there);
  }
  const std::string two_axes = " needs two axes, [B,L], none of length 0.";
  EXPECT_EQ(error(weights, {{}, good, {}}), "The source" + two_axes);
  EXPECT_EQ(error(weights, {good, {}, {}}), "The target" + two_axes);
  EXPECT_EQ(error(weights, {Tensor({2}, {1, 2}), good, {}}), "The source" + two_axes);
}

// Two sides that do not belong together are an error too, and no crash.
TEST(Transformer, SidesOfAnotherBatchAreRefused) {
  const FixtureFile fixture = test::fixture_file("transformer_translator");
  const Transformer transformer = transformer_of(fixture);
  const Weights weights = weights_under(fixture, "weight.");
  const Tensor one({1, 2}, {1, 2});
  const Tensor two({2, 2}, {1, 2, 3, 4});
  const Tensor longer({1, 3}, {1, 2, 3});
  const auto error = [&](const TokenBatch& batch) {
    const auto model = transformer_model(transformer, weights, batch);
    return model ? std::string() : model.error().message;
  };
  EXPECT_EQ(error({one, one, two}), "The right answer has shape [2,2]; it must be [1,2].");
  EXPECT_EQ(error({one, one, longer}), "The right answer has shape [1,3]; it must be [1,2].");
  EXPECT_NE(error({one, two, {}}), "");
}

}  // namespace
}  // namespace model

#include "training/weights_file.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "kernels/matmul.hpp"
#include "training/small_transformer.hpp"

namespace training {
namespace {

using Bytes = std::vector<std::byte>;
using tensor::Tensor;

Learner learned(Method method = Method::adam, int steps = 3) {
  Learner learner(small_transformer(), method, 1);
  for (int step = 0; step < steps; ++step)
    EXPECT_TRUE(learner.learn(std::vector{small_batch(static_cast<std::uint32_t>(step))}, 0.01F)
                    .has_value());
  return learner;
}

TEST(WeightsFile, IsReadAsItWasWritten) {
  const Learner learner = learned();
  const Bytes bytes = write_weights(learner, false, {{"task", "some task"}}).value();
  const auto file = files::read_safetensors(bytes);
  ASSERT_TRUE(file.has_value());
  EXPECT_NE(std::find(file->metadata.begin(), file->metadata.end(),
                      std::pair<std::string, std::string>("task", "some task")),
            file->metadata.end());
  EXPECT_EQ(file->tensors.size(), learner.names().size()) << "no memories of the optimiser";
  const auto weights = weights_from(*file);
  ASSERT_TRUE(weights.has_value());
  for (const auto& [name, weight] : learner.weights())
    EXPECT_TRUE(weights->at(name).has_same_bits(weight)) << name;
}

TEST(WeightsFile, SaysWhichModelItIsFor) {
  model::Transformer transformer = small_transformer();
  transformer.scale.kind = model::Scale::Kind::none;
  transformer.causal = true;
  transformer.positions = false;
  transformer.padding = -1;
  transformer.norm_first = true;
  transformer.activation = model::Activation::gelu;
  for (const model::Transformer& given : {small_transformer(), transformer}) {
    const Bytes bytes = write_weights(Learner(given, Method::sgd, 1), false, {}).value();
    const auto read = transformer_from(files::read_safetensors(bytes)->metadata);
    ASSERT_TRUE(read.has_value()) << read.error().message;
    EXPECT_EQ(model::weight_shapes(*read), model::weight_shapes(given));
    EXPECT_EQ(read->num_heads, given.num_heads);
    EXPECT_EQ(read->causal, given.causal);
    EXPECT_EQ(read->positions, given.positions);
    EXPECT_EQ(read->tied, given.tied);
    EXPECT_EQ(read->scaled_embedding, given.scaled_embedding);
    EXPECT_EQ(read->scale.kind, given.scale.kind);
    EXPECT_EQ(read->padding, given.padding);
    EXPECT_EQ(read->norm_first, given.norm_first);
    EXPECT_EQ(read->activation, given.activation);
  }
}

TEST(WeightsFile, WithoutAWordOnNormAndActivationItIsThePapersModel) {
  model::Transformer transformer = small_transformer();
  transformer.norm_first = true;
  transformer.activation = model::Activation::gelu;
  const Bytes bytes = write_weights(Learner(transformer, Method::sgd, 1), false, {}).value();
  files::Metadata metadata = files::read_safetensors(bytes)->metadata;
  for (auto& [name, value] : metadata) {
    if (name == "activation") value = "tanh";
  }
  const auto unknown = transformer_from(metadata);
  ASSERT_FALSE(unknown.has_value());
  EXPECT_EQ(unknown.error().message,
            "The file of weights says that its activation is tanh; it must be relu or gelu.");
  std::erase_if(metadata, [](const auto& entry) {
    return entry.first == "norm_first" || entry.first == "activation";
  });
  const auto read = transformer_from(metadata);
  ASSERT_TRUE(read.has_value()) << read.error().message;
  EXPECT_FALSE(read->norm_first);
  EXPECT_EQ(read->activation, model::Activation::relu);
}

TEST(WeightsFile, RoundedWeightsAreWithinHalfAScale) {
  Learner learner = learned();
  std::vector<Parameter> parameters = learner.parameters();
  const auto place = static_cast<std::size_t>(
      std::find(learner.names().begin(), learner.names().end(), "embedding.weight") -
      learner.names().begin());
  tensor::Tensor embedding = parameters[place].value.clone();
  std::fill_n(embedding.mutable_data(), 8, 0.0F);  // a row of nothing
  parameters[place].value = embedding;
  learner.restore(3, parameters);
  const Bytes bytes = write_rounded_weights(learner, {}).value();
  const auto file = files::read_safetensors(bytes);
  ASSERT_TRUE(file.has_value());
  const auto weights = weights_from(*file);
  ASSERT_TRUE(weights.has_value()) << weights.error().message;
  ASSERT_EQ(weights->size(), learner.names().size());
  for (const auto& [name, weight] : learner.weights()) {
    const Tensor& read = weights->at(name);
    ASSERT_EQ(read.shape(), weight.shape()) << name;
    if (weight.rank() != 2) {
      EXPECT_TRUE(read.has_same_bits(weight)) << name;
      continue;
    }
    EXPECT_EQ(file->find(name)->dtype, "I8") << name;
    for (std::size_t row = 0; row < weight.dim(0); ++row) {
      float largest = 0.0F;
      for (std::size_t i = 0; i < weight.dim(1); ++i)
        largest = std::max(largest, std::fabs(weight.at({row, i})));
      for (std::size_t i = 0; i < weight.dim(1); ++i) {
        EXPECT_NEAR(read.at({row, i}), weight.at({row, i}), largest / 127.0F * 0.50001F)
            << name << ' ' << row << ' ' << i;
      }
    }
  }
}

// They are multiplied as the whole numbers that they are in the file, with the same bits.
TEST(WeightsFile, RoundedWeightsAreKeptRounded) {
  const Bytes bytes = write_rounded_weights(learned(), {}).value();
  const auto weights = weights_from(*files::read_safetensors(bytes));
  ASSERT_TRUE(weights.has_value());
  const kernels::PackedMatrix& packed = kernels::packed_transpose(weights->at("embedding.weight"));
  EXPECT_FALSE(packed.whole.empty());
  model::Weights clones;
  for (const auto& [name, weight] : *weights) clones[name] = weight.clone();
  const auto logits = [&](const model::Weights& of) {
    return model::compute(*model::transformer_model(small_transformer(), of, small_batch(1)))
        .back()["logits"];
  };
  EXPECT_TRUE(logits(*weights).has_same_bits(logits(clones)));
}

TEST(WeightsFile, RoundingAgainChangesNothing) {
  Learner learner = learned();
  const Bytes bytes = write_rounded_weights(learner, {}).value();
  const auto weights = weights_from(*files::read_safetensors(bytes));
  std::vector<Parameter> rounded;
  for (const std::string& name : learner.names()) rounded.push_back({weights->at(name)});
  learner.restore(3, rounded);
  const Bytes again = write_rounded_weights(learner, {}).value();
  const auto twice = weights_from(*files::read_safetensors(again));
  for (const std::string& name : learner.names())
    test::expect_close(twice->at(name), test::Array(weights->at(name)), 1e-6, name);
}

// Written after three steps, read by a learner that begins, and both go on.
TEST(WeightsFile, LearningGoesOnFromACheckpointWithTheSameBits) {
  for (const Method method : {Method::sgd, Method::momentum, Method::adam}) {
    Learner without_break = learned(method);
    const Bytes bytes = write_weights(without_break, true, {}).value();
    Learner resumed(small_transformer(), method, 1);
    const auto restored = restore(*files::read_safetensors(bytes), resumed);
    ASSERT_TRUE(restored.has_value()) << restored.error().message;
    expect_same_bits(resumed, without_break);
    for (std::uint32_t step = 3; step < 6; ++step) {
      ASSERT_TRUE(without_break.learn(std::vector{small_batch(step)}, 0.01F).has_value());
      ASSERT_TRUE(resumed.learn(std::vector{small_batch(step)}, 0.01F).has_value());
    }
    EXPECT_EQ(resumed.steps(), 6U);
    expect_same_bits(resumed, without_break);
  }
}

TEST(WeightsFile, ACheckpointOfAnotherModelChangesNothing) {
  const Bytes bytes = write_weights(learned(), true, {}).value();
  const auto checkpoint = files::read_safetensors(bytes);
  const auto error = [&](const model::Transformer& transformer, const files::Safetensors& from) {
    Learner learner(transformer, Method::adam, 2);
    const Learner before = learner;
    const auto restored = restore(from, learner);
    expect_same_bits(learner, before);
    return restored ? std::string() : restored.error().message;
  };
  model::Transformer deeper = small_transformer();
  deeper.encoder_layers = 2;
  EXPECT_EQ(error(deeper, *checkpoint), "The checkpoint has no encoder.1.linear1.bias.");
  model::Transformer more = small_transformer();
  more.vocabulary = 9;
  EXPECT_EQ(error(more, *checkpoint),
            "The checkpoint's embedding.weight has shape [7,8]; it must be [9,8].");
  files::Safetensors without = *checkpoint;
  without.metadata.clear();
  EXPECT_EQ(error(small_transformer(), without),
            "The checkpoint does not say after how many steps it was made.");
  without.metadata = {{"steps", "three"}};
  EXPECT_EQ(error(small_transformer(), without),
            "The checkpoint does not say after how many steps it was made.");
}

TEST(WeightsFile, SizesThatAreMissingAreSaid) {
  const Bytes bytes = write_weights(learned(), false, {}).value();
  const files::Metadata all = files::read_safetensors(bytes)->metadata;
  ASSERT_TRUE(transformer_from(all).has_value());
  const auto error = [&](const std::string& key, const std::string& value) {
    files::Metadata changed;
    for (const auto& entry : all) {
      if (entry.first != key) changed.push_back(entry);
    }
    if (!value.empty()) changed.emplace_back(key, value);
    const auto read = transformer_from(changed);
    return read ? std::string() : read.error().message;
  };
  EXPECT_EQ(error("num_heads", ""), "The file of weights does not say its num_heads.");
  EXPECT_EQ(error("vocabulary", "many"), "The file of weights does not say its vocabulary.");
  EXPECT_EQ(error("vocabulary", "-1"), "The file of weights does not say its vocabulary.");
  EXPECT_EQ(error("tied", ""), "The file of weights does not say whether it is tied.");
}

// A file that was changed: the layers would never be counted to the end.
TEST(WeightsFile, SizesThatCannotBeAreSaid) {
  const auto error = [&](const std::string& key, const std::string& value) {
    files::Metadata metadata =
        files::read_safetensors(write_weights(learned(), false, {}).value())->metadata;
    for (auto& [name, text] : metadata) {
      if (name == key) text = value;
    }
    const auto read = transformer_from(metadata);
    return read ? std::string() : read.error().message;
  };
  const std::string says = "The file of weights says that its ";
  EXPECT_EQ(error("encoder_layers", "4000000000"),
            says + "encoder_layers is 4000000000; it must be from 1 to 256.");
  EXPECT_EQ(error("decoder_layers", "4000000000"),
            says + "decoder_layers is 4000000000; it must be from 0 to 256.");
  EXPECT_EQ(error("encoder_layers", "0"), says + "encoder_layers is 0; it must be from 1 to 256.");
  EXPECT_EQ(error("num_heads", "0"), says + "num_heads is 0; it must be from 1 to 256.");
  EXPECT_NE(error("vocabulary", "18446744073709551615"), "");
  EXPECT_NE(error("embed_dim", "18446744073709551615"), "");
}

TEST(WeightsFile, RoundedWeightsNeedTheirScales) {
  const Bytes bytes = write_rounded_weights(learned(), {}).value();
  files::Safetensors file = *files::read_safetensors(bytes);
  std::erase_if(file.tensors,
                [](const auto& stored) { return stored.name == "embedding.weight.scale"; });
  const auto weights = weights_from(file);
  ASSERT_FALSE(weights.has_value());
  EXPECT_EQ(weights.error().message,
            "embedding.weight is rounded to whole numbers, but there is no embedding.weight.scale "
            "with a number for each of its rows.");
}

}  // namespace
}  // namespace training

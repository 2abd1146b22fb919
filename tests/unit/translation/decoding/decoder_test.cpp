#include "translation/decoding/decoder.hpp"

#include <cmath>

#include "numbers.hpp"
#include "translation/corpus.hpp"
#include "translation/small_translator.hpp"

namespace translation {
namespace {

using tensor::Tensor;
using Tokens = std::vector<std::size_t>;

const Tokens some_source = {5, 9, 4, 12, 7, Vocabulary::end};

/// The logits [1,L,V] of the whole model, everything computed at once.
Tensor whole_logits(const model::Transformer& transformer, const model::Weights& weights,
                    const Tokens& target) {
  const auto model =
      model::transformer_model(transformer, weights, {padded({some_source}), padded({target}), {}});
  EXPECT_TRUE(model.has_value());
  return model::compute(*model).back()["logits"];
}

void expect_as_whole_model(const model::Transformer& transformer, const std::string& what) {
  const training::Learner learner(transformer, training::Method::adam, 3);
  const model::Weights weights = learner.weights();
  const Tokens target = {Vocabulary::begin, 6, 8, 6, 11, 15, 4, 4, 10};
  const Tensor expected = whole_logits(transformer, weights, target);
  auto decoder = Decoder::start(transformer, weights, padded({some_source}));
  ASSERT_TRUE(decoder.has_value()) << decoder.error().message;
  for (std::size_t i = 0; i < target.size(); ++i) {
    const auto logits = decoder->step({0}, {target[i]});
    ASSERT_TRUE(logits.has_value()) << logits.error().message;
    ASSERT_EQ(logits->shape(), (tensor::Shape{1, 1, transformer.vocabulary}));
    test::expect_close(*logits, test::Array(expected.narrow(1, i, 1).contiguous()), 1e-5,
                       what + " at " + std::to_string(i));
  }
}

TEST(Decoder, WithKeptKeysAndValuesTheLogitsAreThoseOfTheWholeModel) {
  model::Transformer transformer = small_model();
  expect_as_whole_model(transformer, "as trained");
  transformer.tied = false;
  transformer.positions = false;
  expect_as_whole_model(transformer, "untied, without positions");
  transformer = small_model();
  transformer.scale.kind = model::Scale::Kind::none;
  expect_as_whole_model(transformer, "without √D");
  transformer = small_model();
  transformer.activation = model::Activation::gelu;
  expect_as_whole_model(transformer, "gelu");
  transformer.norm_first = true;
  expect_as_whole_model(transformer, "norm first");
}

// Rows that go on from others, one twice and one not at all, as a beam does.
TEST(Decoder, GoesOnFromAnyRow) {
  const training::Learner learner(small_model(), training::Method::adam, 4);
  const model::Weights weights = learner.weights();
  const model::Transformer transformer = small_model();
  auto decoder = Decoder::start(transformer, weights, padded({some_source}));
  ASSERT_TRUE(decoder->step({0}, {Vocabulary::begin}).has_value());
  ASSERT_TRUE(decoder->step({0, 0, 0}, {5, 6, 7}).has_value());
  const auto logits = decoder->step({2, 0, 2}, {8, 9, 10});
  ASSERT_TRUE(logits.has_value());
  const std::vector<Tokens> followed = {{1, 7, 8}, {1, 5, 9}, {1, 7, 10}};
  for (std::size_t row = 0; row < followed.size(); ++row) {
    const Tensor expected = whole_logits(transformer, weights, followed[row]);
    test::expect_close(logits->narrow(0, row, 1).contiguous(),
                       test::Array(expected.narrow(1, 2, 1).contiguous()), 1e-5,
                       "row " + std::to_string(row));
  }
}

TEST(Decoder, RefusesTokensThatAreNone) {
  const training::Learner learner(small_model(), training::Method::adam, 5);
  const model::Weights weights = learner.weights();
  const model::Transformer transformer = small_model();
  EXPECT_FALSE(Decoder::start(transformer, weights, padded({{99}})).has_value());
  EXPECT_FALSE(Decoder::start(transformer, weights, {}).has_value());
}

}  // namespace
}  // namespace translation

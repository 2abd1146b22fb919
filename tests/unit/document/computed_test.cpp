#include "document/computed.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "document/setups.hpp"
#include "model/attention/mask.hpp"

namespace document {
namespace {

using lesson::AttentionId;
using lesson::ExampleId;
using lesson::MaskKind;
using model::hidden;
using model::Scale;
using model::TensorId;
using tensor::Tensor;

// --- Every example, and the numbers that are printed ---------------------------------------------

TEST(Compute, EveryVariantOfEveryExample) {
  for (const document::Configuration& configuration : all_setups()) {
    SCOPED_TRACE(name_of(configuration));
    const lesson::Problem problem = problem_of(configuration);
    const Computed result = computed(configuration);
    ASSERT_EQ(result.attentions.size(), problem.attentions().size());
    EXPECT_EQ(result.embed_dim, problem.source.embedding.dim(2));
    ASSERT_EQ(result.picture.has_value(), problem.picture.has_value());
    if (problem.picture) {
      EXPECT_EQ(result.picture->rgb, problem.picture->rgb);
    }
    EXPECT_EQ(result.num_heads, problem.options.num_heads);
    EXPECT_EQ(result.scale, problem.options.scale);
    EXPECT_EQ(result.position_encoding, problem.position_encoding);
    EXPECT_EQ(result.note, problem.note);
    for (std::size_t i = 0; i < result.attentions.size(); ++i) {
      const ComputedAttention& each = result.attentions[i];
      EXPECT_EQ(each.id, problem.attentions()[i]);
      EXPECT_EQ(each.mask, problem.masks[i]);
      EXPECT_EQ(&result.find(each.id), &each);
      const model::Config& config = each.trace.config;
      ASSERT_EQ(each.query_tokens.size(), config.batch);
      ASSERT_EQ(each.key_tokens.size(), config.batch);
      for (std::size_t sample = 0; sample < config.batch; ++sample) {
        EXPECT_EQ(each.query_tokens[sample].size(), config.query_len);
        EXPECT_EQ(each.key_tokens[sample].size(), config.key_len);
      }
      for (const TensorId tensor : each.trace.present()) {
        for (const float value : each.trace[tensor].values()) {
          ASSERT_FALSE(std::isnan(value)) << model::name_of(tensor);
        }
      }
    }
  }
}

void expect_printed(const Tensor& tensor, const std::vector<double>& printed, int decimals) {
  const std::vector<float> values = tensor.values();
  ASSERT_EQ(values.size(), printed.size());
  const double half_a_digit = 0.5 * std::pow(10.0, -decimals);
  for (std::size_t i = 0; i < values.size(); ++i) {
    EXPECT_NEAR(static_cast<double>(values[i]), printed[i], half_a_digit + 1e-7) << i;
  }
}

TEST(Compute, PoolBeatsBadmintonToItsPrintedDigits) {
  const Computed result = computed(fresh(ExampleId::pool_beats_badminton, 0));
  const model::Trace& trace = result.attentions.front().trace;
  expect_printed(trace["scores"], {.31, .14, .30, .14, .31, .15, .30, .15, .31}, 6);
  expect_printed(
      trace["output"],
      {.3809, .2191, .1647, .1353, .3516, .2484, .1687, .1313, .3801, .2199, .1652, .1348}, 4);
}

TEST(Compute, PoolBeatsBadmintonIsItsOwnQueryKeyAndValue) {
  const Computed result = computed(fresh(ExampleId::pool_beats_badminton, 0));
  const model::Trace& trace = result.attentions.front().trace;
  for (const TensorId id :
       std::initializer_list<TensorId>{"key_input", "value_input", "q", "k", "v", "q_heads"}) {
    EXPECT_TRUE(trace[id].shares_storage_with(trace["query_input"]));
  }
}

TEST(Compute, TheScaleHalvesThePoolBeatsBadmintonScores) {
  const Computed result = computed(fresh(ExampleId::pool_beats_badminton, 1));
  const model::Trace& trace = result.attentions.front().trace;
  expect_printed(trace["scaled_scores"], {.155, .07, .15, .07, .155, .075, .15, .075, .155}, 6);
}

TEST(Compute, TheArticlesWeightsAreUsedAsTheyArePrinted) {
  const document::Configuration configuration = fresh(ExampleId::anthony_hopkins, 1);
  const Computed result = computed(configuration);
  const model::Trace& trace = result.attentions.front().trace;
  const std::vector<float> printed = {.06F, .09F, .05F, .25F, .18F, .06F, .09F, .06F, .15F};
  EXPECT_EQ(trace["attention_weights"].select(0, 0).select(0, 0).select(0, 3).values(), printed);
  ASSERT_EQ(trace.overrides.given_weights.size(), 1U);
  // The sum of 0.99 is used, not silently brought to 1.
  for (const std::size_t d : {std::size_t{0}, std::size_t{17}, std::size_t{63}}) {
    double sum = 0.0;
    for (std::size_t key = 0; key < 9; ++key) {
      sum += static_cast<double>(printed[key]) *
             static_cast<double>(trace["v_heads"].at({0, 0, key, d}));
    }
    EXPECT_NEAR(trace["head_outputs"].at({0, 0, 3, d}), sum, 1e-5);
  }
  // Every other row is what the softmax makes of it.
  const Computed plain = computed(fresh(ExampleId::anthony_hopkins, 0));
  const Tensor& weights = plain.attentions.front().trace["attention_weights"];
  tensor::Index index = first_cell(weights);
  do {
    if (index[1] == 0 && index[2] == 3) continue;
    EXPECT_EQ(trace["attention_weights"].at(index), weights.at(index));
  } while (tensor::next_index(index, weights.shape()));
}

TEST(Compute, TheThreeAttentionsOfATranslationAreChained) {
  const Computed result = computed(fresh(ExampleId::you_are_welcome, 0));
  const ComputedAttention& encoder = result.find(AttentionId::encoder_self_attention);
  const ComputedAttention& decoder = result.find(AttentionId::decoder_self_attention);
  const ComputedAttention& cross = result.find(AttentionId::cross_attention);
  EXPECT_FALSE(encoder.has_computed_inputs);
  EXPECT_FALSE(decoder.has_computed_inputs);
  EXPECT_TRUE(cross.has_computed_inputs);
  EXPECT_EQ(cross.query_tokens, decoder.query_tokens);
  EXPECT_EQ(cross.key_tokens, encoder.key_tokens);
  EXPECT_TRUE(cross.trace["value_input"].shares_storage_with(cross.trace["key_input"]));
  EXPECT_FALSE(cross.trace.has("token_embedding"));

  // After a layer norm that was never trained every row has mean 0 and variance 1.
  for (const TensorId id : {TensorId("query_input"), TensorId("key_input")}) {
    const Tensor& rows = cross.trace[id];
    for (std::size_t sample = 0; sample < 2; ++sample) {
      for (std::size_t token = 0; token < rows.dim(1); ++token) {
        double sum = 0.0;
        double squares = 0.0;
        for (const float x : rows.select(0, sample).select(0, token).values()) {
          sum += static_cast<double>(x);
          squares += static_cast<double>(x) * static_cast<double>(x);
        }
        EXPECT_NEAR(sum / 6.0, 0.0, 1e-5);
        EXPECT_NEAR(squares / 6.0, 1.0, 1e-3);
      }
    }
  }
  // Padding gets no weight anywhere, and the first target token sees itself only.
  const Tensor& weights = cross.trace["attention_weights"];
  const Tensor& own = decoder.trace["attention_weights"];
  for (std::size_t head = 0; head < 2; ++head) {
    for (std::size_t query = 0; query < 2; ++query) {
      EXPECT_EQ(weights.at({1, head, query, 0}), 1.0F);
      EXPECT_EQ(weights.at({1, head, query, 1}), 0.0F);
      EXPECT_EQ(weights.at({1, head, query, 2}), 0.0F);
    }
    EXPECT_EQ(own.at({0, head, 0, 0}), 1.0F);
    EXPECT_EQ(own.at({0, head, 0, 1}), 0.0F);
    EXPECT_GT(own.at({0, head, 1, 0}), 0.0F);
  }
}

TEST(Compute, PositionEncodingAddsTwoTensorsAndMakesTheInputTheirSum) {
  for (document::Configuration configuration : all_setups()) {
    SCOPED_TRACE(name_of(configuration));
    configuration.position_encoding = true;
    const Computed with = computed(configuration);
    configuration.position_encoding = false;
    const Computed without = computed(configuration);
    EXPECT_TRUE(with.position_encoding);
    EXPECT_FALSE(without.position_encoding);
    const model::Trace& trace = with.attentions.front().trace;
    const model::Trace& plain = without.attentions.front().trace;
    ASSERT_TRUE(trace.has("token_embedding") && trace.has("position_encoding"));
    EXPECT_FALSE(plain.has("token_embedding") || plain.has("position_encoding"));
    EXPECT_EQ(bits(trace["token_embedding"]), bits(plain["query_input"]));
    const Tensor& sum = trace["query_input"];
    tensor::Index index = first_cell(sum);
    do {
      const float position = trace["position_encoding"].at({index[1], index[2]});
      EXPECT_EQ(sum.at(index), trace["token_embedding"].at(index) + position);
    } while (tensor::next_index(index, sum.shape()));
  }
}

TEST(Compute, ScaleAndMaskAreAsChosen) {
  document::Configuration configuration = fresh(ExampleId::your_sentence, 0);
  configuration.scale = Scale{Scale::Kind::number, 4.0F};
  configuration.masks[AttentionId::attention] = MaskKind::look_ahead;
  const Computed result = computed(configuration);
  EXPECT_EQ(result.scale, *configuration.scale);
  EXPECT_EQ(result.attentions.front().mask, MaskKind::look_ahead);
  const model::Trace& trace = result.attentions.front().trace;
  for (std::size_t query = 0; query < 11; ++query) {
    for (std::size_t key = 0; key < 11; ++key) {
      const tensor::Index index{0, 1, query, key};
      EXPECT_EQ(trace["scaled_scores"].at(index), trace["scores"].at(index) / 4.0F);
      EXPECT_EQ(trace["mask"].at(index), key > query ? hidden : 0.0F);
      EXPECT_EQ(trace["attention_weights"].at(index) == 0.0F, key > query);
    }
  }
}

TEST(Compute, AWindowIsPartOfTheMaskAndItsCellsCanBeEdited) {
  Configuration configuration = fresh(ExampleId::your_sentence, 0);
  configuration.variants.window = 3;
  const Computed narrow = computed(configuration);
  const model::Trace& trace = narrow.attentions.front().trace;
  const std::size_t tokens = trace.config.key_len;
  for (std::size_t query = 0; query < tokens; ++query) {
    for (std::size_t key = 0; key < tokens; ++key) {
      const bool seen = key <= query && key + 3 > query;
      EXPECT_EQ(trace["mask"].at({0, 0, query, key}), seen ? 0.0F : hidden);
      EXPECT_EQ(trace["attention_weights"].at({0, 1, query, key}) > 0.0F, seen);
    }
  }
  EXPECT_EQ(trace.config.variants, configuration.variants);
  configuration.edits = {{{AttentionId::attention, "mask", {0, 0, 5, 0}}, 0.0F}};
  const Computed opened = computed(configuration);
  EXPECT_GT(opened.attentions.front().trace["attention_weights"].at({0, 0, 5, 0}), 0.0F);
  configuration.masks[AttentionId::attention] = MaskKind::look_ahead;
  EXPECT_TRUE(compute(configuration)) << "both";
}

TEST(Compute, ARowPaintedShutIsZeroAndNotNan) {
  document::Configuration configuration = fresh(ExampleId::pool_beats_badminton, 0);
  for (std::size_t key = 0; key < 3; ++key) {
    configuration.edits.push_back({cell(AttentionId::attention, "mask", {0, 0, 1, key}), hidden});
  }
  const Computed result = computed(configuration);
  const model::Trace& trace = result.attentions.front().trace;
  EXPECT_TRUE(trace.fully_masked(0, 0, 1));
  EXPECT_FALSE(trace.fully_masked(0, 0, 0));
  EXPECT_EQ(trace["attention_weights"].select(0, 0).select(0, 0).select(0, 1).values(),
            std::vector<float>(3, 0.0F));
  EXPECT_EQ(trace["output"].select(0, 0).select(0, 1).values(), std::vector<float>(4, 0.0F));
}

TEST(Compute, BadSetupsGetTheirSentence) {
  document::Configuration configuration = fresh(ExampleId::your_sentence, 0);
  configuration.parameters.sentence = " ";
  EXPECT_EQ(compute(configuration).error().message,
            "The sentence is empty: type at least one word.");
  configuration = fresh(ExampleId::your_sentence, 0);
  configuration.edits = {{cell(AttentionId::attention, "output", {0, 0, 0}), 1.0F}};
  EXPECT_FALSE(compute(configuration));
}

// Whatever was not edited keeps its storage from one computation to the next: it is not drawn anew.
TEST(Compute, UneditedTensorsKeepTheirStorage) {
  for (const document::Configuration& configuration : all_setups()) {
    const lesson::Problem problem = problem_of(configuration);
    const auto first = compute(configuration, problem);
    document::Configuration edited = configuration;
    const AttentionId id = problem.attentions().front();
    edited.edits = {{cell(id, "mask", {0, 0, 0, 0}), -1.0F}};
    const auto second = compute(edited, problem);
    ASSERT_TRUE(first && second);
    for (std::size_t i = 0; i < first->attentions.size(); ++i) {
      for (const TensorId tensor : first->attentions[i].trace.present()) {
        const bool parameter = tensor >= "q_proj_weight" && tensor <= "out_proj_bias";
        if (!parameter && tensor != "token_embedding") continue;
        EXPECT_EQ(first->attentions[i].trace[tensor].storage_id(),
                  second->attentions[i].trace[tensor].storage_id())
            << name_of(configuration) << " " << model::name_of(tensor);
      }
    }
  }
}

}  // namespace
}  // namespace document

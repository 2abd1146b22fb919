#include "document/edits/given.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "document/edits/address.hpp"
#include "document/setups.hpp"
#include "model/attention/mask.hpp"
#include "special_floats.hpp"

namespace document {
namespace {

using lesson::AttentionId;
using lesson::ExampleId;
using lesson::MaskKind;
using model::hidden;
using model::Scale;
using model::TensorId;

Given given_of(const document::Configuration& configuration) {
  auto given = with_choices(problem_of(configuration), configuration);
  EXPECT_TRUE(given) << given.error().message;
  return given ? *std::move(given) : Given{};
}

std::string given_error(const document::Configuration& configuration, const Edit& edit) {
  const auto given = with_edits(given_of(configuration), {edit});
  EXPECT_FALSE(given);
  return given ? "" : given.error().message;
}

TEST(WithChoices, SharesEveryTensorOfTheProblem) {
  const document::Configuration configuration = fresh(ExampleId::anthony_hopkins, 2);
  const lesson::Problem problem = problem_of(configuration);
  const auto given = with_choices(problem, configuration);
  ASSERT_TRUE(given);
  EXPECT_TRUE(given->problem.weights["q_proj_weight"].shares_storage_with(
      problem.weights["q_proj_weight"]));
  EXPECT_TRUE(given->problem.target.embedding.shares_storage_with(problem.target.embedding));
  EXPECT_TRUE(given->key_input.shares_storage_with(problem.source.embedding));
}

TEST(WithChoices, MakesTheMasksTheExampleStartsWith) {
  const Given given = given_of(fresh(ExampleId::you_are_welcome, 0));
  ASSERT_EQ(given.masks.size(), 3U);
  // Padding: the second sample has one word of three.
  const tensor::Tensor encoder = model::expand_mask(given.masks[0], {2, 1, 3, 3});
  EXPECT_EQ(encoder.select(0, 0).values(), std::vector<float>(9, 0.0F));
  EXPECT_EQ(encoder.select(0, 1).values(),
            (std::vector<float>{0, hidden, hidden, 0, hidden, hidden, 0, hidden, hidden}));
  // Look-ahead and padding.
  const tensor::Tensor decoder = model::expand_mask(given.masks[1], {2, 1, 2, 2});
  EXPECT_EQ(decoder.values(), (std::vector<float>{0, hidden, 0, 0, 0, hidden, 0, hidden}));
  // Cross: the keys are the source's.
  const tensor::Tensor cross = model::expand_mask(given.masks[2], {2, 1, 2, 3});
  EXPECT_EQ(cross.select(0, 1).values(),
            (std::vector<float>{0, hidden, hidden, 0, hidden, hidden}));
  EXPECT_FALSE(given_of(fresh(ExampleId::your_sentence, 0)).masks.front().defined());
}

TEST(WithChoices, TakesTheScaleThatWasChosen) {
  document::Configuration configuration = fresh(ExampleId::your_sentence, 0);
  configuration.scale = Scale{Scale::Kind::number, -2.5F};
  EXPECT_EQ(given_of(configuration).problem.options.scale, *configuration.scale);
}

TEST(WithChoices, RefusesAScaleThatCannotDivide) {
  const lesson::Problem problem = problem_of(fresh(ExampleId::your_sentence, 0));
  for (const float number :
       {0.0F, -0.0F, infinity, -infinity, not_a_number, 1e-7F, 1.1e6F, -1.1e6F}) {
    document::Configuration configuration = fresh(ExampleId::your_sentence, 0);
    configuration.scale = Scale{Scale::Kind::number, number};
    const auto given = with_choices(problem, configuration);
    ASSERT_FALSE(given) << number;
    EXPECT_NE(given.error().message.find("from 0.000001 to 1000000"), std::string::npos);
  }
  for (const float number : {1e-6F, 1e6F, -1e-6F, -1e6F}) {
    document::Configuration configuration = fresh(ExampleId::your_sentence, 0);
    configuration.scale = Scale{Scale::Kind::number, number};
    EXPECT_TRUE(with_choices(problem, configuration)) << number;
  }
}

TEST(WithChoices, RefusesAMaskForAnAttentionThatIsNotThere) {
  document::Configuration configuration = fresh(ExampleId::your_sentence, 0);
  configuration.masks[AttentionId::cross_attention] = MaskKind::padding;
  const auto given = with_choices(problem_of(fresh(ExampleId::your_sentence, 0)), configuration);
  ASSERT_FALSE(given);
  EXPECT_EQ(given.error().message, "There is no cross_attention here; there is attention.");
}

TEST(WithEdits, CopiesOnlyTheTensorThatIsEdited) {
  const document::Configuration configuration = fresh(ExampleId::anthony_hopkins, 0);
  const lesson::Problem problem = problem_of(configuration);
  const auto unedited = with_choices(problem, configuration);
  ASSERT_TRUE(unedited);
  const std::vector<Edit> edits = {{cell(AttentionId::attention, "q_proj_weight", {3, 4}), 2.0F},
                                   {cell(AttentionId::attention, "q_proj_weight", {5, 6}), 3.0F}};
  const float original = problem.weights["q_proj_weight"].at({3, 4});
  const auto given = with_edits(*unedited, edits);
  ASSERT_TRUE(given);
  EXPECT_EQ(given->problem.weights["q_proj_weight"].at({3, 4}), 2.0F);
  EXPECT_EQ(given->problem.weights["q_proj_weight"].at({5, 6}), 3.0F);
  EXPECT_EQ(problem.weights["q_proj_weight"].at({3, 4}), original);
  EXPECT_FALSE(given->problem.weights["q_proj_weight"].shares_storage_with(
      problem.weights["q_proj_weight"]));
  EXPECT_TRUE(given->problem.weights["k_proj_weight"].shares_storage_with(
      problem.weights["k_proj_weight"]));
  EXPECT_TRUE(given->problem.source.embedding.shares_storage_with(problem.source.embedding));
}

TEST(WithEdits, AMaskThatIsPaintedGetsEveryCellOfItsOwn) {
  const document::Configuration configuration = fresh(ExampleId::you_are_welcome, 0);
  const auto given =
      with_edits(given_of(configuration),
                 {{cell(AttentionId::encoder_self_attention, "mask", {0, 0, 1, 2}), hidden}});
  ASSERT_TRUE(given);
  EXPECT_EQ(given->masks[0].shape(), (tensor::Shape{2, 1, 3, 3}));
  EXPECT_EQ(given->masks[0].values(),
            (std::vector<float>{0, 0, 0, 0, 0, hidden, 0, 0, 0,  //
                                0, hidden, hidden, 0, hidden, hidden, 0, hidden, hidden}));
}

TEST(WithEdits, ReachEveryParameterOfEveryAttention) {
  for (const document::Configuration& configuration : all_setups()) {
    SCOPED_TRACE(name_of(configuration));
    const lesson::Problem problem = problem_of(configuration);
    for (const AttentionId id : problem.attentions()) {
      for (const TensorId tensor : std::initializer_list<TensorId>{
               "q_proj_weight", "k_proj_weight", "v_proj_weight", "q_proj_bias", "k_proj_bias",
               "v_proj_bias", "out_proj_weight", "out_proj_bias"}) {
        const bool matrix = model::axes_of(tensor).rank() == 2;
        const CellAddress address =
            cell(id, tensor, matrix ? tensor::Index{1, 2} : tensor::Index{1});
        Given given = given_of(configuration);
        const auto behind = tensor_behind(given, address);
        document::Configuration edited = configuration;
        edited.edits = {{address, 4.5F}};
        const auto result = compute(edited, problem);
        ASSERT_EQ(behind.has_value(), result.has_value());
        if (!result) {
          EXPECT_NE(result.error().message.find("this attention has no"), std::string::npos);
          continue;
        }
        EXPECT_EQ(result->find(id).trace[tensor].at(address.index), 4.5F);
      }
    }
  }
}

TEST(WithEdits, GiveABiasToALinearLayerThatHasNone) {
  document::Configuration sentence = fresh(ExampleId::your_sentence, 0);
  const lesson::Problem problem = problem_of(sentence);
  const auto plain = compute(sentence, problem);
  ASSERT_TRUE(plain);
  const model::Trace& before = plain->find(AttentionId::attention).trace;
  EXPECT_FALSE(before.has("k_proj_bias"));
  sentence.edits = {{cell(AttentionId::attention, "k_proj_bias", {1}), 0.5F}};
  const auto result = compute(sentence, problem);
  ASSERT_TRUE(result);
  const model::Trace& trace = result->find(AttentionId::attention).trace;
  EXPECT_EQ(trace["k_proj_bias"].values(), (std::vector<float>{0, 0.5F, 0, 0, 0, 0, 0, 0}));
  EXPECT_FALSE(trace.has("q_proj_bias"));
  for (std::size_t token = 0; token < trace["k"].dim(1); ++token) {
    EXPECT_EQ(trace["k"].at({0, token, 0}), before["k"].at({0, token, 0}));
    EXPECT_FLOAT_EQ(trace["k"].at({0, token, 1}), before["k"].at({0, token, 1}) + 0.5F);
  }
  // One of 0 is no edit, and makes no bias.
  sentence.edits.front().value = 0.0F;
  const auto zero = compute(sentence, problem);
  ASSERT_TRUE(zero);
  EXPECT_FALSE(zero->find(AttentionId::attention).trace.has("k_proj_bias"));
}

TEST(WithEdits, RefusesWhatCannotBeEdited) {
  const document::Configuration welcome = fresh(ExampleId::you_are_welcome, 0);
  const document::Configuration pool = fresh(ExampleId::pool_beats_badminton, 0);
  const auto encoder = AttentionId::encoder_self_attention;
  EXPECT_EQ(given_error(welcome, {cell(encoder, "q", {0, 0, 0}), 1.0F}),
            "encoder_self_attention.q[0,0,0] is computed and cannot be edited; inputs, weights, "
            "biases and masks can.");
  EXPECT_EQ(given_error(welcome, {cell(encoder, "position_encoding", {0, 0}), 1.0F}),
            "encoder_self_attention.position_encoding[0,0] follows from the position and cannot be "
            "edited; token_embedding can.");
  EXPECT_EQ(given_error(welcome, {cell(encoder, "query_input", {0, 0, 0}), 1.0F}),
            "encoder_self_attention.query_input[0,0,0] is computed, token_embedding + "
            "position_encoding; edit token_embedding instead.");
  EXPECT_EQ(given_error(pool, {cell(AttentionId::attention, "token_embedding", {0, 0, 0}), 1.0F}),
            "attention.token_embedding[0,0,0] is not there while position encoding is off; edit "
            "query_input instead.");
  EXPECT_EQ(
      given_error(welcome, {cell(AttentionId::cross_attention, "query_input", {0, 0, 0}), 1.0F}),
      "cross_attention.query_input[0,0,0] comes out of the layers before it and cannot be edited; "
      "edit the embeddings of encoder_self_attention or decoder_self_attention.");
  EXPECT_EQ(given_error(pool, {cell(AttentionId::attention, "q_proj_weight", {0, 0}), 1.0F}),
            "attention.q_proj_weight[0,0] is not there: this attention has no q_proj_weight.");
  EXPECT_EQ(given_error(pool, {cell(encoder, "mask", {0, 0, 0, 0}), 0.0F}),
            "There is no encoder_self_attention here; there is attention.");
}

TEST(WithEdits, RefusesAnIndexOutside) {
  const document::Configuration pool = fresh(ExampleId::pool_beats_badminton, 2);
  const auto edit = [](TensorId tensor, tensor::Index index) {
    return Edit{cell(AttentionId::attention, tensor, index), 1.0F};
  };
  EXPECT_EQ(given_error(pool, edit("query_input", {0, 3, 0})),
            "attention.query_input[0,3,0] lies outside; the tensor's shape is [1,3,4].");
  EXPECT_EQ(given_error(pool, edit("q_proj_weight", {0, 4})),
            "attention.q_proj_weight[0,4] lies outside; the tensor's shape is [4,4].");
  for (const tensor::Index& index :
       {tensor::Index{}, tensor::Index{0}, tensor::Index{0, 0, 0},
        tensor::Index{~std::size_t{0}, 0}, tensor::Index{0, ~std::size_t{0}}}) {
    EXPECT_NE(given_error(pool, edit("q_proj_weight", index)).find("lies outside"),
              std::string::npos);
  }
  EXPECT_NE(given_error(pool, edit("mask", {0, 0, 3, 0})).find("[1,1,3,3]"), std::string::npos);
}

TEST(CheckValue, AllowsFiniteNumbersInBounds) {
  const CellAddress weight = cell(AttentionId::attention, "q_proj_weight", {0, 0});
  for (const float value : {0.0F, -10'000.0F, 10'000.0F, 1e-30F}) {
    EXPECT_TRUE(check_value({weight, value})) << value;
  }
  for (const float value : {10'001.0F, -10'001.0F, infinity, -infinity, not_a_number}) {
    EXPECT_FALSE(check_value({weight, value})) << value;
  }
  EXPECT_EQ(
      check_value({weight, not_a_number}).error().message,
      "attention.q_proj_weight[0,0] cannot be NaN; allowed are numbers from −10000 to 10000.");
}

TEST(CheckValue, AllowsMinusInfinityInAMaskOnly) {
  const CellAddress mask = cell(AttentionId::attention, "mask", {0, 0, 0, 0});
  for (const float value : {0.0F, -1e9F, 1e9F, hidden}) {
    EXPECT_TRUE(check_value({mask, value})) << value;
  }
  for (const float value : {infinity, not_a_number, 2e9F})
    EXPECT_FALSE(check_value({mask, value})) << value;
  EXPECT_EQ(check_value({mask, infinity}).error().message,
            "attention.mask[0,0,0,0] cannot be Infinity; allowed are numbers from −1000000000 to "
            "1000000000, and −∞.");
}

// The bounds' promise: whatever is typed within them, no NaN and no infinity appears by itself.
TEST(Bounds, KeepEveryNumberFiniteAtTheirExtremes) {
  for (document::Configuration configuration : all_setups()) {
    for (const float scale : {smallest_scale, largest_scale}) {
      const Given given = given_of(configuration);
      Computed start = computed(configuration);
      configuration.edits.clear();
      configuration.scale = Scale{Scale::Kind::number, scale};
      for (const ComputedAttention& each : start.attentions) {
        for (const TensorId tensor : each.trace.present()) {
          if (!takes_edits(each, tensor) || tensor == "mask") continue;
          // Small tensors whole, of large ones the first cells; signs alternate in every second
          // one.
          const tensor::Tensor& values = each.trace[tensor];
          tensor::Index index = first_cell(values);
          std::size_t count = 0;
          do {
            const CellAddress address = cell(each.id, tensor, index);
            if (without_aliases(given.problem.arrangement, address) != address) break;
            const bool negative = tensor.place() % 2 == 0 && count % 2 == 1;
            configuration.edits.push_back({address, negative ? -largest_value : largest_value});
          } while (++count < 64 && tensor::next_index(index, values.shape()));
        }
      }
      const auto result = compute(configuration);
      ASSERT_TRUE(result) << result.error().message;
      for (const ComputedAttention& each : result->attentions) {
        for (const TensorId tensor : each.trace.present()) {
          for (const float value : each.trace[tensor].values()) {
            const bool masked = tensor == "mask" || tensor == "masked_scores";
            const bool allowed = std::isfinite(value) || (masked && value == hidden);
            ASSERT_TRUE(allowed) << name_of(configuration) << " " << model::name_of(tensor) << " "
                                 << value;
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace document

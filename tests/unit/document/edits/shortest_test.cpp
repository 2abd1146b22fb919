#include <gtest/gtest.h>

#include "document/edits/given.hpp"
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

Configuration shortest_of(const document::Configuration& configuration) {
  auto result = shortest(configuration, problem_of(configuration));
  EXPECT_TRUE(result) << result.error().message;
  return result ? *std::move(result) : document::Configuration{};
}

std::string why_not_shortest(const document::Configuration& configuration) {
  const auto result = shortest(configuration, problem_of(configuration));
  EXPECT_FALSE(result);
  return result ? "" : result.error().message;
}

TEST(Shortest, AnExampleAsItComesIsShortAlready) {
  for (const document::Configuration& configuration : all_setups())
    EXPECT_EQ(shortest_of(configuration), configuration) << name_of(configuration);
}

TEST(Shortest, SayingWhatTheExampleSaysAnywayIsSayingNothing) {
  for (const document::Configuration& configuration : all_setups()) {
    const lesson::Problem problem = problem_of(configuration);
    document::Configuration wordy = configuration;
    wordy.parameters.embed_dim = problem.source.embedding.dim(2);
    wordy.parameters.num_heads = problem.options.num_heads;
    wordy.parameters.sentence =
        lesson::sentence_of(configuration.example, configuration.parameters);
    wordy.scale = problem.options.scale;
    wordy.scale->number = 12.0F;  // means nothing where the kind is not `number`
    wordy.position_encoding = problem.position_encoding;
    for (std::size_t i = 0; i < problem.masks.size(); ++i) {
      wordy.masks[problem.attentions()[i]] = problem.masks[i];
    }
    EXPECT_NE(wordy, configuration);
    EXPECT_EQ(shortest_of(wordy), configuration) << name_of(configuration);
  }
}

TEST(Shortest, ChoicesThatDifferStay) {
  document::Configuration configuration = fresh(ExampleId::you_are_welcome, 0);
  configuration.scale = Scale{Scale::Kind::number, 2.0F};
  configuration.position_encoding = false;
  configuration.masks[AttentionId::cross_attention] = MaskKind::none;
  configuration.parameters.seed = 4;
  configuration.parameters.num_heads = 3;
  configuration.edits = {{cell(AttentionId::cross_attention, "q_proj_bias", {0}), 9.0F}};
  EXPECT_EQ(shortest_of(configuration), configuration);
}

TEST(Shortest, EditsOfAliasesStandUnderOneName) {
  document::Configuration configuration = fresh(ExampleId::pool_beats_badminton, 0);
  configuration.parameters.num_heads = 4;
  configuration.edits = {{cell(AttentionId::attention, "value_input", {0, 1, 2}), 9.0F},
                         {cell(AttentionId::attention, "mask", {0, 3, 1, 2}), hidden}};
  const std::vector<Edit> expected = {
      {cell(AttentionId::attention, "query_input", {0, 1, 2}), 9.0F},
      {cell(AttentionId::attention, "mask", {0, 0, 1, 2}), hidden}};
  EXPECT_EQ(shortest_of(configuration).edits, expected);
}

TEST(Shortest, EditsThatChangeNothingAreNone) {
  for (const document::Configuration& configuration : all_setups()) {
    document::Configuration wordy = configuration;
    const Computed start = computed(configuration);
    for (const ComputedAttention& each : start.attentions) {
      for (const TensorId tensor : each.trace.present()) {
        if (!takes_edits(each, tensor)) continue;
        const bool alias = (tensor == "key_input" || tensor == "value_input") &&
                           each.trace.view_of(tensor).has_value();
        if (alias) continue;
        const tensor::Index first = first_cell(each.trace[tensor]);
        wordy.edits.push_back({cell(each.id, tensor, first), each.trace[tensor].at(first)});
      }
    }
    EXPECT_FALSE(wordy.edits.empty());
    EXPECT_EQ(shortest_of(wordy), configuration) << name_of(configuration);
  }
}

TEST(Shortest, AZeroOnAMaskOfZerosIsNoEditButOnOneThatHidesItIs) {
  document::Configuration configuration = fresh(ExampleId::your_sentence, 0);
  const CellAddress later = cell(AttentionId::attention, "mask", {0, 0, 0, 1});
  configuration.edits = {{later, 0.0F}};
  EXPECT_TRUE(shortest_of(configuration).edits.empty());
  configuration.masks[AttentionId::attention] = MaskKind::look_ahead;
  EXPECT_EQ(shortest_of(configuration).edits, configuration.edits);
  configuration.edits = {{later, hidden}};
  EXPECT_TRUE(shortest_of(configuration).edits.empty());
}

TEST(Shortest, KeyEditsOfCrossAttentionAreHeldAgainstTheSumWithPositions) {
  document::Configuration configuration = fresh(ExampleId::anthony_hopkins, 2);
  configuration.position_encoding = true;
  const CellAddress key = cell(AttentionId::attention, "key_input", {0, 1, 1});
  const float sum = computed(configuration).attentions[0].trace["key_input"].at({0, 1, 1});
  const float embedding = problem_of(configuration).source.embedding.at({0, 1, 1});
  ASSERT_NE(sum, embedding);
  configuration.edits = {{key, sum}};
  EXPECT_TRUE(shortest_of(configuration).edits.empty());
  configuration.edits = {{key, embedding}};
  EXPECT_EQ(shortest_of(configuration).edits, configuration.edits);
  EXPECT_EQ(computed(configuration).attentions[0].trace["key_input"].at({0, 1, 1}), embedding);
}

TEST(Shortest, OneCellHasOneEdit) {
  document::Configuration configuration = fresh(ExampleId::pool_beats_badminton, 0);
  configuration.edits = {{cell(AttentionId::attention, "key_input", {0, 1, 2}), 9.0F},
                         {cell(AttentionId::attention, "query_input", {0, 1, 1}), 1.0F},
                         {cell(AttentionId::attention, "value_input", {0, 1, 2}), 8.0F}};
  EXPECT_EQ(why_not_shortest(configuration),
            "attention.query_input[0,1,2] is edited twice; one number for each cell is allowed.");
}

TEST(Shortest, AMaskCellOfAHeadThatIsNotThereLiesOutside) {
  document::Configuration configuration = fresh(ExampleId::you_are_welcome, 0);
  configuration.edits = {{cell(AttentionId::cross_attention, "mask", {0, 2, 0, 0}), hidden}};
  EXPECT_EQ(why_not_shortest(configuration),
            "cross_attention.mask[0,2,0,0] lies outside; heads are counted from 0 to 1.");
}

TEST(Shortest, TenThousandEditsAndNoMore) {
  document::Configuration configuration = fresh(ExampleId::anthony_hopkins, 0);
  for (std::size_t i = 0; i < max_edits; ++i) {
    configuration.edits.push_back(
        {cell(AttentionId::attention, "q_proj_weight", {i / 512, i % 512}), 5.0F});
  }
  EXPECT_EQ(shortest_of(configuration).edits.size(), max_edits);
  configuration.edits.push_back({cell(AttentionId::attention, "k_proj_weight", {0, 0}), 5.0F});
  EXPECT_EQ(why_not_shortest(configuration), "10001 cells are edited; at most 10000 are allowed.");
}

}  // namespace
}  // namespace document

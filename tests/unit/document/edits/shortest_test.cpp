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

Setup shortest_of(const document::Setup& setup) {
  auto result = shortest(setup, problem_of(setup));
  EXPECT_TRUE(result) << result.error().message;
  return result ? *std::move(result) : document::Setup{};
}

std::string why_not_shortest(const document::Setup& setup) {
  const auto result = shortest(setup, problem_of(setup));
  EXPECT_FALSE(result);
  return result ? "" : result.error().message;
}

TEST(Shortest, AnExampleAsItComesIsShortAlready) {
  for (const document::Setup& setup : all_setups())
    EXPECT_EQ(shortest_of(setup), setup) << name_of(setup);
}

TEST(Shortest, SayingWhatTheExampleSaysAnywayIsSayingNothing) {
  for (const document::Setup& setup : all_setups()) {
    const lesson::Problem problem = problem_of(setup);
    document::Setup wordy = setup;
    wordy.parameters.embed_dim = problem.source.embedding.dim(2);
    wordy.parameters.num_heads = problem.options.num_heads;
    wordy.parameters.sentence = lesson::sentence_of(setup.example, setup.parameters);
    wordy.scale = problem.options.scale;
    wordy.scale->number = 12.0F;  // means nothing where the kind is not `number`
    wordy.position_encoding = problem.position_encoding;
    for (std::size_t i = 0; i < problem.masks.size(); ++i) {
      wordy.masks[problem.attentions()[i]] = problem.masks[i];
    }
    EXPECT_NE(wordy, setup);
    EXPECT_EQ(shortest_of(wordy), setup) << name_of(setup);
  }
}

TEST(Shortest, ChoicesThatDifferStay) {
  document::Setup setup = fresh(ExampleId::you_are_welcome, 0);
  setup.scale = Scale{Scale::Kind::number, 2.0F};
  setup.position_encoding = false;
  setup.masks[AttentionId::cross_attention] = MaskKind::none;
  setup.parameters.seed = 4;
  setup.parameters.num_heads = 3;
  setup.edits = {{cell(AttentionId::cross_attention, "q_proj_bias", {0}), 9.0F}};
  EXPECT_EQ(shortest_of(setup), setup);
}

TEST(Shortest, EditsOfAliasesStandUnderOneName) {
  document::Setup setup = fresh(ExampleId::pool_beats_badminton, 0);
  setup.parameters.num_heads = 4;
  setup.edits = {{cell(AttentionId::attention, "value_input", {0, 1, 2}), 9.0F},
                 {cell(AttentionId::attention, "mask", {0, 3, 1, 2}), hidden}};
  const std::vector<Edit> expected = {
      {cell(AttentionId::attention, "query_input", {0, 1, 2}), 9.0F},
      {cell(AttentionId::attention, "mask", {0, 0, 1, 2}), hidden}};
  EXPECT_EQ(shortest_of(setup).edits, expected);
}

TEST(Shortest, EditsThatChangeNothingAreNone) {
  for (const document::Setup& setup : all_setups()) {
    document::Setup wordy = setup;
    const Computed start = computed(setup);
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
    EXPECT_EQ(shortest_of(wordy), setup) << name_of(setup);
  }
}

TEST(Shortest, AZeroOnAMaskOfZerosIsNoEditButOnOneThatHidesItIs) {
  document::Setup setup = fresh(ExampleId::your_sentence, 0);
  const CellAddress later = cell(AttentionId::attention, "mask", {0, 0, 0, 1});
  setup.edits = {{later, 0.0F}};
  EXPECT_TRUE(shortest_of(setup).edits.empty());
  setup.masks[AttentionId::attention] = MaskKind::look_ahead;
  EXPECT_EQ(shortest_of(setup).edits, setup.edits);
  setup.edits = {{later, hidden}};
  EXPECT_TRUE(shortest_of(setup).edits.empty());
}

TEST(Shortest, KeyEditsOfCrossAttentionAreHeldAgainstTheSumWithPositions) {
  document::Setup setup = fresh(ExampleId::anthony_hopkins, 2);
  setup.position_encoding = true;
  const CellAddress key = cell(AttentionId::attention, "key_input", {0, 1, 1});
  const float sum = computed(setup).attentions[0].trace["key_input"].at({0, 1, 1});
  const float embedding = problem_of(setup).source.embedding.at({0, 1, 1});
  ASSERT_NE(sum, embedding);
  setup.edits = {{key, sum}};
  EXPECT_TRUE(shortest_of(setup).edits.empty());
  setup.edits = {{key, embedding}};
  EXPECT_EQ(shortest_of(setup).edits, setup.edits);
  EXPECT_EQ(computed(setup).attentions[0].trace["key_input"].at({0, 1, 1}), embedding);
}

TEST(Shortest, OneCellHasOneEdit) {
  document::Setup setup = fresh(ExampleId::pool_beats_badminton, 0);
  setup.edits = {{cell(AttentionId::attention, "key_input", {0, 1, 2}), 9.0F},
                 {cell(AttentionId::attention, "query_input", {0, 1, 1}), 1.0F},
                 {cell(AttentionId::attention, "value_input", {0, 1, 2}), 8.0F}};
  EXPECT_EQ(why_not_shortest(setup),
            "attention.query_input[0,1,2] is edited twice; one number for each cell is allowed.");
}

TEST(Shortest, AMaskCellOfAHeadThatIsNotThereLiesOutside) {
  document::Setup setup = fresh(ExampleId::you_are_welcome, 0);
  setup.edits = {{cell(AttentionId::cross_attention, "mask", {0, 2, 0, 0}), hidden}};
  EXPECT_EQ(why_not_shortest(setup),
            "cross_attention.mask[0,2,0,0] lies outside; heads are counted from 0 to 1.");
}

TEST(Shortest, TenThousandEditsAndNoMore) {
  document::Setup setup = fresh(ExampleId::anthony_hopkins, 0);
  for (std::size_t i = 0; i < max_edits; ++i) {
    setup.edits.push_back(
        {cell(AttentionId::attention, "q_proj_weight", {i / 512, i % 512}), 5.0F});
  }
  EXPECT_EQ(shortest_of(setup).edits.size(), max_edits);
  setup.edits.push_back({cell(AttentionId::attention, "k_proj_weight", {0, 0}), 5.0F});
  EXPECT_EQ(why_not_shortest(setup), "10001 cells are edited; at most 10000 are allowed.");
}

}  // namespace
}  // namespace document

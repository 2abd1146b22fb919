#include "document/given_behind.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "document/setups.hpp"
#include "model/roles.hpp"

namespace document {
namespace {

using lesson::AttentionId;
using lesson::ExampleId;
using model::TensorId;

std::vector<TensorId> tensors_of(const std::vector<CellAddress>& cells) {
  std::vector<TensorId> tensors;
  for (const CellAddress& cell : cells) tensors.push_back(cell.tensor);
  return tensors;
}

/// Each can be edited, and the number is another one then.
void expect_changes(Session& session, const CellAddress& cell,
                    const std::vector<CellAddress>& given) {
  const auto number = [&session](const CellAddress& at) {
    return session.computed().find(at.attention).trace[at.tensor].at(at.index);
  };
  const float before = number(cell);
  for (const CellAddress& each : given) {
    SCOPED_TRACE(model::name_of(each.tensor));
    EXPECT_TRUE(is_editable(session.computed().find(each.attention), each.tensor));
    EXPECT_EQ(canonical(session.computed(), each), each);
    const float old = each.tensor == model::roles::mask ? 0.0F : number(each);
    perform(session, EditCell{each, old - 0.25F});
    EXPECT_NE(number(cell), before);
    session.undo();
    EXPECT_EQ(number(cell), before);
  }
}

TEST(GivenBehind, AScoreComesFromTheTwoTokensThatMeetInIt) {
  Session session = session_of(ExampleId::pool_beats_badminton);
  const CellAddress score{alone, "scores", {0, 0, 0, 2}};
  const auto given = given_behind(session.computed(), score);
  // pool · badminton, at the dimension with the largest product.
  const model::Explanation made =
      model::explain(session.attention().trace, score.tensor, score.index);
  std::size_t largest = 0;
  for (std::size_t i = 0; i < made.terms.size(); ++i) {
    if (std::abs(made.terms[i].value) > std::abs(made.terms[largest].value)) largest = i;
  }
  EXPECT_EQ(given, (std::vector<CellAddress>{{alone, "query_input", {0, 0, largest}},
                                             {alone, "query_input", {0, 2, largest}}}));
  expect_changes(session, score, given);
}

TEST(GivenBehind, AnOutputComesFromWeightsAndTokens) {
  Session session = session_of(ExampleId::pool_beats_badminton, 2);
  const CellAddress output{alone, "output", {0, 0, 1}};
  const auto given = given_behind(session.computed(), output);
  const std::vector<TensorId> tensors = tensors_of(given);
  EXPECT_EQ(given.size(), 4U);
  EXPECT_EQ(tensors.front(), TensorId("out_proj_weight"));
  EXPECT_EQ(std::count(tensors.begin(), tensors.end(), TensorId("v_proj_weight")), 1);
  EXPECT_GE(std::count(tensors.begin(), tensors.end(), TensorId("query_input")), 1);
  expect_changes(session, output, given);
  EXPECT_EQ(given_behind(session.computed(), output, 2).size(), 2U);
}

TEST(GivenBehind, AWeightComesFromItsMaskToo) {
  Session session = session_of(ExampleId::pool_beats_badminton);
  perform(session, SetMask{alone, lesson::MaskKind::look_ahead});
  const CellAddress weight{alone, "attention_weights", {0, 0, 2, 1}};
  const auto given = given_behind(session.computed(), weight);
  EXPECT_NE(std::find(given.begin(), given.end(), (CellAddress{alone, "mask", {0, 0, 2, 1}})),
            given.end());
  expect_changes(session, weight, given);
}

TEST(GivenBehind, InAnEncoderTheTokensAreThoseBeforeTheirPositions) {
  Session session = session_of(ExampleId::you_are_welcome);
  perform(session, SetPositionEncoding{true});
  const CellAddress query{AttentionId::encoder_self_attention, "q", {0, 1, 2}};
  const auto given = given_behind(session.computed(), query);
  const std::vector<TensorId> tensors = tensors_of(given);
  EXPECT_EQ(std::count(tensors.begin(), tensors.end(), TensorId("token_embedding")), 1);
  EXPECT_EQ(std::count(tensors.begin(), tensors.end(), TensorId("q_proj_weight")), 1);
  EXPECT_EQ(std::count(tensors.begin(), tensors.end(), TensorId("query_input")), 0);
  expect_changes(session, query, given);
}

TEST(GivenBehind, WhatAnotherLayerComputesIsNotFollowed) {
  Session session = session_of(ExampleId::you_are_welcome);
  const CellAddress score{AttentionId::cross_attention, "scores", {0, 0, 0, 0}};
  const auto given = given_behind(session.computed(), score);
  EXPECT_EQ(tensors_of(given),
            (std::vector<TensorId>{"q_proj_weight", "k_proj_weight", "q_proj_bias", "k_proj_bias"}))
      << "biases last";
  expect_changes(session, score, given);
  EXPECT_TRUE(
      given_behind(session.computed(), {AttentionId::cross_attention, "query_input", {0, 0, 0}})
          .empty());
}

TEST(GivenBehind, WeightsThatAreSetByHandAreGiven) {
  Session session = session_of(ExampleId::anthony_hopkins, 1);
  const auto given = given_behind(session.computed(), {alone, "head_outputs", {0, 0, 3, 0}});
  const std::vector<TensorId> tensors = tensors_of(given);
  EXPECT_EQ(tensors.front(), TensorId("attention_weights"));
  EXPECT_EQ(std::count(tensors.begin(), tensors.end(), TensorId("q_proj_weight")), 0);
}

TEST(GivenBehind, NothingIsBehindWhatIsGivenOrNotThere) {
  const Session session = session_of(ExampleId::pool_beats_badminton);
  EXPECT_TRUE(given_behind(session.computed(), {alone, "query_input", {0, 0, 0}}).empty());
  EXPECT_TRUE(given_behind(session.computed(), {alone, "scores", {0, 0, 9, 0}}).empty());
  EXPECT_TRUE(given_behind(session.computed(), {alone, "q_proj_weight", {0, 0}}).empty());
}

TEST(GivenBehind, EveryOutputOfEveryExampleHasSome) {
  for (const Configuration& configuration : all_setups()) {
    SCOPED_TRACE(name_of(configuration));
    const Computed result = computed(configuration);
    for (const ComputedAttention& attention : result.attentions) {
      const auto given = given_behind(result, {attention.id, "head_outputs", {0, 0, 0, 0}});
      EXPECT_FALSE(given.empty()) << lesson::name_of(attention.id);
      EXPECT_LE(given.size(), 4U);
    }
  }
}

}  // namespace
}  // namespace document

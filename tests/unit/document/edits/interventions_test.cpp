#include "document/edits/interventions.hpp"

#include <limits>

#include <gtest/gtest.h>

#include "document/setups.hpp"

namespace document {
namespace {

using lesson::AttentionId;
using lesson::ExampleId;
using model::GivenWeights;
using model::Mistake;
using model::TensorId;

constexpr std::size_t article = 1;  // the variant of anthony-hopkins with a printed row

std::string error_of(const document::Configuration& configuration) {
  const auto result = overrides_of(problem_of(configuration), configuration);
  EXPECT_FALSE(result.has_value());
  EXPECT_FALSE(compute(configuration).has_value());
  return result ? "" : result.error().message;
}

document::Configuration shortened(const document::Configuration& configuration) {
  const auto result = shortest(configuration, problem_of(configuration));
  EXPECT_TRUE(result) << result.error().message;
  return result ? *result : document::Configuration{};
}

TEST(InterventionsOf, EachAttentionGetsItsOwn) {
  document::Configuration configuration = fresh(ExampleId::you_are_welcome, 0);
  configuration.mistake = Mistake::no_scale;
  configuration.ablated_heads = {{AttentionId::cross_attention, {1}}};
  configuration.given_weights = {{AttentionId::decoder_self_attention, {1, 0, 1, {0.25F, 0.5F}}}};
  const auto all = *overrides_of(problem_of(configuration), configuration);
  ASSERT_EQ(all.size(), 3U);
  const Computed made = computed(configuration);
  for (std::size_t place = 0; place < 3; ++place) {
    EXPECT_EQ(all[place].mistake, Mistake::no_scale);
    EXPECT_EQ(all[place].ablated_heads.empty(), place != 2);
    EXPECT_EQ(all[place].given_weights.empty(), place != 1);
    EXPECT_EQ(made.attentions[place].trace.overrides, all[place]) << "compute passes them on";
  }
  const model::Trace& decoder = made.find(AttentionId::decoder_self_attention).trace;
  EXPECT_EQ(decoder["attention_weights"].at({1, 0, 1, 1}), 0.5F);
  const model::Trace& cross = made.find(AttentionId::cross_attention).trace;
  EXPECT_EQ(cross["head_outputs"].at({0, 1, 0, 0}), 0.0F);
  EXPECT_EQ(cross.view_of("scaled_scores"), TensorId("scores"));
}

TEST(InterventionsOf, ARowOfThePersonsOverridesTheExamples) {
  document::Configuration configuration = fresh(ExampleId::anthony_hopkins, article);
  const lesson::Problem problem = problem_of(configuration);
  ASSERT_EQ(problem.given_weights.size(), 1U);
  EXPECT_EQ(overrides_of(problem, configuration)->front().given_weights, problem.given_weights);
  GivenWeights row = problem.given_weights.front();
  row.weights.assign(9, 0.125F);
  configuration.given_weights = {{alone, row}};
  EXPECT_EQ(overrides_of(problem, configuration)->front().given_weights, std::vector{row});
  row.query = 0;
  configuration.given_weights = {{alone, row}};
  EXPECT_EQ(overrides_of(problem, configuration)->front().given_weights.size(), 2U);
}

TEST(InterventionsOf, ErrorsSayWhatIsThere) {
  const auto with = [](const GivenRow& row) {
    document::Configuration configuration = fresh(ExampleId::you_are_welcome, 0);
    configuration.given_weights = {row};
    return error_of(configuration);
  };
  const auto cross = AttentionId::cross_attention;
  EXPECT_EQ(with({cross, {2, 0, 0, {1, 0, 0}}}),
            "cross_attention.attention_weights[2,0,0] lies outside; there are [2,2,2] rows of "
            "weights, [B,H,Lq], counted from 0.");
  EXPECT_EQ(with({cross, {0, 0, 1, {1, 0}}}),
            "cross_attention.attention_weights[0,0,1] is given 2 weights; it has 3 keys, and each "
            "needs one.");
  EXPECT_EQ(with({cross, {0, 0, 1, {1, -0.5F, 0}}}),
            "A weight of cross_attention.attention_weights[0,0,1] cannot be -0.5; allowed are "
            "numbers from 0 to 10000.");
  EXPECT_NE(with({cross, {0, 0, 1, {1, std::numeric_limits<float>::quiet_NaN(), 0}}})
                .find("cannot be NaN"),
            std::string::npos);
  EXPECT_EQ(with({alone, {0, 0, 0, {1, 0, 0}}}),
            "There is no attention here; there is encoder_self_attention, decoder_self_attention "
            "and cross_attention.");

  document::Configuration configuration = fresh(ExampleId::you_are_welcome, 0);
  configuration.given_weights = {{cross, {0, 0, 1, {1, 0, 0}}}, {cross, {0, 0, 1, {0, 1, 0}}}};
  EXPECT_EQ(error_of(configuration),
            "cross_attention.attention_weights[0,0,1] is given twice; one row of weights for each "
            "query is allowed.");
  configuration.given_weights.assign(max_given_rows + 1, {cross, {0, 0, 1, {1, 0, 0}}});
  EXPECT_EQ(error_of(configuration), "1001 rows of weights are given; at most 1000 are allowed.");
  configuration = fresh(ExampleId::you_are_welcome, 0);
  configuration.ablated_heads = {{cross, {0, 2}}};
  EXPECT_EQ(error_of(configuration),
            "Head 2 of cross_attention cannot be switched off; heads are counted from 0 to 1.");
  configuration.ablated_heads = {{alone, {0}}};
  EXPECT_NE(error_of(configuration).find("There is no attention here"), std::string::npos);
}

TEST(InterventionsOf, AMistakeThatCannotBeComputedIsAnError) {
  document::Configuration configuration =
      fresh(ExampleId::pool_beats_badminton, 0);  // 3 keys, head_dim 4
  configuration.mistake = Mistake::keys_not_transposed;
  const auto result = compute(configuration);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().message.find("Without transposing K the shapes do not fit: q_heads is "
                                        "[Lq,D] = [3,4] and k_heads is [Lk,D] = [3,4]"),
            0U)
      << result.error().message;
}

TEST(ShortestInterventions, AreInOrderAndSayNothingTwice) {
  document::Configuration configuration = fresh(ExampleId::you_are_welcome, 0);
  configuration.ablated_heads = {{AttentionId::encoder_self_attention, {}},
                                 {AttentionId::cross_attention, {1, 0, 1}}};
  const GivenRow first{AttentionId::encoder_self_attention, {0, 1, 0, {1, 0, 0}}};
  const GivenRow second{AttentionId::encoder_self_attention, {1, 0, 0, {1, 0, 0}}};
  const GivenRow third{AttentionId::cross_attention, {0, 0, 0, {1, 0, 0}}};
  configuration.given_weights = {third, second, first};
  const document::Configuration result = shortened(configuration);
  EXPECT_EQ(
      result.ablated_heads,
      (std::map<AttentionId, std::vector<std::size_t>>{{AttentionId::cross_attention, {0, 1}}}));
  EXPECT_EQ(result.given_weights, (std::vector{first, second, third}));
  EXPECT_EQ(fingerprint(computed(result)), fingerprint(computed(configuration)));
}

TEST(ShortestInterventions, TheExamplesOwnRowIsNotTheirs) {
  document::Configuration configuration = fresh(ExampleId::anthony_hopkins, article);
  configuration.given_weights = {{alone, problem_of(configuration).given_weights.front()}};
  EXPECT_TRUE(shortened(configuration).given_weights.empty());
}

TEST(WithRow, OneRowForEachQuery) {
  const GivenRow row{alone, {0, 1, 2, {1, 0}}};
  GivenRow other = row;
  other.row.weights = {0, 1};
  document::Configuration configuration = with_row(with_row({}, row), other);
  EXPECT_EQ(configuration.given_weights, std::vector{other});
  other.row.query = 0;
  configuration = with_row(configuration, other);
  EXPECT_EQ(configuration.given_weights.size(), 2U);
  configuration = without_row(configuration, {alone, 0, 1, 2});
  EXPECT_EQ(configuration.given_weights, std::vector{other});
  EXPECT_EQ(without_row(configuration, {alone, 0, 1, 2}), configuration);
}

TEST(WithAblatedHead, IsSwitchedOffAndOn) {
  document::Configuration configuration = with_ablated_head({}, alone, 2, true);
  configuration = with_ablated_head(configuration, alone, 2, true);
  EXPECT_EQ(configuration.ablated_heads.at(alone), std::vector<std::size_t>{2});
  configuration = with_ablated_head(configuration, alone, 2, false);
  EXPECT_TRUE(configuration.ablated_heads.at(alone).empty());
}

TEST(WithoutRows, OnlyWhatDependsOnTheTokensGoes) {
  document::Configuration configuration;
  configuration.mistake = Mistake::no_scale;
  configuration.ablated_heads = {{alone, {1}}};
  configuration.given_weights = {{alone, {}}};
  document::Configuration next = without_rows(configuration);
  EXPECT_TRUE(next.given_weights.empty());
  EXPECT_EQ(next.mistake, Mistake::no_scale);
  EXPECT_EQ(next.ablated_heads, configuration.ablated_heads);
  configuration.mistake = Mistake::keys_not_transposed;
  EXPECT_EQ(without_rows(configuration).mistake, Mistake::none);
  EXPECT_TRUE(without_heads(configuration).ablated_heads.empty());
}

}  // namespace
}  // namespace document

#include "document/edits/edit_cells.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "document/setups.hpp"
#include "numbers.hpp"

namespace document {
namespace {

using lesson::AttentionId;
using lesson::ExampleId;
using model::TensorId;

Edit typed(TensorId tensor, tensor::Index index, float value) {
  return {cell(alone, tensor, index), value};
}

TEST(WithCells, ReplacesWhatWasTypedThereBefore) {
  document::Configuration configuration = fresh(ExampleId::pool_beats_badminton, 0);
  configuration.edits = {typed("query_input", {0, 0, 0}, 1.0F),
                         typed("query_input", {0, 2, 1}, 2.0F)};
  // key_input of self-attention is query_input under another name.
  const std::vector<Edit> block = {typed("key_input", {0, 0, 0}, 5.0F),
                                   typed("key_input", {0, 0, 1}, 6.0F)};
  const auto next = with_cells(configuration, computed(configuration), block);
  ASSERT_TRUE(next) << next.error().message;
  EXPECT_EQ(next->edits, (std::vector{configuration.edits[1], block[0], block[1]}));
}

TEST(WithCells, WeightsAreSetAsTheyAre) {
  document::Configuration configuration = fresh(ExampleId::pool_beats_badminton, 0);
  const Computed before = computed(configuration);
  const auto next = with_cells(
      configuration, before,
      {typed("attention_weights", {0, 0, 1, 0}, 0.5F),
       typed("attention_weights", {0, 0, 1, 2}, 0.75F), typed("query_input", {0, 0, 0}, 2.0F)});
  ASSERT_TRUE(next) << next.error().message;
  EXPECT_EQ(next->edits.size(), 1U);
  ASSERT_EQ(next->given_weights.size(), 1U);
  const float untouched = before.attentions.front().trace["attention_weights"].at({0, 0, 1, 1});
  EXPECT_EQ(next->given_weights[0], (GivenRow{alone, {0, 0, 1, {0.5F, untouched, 0.75F}}}));
}

TEST(WithCells, ErrorsNameTheCell) {
  const document::Configuration configuration = fresh(ExampleId::pool_beats_badminton, 0);
  const auto error = [&](const Edit& edit) {
    const auto result = with_cells(configuration, computed(configuration), {edit});
    return result ? "" : result.error().message;
  };
  EXPECT_EQ(error(typed("attention_weights", {0, 0, 3, 0}, 0.5F)),
            "attention.attention_weights[0,0,3,0] lies outside; the tensor's shape is [1,1,3,3].");
  EXPECT_EQ(error(typed("attention_weights", {0, 0, 0}, 0.5F)),
            "attention.attention_weights[0,0,0] lies outside; the tensor's shape is [1,1,3,3].");
  EXPECT_EQ(error({cell(AttentionId::cross_attention, "mask", {0, 0, 0, 0}), 0.5F}),
            "There is no cross_attention here; there is attention.");
}

TEST(RowOfWeights, IsTheRowAsItIsNow) {
  const Computed now = computed(fresh(ExampleId::pool_beats_badminton, 0));
  const auto row = row_of_weights(now, cell(alone, "attention_weights", {0, 0, 2, 1}));
  ASSERT_TRUE(row) << row.error().message;
  EXPECT_EQ(row->row.query, 2U);
  const tensor::Tensor weights =
      now.attentions.front().trace["attention_weights"].select(0, 0).select(0, 0);
  EXPECT_EQ(row->row.weights, weights.select(0, 2).values());
}

TEST(Dragged, TheOthersMakeRoom) {
  const GivenRow row{alone, {0, 0, 1, {0.25F, 0.5F, 0.25F}}};
  EXPECT_EQ(*dragged(row, 1, 0.75F), (GivenRow{alone, {0, 0, 1, {0.125F, 0.75F, 0.125F}}}));
  for (const float wrong : {-0.1F, 1.1F, std::numeric_limits<float>::quiet_NaN()}) {
    const auto result = dragged(row, 1, wrong);
    ASSERT_FALSE(result);
    EXPECT_NE(result.error().message.find("allowed are numbers from 0 to 1"), std::string::npos);
  }
}

double total(const std::vector<float>& weights) {
  double sum = 0.0;
  for (const float weight : weights) sum += static_cast<double>(weight);
  return sum;
}

TEST(Rescaled, KeepsTheTotalAndTheProportionsOfTheOthers) {
  EXPECT_EQ(rescaled({0.25F, 0.5F, 0.25F}, 1, 0.75F), (std::vector<float>{0.125F, 0.75F, 0.125F}));
  EXPECT_EQ(rescaled({0.25F, 0.5F, 0.25F}, 0, 0.0F),
            (std::vector<float>{0.0F, 2.0F / 3.0F, 1.0F / 3.0F}));
  const std::vector<float> printed = {0.06F, 0.09F, 0.05F, 0.25F, 0.18F,
                                      0.06F, 0.09F, 0.06F, 0.15F};
  const std::vector<float> moved = rescaled(printed, 3, 0.6F);
  EXPECT_NEAR(total(moved), 0.99, 1e-6);
  EXPECT_EQ(moved[3], 0.6F);
  for (std::size_t key : {0U, 1U, 2U, 4U, 8U}) {
    EXPECT_NEAR(moved[key], printed[key] * (0.99F - 0.6F) / (0.99F - 0.25F), 1e-6);
  }
}

TEST(Rescaled, RandomRowsKeepTheirTotal) {
  test::Numbers numbers(7);
  for (int round = 0; round < 200; ++round) {
    std::vector<float> row(1 + numbers.below(9));
    for (float& weight : row) weight = std::fabs(numbers.next());
    const double before = total(row);
    const std::size_t key = numbers.below(row.size());
    const float value = std::fmin(std::fabs(numbers.next()), static_cast<float>(before));
    const std::vector<float> moved = rescaled(row, key, value);
    EXPECT_EQ(moved[key], value);
    if (row.size() > 1) {
      EXPECT_NEAR(total(moved), before, 1e-5);
    }
    for (const float weight : moved) EXPECT_GE(weight, 0.0F);
  }
}

TEST(Rescaled, OthersThatAreAllZeroShareEqually) {
  EXPECT_EQ(rescaled({0, 1, 0}, 1, 0.5F), (std::vector<float>{0.25F, 0.5F, 0.25F}));
  // What is left beside a weight of 1 keeps its proportions, however small it is.
  EXPECT_EQ(rescaled({1, 1e-20F, 1e-30F}, 0, 0.5F), (std::vector<float>{0.5F, 0.5F, 0.5e-10F}));
  EXPECT_EQ(rescaled({1, 3e-16F, 0}, 0, 0.5F), (std::vector<float>{0.5F, 0.5F, 0}));
  EXPECT_EQ(rescaled({0, 0, 0}, 0, 0.5F), (std::vector<float>{0.5F, 0.25F, 0.25F}));
  EXPECT_EQ(rescaled({1}, 0, 0.5F), (std::vector<float>{0.5F})) << "nobody else is there";
}

TEST(Rescaled, AValueAboveTheTotalLeavesTheOthersNothing) {
  EXPECT_EQ(rescaled({0.5F, 0.25F}, 0, 1.0F), (std::vector<float>{1.0F, 0.0F}));
}

}  // namespace
}  // namespace document

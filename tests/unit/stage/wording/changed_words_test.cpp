#include "stage/wording/changed_words.hpp"

#include <gtest/gtest.h>

#include <string>

#include "document/setups.hpp"

namespace stage {
namespace {

using document::CellAddress;
using lesson::AttentionId;
using lesson::ExampleId;

/// What is said after this cell got this number.
std::string after_edit(ExampleId example, const CellAddress& cell, float value,
                       AttentionId shown = AttentionId::attention) {
  document::Configuration configuration = document::fresh(example, 0);
  const document::Computed before = document::computed(configuration);
  configuration.edits.push_back({cell, value});
  return changed_words(before, document::computed(configuration), shown);
}

// Without weights and with one head, q, q_heads, merged and others are views of what they read.
TEST(ChangedWords, NameWhatHasOtherNumbersAndNoViews) {
  EXPECT_EQ(after_edit(ExampleId::pool_beats_badminton,
                       {AttentionId::attention, "query_input", {0, 0, 0}}, 3.0F),
            "The last edit changed: scores, attention_weights, head_outputs, output.");
}

TEST(ChangedWords, AreShortenedInTheMiddle) {
  EXPECT_EQ(after_edit(ExampleId::gender_and_number,
                       {AttentionId::attention, "query_input", {0, 0, 0}}, 3.0F),
            "The last edit changed: q, k, v, … output.");
}

TEST(ChangedWords, NameNothingBeforeTheEditedTensor) {
  EXPECT_EQ(after_edit(ExampleId::gender_and_number,
                       {AttentionId::attention, "v_proj_weight", {0, 0}}, 2.5F),
            "The last edit changed: v, head_outputs, merged, output. Unchanged: q, k, scores, … "
            "attention_weights.");
}

TEST(ChangedWords, NameOtherAttentions) {
  const auto said = [](AttentionId shown) {
    return after_edit(ExampleId::you_are_welcome,
                      {AttentionId::encoder_self_attention, "v_proj_weight", {0, 0}}, 3.0F, shown);
  };
  EXPECT_EQ(
      said(AttentionId::encoder_self_attention),
      "The last edit changed: v, head_outputs, merged, output; and numbers of cross_attention. "
      "Unchanged: q, k, scores, … attention_weights.");
  EXPECT_EQ(said(AttentionId::decoder_self_attention),
            "The last edit changed nothing here, but numbers of encoder_self_attention, "
            "cross_attention.");
}

TEST(ChangedWords, SayWhereNothingDepends) {
  const document::Computed same =
      document::computed(document::fresh(ExampleId::pool_beats_badminton, 0));
  EXPECT_EQ(changed_words(same, same, AttentionId::attention),
            "The last edit changed no computed number.");
}

}  // namespace
}  // namespace stage

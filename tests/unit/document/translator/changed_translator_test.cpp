// What a changed translator says is what reading each translation anew gives, to the last bit.
#include "document/translator/the_translator.hpp"
#include "model/roles.hpp"

namespace document {
namespace {

using lesson::AttentionId;
using lesson::Translated;
using model::TensorId;
using Tokens = std::vector<std::size_t>;

/// What comes after these tokens, where the whole model reads them at once.
tensor::Tensor read_anew(Configuration configuration, const Tokens& tokens) {
  configuration.parameters.begin.assign(tokens.begin(), tokens.end());
  configuration.parameters.beam = 1;
  const Computed made = computed(configuration);
  const tensor::Tensor logits =
      lesson::logits_after(*made.translated, made.parts.back()["layer_output"]);
  return logits.narrow(1, tokens.size(), 1).contiguous();
}

/// Decoding without anything that is kept.
std::vector<translation::Hypothesis> found_anew(const Configuration& configuration) {
  std::vector<Tokens> rows(1);
  bool has_begun = false;
  const translation::Step step = [&](const auto& from, const auto& tokens) {
    std::vector<Tokens> next;
    tensor::Tensor logits;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      Tokens row = rows[from[i]];
      if (has_begun) row.push_back(tokens[i]);
      const tensor::Tensor own = read_anew(configuration, row);
      if (i == 0) logits = tensor::Tensor({tokens.size(), 1, own.dim(2)});
      std::copy_n(own.data(), own.size(), logits.mutable_data() + i * own.size());
      next.push_back(std::move(row));
    }
    has_begun = true;
    rows = std::move(next);
    return base::Result<tensor::Tensor>(std::move(logits));
  };
  const auto problem = lesson::make_problem(configuration.example, configuration.parameters);
  const auto found = translation::search(step, configuration.parameters.beam, {},
                                         lesson::longest_translation(*problem));
  EXPECT_TRUE(found);
  return *found;
}

void expect_as_anew(const Configuration& configuration, const std::string& what) {
  const Computed computed_now = computed(configuration);
  const Translated& made = *computed_now.translated;
  for (const ComputedAttention& attention : computed_now.attentions)
    EXPECT_EQ(attention.kept_layers > 0,
              kind_of(attention.id) != AttentionId::encoder_self_attention)
        << what;
  const std::vector<translation::Hypothesis> anew = found_anew(configuration);
  const translation::Hypothesis& best = anew.front();
  ASSERT_EQ(made.places.size(), best.tokens.size()) << what;
  for (std::size_t i = 0; i < best.tokens.size(); ++i) {
    EXPECT_EQ(made.places[i].said.token, best.tokens[i]) << what << ' ' << i;
    EXPECT_EQ(made.places[i].said.probability, best.probabilities[i]) << what << ' ' << i;
    ASSERT_EQ(made.places[i].best.size(), best.candidates[i].size());
    for (std::size_t j = 0; j < best.candidates[i].size(); ++j) {
      EXPECT_EQ(made.places[i].best[j].token, best.candidates[i][j].token) << what;
      EXPECT_EQ(made.places[i].best[j].probability, best.candidates[i][j].probability) << what;
    }
  }
  if (configuration.parameters.beam == 1) return;
  ASSERT_EQ(made.finished.size(), anew.size()) << what;
  for (std::size_t i = 0; i < anew.size(); ++i) {
    EXPECT_EQ(made.finished[i].tokens, anew[i].tokens) << what << ' ' << i;
    EXPECT_EQ(made.finished[i].log_probability, anew[i].log_probability) << what << ' ' << i;
  }
}

using Changes = std::vector<std::pair<std::string, Configuration>>;

/// Changes that leave what earlier tokens computed as it is, by name.
Changes changes(const Configuration& unchanged) {
  Changes made;
  const auto add = [&](const char* what) -> Configuration& {
    return made.emplace_back(what, unchanged).second;
  };
  add("cross heads off").ablated_heads = {{AttentionId::cross_attention_3, {2, 5}},
                                          {AttentionId::cross_attention, {0}}};
  add("heads of the decoder off").ablated_heads[AttentionId::decoder_self_attention_1] = {1, 7};
  add("heads of the encoder off").ablated_heads[AttentionId::encoder_self_attention_2] = {4};
  std::vector<float> weights(computed(unchanged).attentions.front().trace.config.key_len, 0.0F);
  weights[1] = 0.75F;
  weights[2] = 0.25F;
  add("weights set").given_weights = {{AttentionId::cross_attention_2, {0, 3, 0, weights}},
                                      {AttentionId::cross_attention_2, {0, 3, 2, weights}},
                                      {AttentionId::cross_attention_3, {0, 0, 1, weights}}};
  add("no scale").mistake = model::Mistake::no_scale;
  add("another scale").scale = model::Scale{model::Scale::Kind::number, 3.0F};
  add("no positions").position_encoding = false;
  add("a weight edited").edits = {
      {{AttentionId::decoder_self_attention_1, TensorId("v_proj_weight"), {3, 4}}, 2.0F}};
  return made;
}

/// Changes with which a token changes what earlier ones computed, or that are not there for all
/// lengths of the translation.
Changes changes_of_earlier_tokens(const Configuration& unchanged) {
  Changes made;
  const auto add = [&](const char* what) -> Configuration& {
    return made.emplace_back(what, unchanged).second;
  };
  add("scale by keys").scale = model::Scale{model::Scale::Kind::sqrt_keys};
  add("a mask painted").edits = {
      {{AttentionId::decoder_self_attention, model::roles::mask, {0, 0, 0, 1}}, 0.0F}};
  add("an embedding edited").edits = {
      {{AttentionId::decoder_self_attention, model::roles::embedding, {0, 1, 5}}, 9.0F}};
  add("no mask").masks[AttentionId::decoder_self_attention_2] = lesson::MaskKind::none;
  add("over queries").mistake = model::Mistake::softmax_over_queries;
  return made;
}

TEST_F(TheTranslator, ChangedSaysWhatReadingAnewGives) {
  Configuration unchanged = saying("Thank you very much.");
  for (const auto& [what, changed] : changes(unchanged)) expect_as_anew(changed, what);
}

TEST_F(TheTranslator, ABeamOfAChangedOneFindsWhatReadingAnewFinds) {
  Configuration unchanged = saying("Thank you.");
  unchanged.parameters.beam = lesson::beam_width;
  for (const auto& [what, changed] : changes(unchanged)) expect_as_anew(changed, what + ", beam");
}

// Earlier tokens cannot be compared: what the whole model computes of them knows the later ones.
TEST_F(TheTranslator, WhatTheLastTokenReadsIsWhatTheWholeModelComputes) {
  Configuration unchanged = saying("Thank you very much.");
  for (const auto& [what, changed] : changes_of_earlier_tokens(unchanged)) {
    const Computed made = computed(changed);
    const Translated& said = *made.translated;
    for (const ComputedAttention& attention : made.attentions)
      EXPECT_EQ(attention.kept_layers, 0U) << what;
    const tensor::Tensor logits = lesson::logits_after(said, made.parts.back()["layer_output"]);
    const std::size_t last = said.places.size() - 1;
    const lesson::Translated::Candidate& end = said.places[last].said;
    EXPECT_EQ(end.probability, std::exp(translation::log_probability(logits, last, end.token)))
        << what;
  }
}

// Token by token, where the whole model would let a token see the later ones.
TEST_F(TheTranslator, HowProbableItsUnchangedTranslationIsKnowsNoLaterToken) {
  Configuration plain = saying("Thank you very much.");
  const Tokens tokens = tokens_of(*computed(plain).translated);
  Changes all = changes_of_earlier_tokens(plain);
  all.emplace_back("mask with zero", plain).second.mistake = model::Mistake::mask_with_zero;
  all.push_back(changes(plain).front());
  for (auto& [what, changed] : all) {
    const double now = computed(changed).translated->unchanged->log_probability_now;
    changed.parameters.begin.assign(tokens.begin(), tokens.end());
    EXPECT_NEAR(now, log_probability_of(*computed(changed).translated), 1e-9) << what;
  }
}

}  // namespace
}  // namespace document

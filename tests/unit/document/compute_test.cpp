#include "document/compute.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "attention/mask.hpp"
#include "document/setups.hpp"

namespace document {
namespace {

using attention::hidden;
using attention::Scale;
using attention::Tensor;
using attention::TensorId;
using lesson::AttentionId;
using lesson::ExampleId;
using lesson::MaskKind;

// --- Every example, and the numbers that are printed ---------------------------------------------

TEST(Compute, EveryVariantOfEveryExample) {
  for (const document::Setup& setup : all_setups()) {
    SCOPED_TRACE(name_of(setup));
    const lesson::Problem problem = problem_of(setup);
    const Computed result = computed(setup);
    ASSERT_EQ(result.attentions.size(), problem.attentions().size());
    EXPECT_EQ(result.embed_dim, problem.source.embedding.dim(2));
    EXPECT_EQ(result.num_heads, problem.options.num_heads);
    EXPECT_EQ(result.scale, problem.options.scale);
    EXPECT_EQ(result.position_encoding, problem.position_encoding);
    EXPECT_EQ(result.note, problem.note);
    for (std::size_t i = 0; i < result.attentions.size(); ++i) {
      const ComputedAttention& each = result.attentions[i];
      EXPECT_EQ(each.id, problem.attentions()[i]);
      EXPECT_EQ(each.mask, problem.masks[i]);
      EXPECT_EQ(&result.find(each.id), &each);
      const attention::Config& config = each.trace.config;
      ASSERT_EQ(each.query_tokens.size(), config.batch);
      ASSERT_EQ(each.key_tokens.size(), config.batch);
      for (std::size_t sample = 0; sample < config.batch; ++sample) {
        EXPECT_EQ(each.query_tokens[sample].size(), config.query_len);
        EXPECT_EQ(each.key_tokens[sample].size(), config.key_len);
      }
      for (const TensorId tensor : each.trace.present()) {
        for (const float value : each.trace[tensor].values()) {
          ASSERT_FALSE(std::isnan(value)) << attention::name_of(tensor);
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
  const attention::Trace& trace = result.attentions.front().trace;
  expect_printed(trace[TensorId::scores], {.31, .14, .30, .14, .31, .15, .30, .15, .31}, 6);
  expect_printed(
      trace[TensorId::output],
      {.3809, .2191, .1647, .1353, .3516, .2484, .1687, .1313, .3801, .2199, .1652, .1348}, 4);
}

TEST(Compute, PoolBeatsBadmintonIsItsOwnQueryKeyAndValue) {
  const Computed result = computed(fresh(ExampleId::pool_beats_badminton, 0));
  const attention::Trace& trace = result.attentions.front().trace;
  for (const TensorId id : {TensorId::key_input, TensorId::value_input, TensorId::q, TensorId::k,
                            TensorId::v, TensorId::q_heads}) {
    EXPECT_TRUE(trace[id].shares_storage_with(trace[TensorId::query_input]));
  }
}

TEST(Compute, TheScaleHalvesThePoolBeatsBadmintonScores) {
  const Computed result = computed(fresh(ExampleId::pool_beats_badminton, 1));
  const attention::Trace& trace = result.attentions.front().trace;
  expect_printed(trace[TensorId::scaled_scores], {.155, .07, .15, .07, .155, .075, .15, .075, .155},
                 6);
}

TEST(Compute, TheArticlesWeightsAreUsedAsTheyArePrinted) {
  const document::Setup setup = fresh(ExampleId::anthony_hopkins, 1);
  const Computed result = computed(setup);
  const attention::Trace& trace = result.attentions.front().trace;
  const std::vector<float> printed = {.06F, .09F, .05F, .25F, .18F, .06F, .09F, .06F, .15F};
  EXPECT_EQ(trace[TensorId::attention_weights].select(0, 0).select(0, 0).select(0, 3).values(),
            printed);
  ASSERT_EQ(trace.given_weights.size(), 1U);
  // The sum of 0.99 is used, not silently brought to 1.
  for (const std::size_t d : {std::size_t{0}, std::size_t{17}, std::size_t{63}}) {
    double sum = 0.0;
    for (std::size_t key = 0; key < 9; ++key) {
      sum += static_cast<double>(printed[key]) *
             static_cast<double>(trace[TensorId::v_heads].at({0, 0, key, d}));
    }
    EXPECT_NEAR(trace[TensorId::head_outputs].at({0, 0, 3, d}), sum, 1e-5);
  }
  // Every other row is what the softmax makes of it.
  const Computed plain = computed(fresh(ExampleId::anthony_hopkins, 0));
  const Tensor& weights = plain.attentions.front().trace[TensorId::attention_weights];
  attention::Index index = first_cell(weights);
  do {
    if (index[1] == 0 && index[2] == 3) continue;
    EXPECT_EQ(trace[TensorId::attention_weights].at(index), weights.at(index));
  } while (attention::next_index(index, weights.shape()));
}

TEST(Compute, TheThreeAttentionsOfATranslationAreChained) {
  const Computed result = computed(fresh(ExampleId::you_are_welcome, 0));
  const ComputedAttention& encoder = result.find(AttentionId::encoder_self_attention);
  const ComputedAttention& decoder = result.find(AttentionId::decoder_self_attention);
  const ComputedAttention& cross = result.find(AttentionId::cross_attention);
  EXPECT_FALSE(encoder.query_is_computed || encoder.key_is_computed);
  EXPECT_FALSE(decoder.query_is_computed || decoder.key_is_computed);
  EXPECT_TRUE(cross.query_is_computed && cross.key_is_computed);
  EXPECT_EQ(cross.query_tokens, decoder.query_tokens);
  EXPECT_EQ(cross.key_tokens, encoder.key_tokens);
  EXPECT_TRUE(
      cross.trace[TensorId::value_input].shares_storage_with(cross.trace[TensorId::key_input]));
  EXPECT_FALSE(cross.trace.has(TensorId::token_embedding));

  // After a layer norm that was never trained every row has mean 0 and variance 1.
  for (const TensorId id : {TensorId::query_input, TensorId::key_input}) {
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
  const Tensor& weights = cross.trace[TensorId::attention_weights];
  const Tensor& own = decoder.trace[TensorId::attention_weights];
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
  for (document::Setup setup : all_setups()) {
    SCOPED_TRACE(name_of(setup));
    setup.position_encoding = true;
    const Computed with = computed(setup);
    setup.position_encoding = false;
    const Computed without = computed(setup);
    EXPECT_TRUE(with.position_encoding);
    EXPECT_FALSE(without.position_encoding);
    const attention::Trace& trace = with.attentions.front().trace;
    const attention::Trace& plain = without.attentions.front().trace;
    ASSERT_TRUE(trace.has(TensorId::token_embedding) && trace.has(TensorId::position_encoding));
    EXPECT_FALSE(plain.has(TensorId::token_embedding) || plain.has(TensorId::position_encoding));
    EXPECT_EQ(bits(trace[TensorId::token_embedding]), bits(plain[TensorId::query_input]));
    const Tensor& sum = trace[TensorId::query_input];
    attention::Index index = first_cell(sum);
    do {
      const float position = trace[TensorId::position_encoding].at({index[1], index[2]});
      EXPECT_EQ(sum.at(index), trace[TensorId::token_embedding].at(index) + position);
    } while (attention::next_index(index, sum.shape()));
  }
}

TEST(Compute, ScaleAndMaskAreAsChosen) {
  document::Setup setup = fresh(ExampleId::your_sentence, 0);
  setup.scale = Scale{Scale::Kind::number, 4.0F};
  setup.masks[AttentionId::attention] = MaskKind::look_ahead;
  const Computed result = computed(setup);
  EXPECT_EQ(result.scale, *setup.scale);
  EXPECT_EQ(result.attentions.front().mask, MaskKind::look_ahead);
  const attention::Trace& trace = result.attentions.front().trace;
  for (std::size_t query = 0; query < 11; ++query) {
    for (std::size_t key = 0; key < 11; ++key) {
      const attention::Index index{0, 1, query, key};
      EXPECT_EQ(trace[TensorId::scaled_scores].at(index), trace[TensorId::scores].at(index) / 4.0F);
      EXPECT_EQ(trace[TensorId::mask].at(index), key > query ? hidden : 0.0F);
      EXPECT_EQ(trace[TensorId::attention_weights].at(index) == 0.0F, key > query);
    }
  }
}

TEST(Compute, ARowPaintedShutIsZeroAndNotNan) {
  document::Setup setup = fresh(ExampleId::pool_beats_badminton, 0);
  for (std::size_t key = 0; key < 3; ++key) {
    setup.edits.push_back({cell(AttentionId::attention, TensorId::mask, {0, 0, 1, key}), hidden});
  }
  const Computed result = computed(setup);
  const attention::Trace& trace = result.attentions.front().trace;
  EXPECT_TRUE(trace.fully_masked(0, 0, 1));
  EXPECT_FALSE(trace.fully_masked(0, 0, 0));
  EXPECT_EQ(trace[TensorId::attention_weights].select(0, 0).select(0, 0).select(0, 1).values(),
            std::vector<float>(3, 0.0F));
  EXPECT_EQ(trace[TensorId::output].select(0, 0).select(0, 1).values(),
            std::vector<float>(4, 0.0F));
}

TEST(Compute, BadSetupsGetTheirSentence) {
  document::Setup setup = fresh(ExampleId::your_sentence, 0);
  setup.parameters.sentence = " ";
  EXPECT_EQ(compute(setup).error().message, "The sentence is empty: type at least one word.");
  setup = fresh(ExampleId::your_sentence, 0);
  setup.edits = {{cell(AttentionId::attention, TensorId::output, {0, 0, 0}), 1.0F}};
  EXPECT_FALSE(compute(setup));
}

// Whatever was not edited keeps its storage from one computation to the next: it is not drawn anew.
TEST(Compute, UneditedTensorsKeepTheirStorage) {
  for (const document::Setup& setup : all_setups()) {
    const lesson::Problem problem = problem_of(setup);
    const auto first = compute(setup, problem);
    document::Setup edited = setup;
    const AttentionId id = problem.attentions().front();
    edited.edits = {{cell(id, TensorId::mask, {0, 0, 0, 0}), -1.0F}};
    const auto second = compute(edited, problem);
    ASSERT_TRUE(first && second);
    for (std::size_t i = 0; i < first->attentions.size(); ++i) {
      for (const TensorId tensor : first->attentions[i].trace.present()) {
        const bool parameter =
            tensor >= TensorId::q_proj_weight && tensor <= TensorId::out_proj_bias;
        if (!parameter && tensor != TensorId::token_embedding) continue;
        EXPECT_EQ(first->attentions[i].trace[tensor].storage_version(),
                  second->attentions[i].trace[tensor].storage_version())
            << name_of(setup) << " " << attention::name_of(tensor);
      }
    }
  }
}

// --- An edit changes what depends on it, and nothing else ----------------------------------------

using Node = std::pair<AttentionId, TensorId>;

/// What each tensor is made from, written down here once more from the lesson and not from the
/// code.
std::set<TensorId> made_from(TensorId id) {
  using T = TensorId;
  static const std::map<TensorId, std::set<TensorId>> table = {
      {T::query_input, {T::token_embedding, T::position_encoding}},
      {T::q, {T::query_input, T::q_proj_weight, T::q_proj_bias}},
      {T::k, {T::key_input, T::k_proj_weight, T::k_proj_bias}},
      {T::v, {T::value_input, T::v_proj_weight, T::v_proj_bias}},
      {T::q_split, {T::q}},
      {T::k_split, {T::k}},
      {T::v_split, {T::v}},
      {T::q_heads, {T::q_split}},
      {T::k_heads, {T::k_split}},
      {T::v_heads, {T::v_split}},
      {T::scores, {T::q_heads, T::k_heads}},
      {T::scaled_scores, {T::scores}},
      {T::masked_scores, {T::scaled_scores, T::mask}},
      {T::attention_weights, {T::masked_scores}},
      {T::head_outputs, {T::attention_weights, T::v_heads}},
      {T::merged_split, {T::head_outputs}},
      {T::merged, {T::merged_split}},
      {T::output, {T::merged, T::out_proj_weight, T::out_proj_bias}},
  };
  const auto found = table.find(id);
  return found == table.end() ? std::set<TensorId>{} : found->second;
}

/// The same across attentions: self-attention's keys are its queries, and a translation chains
/// three.
std::set<Node> sources(const Node& node, lesson::Arrangement arrangement) {
  const auto [id, tensor] = node;
  std::set<Node> result;
  for (const TensorId source : made_from(tensor)) result.insert({id, source});
  const bool key_side = tensor == TensorId::key_input || tensor == TensorId::value_input;
  if (id == AttentionId::cross_attention) {
    if (tensor == TensorId::query_input)
      result.insert({AttentionId::decoder_self_attention, TensorId::output});
    if (key_side) result.insert({AttentionId::encoder_self_attention, TensorId::output});
  } else if (key_side) {
    const bool self = arrangement != lesson::Arrangement::cross;
    if (self) result.insert({id, TensorId::query_input});
    if (!self && tensor == TensorId::value_input) result.insert({id, TensorId::key_input});
  }
  // The residual connection goes round the self-attention.
  if (id == AttentionId::cross_attention && tensor == TensorId::query_input) {
    result.insert({AttentionId::decoder_self_attention, TensorId::query_input});
  }
  if (id == AttentionId::cross_attention && key_side) {
    result.insert({AttentionId::encoder_self_attention, TensorId::query_input});
  }
  return result;
}

std::set<Node> downstream(const Node& start, const std::set<Node>& all,
                          lesson::Arrangement arrangement) {
  std::set<Node> reached = {start};
  for (bool grew = true; grew;) {
    grew = false;
    for (const Node& node : all) {
      if (reached.contains(node)) continue;
      for (const Node& source : sources(node, arrangement)) {
        if (!reached.contains(source)) continue;
        reached.insert(node);
        grew = true;
        break;
      }
    }
  }
  return reached;
}

std::set<Node> nodes_of(const Computed& computed) {
  std::set<Node> nodes;
  for (const ComputedAttention& each : computed.attentions) {
    for (const TensorId tensor : each.trace.present()) nodes.insert({each.id, tensor});
  }
  return nodes;
}

std::set<Node> changed(const Computed& before, const Computed& after) {
  std::set<Node> result;
  for (const auto& [id, tensor] : nodes_of(after)) {
    if (bits(before.find(id).trace[tensor]) != bits(after.find(id).trace[tensor])) {
      result.insert({id, tensor});
    }
  }
  return result;
}

std::string names(const std::set<Node>& nodes) {
  std::string list;
  for (const auto& [id, tensor] : nodes) {
    list += std::string(lesson::name_of(id)) + "." + std::string(attention::name_of(tensor)) + " ";
  }
  return list;
}

/// Setups in which every editable tensor of every arrangement occurs.
std::vector<Setup> edited_setups() {
  std::vector<Setup> setups = all_setups();
  for (const document::Setup& setup : all_setups()) {
    if (setup.example == ExampleId::anthony_hopkins && setup.parameters.variant != 2) continue;
    setups.push_back(setup);
    setups.back().position_encoding = !problem_of(setup).position_encoding;
  }
  return setups;
}

TEST(Edit, ChangesExactlyWhatIsDownstream) {
  std::size_t tried = 0;
  for (const document::Setup& setup : edited_setups()) {
    const lesson::Problem problem = problem_of(setup);
    const Computed before = computed(setup);
    for (const ComputedAttention& each : before.attentions) {
      for (const TensorId tensor : each.trace.present()) {
        if (!is_editable(each, tensor)) continue;
        SCOPED_TRACE(name_of(setup) + " " + std::string(lesson::name_of(each.id)) + "." +
                     std::string(attention::name_of(tensor)));
        document::Setup edited = setup;
        attention::Index index = first_cell(each.trace[tensor]);
        // Where a query sees one key only, that key's weight is 1 whatever its score: the next one.
        if (tensor == TensorId::mask) index[2] = 1;
        edited.edits = {{cell(each.id, tensor, index), 2.5F}};
        const auto after = compute(edited, problem);
        ASSERT_TRUE(after) << after.error().message;
        ++tried;
        // The edit is stored under its canonical name, and the alias is then downstream of that.
        const CellAddress canonical = document::canonical(before, edited.edits.front().cell);
        std::set<Node> expected = downstream({canonical.attention, canonical.tensor},
                                             nodes_of(before), problem.arrangement);
        const std::set<Node> actual = changed(before, *after);
        if (tensor == TensorId::k_proj_bias) {
          // A bias of the keys adds the same to every score of a row, and softmax takes no notice:
          // from the weights on, what changes is rounding at most.
          for (const Node& node : expected) {
            const bool scores_or_before =
                node.first == each.id && node.second < TensorId::attention_weights;
            if (scores_or_before) {
              EXPECT_TRUE(actual.contains(node)) << names({node});
              continue;
            }
            const std::vector<float> old_values =
                before.find(node.first).trace[node.second].values();
            const std::vector<float> new_values =
                after->find(node.first).trace[node.second].values();
            for (std::size_t i = 0; i < old_values.size(); ++i) {
              if (std::isinf(old_values[i])) continue;
              EXPECT_NEAR(old_values[i], new_values[i], 1e-4) << names({node});
            }
          }
          for (const Node& node : actual) EXPECT_TRUE(expected.contains(node)) << names({node});
        } else {
          EXPECT_EQ(names(actual), names(expected));
        }
      }
    }
  }
  EXPECT_GT(tried, 50U);
}

TEST(Edit, OfAMaskThatWasNotThereBringsItIntoBeing) {
  for (const ExampleId example : {ExampleId::pool_beats_badminton, ExampleId::anthony_hopkins}) {
    document::Setup setup = fresh(example, 0);
    const Computed before = computed(setup);
    ASSERT_FALSE(before.attentions.front().trace.has(TensorId::mask));
    EXPECT_TRUE(is_editable(before.attentions.front(), TensorId::mask));
    setup.edits = {{cell(AttentionId::attention, TensorId::mask, {0, 0, 0, 1}), hidden}};
    const Computed after = computed(setup);
    const std::set<Node> expected = downstream({AttentionId::attention, TensorId::mask},
                                               nodes_of(after), lesson::Arrangement::self);
    EXPECT_EQ(names(changed(before, after)), names(expected));
    const Tensor& mask = after.attentions.front().trace[TensorId::mask];
    for (std::size_t head = 0; head < after.num_heads; ++head) {
      EXPECT_EQ(mask.at({0, head, 0, 1}), hidden);
      EXPECT_EQ(mask.at({0, head, 1, 0}), 0.0F);
    }
  }
}

TEST(Edit, OfOneSampleLeavesTheOtherAlone) {
  document::Setup setup = fresh(ExampleId::you_are_welcome, 0);
  const Computed before = computed(setup);
  setup.edits = {
      {cell(AttentionId::encoder_self_attention, TensorId::token_embedding, {0, 1, 3}), 5.0F}};
  const Computed after = computed(setup);
  for (const auto& [id, tensor] : changed(before, after)) {
    const Tensor& old_tensor = before.find(id).trace[tensor];
    const Tensor& new_tensor = after.find(id).trace[tensor];
    ASSERT_EQ(new_tensor.dim(0), 2U);
    EXPECT_NE(bits(new_tensor.select(0, 0)), bits(old_tensor.select(0, 0)));
    EXPECT_EQ(bits(new_tensor.select(0, 1)), bits(old_tensor.select(0, 1)));
  }
}

TEST(Edit, UnderAnyNameIsTheSameEdit) {
  document::Setup one = fresh(ExampleId::pool_beats_badminton, 0);
  one.edits = {{cell(AttentionId::attention, TensorId::query_input, {0, 0, 0}), 0.9F}};
  document::Setup other = one;
  other.edits.front().cell.tensor = TensorId::value_input;
  EXPECT_EQ(fingerprint(computed(one)), fingerprint(computed(other)));
}

// --- What can be edited --------------------------------------------------------------------------

std::set<TensorId> editable(const ComputedAttention& attention) {
  std::set<TensorId> result;
  for (std::size_t i = 0; i < attention::tensor_count; ++i) {
    if (is_editable(attention, static_cast<TensorId>(i))) result.insert(static_cast<TensorId>(i));
  }
  return result;
}

const std::set<TensorId> weights_and_mask = {TensorId::q_proj_weight, TensorId::k_proj_weight,
                                             TensorId::v_proj_weight, TensorId::out_proj_weight,
                                             TensorId::mask};

std::set<TensorId> with(std::set<TensorId> set, const std::set<TensorId>& more) {
  set.insert(more.begin(), more.end());
  return set;
}

TEST(IsEditable, WhatIsGivenAndNothingElse) {
  const std::set<TensorId> inputs = {TensorId::query_input, TensorId::key_input,
                                     TensorId::value_input};
  const std::set<TensorId> biases = {TensorId::q_proj_bias, TensorId::k_proj_bias,
                                     TensorId::v_proj_bias, TensorId::out_proj_bias};
  const auto editable_in = [](ExampleId id, std::size_t variant, bool position_encoding,
                              AttentionId attention) {
    document::Setup setup = fresh(id, variant);
    setup.position_encoding = position_encoding;
    return editable(computed(setup).find(attention));
  };
  const auto alone = AttentionId::attention;
  EXPECT_EQ(editable_in(ExampleId::pool_beats_badminton, 0, false, alone),
            with(inputs, {TensorId::mask}));
  EXPECT_EQ(editable_in(ExampleId::pool_beats_badminton, 2, false, alone),
            with(weights_and_mask, inputs));
  EXPECT_EQ(editable_in(ExampleId::your_sentence, 0, true, alone),
            with(weights_and_mask, {TensorId::token_embedding}));
  EXPECT_EQ(editable_in(ExampleId::anthony_hopkins, 2, false, alone),
            with(weights_and_mask, inputs));
  EXPECT_EQ(editable_in(ExampleId::anthony_hopkins, 2, true, alone),
            with(weights_and_mask,
                 {TensorId::token_embedding, TensorId::key_input, TensorId::value_input}));
  for (const auto id : {AttentionId::encoder_self_attention, AttentionId::decoder_self_attention}) {
    EXPECT_EQ(editable_in(ExampleId::you_are_welcome, 0, true, id),
              with(with(weights_and_mask, biases), {TensorId::token_embedding}));
    EXPECT_EQ(editable_in(ExampleId::you_are_welcome, 0, false, id),
              with(with(weights_and_mask, biases), inputs));
  }
  EXPECT_EQ(editable_in(ExampleId::you_are_welcome, 0, true, AttentionId::cross_attention),
            with(weights_and_mask, biases));
}

// is_editable promises; compute must keep the promise, in both directions.
TEST(IsEditable, AgreesWithWhatComputeAccepts) {
  for (const document::Setup& setup : edited_setups()) {
    const lesson::Problem problem = problem_of(setup);
    const Computed before = computed(setup);
    for (const ComputedAttention& each : before.attentions) {
      for (const TensorId tensor : each.trace.present()) {
        document::Setup edited = setup;
        edited.edits = {{cell(each.id, tensor, first_cell(each.trace[tensor])), 2.5F}};
        EXPECT_EQ(compute(edited, problem).has_value(), is_editable(each, tensor))
            << name_of(setup) << " " << attention::name_of(tensor);
      }
    }
  }
}

TEST(Canonical, NamesTheCellThatHoldsTheNumber) {
  const Computed pool = computed(fresh(ExampleId::pool_beats_badminton, 0));
  const Computed typed = computed(fresh(ExampleId::your_sentence, 0));
  const auto alone = AttentionId::attention;
  for (const TensorId tensor :
       {TensorId::query_input, TensorId::key_input, TensorId::value_input}) {
    EXPECT_EQ(canonical(pool, cell(alone, tensor, {0, 1, 1})),
              cell(alone, TensorId::query_input, {0, 1, 1}));
    EXPECT_EQ(canonical(typed, cell(alone, tensor, {0, 1, 1})),
              cell(alone, TensorId::token_embedding, {0, 1, 1}));
  }
  EXPECT_EQ(canonical(typed, cell(alone, TensorId::mask, {0, 1, 4, 5})),
            cell(alone, TensorId::mask, {0, 0, 4, 5}));
  EXPECT_EQ(canonical(typed, cell(alone, TensorId::q_proj_weight, {1, 2})),
            cell(alone, TensorId::q_proj_weight, {1, 2}));
}

}  // namespace
}  // namespace document

// What an edit changes, and what can be edited at all.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include "attention/mask.hpp"
#include "document/compute.hpp"
#include "document/setups.hpp"

namespace document {
namespace {

using attention::hidden;
using attention::Tensor;
using attention::TensorId;
using lesson::AttentionId;
using lesson::ExampleId;

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
        if (!takes_edits(each, tensor)) continue;
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
        } else if (setup.example == ExampleId::counting) {
          // Its scores are so far apart that the largest takes all the weight, edited or not: what
          // comes after them need not change, and nothing else may.
          for (const Node& node : expected) {
            if (node.second < TensorId::attention_weights) {
              EXPECT_TRUE(actual.contains(node)) << names({node});
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

// The same numbers in the same storage: they were not computed again.
TEST(Edit, LeavesTheStorageOfAllThatIsNotDownstream) {
  std::size_t kept = 0;
  for (const document::Setup& setup : edited_setups()) {
    const lesson::Problem problem = problem_of(setup);
    Computed computed;
    ASSERT_TRUE(recompute(setup, problem, computed));
    const std::set<Node> nodes = nodes_of(computed);
    for (const Node& node : nodes) {
      const ComputedAttention& each = computed.find(node.first);
      if (!takes_edits(each, node.second) || !each.trace.has(node.second)) continue;
      SCOPED_TRACE(name_of(setup) + " " + names({node}));
      std::map<Node, std::uint64_t> versions;
      for (const auto& [id, tensor] : nodes)
        versions[{id, tensor}] = computed.find(id).trace[tensor].storage_version();
      document::Setup edited = setup;
      edited.edits = {{cell(node.first, node.second, first_cell(each.trace[node.second])), 2.5F}};
      const CellAddress canonical = document::canonical(computed, edited.edits.front().cell);
      const std::set<Node> reached =
          downstream({canonical.attention, canonical.tensor}, nodes, problem.arrangement);
      ASSERT_TRUE(recompute(edited, problem, computed));
      const auto whole = compute(edited, problem);
      ASSERT_TRUE(whole);
      EXPECT_EQ(names(changed(*whole, computed)), "");
      for (const auto& [other, version] : versions) {
        if (reached.contains(other)) continue;
        // With the mask, what it is added to is written once more.
        const bool before_mask =
            other.second == TensorId::scores || other.second == TensorId::scaled_scores;
        if (node.second == TensorId::mask && other.first == node.first && before_mask) continue;
        EXPECT_EQ(computed.find(other.first).trace[other.second].storage_version(), version)
            << names({other});
        ++kept;
      }
      ASSERT_TRUE(recompute(setup, problem, computed));
    }
  }
  EXPECT_GT(kept, 500U);
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
                                             TensorId::mask,          TensorId::attention_weights};

std::set<TensorId> with(std::set<TensorId> set, const std::set<TensorId>& more) {
  set.insert(more.begin(), more.end());
  return set;
}

TEST(IsEditable, WhatIsGivenAndTheWeights) {
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
            with(inputs, {TensorId::mask, TensorId::attention_weights}));
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
        EXPECT_EQ(compute(edited, problem).has_value(), takes_edits(each, tensor))
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

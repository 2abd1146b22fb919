// What an edit changes, and what can be edited at all.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include "document/computed.hpp"
#include "document/edits/address.hpp"
#include "document/setups.hpp"
#include "model/attention/mask.hpp"

namespace document {
namespace {

using lesson::AttentionId;
using lesson::ExampleId;
using model::hidden;
using model::TensorId;
using tensor::Tensor;

// --- An edit changes what depends on it, and nothing else ----------------------------------------

/// A tensor, with the name of the part that it belongs to.
using Node = std::pair<std::string, TensorId>;

/// The part of that name.
const model::Trace& part_of(const Computed& computed, const std::string& name) {
  for (const model::Trace& part : computed.parts) {
    if (part.name == name) return part;
  }
  ADD_FAILURE() << "there is no part " << name;
  return computed.parts.front();
}

const Tensor& tensor_of(const Computed& computed, const Node& node) {
  return part_of(computed, node.first)[node.second];
}

Node node_of(const Computed& computed, AttentionId id, TensorId tensor) {
  return {computed.find(id).trace.name, tensor};
}

/// How parts are chained, written down here once more from the lesson and not from the code:
/// self-attention's keys are its queries, and a translation chains three attentions through the
/// layers around them.
std::set<Node> from_other_parts(const Node& node, lesson::Arrangement arrangement) {
  const std::string encoder = "encoder.0";
  const std::string decoder = "decoder.0";
  const std::string encoder_self = encoder + ".self_attention";
  const std::string decoder_self = decoder + ".self_attention";
  const std::string cross = decoder + ".cross_attention";
  const auto& [part, tensor] = node;
  const bool key_side = tensor == "key_input" || tensor == "value_input";
  if (arrangement == lesson::Arrangement::cross)
    return tensor == "value_input" ? std::set<Node>{{part, TensorId("key_input")}}
                                   : std::set<Node>{};
  if (part == cross) {
    if (tensor == "query_input") return {{decoder, TensorId("normed1")}};
    if (key_side) return {{encoder, TensorId("layer_output")}};
    return {};
  }
  const std::string second =
      "encoder.1";  // of a trained network: it reads what the first one makes
  if (part == second && tensor == "self_attention")
    return {{second + ".self_attention", TensorId("output")}};
  if ((part == second && tensor == "input") ||
      (part == second + ".self_attention" && tensor == "query_input"))
    return {{encoder, TensorId("layer_output")}};
  if (part == second) return {};
  if (part == encoder || part == decoder) {
    const std::string& self = part == encoder ? encoder_self : decoder_self;
    if (tensor == "input") return {{self, TensorId("query_input")}};
    if (tensor == "self_attention") return {{self, TensorId("output")}};
    if (tensor == "cross_attention") return {{cross, TensorId("output")}};
    return {};
  }
  return key_side ? std::set<Node>{{part, TensorId("query_input")}} : std::set<Node>{};
}

/// What a tensor is made from: the row that computes it says so.
std::set<Node> sources(const Computed& computed, const Node& node,
                       lesson::Arrangement arrangement) {
  std::set<Node> result = from_other_parts(node, arrangement);
  const model::Node* row = part_of(computed, node.first).made_by(node.second);
  if (row == nullptr || row->operation->reads_shape_only) return result;
  for (const TensorId source : row->operands()) result.insert({node.first, source});
  return result;
}

std::set<Node> nodes_of(const Computed& computed) {
  std::set<Node> nodes;
  for (const model::Trace& part : computed.parts) {
    for (const TensorId tensor : part.present()) nodes.insert({part.name, tensor});
  }
  return nodes;
}

/// `start` and what is made from it.
std::set<Node> downstream(const Computed& computed, const Node& start,
                          lesson::Arrangement arrangement) {
  const std::set<Node> all = nodes_of(computed);
  std::set<Node> reached = {start};
  for (bool grew = true; grew;) {
    grew = false;
    for (const Node& node : all) {
      if (reached.contains(node)) continue;
      for (const Node& source : sources(computed, node, arrangement)) {
        if (!reached.contains(source)) continue;
        reached.insert(node);
        grew = true;
        break;
      }
    }
  }
  return reached;
}

std::set<Node> changed(const Computed& before, const Computed& after) {
  std::set<Node> result;
  for (const Node& node : nodes_of(after)) {
    if (bits(tensor_of(before, node)) != bits(tensor_of(after, node))) result.insert(node);
  }
  return result;
}

std::string names(const std::set<Node>& nodes) {
  std::string list;
  for (const auto& [part, tensor] : nodes)
    list += part + "." + std::string(model::name_of(tensor)) + " ";
  return list;
}

/// Setups in which every editable tensor of every arrangement occurs.
std::vector<Configuration> edited_setups() {
  std::vector<Configuration> setups = all_setups();
  for (const document::Configuration& configuration : all_setups()) {
    if (configuration.example == ExampleId::anthony_hopkins &&
        configuration.parameters.variant != 2)
      continue;
    setups.push_back(configuration);
    setups.back().position_encoding = !problem_of(configuration).position_encoding;
  }
  return setups;
}

TEST(Edit, ChangesExactlyWhatIsDownstream) {
  std::size_t tried = 0;
  for (const document::Configuration& configuration : edited_setups()) {
    const lesson::Problem problem = problem_of(configuration);
    const Computed before = computed(configuration);
    for (const ComputedAttention& each : before.attentions) {
      for (const TensorId tensor : each.trace.present()) {
        if (!takes_edits(each, tensor)) continue;
        SCOPED_TRACE(name_of(configuration) + " " + std::string(lesson::name_of(each.id)) + "." +
                     std::string(model::name_of(tensor)));
        document::Configuration edited = configuration;
        tensor::Index index = first_cell(each.trace[tensor]);
        // Where a query sees one key only, that key's weight is 1 whatever its score: the next one.
        if (tensor == "mask") index[2] = 1;
        edited.edits = {{cell(each.id, tensor, index), 2.5F}};
        const auto after = compute(edited, problem);
        ASSERT_TRUE(after) << after.error().message;
        ++tried;
        // The edit is stored under its canonical name, and the alias is then downstream of that.
        const CellAddress canonical = document::canonical(before, edited.edits.front().cell);
        const std::set<Node> expected = downstream(
            before, node_of(before, canonical.attention, canonical.tensor), problem.arrangement);
        const std::set<Node> actual = changed(before, *after);
        if (tensor == "k_proj_bias") {
          // A bias of the keys adds the same to every score of a row, and softmax takes no notice:
          // from the weights on, what changes is rounding at most.
          for (const Node& node : expected) {
            const bool scores_or_before =
                node.first == each.trace.name && node.second < "attention_weights";
            if (scores_or_before) {
              EXPECT_TRUE(actual.contains(node)) << names({node});
              continue;
            }
            const std::vector<float> old_values = tensor_of(before, node).values();
            const std::vector<float> new_values = tensor_of(*after, node).values();
            for (std::size_t i = 0; i < old_values.size(); ++i) {
              if (std::isinf(old_values[i])) continue;
              EXPECT_NEAR(old_values[i], new_values[i], 1e-4) << names({node});
            }
          }
          for (const Node& node : actual) EXPECT_TRUE(expected.contains(node)) << names({node});
        } else if (configuration.example == ExampleId::counting) {
          // Its scores are so far apart that the largest takes all the weight, edited or not: what
          // comes after them need not change, and nothing else may.
          for (const Node& node : expected) {
            if (node.second < "attention_weights") {
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
  for (const document::Configuration& configuration : edited_setups()) {
    const lesson::Problem problem = problem_of(configuration);
    Computed computed;
    ASSERT_TRUE(recompute(configuration, problem, computed));
    std::vector<CellAddress> cells;
    for (const ComputedAttention& each : computed.attentions) {
      for (const TensorId tensor : each.trace.present()) {
        if (takes_edits(each, tensor))
          cells.push_back(cell(each.id, tensor, first_cell(each.trace[tensor])));
      }
    }
    for (const CellAddress& address : cells) {
      SCOPED_TRACE(name_of(configuration) + " " + describe(address));
      std::map<Node, std::uint64_t> storages;
      for (const Node& node : nodes_of(computed))
        storages[node] = tensor_of(computed, node).storage_id();
      document::Configuration edited = configuration;
      edited.edits = {{address, 2.5F}};
      const CellAddress canonical = document::canonical(computed, address);
      const std::set<Node> reached = downstream(
          computed, node_of(computed, canonical.attention, canonical.tensor), problem.arrangement);
      ASSERT_TRUE(recompute(edited, problem, computed));
      const auto whole = compute(edited, problem);
      ASSERT_TRUE(whole);
      EXPECT_EQ(names(changed(*whole, computed)), "");
      for (const auto& [other, storage] : storages) {
        if (reached.contains(other)) continue;
        EXPECT_EQ(tensor_of(computed, other).storage_id(), storage) << names({other});
        ++kept;
      }
      ASSERT_TRUE(recompute(configuration, problem, computed));
    }
  }
  EXPECT_GT(kept, 500U);
}

TEST(Edit, OfAMaskThatWasNotThereBringsItIntoBeing) {
  for (const ExampleId example : {ExampleId::pool_beats_badminton, ExampleId::anthony_hopkins}) {
    document::Configuration configuration = fresh(example, 0);
    const Computed before = computed(configuration);
    ASSERT_FALSE(before.attentions.front().trace.has("mask"));
    EXPECT_TRUE(is_editable(before.attentions.front(), "mask"));
    configuration.edits = {{cell(AttentionId::attention, "mask", {0, 0, 0, 1}), hidden}};
    const Computed after = computed(configuration);
    const std::set<Node> expected = downstream(
        after, node_of(after, AttentionId::attention, "mask"), lesson::Arrangement::self);
    EXPECT_EQ(names(changed(before, after)), names(expected));
    const Tensor& mask = after.attentions.front().trace["mask"];
    for (std::size_t head = 0; head < after.num_heads; ++head) {
      EXPECT_EQ(mask.at({0, head, 0, 1}), hidden);
      EXPECT_EQ(mask.at({0, head, 1, 0}), 0.0F);
    }
  }
}

TEST(Edit, OfOneSampleLeavesTheOtherAlone) {
  document::Configuration configuration = fresh(ExampleId::you_are_welcome, 0);
  const Computed before = computed(configuration);
  configuration.edits = {
      {cell(AttentionId::encoder_self_attention, "token_embedding", {0, 1, 3}), 5.0F}};
  const Computed after = computed(configuration);
  for (const Node& node : changed(before, after)) {
    const Tensor& old_tensor = tensor_of(before, node);
    const Tensor& new_tensor = tensor_of(after, node);
    ASSERT_EQ(new_tensor.dim(0), 2U);
    EXPECT_NE(bits(new_tensor.select(0, 0)), bits(old_tensor.select(0, 0)));
    EXPECT_EQ(bits(new_tensor.select(0, 1)), bits(old_tensor.select(0, 1)));
  }
}

TEST(Edit, UnderAnyNameIsTheSameEdit) {
  document::Configuration one = fresh(ExampleId::pool_beats_badminton, 0);
  one.edits = {{cell(AttentionId::attention, "query_input", {0, 0, 0}), 0.9F}};
  document::Configuration other = one;
  other.edits.front().cell.tensor = "value_input";
  EXPECT_EQ(fingerprint(computed(one)), fingerprint(computed(other)));
}

// --- What can be edited --------------------------------------------------------------------------

std::set<TensorId> editable(const ComputedAttention& attention) {
  std::set<TensorId> result;
  for (std::size_t i = 0; i < model::tensor_count; ++i) {
    if (is_editable(attention, TensorId::at(i))) result.insert(TensorId::at(i));
  }
  return result;
}

// In two steps: in a set of its own, clang 14 would have the names looked up when the program runs.
constexpr TensorId weights_and_mask_ids[] = {"q_proj_weight", "k_proj_weight",
                                             "v_proj_weight", "out_proj_weight",
                                             "mask",          "attention_weights"};
const std::set<TensorId> weights_and_mask(std::begin(weights_and_mask_ids),
                                          std::end(weights_and_mask_ids));

std::set<TensorId> with(std::set<TensorId> set, const std::set<TensorId>& more) {
  set.insert(more.begin(), more.end());
  return set;
}

TEST(IsEditable, WhatIsGivenAndTheWeights) {
  const std::set<TensorId> inputs = {"query_input", "key_input", "value_input"};
  const std::set<TensorId> biases = {"q_proj_bias", "k_proj_bias", "v_proj_bias", "out_proj_bias"};
  const auto editable_in = [](ExampleId id, std::size_t variant, bool position_encoding,
                              AttentionId attention) {
    document::Configuration configuration = fresh(id, variant);
    configuration.position_encoding = position_encoding;
    return editable(computed(configuration).find(attention));
  };
  const auto alone = AttentionId::attention;
  EXPECT_EQ(editable_in(ExampleId::pool_beats_badminton, 0, false, alone),
            with(inputs, {"mask", "attention_weights"}));
  EXPECT_EQ(editable_in(ExampleId::pool_beats_badminton, 2, false, alone),
            with(weights_and_mask, inputs));
  EXPECT_EQ(editable_in(ExampleId::your_sentence, 0, true, alone),
            with(weights_and_mask, {"token_embedding"}));
  EXPECT_EQ(editable_in(ExampleId::anthony_hopkins, 2, false, alone),
            with(weights_and_mask, inputs));
  EXPECT_EQ(editable_in(ExampleId::anthony_hopkins, 2, true, alone),
            with(weights_and_mask, {"token_embedding", "key_input", "value_input"}));
  for (const auto id : {AttentionId::encoder_self_attention, AttentionId::decoder_self_attention}) {
    EXPECT_EQ(editable_in(ExampleId::you_are_welcome, 0, true, id),
              with(with(weights_and_mask, biases), {"token_embedding"}));
    EXPECT_EQ(editable_in(ExampleId::you_are_welcome, 0, false, id),
              with(with(weights_and_mask, biases), inputs));
  }
  EXPECT_EQ(editable_in(ExampleId::you_are_welcome, 0, true, AttentionId::cross_attention),
            with(weights_and_mask, biases));
}

// is_editable promises; compute must keep the promise, in both directions.
TEST(IsEditable, AgreesWithWhatComputeAccepts) {
  for (const document::Configuration& configuration : edited_setups()) {
    const lesson::Problem problem = problem_of(configuration);
    const Computed before = computed(configuration);
    for (const ComputedAttention& each : before.attentions) {
      for (const TensorId tensor : each.trace.present()) {
        document::Configuration edited = configuration;
        edited.edits = {{cell(each.id, tensor, first_cell(each.trace[tensor])), 2.5F}};
        EXPECT_EQ(compute(edited, problem).has_value(), takes_edits(each, tensor))
            << name_of(configuration) << " " << model::name_of(tensor);
      }
    }
  }
}

TEST(Canonical, NamesTheCellThatHoldsTheNumber) {
  const Computed pool = computed(fresh(ExampleId::pool_beats_badminton, 0));
  const Computed typed = computed(fresh(ExampleId::your_sentence, 0));
  const auto alone = AttentionId::attention;
  for (const TensorId tensor :
       {TensorId("query_input"), TensorId("key_input"), TensorId("value_input")}) {
    EXPECT_EQ(canonical(pool, cell(alone, tensor, {0, 1, 1})),
              cell(alone, "query_input", {0, 1, 1}));
    EXPECT_EQ(canonical(typed, cell(alone, tensor, {0, 1, 1})),
              cell(alone, "token_embedding", {0, 1, 1}));
  }
  EXPECT_EQ(canonical(typed, cell(alone, "mask", {0, 1, 4, 5})), cell(alone, "mask", {0, 0, 4, 5}));
  EXPECT_EQ(canonical(typed, cell(alone, "q_proj_weight", {1, 2})),
            cell(alone, "q_proj_weight", {1, 2}));
}

}  // namespace
}  // namespace document

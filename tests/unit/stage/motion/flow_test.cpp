#include "stage/motion/flow.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bitset>
#include <map>
#include <set>
#include <utility>

#include "stage/layouts.hpp"
#include "stage/scene/matrices.hpp"

namespace stage {
namespace {

using model::TensorId;

struct Made {
  TensorId tensor;
  std::vector<TensorId> from;
};

/// What a tensor is made from, as the textbook has it. `grouped`: shared keys are normalised and
/// turned before they are repeated.
std::vector<TensorId> made_from(TensorId id, bool grouped = false) {
  if (grouped && id == "k_heads") return {"k_split", "k_groups", "k_normed", "k_rotated"};
  if (grouped && id == "k_normed") return {"k_groups", "k_norm_weight"};
  if (grouped && id == "k_rotated") return {"k_groups", "k_normed"};
  if (grouped && id == "scores") return {"q_heads", "k_heads", "q_normed", "q_rotated"};
  static const Made all[] = {
      {"query_input", {"token_embedding", "position_encoding"}},
      {"q", {"query_input", "q_proj_weight", "q_proj_bias"}},
      {"k", {"key_input", "k_proj_weight", "k_proj_bias"}},
      {"v", {"value_input", "v_proj_weight", "v_proj_bias"}},
      {"q_full_normed", {"q", "q_norm_weight"}},
      {"k_full_normed", {"k", "k_norm_weight"}},
      {"q_split", {"q", "q_full_normed"}},
      {"k_split", {"k", "k_full_normed"}},
      {"v_split", {"v"}},
      {"q_heads", {"q_split"}},
      {"k_groups", {"k_split"}},  // where heads of queries share those of keys and values
      {"v_groups", {"v_split"}},
      {"k_heads", {"k_split", "k_groups"}},
      {"v_heads", {"v_split", "v_groups"}},
      {"q_normed", {"q_heads", "q_norm_weight"}},
      {"k_normed", {"k_heads", "k_groups", "k_norm_weight"}},
      {"q_rotated", {"q_heads", "q_normed"}},
      {"k_rotated", {"k_heads", "k_groups", "k_normed"}},
      {"scores", {"q_heads", "k_heads", "q_normed", "k_normed", "q_rotated", "k_rotated"}},
      {"scaled_scores", {"scores"}},
      {"capped_scores", {"scaled_scores"}},
      {"biased_scores", {"scaled_scores", "capped_scores", "alibi_bias", "position_bias"}},
      {"masked_scores", {"scaled_scores", "capped_scores", "biased_scores", "mask"}},
      {"attention_weights", {"masked_scores", "sinks"}},
      {"weighted_values", {"attention_weights", "v_heads"}},
      {"head_outputs", {"weighted_values"}},
      {"mean_weights", {"attention_weights"}},
      {"merged_split", {"head_outputs"}},
      {"merged", {"merged_split"}},
      {"output", {"merged", "out_proj_weight", "out_proj_bias"}},
  };
  for (const Made& made : all) {
    if (made.tensor == id) return made.from;
  }
  return {};
}

/// The tensor under whose name an input is drawn.
TensorId drawn_as(const model::Trace& trace, TensorId id) {
  return is_repeated_input(trace, id) ? *trace.view_of(id) : id;
}

using TensorSet = std::bitset<model::tensor_count>;

bool has(const TensorSet& set, TensorId id) { return set.test(id.place()); }

/// For each tensor every one on the way to it, as it is drawn.
using Ancestors = std::array<TensorSet, model::tensor_count>;

Ancestors ancestors_in(const model::Trace& trace) {
  Ancestors all;
  // From left to right: what a tensor is made from is done before it.
  std::vector<Place> in_order;
  for (const Place& each : places())
    in_order.push_back(place_in(each, lesson::StepId::overview, trace));
  std::stable_sort(in_order.begin(), in_order.end(),
                   [](const Place& a, const Place& b) { return a.column < b.column; });
  for (const Place& each : in_order) {
    const std::size_t place = each.tensor.place();
    for (const TensorId source : made_from(each.tensor, trace.config.is_grouped())) {
      if (!trace.offers(source)) continue;
      for (const TensorId name : {source, drawn_as(trace, source)}) all[place] |= all[name.place()];
      all[place].set(drawn_as(trace, source).place());
    }
  }
  return all;
}

const TensorSet& ancestors(const Laid& laid, TensorId id) {
  static std::map<const Scene*, Ancestors> known;
  auto found = known.find(laid.scene);
  if (found == known.end())
    found = known.emplace(laid.scene, ancestors_in(laid.scene->attention.trace)).first;
  return found->second[id.place()];
}

/// The product in which a weight takes part.
TensorId product_of(TensorId weight) {
  if (weight == "q_proj_weight") return "q";
  if (weight == "k_proj_weight") return "k";
  if (weight == "v_proj_weight") return "v";
  return "output";
}

bool is_weight(TensorId id) {
  return id == "q_proj_weight" || id == "k_proj_weight" || id == "v_proj_weight" ||
         id == "out_proj_weight";
}

/// It stands above the matrix that it is for.
bool is_weight_of_a_norm(TensorId id) { return id == "q_norm_weight" || id == "k_norm_weight"; }

bool is_bias(TensorId id) {
  return id == "q_proj_bias" || id == "k_proj_bias" || id == "v_proj_bias" || id == "out_proj_bias";
}

TEST(Places, HaveEveryTensorOnceFromLeftToRight) {
  std::set<TensorId> tensors;
  for (const Place& place : places()) tensors.insert(place.tensor);
  std::set<TensorId> all;
  for (const model::Node& row : model::nodes_of<model::tables::multi_head_attention>)
    all.insert(row.id);
  all.erase("mean_weights");  // in the figure of the sentence only
  // Repeated views of the groups are read, not shown.
  for (const model::Node& row : model::nodes_of<model::tables::grouped_query_attention>) {
    if (row.id != "k_shared" && row.id != "v_shared") all.insert(row.id);
  }
  for (const auto& rows :
       {std::span<const model::Node>(model::nodes_of<model::tables::qk_norm>),
        std::span<const model::Node>(model::nodes_of<model::tables::full_qk_norm>),
        std::span<const model::Node>(model::nodes_of<model::tables::relative_positions>),
        std::span<const model::Node>(model::nodes_of<model::tables::rotary_positions>),
        std::span<const model::Node>(model::nodes_of<model::tables::capped_scores>),
        std::span<const model::Node>(model::nodes_of<model::tables::linear_biases>)}) {
    for (const model::Node& row : rows) {
      all.insert(row.id);
    }
  }
  all.insert("sinks");
  // Read from a file, not shown.
  all.erase("rope_frequencies");
  all.erase("position_bias_table");
  EXPECT_EQ(tensors, all);
  ASSERT_EQ(places().size(), all.size());
  for (std::size_t i = 1; i < places().size(); ++i) {
    EXPECT_GE(places()[i].column, places()[i - 1].column);
    EXPECT_GE(places()[i].overview, places()[i - 1].overview);
  }
}

const Place& place_of(TensorId id) {
  return *std::find_if(places().begin(), places().end(),
                       [id](const Place& place) { return place.tensor == id; });
}

// What is made stands to the right of what it is made from, or below it in the same column.
TEST(Places, AreFoundByTheirTensor) {
  for (const Place& place : places()) EXPECT_EQ(find_place(place.tensor), place);
  EXPECT_FALSE(find_place("residual1")) << "of the rows around an attention";
}

TEST(Places, FollowTheComputation) {
  for (const Scene* scene : all_scenes()) {
    const model::Trace& trace = scene->attention.trace;
    const auto in_flow = [&](TensorId id) {
      return place_in(place_of(id), lesson::StepId::overview, trace);
    };
    for (const Place& each : places()) {
      if (!trace.offers(each.tensor)) continue;
      const Place place = in_flow(each.tensor);
      for (const TensorId source : made_from(each.tensor, trace.config.is_grouped())) {
        if (!trace.offers(source)) continue;
        const bool is_above = is_weight_of_a_norm(source);
        if (is_above && !trace.offers("q_normed")) continue;  // no step draws it
        EXPECT_LT(in_flow(source).column, place.column + (is_above ? 1 : 0))
            << scene->name << ": " << model::name_of(place.tensor);
        EXPECT_LE(in_flow(source).overview, place.overview)
            << scene->name << ": " << model::name_of(place.tensor);
      }
    }
  }
}

// Nothing stands where something else does, in any step of any attention.
TEST(Places, AreDifferent) {
  for (const Scene* scene : all_scenes()) {
    const model::Trace& trace = scene->attention.trace;
    for (const lesson::Step& step : lesson::steps()) {
      std::set<std::pair<int, int>> taken;
      for (const TensorId id : step.tensors) {
        const Place place = place_in(place_of(id), step.id, trace);
        EXPECT_EQ(place.tensor, id);
        if (place.beside || is_weight_of_a_norm(id) || !trace.offers(id)) continue;
        const int column = step.id == lesson::StepId::overview ? place.overview : place.column;
        EXPECT_TRUE(taken.emplace(column, place.lane).second)
            << scene->name << ", " << step.name << ": " << model::name_of(id);
      }
    }
  }
}

TEST(Places, ABiasIsBesideItsWeight) {
  for (const Place& place : places()) {
    EXPECT_EQ(place.beside, is_bias(place.tensor)) << model::name_of(place.tensor);
  }
}

TEST(FlowLinks, JoinGroupsThatAreThereOnce) {
  for_each_layout([](const Laid& laid) {
    std::set<std::pair<std::size_t, std::size_t>> seen;
    for (const Link& link : laid.stage.links) {
      ASSERT_LT(link.from, laid.stage.groups.size());
      ASSERT_LT(link.to, laid.stage.groups.size());
      ASSERT_NE(link.from, link.to);
      ASSERT_TRUE(seen.emplace(link.from, link.to).second)
          << laid.stage.groups[link.from].title << " to " << laid.stage.groups[link.to].title;
    }
  });
}

TEST(FlowLinks, LeadFromWhatIsReadToWhatIsMade) {
  for_each_layout([](const Laid& laid) {
    for (const Link& link : laid.stage.links) {
      const TensorId from = laid.stage.groups[link.from].tensor;
      const TensorId to = laid.stage.groups[link.to].tensor;
      // Into a weight leads what is multiplied by it.
      const TensorSet& before = ancestors(laid, is_weight(to) ? product_of(to) : to);
      ASSERT_TRUE(has(before, from)) << model::name_of(from) << " to " << model::name_of(to);
    }
  });
}

TEST(FlowLinks, PassByNothingThatIsOnTheStage) {
  for_each_layout([](const Laid& laid) {
    for (const Link& link : laid.stage.links) {
      const TensorId from = laid.stage.groups[link.from].tensor;
      const TensorId to = laid.stage.groups[link.to].tensor;
      if (is_weight(to)) continue;
      const TensorSet& before = ancestors(laid, to);
      for (const Group& group : laid.stage.groups) {
        const TensorId between = group.tensor;
        if (between == from || between == to) continue;
        ASSERT_FALSE(has(before, between) && has(ancestors(laid, between), from))
            << model::name_of(from) << " to " << model::name_of(to) << " past "
            << model::name_of(between);
      }
    }
  });
}

TEST(FlowLinks, LeaveOutNothing) {
  for_each_layout([](const Laid& laid) {
    for (std::size_t g = 0; g < laid.stage.groups.size(); ++g) {
      const TensorId id = laid.stage.groups[g].tensor;
      const TensorSet& before = ancestors(laid, id);
      bool expects_link = false;
      for (const Group& other : laid.stage.groups) expects_link |= has(before, other.tensor);
      if (!expects_link) continue;
      ASSERT_TRUE(std::any_of(laid.stage.links.begin(), laid.stage.links.end(),
                              [g](const Link& link) { return link.to == g; }))
          << "nothing leads to " << model::name_of(id);
    }
    for (std::size_t g = 0; g < laid.stage.groups.size(); ++g) {
      const TensorId id = laid.stage.groups[g].tensor;
      if (is_bias(id) || is_weight_of_a_norm(id)) continue;  // beside or above what it is for
      bool is_read = false;
      for (const Group& other : laid.stage.groups)
        is_read |= has(ancestors(laid, other.tensor), id);
      if (!is_read) continue;
      ASSERT_TRUE(std::any_of(laid.stage.links.begin(), laid.stage.links.end(),
                              [g](const Link& link) { return link.from == g; }))
          << "nothing leads from " << model::name_of(id);
    }
  });
}

TEST(Layout, ABiasStandsBesideItsWeight) {
  std::size_t biases = 0;
  for_each_layout([&](const Laid& laid) {
    for (std::size_t g = 0; g < laid.stage.groups.size(); ++g) {
      if (!is_bias(laid.stage.groups[g].tensor)) continue;
      ASSERT_GT(g, 0U);
      const Group& weight = laid.stage.groups[g - 1];
      const Group& bias = laid.stage.groups[g];
      ASSERT_TRUE(is_weight(weight.tensor));
      ASSERT_GE(bias.bounds.x, weight.bounds.right());
      ASSERT_LT(bias.bounds.x, weight.bounds.right() + 20.0F);
      ASSERT_EQ(bias.bounds.y, weight.bounds.y);
      ++biases;
    }
  });
  EXPECT_GT(biases, 0U);
}

TEST(Layout, TheWeightsOfANormStandAboveTheColumnsThatTheyStretch) {
  std::size_t weights = 0;
  for_each_layout([&](const Laid& laid) {
    for (std::size_t g = 0; g + 1 < laid.stage.groups.size(); ++g) {
      const Group& weight = laid.stage.groups[g];
      if (!is_weight_of_a_norm(weight.tensor)) continue;
      const Group& normed = laid.stage.groups[g + 1];
      ASSERT_EQ(model::name_of(normed.tensor)[0], model::name_of(weight.tensor)[0]);
      ASSERT_LE(weight.bounds.bottom(), normed.bounds.y);
      const auto first_block = [&](const Group& group) -> const Block& {
        return *std::find_if(laid.stage.blocks.begin(), laid.stage.blocks.end(),
                             [&](const Block& block) { return block.tensor == group.tensor; });
      };
      ASSERT_NEAR(first_block(weight).cells.x, first_block(normed).cells.x, 0.01F);
      ASSERT_NEAR(first_block(weight).cells.width, first_block(normed).cells.width, 0.01F);
      ++weights;
    }
  });
  EXPECT_GT(weights, 0U);
}

}  // namespace
}  // namespace stage

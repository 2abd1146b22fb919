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

using attention::TensorId;

/// What a tensor is made from, as the textbook has it.
std::vector<TensorId> made_from(TensorId id) {
  switch (id) {
    case TensorId::query_input:
      return {TensorId::token_embedding, TensorId::position_encoding};
    case TensorId::q:
      return {TensorId::query_input, TensorId::q_proj_weight, TensorId::q_proj_bias};
    case TensorId::k:
      return {TensorId::key_input, TensorId::k_proj_weight, TensorId::k_proj_bias};
    case TensorId::v:
      return {TensorId::value_input, TensorId::v_proj_weight, TensorId::v_proj_bias};
    case TensorId::q_split:
      return {TensorId::q};
    case TensorId::k_split:
      return {TensorId::k};
    case TensorId::v_split:
      return {TensorId::v};
    case TensorId::q_heads:
      return {TensorId::q_split};
    case TensorId::k_heads:
      return {TensorId::k_split};
    case TensorId::v_heads:
      return {TensorId::v_split};
    case TensorId::scores:
      return {TensorId::q_heads, TensorId::k_heads};
    case TensorId::scaled_scores:
      return {TensorId::scores};
    case TensorId::masked_scores:
      return {TensorId::scaled_scores, TensorId::mask};
    case TensorId::attention_weights:
      return {TensorId::masked_scores};
    case TensorId::weighted_values:
      return {TensorId::attention_weights, TensorId::v_heads};
    case TensorId::head_outputs:
      return {TensorId::weighted_values};
    case TensorId::merged_split:
      return {TensorId::head_outputs};
    case TensorId::merged:
      return {TensorId::merged_split};
    case TensorId::output:
      return {TensorId::merged, TensorId::out_proj_weight, TensorId::out_proj_bias};
    default:
      return {};
  }
}

/// The tensor under whose name an input is drawn.
TensorId drawn_as(const attention::Trace& trace, TensorId id) {
  return is_repeated_input(trace, id) ? *trace.view_of(id) : id;
}

using TensorSet = std::bitset<attention::tensor_count>;

bool has(const TensorSet& set, TensorId id) { return set.test(static_cast<std::size_t>(id)); }

/// For each tensor every one on the way to it, as it is drawn.
using Ancestors = std::array<TensorSet, attention::tensor_count>;

Ancestors ancestors_in(const attention::Trace& trace) {
  Ancestors all;
  // In the order in which they come into being: what a tensor is made from is done before it.
  for (std::size_t place = 0; place < attention::tensor_count; ++place) {
    for (const TensorId source : made_from(static_cast<TensorId>(place))) {
      for (const TensorId name : {source, drawn_as(trace, source)})
        all[place] |= all[static_cast<std::size_t>(name)];
      all[place].set(static_cast<std::size_t>(drawn_as(trace, source)));
    }
  }
  return all;
}

const TensorSet& ancestors(const Laid& laid, TensorId id) {
  static std::map<const Scene*, Ancestors> known;
  auto found = known.find(laid.scene);
  if (found == known.end())
    found = known.emplace(laid.scene, ancestors_in(laid.scene->attention.trace)).first;
  return found->second[static_cast<std::size_t>(id)];
}

/// The product in which a weight takes part.
TensorId product_of(TensorId weight) {
  switch (weight) {
    case TensorId::q_proj_weight:
      return TensorId::q;
    case TensorId::k_proj_weight:
      return TensorId::k;
    case TensorId::v_proj_weight:
      return TensorId::v;
    default:
      return TensorId::output;
  }
}

bool is_weight(TensorId id) {
  return id == TensorId::q_proj_weight || id == TensorId::k_proj_weight ||
         id == TensorId::v_proj_weight || id == TensorId::out_proj_weight;
}

bool is_bias(TensorId id) {
  return id == TensorId::q_proj_bias || id == TensorId::k_proj_bias ||
         id == TensorId::v_proj_bias || id == TensorId::out_proj_bias;
}

TEST(Places, HaveEveryTensorOnceFromLeftToRight) {
  std::set<TensorId> tensors;
  for (const Place& place : places()) tensors.insert(place.tensor);
  EXPECT_EQ(tensors.size(), attention::tensor_count);
  ASSERT_EQ(places().size(), attention::tensor_count);
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
TEST(Places, FollowTheComputation) {
  for (const Place& place : places()) {
    for (const TensorId source : made_from(place.tensor)) {
      EXPECT_LT(place_of(source).column, place.column) << attention::name_of(place.tensor);
      EXPECT_LE(place_of(source).overview, place.overview) << attention::name_of(place.tensor);
    }
  }
}

// Nothing stands where something else does, in any step.
TEST(Places, AreDifferent) {
  for (const lesson::Step& step : lesson::steps()) {
    std::set<std::pair<int, int>> taken;
    for (const TensorId id : step.tensors) {
      const Place place = place_in(place_of(id), step.id);
      EXPECT_EQ(place.tensor, id);
      if (place.beside) continue;
      const int column = step.id == lesson::StepId::overview ? place.overview : place.column;
      EXPECT_TRUE(taken.emplace(column, place.lane).second)
          << step.name << ": " << attention::name_of(id);
    }
  }
}

TEST(Places, ABiasIsBesideItsWeight) {
  for (const Place& place : places()) {
    EXPECT_EQ(place.beside, is_bias(place.tensor)) << attention::name_of(place.tensor);
  }
}

TEST(Links, JoinGroupsThatAreThereOnce) {
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

TEST(Links, LeadFromWhatIsReadToWhatIsMade) {
  for_each_layout([](const Laid& laid) {
    for (const Link& link : laid.stage.links) {
      const TensorId from = laid.stage.groups[link.from].tensor;
      const TensorId to = laid.stage.groups[link.to].tensor;
      // Into a weight leads what is multiplied by it.
      const TensorSet& before = ancestors(laid, is_weight(to) ? product_of(to) : to);
      ASSERT_TRUE(has(before, from))
          << attention::name_of(from) << " to " << attention::name_of(to);
    }
  });
}

TEST(Links, PassByNothingThatIsOnTheStage) {
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
            << attention::name_of(from) << " to " << attention::name_of(to) << " past "
            << attention::name_of(between);
      }
    }
  });
}

TEST(Links, LeaveOutNothing) {
  for_each_layout([](const Laid& laid) {
    for (std::size_t g = 0; g < laid.stage.groups.size(); ++g) {
      const TensorId id = laid.stage.groups[g].tensor;
      const TensorSet& before = ancestors(laid, id);
      bool expects_link = false;
      for (const Group& other : laid.stage.groups) expects_link |= has(before, other.tensor);
      if (!expects_link) continue;
      ASSERT_TRUE(std::any_of(laid.stage.links.begin(), laid.stage.links.end(),
                              [g](const Link& link) { return link.to == g; }))
          << "nothing leads to " << attention::name_of(id);
    }
    for (std::size_t g = 0; g < laid.stage.groups.size(); ++g) {
      const TensorId id = laid.stage.groups[g].tensor;
      if (is_bias(id)) continue;  // stands beside its weight
      bool is_read = false;
      for (const Group& other : laid.stage.groups)
        is_read |= has(ancestors(laid, other.tensor), id);
      if (!is_read) continue;
      ASSERT_TRUE(std::any_of(laid.stage.links.begin(), laid.stage.links.end(),
                              [g](const Link& link) { return link.from == g; }))
          << "nothing leads from " << attention::name_of(id);
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

}  // namespace
}  // namespace stage

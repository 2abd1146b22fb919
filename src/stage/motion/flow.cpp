#include "stage/motion/flow.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace stage {

namespace {

constexpr std::array all_places{
    Place{"token_embedding", 0, 0, 0},
    Place{"position_encoding", 0, 0, 1},
    Place{"query_input", 1, 0, 2},
    Place{"key_input", 1, 0, 3},
    Place{"value_input", 1, 0, 4},
    Place{"q_proj_weight", 2, 2, 0},
    Place{"q_proj_bias", 2, 2, 0, true},
    Place{"k_proj_weight", 2, 2, 1},
    Place{"k_proj_bias", 2, 2, 1, true},
    Place{"v_proj_weight", 2, 2, 2},
    Place{"v_proj_bias", 2, 2, 2, true},
    Place{"q", 3, 3, 0},
    Place{"k", 3, 3, 1},
    Place{"v", 3, 3, 2},
    Place{"q_full_normed", 4, 4, 0},  // where they are, what comes next moves on by a column
    Place{"k_full_normed", 4, 4, 1},
    Place{"q_split", 4, 4, 0},
    Place{"k_split", 4, 4, 1},
    Place{"v_split", 4, 4, 2},
    Place{"k_groups", 5, 5, 1},
    Place{"v_groups", 5, 5, 2},
    Place{"q_heads", 8, 8, 0},
    Place{"k_heads", 8, 8, 1},
    Place{"v_heads", 8, 8, 2},
    Place{"q_norm_weight", 9, 9, 0},  // above q_normed, and not on the map
    Place{"q_normed", 9, 9, 0},
    Place{"k_norm_weight", 9, 9, 1},
    Place{"k_normed", 9, 9, 1},
    Place{"q_rotated", 10, 10, 0},
    Place{"k_rotated", 10, 10, 1},
    Place{"scores", 11, 12, 0},
    Place{"scaled_scores", 12, 12, 1},
    Place{"capped_scores", 13, 12, 2},
    Place{"alibi_bias", 14, 12, 3},
    Place{"position_bias", 14, 12, 3},
    Place{"biased_scores", 15, 12, 4},
    Place{"mask", 16, 12, 5},
    Place{"masked_scores", 17, 12, 6},
    Place{"sinks", 17, 13, 7},  // not on the map
    Place{"attention_weights", 18, 13, 0},
    Place{"weighted_values", 19, 13, 1},
    Place{"head_outputs", 20, 13, 2},
    Place{"merged_split", 21, 14, 0},
    Place{"merged", 22, 14, 1},
    Place{"out_proj_weight", 23, 14, 2},
    Place{"out_proj_bias", 23, 14, 2, true},
    Place{"output", 24, 14, 3},
};

}  // namespace

std::span<const Place> places() { return all_places; }

std::optional<Place> find_place(model::TensorId tensor) {
  const auto place = std::find_if(std::begin(all_places), std::end(all_places),
                                  [&](const Place& each) { return each.tensor == tensor; });
  return place == std::end(all_places) ? std::nullopt : std::optional(*place);
}

Place place_in(const Place& place, lesson::StepId step, const model::Trace& trace) {
  const bool mixes = step == lesson::StepId::sentence || step == lesson::StepId::reweight;
  if (mixes && place.tensor == "v_heads") return {place.tensor, 18, 13, 1};
  // With biases there is too much between scores and weights for one column of the map.
  const bool before_bias = place.tensor == "scores" || place.tensor == "scaled_scores" ||
                           place.tensor == "capped_scores";
  if (before_bias && trace.has("biased_scores"))
    return {place.tensor, place.column, place.overview - 1, place.lane};
  // A norm of all heads at once comes between q and q_split.
  const bool is_split =
      (place.column == 4 || place.column == 5) && model::axes_of(place.tensor).has(model::Axis::D);
  if (is_split && trace.has("q_full_normed"))
    return {place.tensor, place.column + 1, place.overview + 1, place.lane};
  if (!trace.config.is_grouped()) return place;
  // Shared keys are normalised and turned before they are repeated: between k_groups and k_heads.
  const bool normalises = place.tensor == "k_norm_weight" || place.tensor == "k_normed";
  if (normalises) return {place.tensor, 6, 6, 1};
  if (place.tensor == "k_rotated") return {place.tensor, 7, 7, 1};
  return place;
}

std::vector<Flow> flows_of(const model::Trace& trace) {
  std::vector<Flow> flows;
  for (const model::Node& row : trace.nodes) {
    if (row.operation->reads_shape_only || row.count == 0) continue;
    // Optional inputs get no arrow: a bias stands beside its weight, which makes it clear enough.
    const std::size_t drawn = std::min(row.count, row.operation->needs);
    const bool has_weight = row.operation == &ops::product && trace.axes_of(row.of[1]).rank() == 2;
    const auto on_demand =
        std::find_if(trace.nodes.begin(), trace.nodes.end(), [&](const model::Node& other) {
          return other.on_demand && other.id != row.id && other.of[0] == row.of[0] &&
                 other.of[1] == row.of[1];
        });
    for (std::size_t i = 0; i < drawn; ++i) {
      if (has_weight && i == 0) {
        flows.push_back({row.of[0], row.of[1]});
        flows.push_back({row.of[0], row.id, row.of[1]});
      } else if (on_demand != trace.nodes.end()) {
        flows.push_back({row.of[i], row.id, on_demand->id});
      } else {
        flows.push_back({row.of[i], row.id});
      }
    }
    if (on_demand != trace.nodes.end()) flows.push_back({on_demand->id, row.id});
    const model::Node* before = trace.made_by(row.of[0]);
    const bool is_view = before != nullptr &&
                         (before->operation == &ops::permute || before->operation == &ops::reshape);
    if (is_view) flows.push_back({before->of[0], row.id, before->id});
  }
  return flows;
}

}  // namespace stage

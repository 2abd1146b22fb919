#include "stage/motion/flow.hpp"

#include <array>

namespace stage {

using attention::TensorId;

namespace {

constexpr std::array all_places{
    Place{TensorId::token_embedding, 0, 0, 0},
    Place{TensorId::position_encoding, 0, 0, 1},
    Place{TensorId::query_input, 1, 0, 2},
    Place{TensorId::key_input, 1, 0, 3},
    Place{TensorId::value_input, 1, 0, 4},
    Place{TensorId::q_proj_weight, 2, 2, 0},
    Place{TensorId::q_proj_bias, 2, 2, 0, true},
    Place{TensorId::k_proj_weight, 2, 2, 1},
    Place{TensorId::k_proj_bias, 2, 2, 1, true},
    Place{TensorId::v_proj_weight, 2, 2, 2},
    Place{TensorId::v_proj_bias, 2, 2, 2, true},
    Place{TensorId::q, 3, 3, 0},
    Place{TensorId::k, 3, 3, 1},
    Place{TensorId::v, 3, 3, 2},
    Place{TensorId::q_split, 4, 4, 0},
    Place{TensorId::k_split, 4, 4, 1},
    Place{TensorId::v_split, 4, 4, 2},
    Place{TensorId::q_heads, 5, 5, 0},
    Place{TensorId::k_heads, 5, 5, 1},
    Place{TensorId::v_heads, 5, 5, 2},
    Place{TensorId::scores, 6, 6, 0},
    Place{TensorId::scaled_scores, 7, 6, 1},
    Place{TensorId::mask, 8, 6, 2},
    Place{TensorId::masked_scores, 9, 6, 3},
    Place{TensorId::attention_weights, 10, 7, 0},
    Place{TensorId::weighted_values, 11, 7, 1},
    Place{TensorId::head_outputs, 12, 7, 2},
    Place{TensorId::merged_split, 13, 8, 0},
    Place{TensorId::merged, 14, 8, 1},
    Place{TensorId::out_proj_weight, 15, 8, 2},
    Place{TensorId::out_proj_bias, 15, 8, 2, true},
    Place{TensorId::output, 16, 8, 3},
};

constexpr std::array all_flows{
    Flow{TensorId::token_embedding, TensorId::query_input},
    Flow{TensorId::position_encoding, TensorId::query_input},
    Flow{TensorId::query_input, TensorId::q_proj_weight},
    Flow{TensorId::key_input, TensorId::k_proj_weight},
    Flow{TensorId::value_input, TensorId::v_proj_weight},
    Flow{TensorId::query_input, TensorId::q, TensorId::q_proj_weight},
    Flow{TensorId::key_input, TensorId::k, TensorId::k_proj_weight},
    Flow{TensorId::value_input, TensorId::v, TensorId::v_proj_weight},
    Flow{TensorId::q_proj_weight, TensorId::q},
    Flow{TensorId::k_proj_weight, TensorId::k},
    Flow{TensorId::v_proj_weight, TensorId::v},
    Flow{TensorId::q, TensorId::q_split},
    Flow{TensorId::k, TensorId::k_split},
    Flow{TensorId::v, TensorId::v_split},
    Flow{TensorId::q_split, TensorId::q_heads},
    Flow{TensorId::k_split, TensorId::k_heads},
    Flow{TensorId::v_split, TensorId::v_heads},
    Flow{TensorId::q_heads, TensorId::scores},
    Flow{TensorId::k_heads, TensorId::scores},
    Flow{TensorId::scores, TensorId::scaled_scores},
    Flow{TensorId::scaled_scores, TensorId::masked_scores},
    Flow{TensorId::mask, TensorId::masked_scores},
    Flow{TensorId::masked_scores, TensorId::attention_weights},
    Flow{TensorId::attention_weights, TensorId::weighted_values},
    Flow{TensorId::v_heads, TensorId::weighted_values},
    Flow{TensorId::attention_weights, TensorId::head_outputs, TensorId::weighted_values},
    Flow{TensorId::weighted_values, TensorId::head_outputs},
    Flow{TensorId::head_outputs, TensorId::merged_split},
    Flow{TensorId::head_outputs, TensorId::merged, TensorId::merged_split},
    Flow{TensorId::merged_split, TensorId::merged},
    Flow{TensorId::merged, TensorId::out_proj_weight},
    Flow{TensorId::merged, TensorId::output, TensorId::out_proj_weight},
    Flow{TensorId::out_proj_weight, TensorId::output},
};

}  // namespace

std::span<const Place> places() { return all_places; }

Place place_in(const Place& place, lesson::StepId step) {
  if (step == lesson::StepId::reweight && place.tensor == TensorId::v_heads)
    return {place.tensor, 10, 7, 1};
  return place;
}

std::span<const Flow> flows() { return all_flows; }

}  // namespace stage

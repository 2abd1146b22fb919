// What an attention is given, name by name, for code that treats all of it alike.
#pragma once

#include <array>
#include <type_traits>

#include "attention/multi_head_attention.hpp"

namespace attention {

/// A given tensor and its name.
template <typename T>
struct Named {
  TensorId id;
  T& tensor;
};

/// All but the mask, of `Inputs` and `Weights` that may be const.
template <typename InputsT, typename WeightsT>
auto given_tensors(InputsT& inputs, WeightsT& weights) {
  using Entry = Named<std::remove_reference_t<decltype((inputs.query))>>;
  return std::array<Entry, 11>{{{TensorId::query_input, inputs.query},
                                {TensorId::key_input, inputs.key},
                                {TensorId::value_input, inputs.value},
                                {TensorId::q_proj_weight, weights.q_proj_weight},
                                {TensorId::k_proj_weight, weights.k_proj_weight},
                                {TensorId::v_proj_weight, weights.v_proj_weight},
                                {TensorId::q_proj_bias, weights.q_proj_bias},
                                {TensorId::k_proj_bias, weights.k_proj_bias},
                                {TensorId::v_proj_bias, weights.v_proj_bias},
                                {TensorId::out_proj_weight, weights.out_proj_weight},
                                {TensorId::out_proj_bias, weights.out_proj_bias}}};
}

}  // namespace attention

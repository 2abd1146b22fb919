// The tensors of an attention before there are numbers in them: shapes, views, and memory.
#pragma once

#include <array>

#include "attention/changes.hpp"

namespace attention {

/// The tensors that are computed, in order; the others are views of these.
inline constexpr std::array computed_tensors = {TensorId::q,
                                                TensorId::k,
                                                TensorId::v,
                                                TensorId::scores,
                                                TensorId::scaled_scores,
                                                TensorId::masked_scores,
                                                TensorId::attention_weights,
                                                TensorId::head_outputs,
                                                TensorId::merged,
                                                TensorId::output};

/// Whether `trace` has one of them with storage of its own: a step that is not there passes on the
/// tensor before it.
bool is_own(const Trace& trace, TensorId id);

/// The mask as the trace has it, [B,H,Lq,Lk], a view; undefined where there is none.
Tensor expanded_mask(const Tensor& mask, const Config& config);

/// [B,L,E] → [B,L,H,D], a view.
Tensor split_heads(const Tensor& projected, const Config& config);

/// Makes room for every tensor of an attention of these sizes: shapes, views, and memory, which is
/// that of `trace` where nobody else reads it or nothing will be written; if not everything
/// changed, with its numbers.
void lay_out(const Config& config, const Inputs& inputs, const Weights& weights,
             const Changes& changes, Trace& trace);

/// Makes room for the output alone, in an empty trace: scores and weights are not there, and the
/// head outputs are written where they are merged.
void lay_out_output(const Config& config, const Inputs& inputs, const Weights& weights,
                    Trace& trace);

}  // namespace attention

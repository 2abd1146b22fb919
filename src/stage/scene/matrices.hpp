// The two-dimensional matrices that are drawn of a tensor: [Lq,E] whole, [B,H,Lq,D] one per head.
#pragma once

#include <string>
#include <vector>

#include "document/computed.hpp"
#include "stage/scene/stage.hpp"

namespace stage {

/// The blocks of one tensor for the view state's sample, query and heads, not yet placed. Empty
/// where the trace does not have the tensor.
std::vector<Block> matrices_of(const document::ComputedAttention& attention, model::TensorId tensor,
                               const document::ViewState& view_state);

/// How a tensor's numbers become colours: attention weights on a ramp from 0, but for those that no
/// softmax made, which may be negative.
Colouring colouring_of(const model::Trace& trace, model::TensorId tensor);

/// The matrix of the view state's head, without row or column labels.
Block matrix_of_head(const document::ComputedAttention& attention, document::ViewState view_state,
                     model::TensorId tensor);

/// The caption for those blocks: the tensor's name, the shape that is drawn, and the tensor that it
/// is a view of, if any.
Group caption_of(const document::ComputedAttention& attention, model::TensorId tensor,
                 const document::ViewState& view_state);

/// What to call one of the tensor's heads: "head 1", or "group 1" where several query heads share
/// it.
std::string head_words(const model::Trace& trace, model::TensorId tensor, std::size_t head);

/// Whether the tensor is a projection that was split into one matrix per head: q_heads, k_groups.
bool is_of_heads(model::TensorId tensor);

/// Whether the tensor is an input that is drawn already under another name, as is key_input in
/// self-attention.
bool is_repeated_input(const model::Trace& trace, model::TensorId tensor);

}  // namespace stage

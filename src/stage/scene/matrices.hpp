// Which two-dimensional pieces of a tensor are drawn: [Lq,E] whole, [B,H,Lq,D] one matrix a head.
#pragma once

#include <string>
#include <vector>

#include "document/computed.hpp"
#include "stage/scene/stage.hpp"

namespace stage {

/// The blocks of one tensor for the view state's sample, query and heads, without places; empty
/// where the trace has no such tensor.
std::vector<Block> matrices_of(const document::ComputedAttention& attention, model::TensorId tensor,
                               const document::ViewState& view_state);

/// The chosen head's matrix, without words beside it.
Block matrix_of_head(const document::ComputedAttention& attention, document::ViewState view_state,
                     model::TensorId tensor);

/// Caption of those blocks: name, shape of what is drawn, and whose numbers they are if they are
/// not its own.
Group caption_of(const document::ComputedAttention& attention, model::TensorId tensor,
                 const document::ViewState& view_state);

/// What one of the tensor's heads is called: "head 1", or "group 1" where several query heads share
/// it.
std::string head_words(const model::Trace& trace, model::TensorId tensor, std::size_t head);

/// True for q_heads, k_groups and the like: what was projected, a matrix for each head.
bool is_of_heads(model::TensorId tensor);

/// True where drawing this tensor would draw another one twice: key_input of a self-attention.
bool is_repeated_input(const model::Trace& trace, model::TensorId tensor);

}  // namespace stage

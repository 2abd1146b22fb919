// What the reader wants computed numbers to be.
#pragma once

#include <vector>

#include "document/computed.hpp"
#include "model/part.hpp"

namespace document {

/// The cell of output or attention_weights that `cell` shows, a view of it or the tensor itself;
/// nothing for cells of other tensors, which have no target.
std::optional<CellAddress> targeted(const ComputedAttention& attention, const CellRef& cell);

/// What this cell, one of the tensor that has the target, should be; nothing without a target.
std::optional<float> target_of(const Configuration& configuration, const CellAddress& cell);

/// The configuration with a target for a cell, which takes the place of all targets that belong to
/// another tensor or attention. Errors: no cell of output or attention_weights.
base::Result<Configuration> with_target(Configuration configuration, const Computed& computed,
                                        const CellAddress& cell, float value);

/// The targets in order. Errors: cells of several tensors, of others than output and
/// attention_weights, that do not exist, or that are named twice; numbers that they cannot be.
base::Result<std::vector<Edit>> checked_target(const std::vector<Edit>& target,
                                               const lesson::Problem& problem);

/// The head whose gradients are looked at: the chosen one or, if the loss does not depend on its
/// scores, the one on whose scores it depends most. The chosen one where there are no gradients.
std::size_t head_with_gradients(const Computed& computed, const ViewState& view_state);

/// Adds target, difference, loss and all gradients to `model`. `part`: the place of the attention
/// of the target, whose cells exist.
void add_target(model::Model& model, std::size_t part, const std::vector<Edit>& target);

}  // namespace document

// The cell that a step is about while the reader has asked for no other, and the shapes it leads
// from and to.
#pragma once

#include <string>
#include <vector>

#include "document/computed.hpp"

namespace stage {

/// What a step is about: a tensor that it makes of others.
struct Way {
  std::vector<model::TensorId> from;  ///< in reading order, without weights; may be empty
  model::TensorId to;
};
/// The last of the step's tensors that the table makes of the step's own, or the first where none
/// is; of the view state's projection where the step shows only one. All are in the trace.
Way way_of(const model::Trace& trace, const document::ViewState& view_state);

/// A cell that the view state's step makes: the one of the chosen sample, query, key and head. It
/// is there.
document::CellRef step_cell(const document::ComputedAttention& attention,
                            const document::ViewState& view_state);

/// "q [B 2, Lq 3, E 6] → q_split [B 2, Lq 3, H 2, D 3]": what the step reads and what it makes.
std::string shapes_of(const document::ComputedAttention& attention,
                      const document::ViewState& view_state);

}  // namespace stage

// The cell that a step explains until the reader chooses another, and the shapes that the step
// leads from and to.
#pragma once

#include <string>
#include <vector>

#include "document/computed.hpp"

namespace stage {

/// What a step does: it computes one tensor from others.
struct Way {
  std::vector<model::TensorId> from;  ///< in reading order, without weights; may be empty
  model::TensorId to;
};
/// The last of the step's tensors that is computed from another of them; if there is none, the
/// first. Where the step shows one projection, only its tensors count. All are in the trace.
Way way_of(const model::Trace& trace, const document::ViewState& view_state);

/// `sentence` explains one of the first numbers of a long row: those are shown, before and after.
inline constexpr std::size_t explained_in_sentence = 5;

/// A cell of the tensor that the view state's step computes, for the chosen sample, query, key and
/// head; in transpose of the second head and the second token where the first is chosen, since arcs
/// count to it. It always exists.
document::CellRef step_cell(const document::ComputedAttention& attention,
                            const document::ViewState& view_state);

/// The shape of a tensor of the trace, such as "[B 2, Lq 3, E 6]".
std::string shape_text(const model::Trace& trace, model::TensorId tensor, bool with_batch = true);

/// What the step reads and what it computes, such as "q [Lq 3, E 6] → q_split [Lq 3, H 2, D 3]",
/// and how large the batch is.
std::string shapes_of(const document::ComputedAttention& attention,
                      const document::ViewState& view_state);

}  // namespace stage

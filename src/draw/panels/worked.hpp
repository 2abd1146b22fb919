// The cell that a step is written out for, and the shapes it leads from and to.
#pragma once

#include <string>

#include "draw/view.hpp"

namespace draw {

using stage::worked;

/// The cell that a step is written out for: `explained` where this step makes it, else the one of
/// the chosen query, key and head.
CellRef worked_cell(const document::ComputedAttention& attention,
                    const document::ViewState& view_state, const std::optional<CellRef>& explained);

/// "q [B 2, Lq 3, E 6] → q_split [B 2, Lq 3, H 2, D 3]": what the step reads and what it makes.
std::string shapes_of(const document::ComputedAttention& attention,
                      const document::ViewState& view_state);

}  // namespace draw

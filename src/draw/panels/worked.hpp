// A step's formula with the numbers of one cell in it, and the shapes it leads from and to.
#pragma once

#include <string>

#include "attention/provenance.hpp"
#include "draw/view.hpp"

namespace draw {

/// The cell that a step is written out for: `explained` where this step makes it, else the one of
/// the chosen query, key and head.
CellRef worked_cell(const document::ComputedAttention& attention, const document::Look& look,
                    const std::optional<CellRef>& explained);

/// "scores[head 1, are, You] = 0.534 × −1.238 + 0.114 × 0.896 + … = −2.757", with at most
/// `most_terms` terms written out; `made`: what attention::provenance says of the cell.
std::string worked(const document::ComputedAttention& attention, const attention::Provenance& made,
                   std::size_t most_terms);

/// "q [B 2, Lq 3, E 6] → q_split [B 2, Lq 3, H 2, D 3]": what the step reads and what it makes.
std::string shapes_of(const document::ComputedAttention& attention, const document::Look& look);

}  // namespace draw

// The address under which an edit is stored. A cell may be reachable under several names, of which
// edits use one.
#pragma once

#include <string>

#include "document/computed.hpp"

namespace document {

/// "cross_attention.q_proj_weight[0,1]"
std::string describe(const CellAddress& cell);

/// The error that a tensor of this shape has no such cell.
tl::unexpected<base::Error> lies_outside(const CellAddress& cell, const tensor::Shape& shape);

/// An order for sorting addresses, so that equal ones are neighbours.
bool comes_before(const CellAddress& a, const CellAddress& b);

/// The canonical address of a cell: key_input and value_input of self-attention become query_input,
/// value_input of cross-attention becomes key_input where both are the same vectors, and a mask
/// cell, which holds for all heads, is that of head 0.
CellAddress without_aliases(lesson::Arrangement arrangement, const CellAddress& cell);

/// The arrangement that a computed document has.
lesson::Arrangement arrangement_of(const Computed& computed);

}  // namespace document

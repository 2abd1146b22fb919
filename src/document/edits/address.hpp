// Where an edit is stored: one cell can be reached under several names, and an edit knows one of
// them.
#pragma once

#include <string>

#include "document/computed.hpp"

namespace document {

/// "cross_attention.q_proj_weight[0,1]"
std::string describe(const CellAddress& cell);

/// Some order that puts equal cells side by side.
bool comes_before(const CellAddress& a, const CellAddress& b);

/// `cell` under the name that edits use, as far as it is the same number: key_input and value_input
/// of self-attention are its query_input, value_input of cross-attention is its key_input, and a
/// mask cell holds for all heads.
CellAddress without_aliases(lesson::Arrangement arrangement, const CellAddress& cell);

/// The arrangement that a computed document has.
lesson::Arrangement arrangement_of(const Computed& computed);

}  // namespace document

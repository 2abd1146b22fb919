// Where a number came from, in words: for people to whom it is read.
#pragma once

#include <string>

#include "document/compute.hpp"

namespace app {

/// "scores, head 1, query You, key are"; heads and samples count from 1, dimensions from 0.
std::string cell_words(const document::ComputedAttention& attention, const document::CellRef& cell);

/// More terms than this are folded: the first ones and the last one are said, and how many are not.
inline constexpr std::size_t most_spoken_terms = 6;

/// "scores, head 1, query You, key are: 0.310 = 0.500 × 0.500 + 0.100 × 0.100 + …". The cell must
/// be there.
std::string explanation(const document::ComputedAttention& attention,
                        const document::CellRef& cell);

}  // namespace app

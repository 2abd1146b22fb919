// What an encoder or decoder layer computes around its attentions, for one of its numbers.
#pragma once

#include <string>
#include <vector>

#include "document/computed.hpp"

namespace stage {

/// How the layers before an attention made a number of its input, back to the attention of the
/// layer that made it: a line for each tensor on the way, nearest first, such as "residual2 =
/// normed1 -0.50 + feed_forward 0.75 = 0.25". Empty for a cell that no layer made.
std::vector<std::string> layer_lines(const document::Computed& computed,
                                     const document::ComputedAttention& attention,
                                     const document::CellRef& cell);

/// explanation(), and those lines where there are some.
std::string whole_explanation(const document::Computed& computed,
                              const document::ComputedAttention& attention,
                              const document::CellRef& cell);

}  // namespace stage

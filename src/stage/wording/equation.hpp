// A cell's arithmetic on one line, with the real numbers, each of which says which cell it is of.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "document/computed.hpp"
#include "stage/focus/focus.hpp"

namespace stage {

/// A piece of an equation: signs and words, or the number of one cell.
struct EquationPart {
  std::string text;
  /// The cell whose number it is. The text is then equation_number of what the trace has there.
  std::optional<model::Cell> cell;
};

/// "q[1, 2]", " = ", "0.6", "×", "0.45", " + ", …: put together, the line. It may be broken before
/// the parts that begin with a space.
std::vector<EquationPart> equation(const document::ComputedAttention& attention, const Focus& focus,
                                   std::size_t most_terms);

/// With three digits after the point, or with fewer where these say all of it: "0.5", "−1.238".
std::string equation_number(float value);

/// What it says, in one piece.
std::string text_of(const std::vector<EquationPart>& parts);

}  // namespace stage

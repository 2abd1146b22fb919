// A cell's arithmetic on one line with the real numbers, each of which knows the cell it comes
// from.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "document/computed.hpp"
#include "stage/focus/focus.hpp"

namespace stage {

/// A piece of an equation: signs and words, or the number in one cell.
struct EquationPart {
  std::string text;
  /// The cell that the number comes from. `text` is then equation_number of the value in the trace.
  std::optional<model::Cell> cell;
};

/// The pieces of the line, in order: "q[1, 2]", " = ", "0.6", "×", "0.45", " + ", …. It may be
/// broken before each piece that begins with a space. Terms beyond `most_terms` are combined into
/// one.
std::vector<EquationPart> equation(const document::ComputedAttention& attention, const Focus& focus,
                                   std::size_t most_terms);

/// At most three digits after the point, without trailing zeros: "0.5", "−1.238".
std::string equation_number(float value);

/// The text of all pieces.
std::string text_of(const std::vector<EquationPart>& parts);

}  // namespace stage

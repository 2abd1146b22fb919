// A cell's arithmetic on one line with the real numbers, each of which knows the cell it comes
// from.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "document/computed.hpp"
#include "document/learning/learn.hpp"
#include "stage/focus/focus.hpp"

namespace stage {

/// A piece of an equation: signs and words, or the number in one cell.
struct EquationPart {
  std::string text;
  /// The cell that the number comes from. `text` is then its equation_number.
  std::optional<model::Cell> cell;
  /// Part of a term that the animation has not added yet.
  bool pending = false;
};

/// The pieces of the line, in order: "q[1, 2]", " = ", "0.6", "×", "0.45", " + ", …. It may be
/// broken before each piece that begins with a space. Of more than `most_terms` terms the
/// smallest are combined into one. To a reader who guesses a mistake, only the number is told.
std::vector<EquationPart> equation(const document::ComputedAttention& attention, const Focus& focus,
                                   std::size_t most_terms, bool guessing = false);

/// At most three digits after the point, without trailing zeros: "0.5", "−1.238".
std::string equation_number(float value);

/// The number of a cell in an equation: with three significant digits where equation_number would
/// leave none (but not for the rounding of a 0), and of a gradient already below 0.1, as most of
/// them are small.
std::string equation_number(const model::Cell& cell);

/// One update of gradient descent written out: "q_proj_weight[0, 1] ← 0.5 − 0.1 × 0.32 = 0.468".
std::string update_text(const document::ComputedAttention& attention,
                        const document::Update& update, float learning_rate);

/// The text of all pieces.
std::string text_of(const std::vector<EquationPart>& parts);

}  // namespace stage

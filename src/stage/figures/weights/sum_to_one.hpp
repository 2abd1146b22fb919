// What a row of weights that was set by hand offers where it does not sum to 1: to be divided by
// its sum.
#pragma once

#include <optional>

#include "stage/figures/row_table.hpp"
#include "stage/figures/step_figures.hpp"

namespace stage {

/// The command that divides each weight of the row by their sum. Nothing where they are computed,
/// sum to 1 as they are (to three decimals), or are all 0.
std::optional<document::Command> sum_to_one(const QueryRow& row);

/// A button for that command, at most `room` wide, that begins (Side::left) or ends (Side::right)
/// at a point; false where it is not offered or has no room.
bool put_sum_to_one(Figure& figure, const QueryRow& row, Point at, Side side, float room,
                    float size);

}  // namespace stage

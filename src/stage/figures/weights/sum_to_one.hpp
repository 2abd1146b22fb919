// Offers to divide a row of weights that was set by hand by its sum, if that is not 1.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "stage/figures/row_table.hpp"
#include "stage/figures/step_figures.hpp"

namespace stage {

/// The command that divides each weight of the row by their sum. Empty if the weights are computed,
/// sum to 1 already (to three decimals), or are all 0.
std::optional<document::Command> sum_to_one(const QueryRow& row);

/// What the weights add up to as they are printed, with so many decimals; empty if that is their
/// sum as it is printed.
std::string rounded_sum(const std::vector<float>& weights, int decimals);

/// Adds a button for that command, at most `room` wide, that begins (Side::left) or ends
/// (Side::right) at `at`. Returns false if there is nothing to offer or no room.
bool put_sum_to_one(Figure& figure, const QueryRow& row, Point at, Side side, float room,
                    float size);

}  // namespace stage

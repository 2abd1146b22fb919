// The arithmetic behind a cell, line by line. A click on a number leads to its cell.
#pragma once

#include <string>

#include "draw/panels/panels.hpp"
#include "draw/panels/widgets.hpp"

namespace draw {

/// A number of a tensor, or one on the way to it. Most gradients are small, and set so that they
/// tell.
std::string number_of(model::TensorId tensor, float value);

/// What made the cell: its rule, each term with its contribution, and their sum.
void arithmetic(const Screen& screen, Widgets& widgets, Requests& requests,
                const model::Explanation& made);

}  // namespace draw

// Shows differences from the unedited example in place of the numbers.
#pragma once

#include <string>
#include <string_view>

#include "stage/scene/stage.hpp"

namespace stage {

/// A tensor's name where its difference is shown: "scores − original".
std::string minus_original(std::string_view name);

/// Subtracts the numbers of `original`, laid out for the same view state, from those of `stage`.
/// Captions say so, and one colour scale of the differences serves all heads. Figures stay as they
/// are, and so does what `original` does not have (such as a mask).
void subtract(Stage& stage, const Stage& original);

}  // namespace stage

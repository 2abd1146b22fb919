// Shows differences from the unedited example in place of the numbers.
#pragma once

#include "stage/scene/stage.hpp"

namespace stage {

/// Follows a tensor's name in captions that show its difference.
inline constexpr std::string_view minus_original = " − original";

/// Subtracts the numbers of `original`, laid out for the same view state, from those of `stage`.
/// Captions say so, and one colour scale of the differences serves all heads. Figures stay as they
/// are, and so does what `original` does not have (such as a mask).
void subtract(Stage& stage, const Stage& original);

}  // namespace stage

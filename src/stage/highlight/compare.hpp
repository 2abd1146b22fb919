// Differences to the unedited example in the place of numbers.
#pragma once

#include "stage/scene/stage.hpp"

namespace stage {

/// What stands after a tensor's name where its difference is shown.
inline constexpr std::string_view minus_original = " − original";

/// Makes the matrices of `stage` differences: its numbers less those that `original`, laid out for
/// the same view state, has in the same cells; captions say so, and the scale is that of the
/// differences, one for all heads. What a figure has of its own stays as it is, and so does what
/// `original` does not have (a mask, where the example has none).
void subtract(Stage& stage, const Stage& original);

}  // namespace stage

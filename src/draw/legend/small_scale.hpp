// The colour scale in small, at the matrix that it belongs to.
#pragma once

#include <optional>

#include "draw/stage/paint.hpp"
#include "draw/text/type.hpp"
#include "draw/theme.hpp"

namespace draw {

/// Draws the frame of the small scale of the block `drawn.legend` and the numbers at its ends,
/// beside the block's caption or next to its matrix, adds the numbers to the texts and the place to
/// `drawn`. Returns where the colours belong, in logical pixels; nothing, and draws nothing, if the
/// scale would cover something everywhere.
std::optional<stage::Rect> put_small_scale(Drawn& drawn, const Theme& theme, const Type& type,
                                           ImDrawList* list);

}  // namespace draw

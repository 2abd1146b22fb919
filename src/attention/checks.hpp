// What multi_head_attention asks of its arguments before it computes anything.
#pragma once

#include "attention/multi_head_attention.hpp"

namespace attention {

/// True where a tensor of this shape has at most Limits::floats cells. Any shape may be asked
/// about: nothing overflows.
bool within_limits(const Shape& shape);

/// The sizes of this attention, or a sentence that says what does not fit and what would. Nothing
/// is computed and no memory is taken, so arguments from a hostile link or file may be passed.
Result<Config> check(const Inputs& inputs, const Weights& weights, const Options& options);

}  // namespace attention

// The fast way through one attention: into memory that is there already, all of it or only what
// depends on numbers that changed. The textbook of the same computation is
// multi_head_attention.cpp.
#pragma once

#include "attention/changes.hpp"

namespace attention {

/// Computes what changed, and what depends on it, into a trace that was laid out. The same numbers
/// to the last bit, whether everything is computed or not.
void compute_in_place(const Changes& changes, Trace& trace);

}  // namespace attention

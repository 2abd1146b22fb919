// What is done on purpose to an attention that was computed as usual.
#pragma once

#include "attention/marks.hpp"
#include "attention/trace.hpp"

namespace attention {

/// Puts the trace's interventions, without a mistake, over `queries`, [B,H,Lq], or null for all:
/// weights given by hand, which stand already where `weights_stand`, with the head outputs that
/// they lead to, and the outputs of heads switched off.
void intervene(const Marks* queries, bool weights_stand, Trace& trace);

}  // namespace attention

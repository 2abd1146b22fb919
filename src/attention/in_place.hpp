// The fast way through one attention: into memory that is there already, all of it or only what
// depends on numbers that changed. The textbook of the same computation is
// multi_head_attention.cpp.
#pragma once

#include "attention/changes.hpp"

namespace attention {

/// True where `trace` was computed in place from these very tensors with these options, whatever
/// numbers are in them now, and nobody else reads what was computed: `compute_in_place` with
/// `changes.everything` is all there is to do.
bool is_laid_out(const Trace& trace, const Inputs& inputs, const Weights& weights,
                 const Options& options);

/// Computes what changed, and what depends on it, into a trace that was laid out. The same numbers
/// to the last bit, whether everything is computed or not.
void compute_in_place(const Changes& changes, Trace& trace);

/// The last tensor of an attention, [B,Lq,E], and nothing that leads to it.
Tensor compute_output(const Config& config, const Inputs& inputs, const Weights& weights);

}  // namespace attention

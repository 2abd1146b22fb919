// What has to be computed anew when some of the given numbers change.
#pragma once

#include "attention/marks.hpp"
#include "attention/multi_head_attention.hpp"

namespace attention {

/// What is not as it was when a trace was computed, or all there is.
struct Changes {
  bool everything = true;
  // Where not everything is: what of these depends directly on what was given.
  Stale q;              ///< rows: the B·Lq tokens; columns: E
  Stale k;              ///< rows: the B·Lk tokens; columns: E
  Stale v;              ///< rows: the B·Lk tokens; columns: E
  Marks masked_rows;    ///< of the mask, or of weights given by hand: the B·H·Lq queries
  Marks switched_rows;  ///< of heads switched off or on: the B·H·Lq queries; their weights stand
  Marks output_features;  ///< of the last linear layer: E

  /// Whether numbers of this tensor, one with storage of its own, have to be computed anew.
  bool reach(TensorId id) const;
};

/// True where `trace` was computed in place, without a mistake, and has the tensors that these
/// inputs lead to, in their sizes.
bool has_structure(const Trace& trace, const Config& config, const Inputs& inputs,
                   const Weights& weights);

/// What differs between the numbers and interventions that `trace` was computed from and these.
/// Everything, if it has not their structure or if somebody wrote into its tensors since. What has
/// the numbers it had is replaced by the tensor that was there, so that it keeps its version.
Changes changes_since(const Trace& trace, const Config& config, Inputs& inputs, Weights& weights,
                      const Interventions& interventions);

}  // namespace attention

#include "attention/prepared_attention.hpp"

#include "attention/checks.hpp"
#include "attention/in_place.hpp"
#include "attention/lay_out.hpp"

namespace attention {

Result<PreparedAttention> PreparedAttention::prepare(const Inputs& inputs, const Weights& weights,
                                                     const Options& options, Keep keep) {
  const Result<Config> config = check(inputs, weights, options);
  if (!config) return fail(config.error());
  if (!options.interventions.none()) {
    return fail(
        "A prepared attention has no interventions; multi_head_attention computes with them.");
  }
  PreparedAttention prepared;
  if (keep == Keep::trace) {
    lay_out(*config, inputs, weights, Changes(), prepared.trace_);
  } else {
    lay_out_output(*config, inputs, weights, prepared.trace_);
  }
  return prepared;
}

void PreparedAttention::run() {
  static const Changes everything;
  compute_in_place(everything, trace_);
}

}  // namespace attention

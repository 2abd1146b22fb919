// What a number of a trace is made of, in the parts that a lesson shows: by head, by key.
#pragma once

#include <vector>

#include "model/trace.hpp"

namespace model {

/// One cell of the output as what each head put into it: Σ heads + bias is the cell.
struct HeadContributions {
  /// [H]: Σ_d merged[b,l,h·D+d] · out_proj_weight[e,h·D+d]. Without an output projection the cell
  /// belongs to the head whose column it lies in, and the others put in 0.
  std::vector<double> heads;
  double bias = 0.0;  ///< out_proj_bias[e], 0 where there is none
};

/// `index`: [b,l,e], inside the output.
HeadContributions head_contributions(const Trace& trace, const tensor::Index& index);

/// Which of the three projections.
enum class Projection : unsigned char { q, k, v };

/// [B,L,D]: q, k or v of one head alone, computed from its D rows of the weight (and D numbers of
/// the bias). The same numbers as the head's columns of the one big product. Without a projection:
/// those columns of the input, a view. `head` < H.
tensor::Tensor project_head(const Trace& trace, Projection which, std::size_t head);

/// [Lk,D]: the sum of weight × value over the first key, the first two, … The last row is the
/// head's output for this query. Rows that are 0 by definition (no key to see, a head that is
/// switched off) are 0 throughout. Sample, head and query must be inside.
tensor::Tensor running_sums(const Trace& trace, std::size_t sample, std::size_t head,
                            std::size_t query);

/// The row of weights after `key` was set to `value` and the others scaled, each by the same
/// factor, so that the total stays what it was: 1 after a softmax, 0.99 where a printed row sums to
/// that. Others that are all 0 share the rest equally. Where the value alone is more than the
/// total, the others become 0; a row of zeros gets the total 1. `key` must be inside; weights and
/// value must be finite and not negative.
std::vector<float> rescaled(const std::vector<float>& weights, std::size_t key, float value);

}  // namespace model

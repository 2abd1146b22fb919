// Splits the numbers of a trace into the parts that figures show: by head and by key.
#pragma once

#include <vector>

#include "model/trace.hpp"

namespace stage {

/// The parts of one output cell, one for each head: the cell is their sum plus the bias.
struct HeadContributions {
  /// [H]: Σ_d merged[b,l,h·D+d] · out_proj_weight[e,h·D+d]. Without an output projection, the cell
  /// belongs to the head that owns its column, and the other heads contribute 0.
  std::vector<double> heads;
  double bias = 0.0;  ///< out_proj_bias[e], or 0 if there is none
};

/// `index`: [b,l,e], which must be inside the output.
HeadContributions head_contributions(const model::Trace& trace, const tensor::Index& index);

/// [B,L,D]: the columns of `whole` (q, k or v) that belong to one of its heads, computed from that
/// head's D rows of the weight and D numbers of the bias alone; the same numbers as in the whole
/// product. Without a projection: a view of the input's columns.
tensor::Tensor project_head(const model::Trace& trace, model::TensorId whole, std::size_t head);

/// What one key contributes to column `d` of the head's output, weight × value. `weight` is
/// [b,h,query,key] and must be inside the attention weights. 0 if the output is 0 by definition
/// (all keys masked, or a head that is switched off).
double key_product(const model::Trace& trace, const tensor::Index& weight, std::size_t d);

/// [Lk,D]: the sums of weight × value over the first key, the first two, and so on. The last row is
/// the head's output for this query. Sample, head and query must be inside the trace.
tensor::Tensor running_sums(const model::Trace& trace, std::size_t sample, std::size_t head,
                            std::size_t query);

/// The result of an operation on operands of equal shape, outside any trace: what might have been
/// computed.
tensor::Tensor apply(const ops::Operation& operation,
                     std::initializer_list<tensor::Tensor> operands,
                     const ops::Constants& constants = {});

}  // namespace stage

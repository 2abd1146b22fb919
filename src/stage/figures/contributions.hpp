// What a number of a trace is made of, in the parts that figures show: by head, by key.
#pragma once

#include <vector>

#include "model/trace.hpp"

namespace stage {

/// One cell of the output as what each head put into it: Σ heads + bias is the cell.
struct HeadContributions {
  /// [H]: Σ_d merged[b,l,h·D+d] · out_proj_weight[e,h·D+d]. Without an output projection the cell
  /// belongs to the head whose column it lies in, and the others put in 0.
  std::vector<double> heads;
  double bias = 0.0;  ///< out_proj_bias[e], 0 where there is none
};

/// `index`: [b,l,e], inside the output.
HeadContributions head_contributions(const model::Trace& trace, const tensor::Index& index);

/// [B,L,D]: what `whole` (q, k or v) is of one head alone, computed from its D rows of the weight
/// (and D numbers of the bias). The same numbers as the head's columns of the one big product.
/// Without a projection: those columns of the input, a view. `head`: among those of `whole`.
tensor::Tensor project_head(const model::Trace& trace, model::TensorId whole, std::size_t head);

/// What one key adds to column `d` of the head's output, weight × value; `weight`: [b,h,query,key],
/// inside the attention weights. 0 where the sum is 0 by definition (no key to see, a head that is
/// switched off).
double key_product(const model::Trace& trace, const tensor::Index& weight, std::size_t d);

/// [Lk,D]: the sum of weight × value over the first key, the first two, … The last row is the
/// head's output for this query. Sample, head and query must be inside.
tensor::Tensor running_sums(const model::Trace& trace, std::size_t sample, std::size_t head,
                            std::size_t query);

/// The operation on tensors of one shape, letter by letter: what might have been computed.
tensor::Tensor apply(const ops::Operation& operation,
                     std::initializer_list<tensor::Tensor> operands,
                     const ops::Constants& constants = {});

}  // namespace stage

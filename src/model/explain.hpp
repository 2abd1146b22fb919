// Where a number came from: the cells that made it and the arithmetic, term by term.
#pragma once

#include "model/trace.hpp"

namespace model {

using ops::Cell;
using ops::Explanation;
using ops::Rule;
using ops::Term;

/// The explanation of one cell. `index` must lie inside the tensor (an index outside, or a tensor
/// that the trace does not have, gives rule `given` with NaN). `weighted_values` is accepted
/// although no trace keeps it, with index [b,h,query,key,d]. Tensors that are views report
/// `same_number` with the tensor they are a view of. What another part computed is `given` here:
/// the chain is the caller's.
Explanation explain(const Trace& trace, TensorId tensor, const tensor::Index& index);

}  // namespace model

// What a model is made of: uses of tables, one feeding the next.
#pragma once

#include <string>
#include <vector>

#include "base/error.hpp"
#include "model/trace.hpp"

namespace model {

/// A given tensor of one part that is a tensor of another part (or of the same one).
struct Binding {
  TensorId tensor;
  std::size_t part = 0;  ///< its place in the model
  TensorId source;
};

/// One use of a table before it is computed: in `trace.tensors` lies what is given.
struct Part {
  Trace trace;
  std::vector<Binding> bindings;
};

/// Takes a tensor of `part` from the part at `source_part`, instead of what was given.
void bind(Part& part, TensorId tensor, std::size_t source_part, TensorId source);

/// Parts in the order in which they are computed. A self-attention is one; an encoder layer is two.
using Model = std::vector<Part>;

/// Computes every row of every part. Nothing can fail here: parts are checked when they are made.
///
/// `last` is what the model, or another, gave before: a tensor that would be made by the same row
/// of the same tensors is taken from there, and given numbers that are the same bits as before keep
/// their storage. To the last bit what computing everything gives, since a tensor never changes.
std::vector<Trace> compute(const Model& model, const std::vector<Trace>& last = {});

}  // namespace model

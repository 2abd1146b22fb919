// A model is a list of parts, each one use of a table, that read tensors of each other.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "model/trace.hpp"

namespace model {

/// A given tensor of a part is taken from another part, or from the same one under another name.
struct Binding {
  TensorId tensor;
  std::size_t part = 0;  ///< its place in the model
  TensorId source;
};

/// One use of a table that is not computed yet: `trace.tensors` holds what is given.
struct Part {
  Trace trace;
  std::vector<Binding> bindings;
};

/// Makes `tensor` of `part` the tensor `source` of the part at `source_part`, whatever was given.
void bind(Part& part, TensorId tensor, std::size_t source_part, TensorId source);

/// Parts in the order of computation. An attention is one; an encoder layer has one more around it.
using Model = std::vector<Part>;

/// Computes every row of every part, but for those on demand. It cannot fail, because parts are
/// checked when they are made.
///
/// `last` is an earlier result, of this model or another. A row that was computed there from the
/// same operands is not computed again. The result has the same bits without it.
std::vector<Trace> compute(const Model& model, const std::vector<Trace>& last = {});

/// A model that is computed again and again with other inputs, each tensor when it is asked for. A
/// decoder goes on token by token like this: making the parts anew for each token, or copying them,
/// takes longer than computing them.
class Evaluator {
 public:
  explicit Evaluator(Model model) : model_(std::move(model)) {}

  /// A part, to give it other tensors and lengths. What was computed from them is to be forgotten.
  Trace& part(std::size_t place) { return model_[place].trace; }
  /// Forgets all that was computed; what was given stays.
  void forget();
  /// The tensor, computed now unless it is there; undefined where nothing makes it.
  const tensor::Tensor& at(std::size_t part, TensorId id);

 private:
  Model model_;
  std::vector<std::pair<std::size_t, TensorId>> made_;
};

}  // namespace model

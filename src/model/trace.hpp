// Everything one table computed, every tensor under its name.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/attention/config.hpp"
#include "model/attention/overrides.hpp"
#include "model/node.hpp"
#include "model/tensors.hpp"

namespace model {

/// Numbers that stand in the place of computed ones: the cells of `tensor` whose index begins with
/// `begin`. `values` are repeated until all of them have one.
struct Pin {
  TensorId tensor;
  tensor::Index begin;
  tensor::Tensor values;
  ops::Rule rule;  ///< what an explanation says

  /// Bit by bit: 0 and −0 are not the same weight.
  friend bool operator==(const Pin& a, const Pin& b) {
    return a.tensor == b.tensor && a.begin == b.begin && a.rule == b.rule &&
           a.values.has_same_bits(b.values);
  }
};

/// One use of a table, with its numbers: what is given, what each row made of it, and how. A value:
/// an edit makes another one. Cheap to copy (tensors share storage).
class Trace {
 public:
  std::string name;  ///< among the parts of a model; "" where there is one only
  Config config;     ///< of an attention
  /// What was done to it on purpose. `config.scale` stays the chosen one under Mistake::no_scale.
  Overrides overrides;

  std::vector<Node> nodes;  ///< the rows in use, those of what is given and a mistake's among them
  ops::Lengths lengths;     ///< of the axes
  ops::Constants constants;
  std::vector<Pin> pins;
  Tensors tensors;

  bool has(TensorId id) const { return tensors.has(id); }
  /// The tensor, or an undefined one where there is none (no projection, say).
  const tensor::Tensor& operator[](TensorId id) const { return tensors[id]; }
  /// The tensors that are there, in the order of the tables.
  std::vector<TensorId> present() const { return tensors.present(); }

  /// The row that computes this tensor, by its kept numbers or on demand; nullptr where it is
  /// given or not there.
  const Node* made_by(TensorId id) const;
  /// The letters of a tensor's axes, as its row here has them.
  ops::Axes axes_of(TensorId id) const;
  std::vector<Pin> pins_on(TensorId id) const;
  /// How many heads a tensor has: fewer than there are of queries where several share one.
  std::size_t heads_in(TensorId id) const;
  /// The head of a tensor that serves this query head: its own, or the one that it shares.
  std::size_t head_in(TensorId id, std::size_t head) const;
  /// A row with what it reads.
  ops::Use use_of(const Node& node) const;

  /// The tensor that `id` is a view of, or nothing where it has storage of its own: q for q_split
  /// and q_heads, head_outputs for merged_split, query_input for key_input in self-attention. Found
  /// by looking at the storage, not at the name: the first tensor whose cells include all of this
  /// one's, as torch's `_base`. Without a projection q, q_split and q_heads are therefore all views
  /// of query_input.
  std::optional<TensorId> view_of(TensorId id) const;
  /// True where the mask lets this query see no key: weights and head output are 0 there, by
  /// definition (unless the weights were set by hand). Never under Mistake::mask_with_zero, which
  /// hides nothing.
  bool fully_masked(std::size_t sample, std::size_t head, std::size_t query) const;
  /// True for a tensor that is not kept but made when asked for, one query at a time.
  bool is_on_demand(TensorId id) const;
  /// True for what is kept and for what is made on demand.
  bool offers(TensorId id) const { return has(id) || is_on_demand(id); }
  /// The tensor; one on demand is made anew, for this query alone: weighted_values as [B,H,1,Lk,D].
  /// Undefined for a tensor or a query that is not there.
  tensor::Tensor at_query(TensorId id, std::size_t query) const;
};

using ops::Cell, ops::Explanation, ops::Rule, ops::Term;

/// Where one number came from: the cells that made it and the arithmetic, term by term. An index
/// outside, or a tensor that the trace does not have, gives rule `given` with NaN.
/// `weighted_values` is accepted although no trace keeps it, with index [b,h,query,key,d]. Tensors
/// that are views report `same_number` with the tensor they are a view of. What another part
/// computed is `given` here: the chain is the caller's.
Explanation explain(const Trace& trace, TensorId tensor, const tensor::Index& index);

}  // namespace model

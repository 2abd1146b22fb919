// The result of computing a table: every tensor under its name.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/attention/config.hpp"
#include "model/attention/overrides.hpp"
#include "model/node.hpp"
#include "model/tensors.hpp"

namespace model {

/// Numbers that replace computed ones in the cells of `tensor` whose index begins with `begin`.
/// `values` are repeated if there are fewer of them than cells.
struct Pin {
  TensorId tensor;
  tensor::Index begin;
  tensor::Tensor values;
  ops::Rule rule;  ///< how such a cell is explained

  /// Bit by bit: 0 and −0 are not the same weight.
  friend bool operator==(const Pin& a, const Pin& b) {
    return a.tensor == b.tensor && a.begin == b.begin && a.rule == b.rule &&
           a.values.has_same_bits(b.values);
  }
};

/// One use of a table: what is given and what each row computed. Cheap to copy: storage is shared.
class Trace {
 public:
  std::string name;  ///< among the parts of a model; "" for a single attention
  Config config;     ///< of an attention
  /// What was done to it on purpose. `config.scale` stays the chosen one under Mistake::no_scale.
  Overrides overrides;

  std::vector<Node> nodes;  ///< the rows in use, those of given tensors and of a mistake included
  ops::Lengths lengths;     ///< of the axes
  ops::Constants constants;
  std::vector<Pin> pins;
  Tensors tensors;

  bool has(TensorId id) const { return tensors.has(id); }
  /// The tensor, undefined where there is none: a weight that is not given, say.
  const tensor::Tensor& operator[](TensorId id) const { return tensors[id]; }
  /// The tensors that are there, in the order of the tables.
  std::vector<TensorId> present() const { return tensors.present(); }

  /// The row that computes this tensor; nullptr if it is given or not there.
  const Node* made_by(TensorId id) const;
  /// The letters of a tensor's axes, as its row in this trace has them.
  ops::Axes axes_of(TensorId id) const;
  std::vector<Pin> pins_on(TensorId id) const;
  /// How many heads of queries share each head of this tensor; 1: each has its own.
  std::size_t sharing(TensorId id) const;
  /// A row with its operands, as its operation takes them.
  ops::Use use_of(const Node& node) const;

  /// The tensor that `id` is a view of, as torch's `_base`, or nothing if it has storage of its
  /// own: q for q_split and q_heads, query_input for key_input in self-attention. It is the first
  /// tensor of the tables whose floats include all of this one's; without projections q, q_split
  /// and q_heads are therefore all views of query_input.
  std::optional<TensorId> view_of(TensorId id) const;
  /// True if the mask hides every key from this query, so that its weights (unless set by hand) and
  /// its head output are 0 by definition. Always false under Mistake::mask_with_zero.
  bool fully_masked(std::size_t sample, std::size_t head, std::size_t query) const;
  /// True for a tensor that is not kept but made when asked for, one query at a time.
  bool is_on_demand(TensorId id) const;
  /// True for what is kept and for what is made on demand.
  bool offers(TensorId id) const { return has(id) || is_on_demand(id); }
  /// The tensor; one on demand is made anew, for this query alone: weighted_values as [B,H,1,Lk,D],
  /// or without a query for all of them: [B,H,Lq,Lk,D]. Undefined for a tensor or a query that is
  /// not there.
  tensor::Tensor at_query(TensorId id, std::optional<std::size_t> query) const;
};

using ops::Cell, ops::Explanation, ops::Rule, ops::Term;

/// Where one number came from: the cells that made it and the arithmetic, term by term. Gives rule
/// `given` and NaN for an index outside or a tensor that is not there. Tensors on demand are
/// explained too: weighted_values at [b,h,query,key,d]. A cell of a view has rule `same_number`,
/// and one that another part computed is `given`: following it there is up to the caller.
Explanation explain(const Trace& trace, TensorId tensor, const tensor::Index& index);

}  // namespace model

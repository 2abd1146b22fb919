// Of steps that every token takes by itself, as those between the attentions of a layer: which
// tokens have to take them anew.
#pragma once

#include "attention/marks.hpp"
#include "attention/tensor.hpp"

namespace attention {

/// The tokens of tensors [B,L,…], one below the other, whose numbers have to be computed anew.
class StaleTokens {
 public:
  /// All of them.
  StaleTokens() = default;
  /// Those with numbers in `now` that are not, to the last bit, the ones in `last`; all of them
  /// where the shapes differ.
  StaleTokens(const Tensor& last, const Tensor& now);

  bool any() const { return all_ || marks_.any(); }
  /// Those of `others`, of the same B and L, as well.
  void add(const StaleTokens& others);

  /// The stale ones of `tokens` alone, as one sentence [1,n,…]; `tokens` itself where all are.
  Tensor of(const Tensor& tokens) const;
  /// Makes `result` what it was but for the stale tokens, which are `made` of `of`; to the tensors
  /// that shared its storage nothing happens.
  void put(const Tensor& made, Tensor& result) const;

 private:
  bool all_ = true;
  Marks marks_;
};

}  // namespace attention

// What a head measurably does: where the weight of its queries goes, in one sentence or in many.
#pragma once

#include <array>
#include <cstddef>

#include "tensor/tensor.hpp"

namespace lesson {

enum class Pattern : unsigned char {
  previous,  ///< each token looks at the one before it
  same,      ///< at itself
  next,      ///< at the one after it
  first,     ///< at the first token
  last,      ///< at the last token
  one,       ///< at one token, wherever it is
  mixed,     ///< at several
};

/// The mean share of a query's weight that goes there, for each pattern before mixed; of `one`, the
/// mean of its largest weight.
using Shares = std::array<double, 6>;

/// Adds up where the weight of one head goes.
class HeadMeasure {
 public:
  /// Weights [Lq,Lk] of one sentence. Previous, same and next count only in self-attention, where
  /// queries and keys are the same tokens. There, the first query is left out: behind a mask it
  /// sees nothing but itself.
  void add(const tensor::Tensor& weights, bool self);
  /// Of all queries that were added, each as much as any other.
  Shares shares() const;

 private:
  Shares sums_{};
  std::size_t queries_ = 0;
};

struct HeadPattern {
  Pattern pattern = Pattern::mixed;
  float share = 0.0F;  ///< where it is mixed: of `one`
};

/// With a smaller share than this, a head does nothing that has a name.
inline constexpr float least_share = 0.45F;

/// The pattern with the largest share.
HeadPattern pattern_of(const Shares& shares);

}  // namespace lesson

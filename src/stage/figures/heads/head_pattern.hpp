// What a head measurably does over the tokens of one sentence.
#pragma once

#include <string_view>

#include "document/computed.hpp"

namespace stage {

enum class Pattern : unsigned char {
  previous,  ///< each token looks at the one before it
  same,      ///< at itself
  next,      ///< at the one after it
  first,     ///< at the first token
  last,      ///< at the last token
  one,       ///< at one token, wherever it is
  mixed,     ///< at several
};

struct HeadPattern {
  Pattern pattern = Pattern::mixed;
  /// The mean share of a query's weight that goes there; where it is mixed, to its largest weight.
  float share = 0.0F;
};

/// With a smaller share than this, a head does nothing that has a name.
inline constexpr float least_share = 0.45F;

/// The pattern that gets the largest share of this head's attention_weights, [Lq,Lk] of `sample`.
/// Previous, same and next count only where queries and keys are the same tokens. There, the first
/// query is left out: behind a mask it sees nothing but itself.
HeadPattern pattern_of(const document::ComputedAttention& attention, std::size_t sample,
                       std::size_t head);

/// "previous token", "mixed".
std::string_view words_for(Pattern pattern);
/// "prev", "mixed".
std::string_view short_words_for(Pattern pattern);

}  // namespace stage

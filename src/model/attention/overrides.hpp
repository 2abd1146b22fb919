// Changes to an attention on purpose: weights set by hand, heads switched off, common mistakes.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace model {

/// A query row whose weights were given by hand instead of computed by the softmax.
struct GivenWeights {
  std::size_t sample = 0;
  std::size_t head = 0;
  std::size_t query = 0;
  std::vector<float> weights;  ///< [Lk], used as they are, even where they do not sum to 1
  friend bool operator==(const GivenWeights&, const GivenWeights&) = default;
};

/// Common mistakes in hand-written attention. The wrong result is really computed.
enum class Mistake : unsigned char {
  none,
  /// q, k and v are reshaped to [B,H,L,D] instead of being split and transposed, and head_outputs
  /// to [B,L,E] likewise: a head reads numbers of other heads and tokens.
  no_transpose,
  no_scale,              ///< scaled_scores are the scores, whatever scale is chosen
  softmax_over_queries,  ///< the softmax runs along the queries: columns sum to 1, rows do not
  /// Weights of hidden keys are set to 0 only after the softmax: rows sum to less than 1.
  mask_after_softmax,
  mask_with_zero,  ///< a hidden score becomes 0 instead of −∞, so its key still gets a weight
  keys_not_transposed,  ///< q_heads · k_heads, which is an error unless Lk happens to equal D
  naive_softmax,        ///< exp without subtracting the largest score: overflows above 88.7
  no_softmax,           ///< the weights are the scores themselves, and 0 where a key is hidden
};

/// In the order of Mistake.
inline constexpr auto mistake_names = std::to_array<std::string_view>(
    {"none", "no-transpose", "no-scale", "softmax-over-queries", "mask-after-softmax",
     "mask-with-zero", "keys-not-transposed", "naive-softmax", "no-softmax"});

constexpr std::string_view name_of(Mistake mistake) {
  return mistake_names[static_cast<std::size_t>(mistake)];
}
inline std::optional<Mistake> mistake_named(std::string_view name) {
  const auto found = std::find(mistake_names.begin(), mistake_names.end(), name);
  if (found == mistake_names.end()) return std::nullopt;
  return static_cast<Mistake>(found - mistake_names.begin());
}

/// Given weights stay as given under any mistake; an ablated head gives 0 whatever its weights are.
struct Overrides {
  std::vector<GivenWeights> given_weights;  ///< at most one per row; the last one counts
  std::vector<std::size_t> ablated_heads;   ///< heads whose head_outputs are 0
  Mistake mistake = Mistake::none;

  /// True where the weights of this row are given by hand.
  bool gives(std::size_t sample, std::size_t head, std::size_t query) const {
    return std::any_of(given_weights.begin(), given_weights.end(), [&](const GivenWeights& row) {
      return row.sample == sample && row.head == head && row.query == query;
    });
  }
  bool ablates(std::size_t head) const {
    return std::find(ablated_heads.begin(), ablated_heads.end(), head) != ablated_heads.end();
  }
  friend bool operator==(const Overrides&, const Overrides&) = default;
};

}  // namespace model

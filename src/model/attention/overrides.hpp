// What a person does to one attention on purpose, to see what comes of it: weights set by hand,
// heads switched off, and the well-known mistakes.
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

/// The mistakes that are made in hand-written attention. Each computes the wrong thing for real.
enum class Mistake : unsigned char {
  none,
  /// q, k, v reshaped straight to [B,H,L,D] where they should be split and transposed, and
  /// head_outputs straight to [B,L,E]: a head reads numbers of other heads and tokens.
  no_transpose,
  no_scale,              ///< scaled_scores are the scores, whatever scale is chosen
  softmax_over_queries,  ///< the softmax runs along the queries: columns sum to 1, rows do not
  /// The softmax sees every key; the weights of hidden keys become 0 after it and nothing makes up
  /// for them: rows sum to less than 1.
  mask_after_softmax,
  mask_with_zero,  ///< a hidden score becomes 0 instead of −∞, which is a weight like any other
  keys_not_transposed,  ///< q_heads · k_heads: an error, but where Lk is D by chance
};

/// In the order of Mistake.
inline constexpr std::array<std::string_view, 7> mistake_names = {"none",
                                                                  "no-transpose",
                                                                  "no-scale",
                                                                  "softmax-over-queries",
                                                                  "mask-after-softmax",
                                                                  "mask-with-zero",
                                                                  "keys-not-transposed"};

constexpr std::string_view name_of(Mistake mistake) {
  return mistake_names[static_cast<std::size_t>(mistake)];
}
inline std::optional<Mistake> mistake_named(std::string_view name) {
  const auto found = std::find(mistake_names.begin(), mistake_names.end(), name);
  if (found == mistake_names.end()) return std::nullopt;
  return static_cast<Mistake>(found - mistake_names.begin());
}

/// What is done to one attention. Where it contradicts itself: given weights are as given whatever
/// the mistake, and an ablated head's output is 0 whatever its weights.
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

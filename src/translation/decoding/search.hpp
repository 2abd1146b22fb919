// Which tokens a translation is made of: greedy decoding and beam search, whatever model says what
// comes next.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "base/error.hpp"
#include "tensor/tensor.hpp"

namespace translation {

/// A token that could come next.
struct Candidate {
  std::size_t token = 0;
  double probability = 0.0;
};

/// One of the translations that are followed.
struct Hypothesis {
  std::vector<std::size_t> tokens;  ///< without begin; with its end, unless it became too long
  /// For each token the most probable ones at its place, best first. It need not be among them.
  std::vector<std::vector<Candidate>> candidates;
  std::vector<double> probabilities;  ///< of each token
  double log_probability = 0.0;       ///< of all tokens, natural logarithm
  std::size_t row = 0;                ///< that it goes on from: of the last step

  bool has_ended() const;
  /// log_probability divided by the number of tokens. A longer translation has more factors below 1
  /// and would otherwise always lose.
  double mean_log_probability() const;
};

/// Goes on from row `from[i]` of the last step with the token `tokens[i]`, for each i, and returns
/// the logits of what comes next, [rows,1,V]. First of all from row 0 with begin.
using Step = std::function<base::Result<tensor::Tensor>(const std::vector<std::size_t>& from,
                                                        const std::vector<std::size_t>& tokens)>;

/// Greedy decoding: the most probable token at each place, after `begin` (tokens that were chosen
/// instead, often none). With `beam` above 1 that many translations are followed at the same time.
/// Returns those that ended, or, where none did within `most` tokens, those that are open: the one
/// with the largest mean_log_probability first. Errors: as `step`.
base::Result<std::vector<Hypothesis>> search(const Step& step, std::size_t beam,
                                             std::span<const std::size_t> begin, std::size_t most);

/// The natural logarithm of a token's probability at one place of logits [1,L,V].
double log_probability(const tensor::Tensor& logits, std::size_t place, std::size_t token);

}  // namespace translation

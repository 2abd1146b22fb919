// A trained translator: English in, Spanish out, token by token.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "files/safetensors.hpp"
#include "model/transformer.hpp"
#include "translation/vocabulary.hpp"

namespace translation {

/// The most tokens that a sentence to be translated may have.
inline constexpr std::size_t most_tokens = 128;

/// A token that could come next.
struct Candidate {
  std::size_t token = 0;
  double probability = 0.0;
};

struct Translation {
  std::vector<std::size_t> source;  ///< with its end
  std::vector<std::size_t> target;  ///< without begin; with its end, unless it became too long
  /// For each token of `target`, the most probable tokens at its place, best first. The token
  /// itself need not be among them.
  std::vector<std::vector<Candidate>> candidates;
  std::vector<double> probabilities;  ///< of each token of `target`
  double log_probability = 0.0;       ///< of all tokens of `target`, natural logarithm
  std::string text;
};

/// What is said at a place: the token, and the most probable ones there, best first.
struct Said {
  Candidate token;
  std::vector<Candidate> best;
};

class Translator {
 public:
  /// Errors: a file that is no safetensors, or has no vocabulary, sizes or weights; weights whose
  /// shapes do not fit.
  static base::Result<Translator> read(std::span<const std::byte> file);

  /// The same translator as it was before training: with the weights that a seed begins with.
  Translator untrained(std::uint32_t seed = 1) const;

  const model::Transformer& transformer() const { return transformer_; }
  const model::Weights& weights() const { return weights_; }
  const Vocabulary& vocabulary() const { return vocabulary_; }
  const files::Metadata& metadata() const { return metadata_; }

  /// Greedy decoding: the most probable token at each place, after `begin` (tokens that were chosen
  /// instead, often none). With `beam` above 1 that many translations are followed at the same
  /// time, and the one whose tokens are most probable on average is taken. Keys and values of
  /// earlier tokens are kept. Errors: a text without a word, or with more than most_tokens.
  base::Result<Translation> translate(std::string_view text, std::size_t beam = 1,
                                      std::span<const std::size_t> begin = {}) const;

  /// What is said after the decoder's last layer made `output` [1,1,E] of the newest token: `token`
  /// of the vocabulary, or else the most probable one.
  Said after(const tensor::Tensor& output, std::optional<std::size_t> token) const;

  /// Every tensor of the model for a translation: what each part computes when the whole target is
  /// read at once, which gives the same numbers.
  base::Result<std::vector<model::Trace>> trace(const Translation& translation) const;

 private:
  model::Transformer transformer_;
  model::Weights weights_;
  Vocabulary vocabulary_;
  files::Metadata metadata_;
};

}  // namespace translation

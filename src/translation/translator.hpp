// A trained translator: English in, Spanish out, token by token.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "files/safetensors.hpp"
#include "model/transformer.hpp"
#include "translation/decoding/search.hpp"
#include "translation/vocabulary.hpp"

namespace translation {

/// The most tokens that a sentence to be translated may have.
inline constexpr std::size_t most_tokens = 128;

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

class Translator {
 public:
  /// Errors: a file that is no safetensors, or has no vocabulary, sizes or weights; weights whose
  /// shapes do not fit; one that has another checksum than it says or, where it says none, than the
  /// file that the program comes with.
  static base::Result<Translator> read(std::span<const std::byte> file);

  /// The same translator as it was before training: with the weights that a seed begins with.
  Translator untrained(std::uint32_t seed = 1) const;

  const model::Transformer& transformer() const { return transformer_; }
  const model::Weights& weights() const { return weights_; }
  const Vocabulary& vocabulary() const { return vocabulary_; }
  const files::Metadata& metadata() const { return metadata_; }
  /// The BLEU of held-out sentences that the file says it has, as it is written there; empty where
  /// it says none, or before training.
  std::string bleu() const;

  /// The tokens of a text, with their end. Errors: no word, or more than most_tokens.
  base::Result<std::vector<std::size_t>> source_of(std::string_view text) const;

  /// The best that `search` finds, where keys and values of earlier tokens are kept. Errors: as
  /// source_of.
  base::Result<Translation> translate(std::string_view text, std::size_t beam = 1,
                                      std::span<const std::size_t> begin = {}) const;

  /// The logits [1,L,V] of what comes after each token, of `output` [1,L,E] of the last layer.
  tensor::Tensor logits(const tensor::Tensor& output) const;

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

// A unigram language model of subwords: Kudo, 2018 (arXiv:1804.10959).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "files/tokenizers/models/token_index.hpp"
#include "files/tokenizers/models/vocabulary.hpp"

namespace files {

struct Unigram {
  TokenIndex tokens;
  std::vector<double> scores;  ///< by id: logarithms of probabilities
  std::optional<std::uint32_t> unknown;
  bool byte_fallback = false;  ///< bytes <0x0A> in the place of what is unknown
  double lowest = 0.0;         ///< of the scores

  /// Adds the tokens of a word: those of all its splits whose scores have the highest sum, found by
  /// Viterbi's rule. A character that is no token costs 10 more than the worst of them; several in
  /// a row are one unknown token; false where there is no such token.
  bool encode(std::string_view word, std::vector<Token>& to) const;
};

}  // namespace files

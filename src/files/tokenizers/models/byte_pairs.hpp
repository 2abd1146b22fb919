// Byte-pair encoding: Sennrich et al., 2016 (arXiv:1508.07909).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "files/tokenizers/models/vocabulary.hpp"

namespace files {

struct BytePairs {
  struct Merge {
    std::uint32_t rank = 0;  ///< the lower, the earlier
    std::uint32_t id = 0;    ///< of both together
  };

  Vocabulary vocabulary;
  std::unordered_map<std::uint64_t, Merge> merges;  ///< by `pair` of two ids
  std::optional<Token> unknown;
  bool fuse_unknown = false;   ///< several in a row are one
  bool byte_fallback = false;  ///< bytes <0x0A> in the place of a character that is no token
  bool ignore_merges = false;  ///< a word that is a token is not put together
  std::string inner_prefix;    ///< what a character has before it that does not begin a word
  std::string end_suffix;      ///< what the last character of a word has behind it

  static std::uint64_t pair(std::uint32_t first, std::uint32_t second) {
    return std::uint64_t{first} << 32U | second;
  }

  /// Adds the tokens of a word: its characters, of which the two that were joined first in training
  /// are joined again and again. What is no token is left out where there is no unknown one: always
  /// true.
  bool encode(std::string_view word, std::vector<Token>& to) const;
};

}  // namespace files

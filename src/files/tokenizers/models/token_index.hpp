// Tokens in order, so that the longest one that a text begins with is found in a few steps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "files/tokenizers/models/vocabulary.hpp"

namespace files {

class TokenIndex {
 public:
  using Entry = std::pair<std::string, std::uint32_t>;

  TokenIndex() = default;
  /// Texts with numbers; of several that are alike the first counts.
  explicit TokenIndex(std::vector<Entry> entries);

  /// All tokens that begin with what has been followed so far.
  struct Place {
    std::size_t begin = 0;
    std::size_t end = 0;
    std::size_t depth = 0;  ///< how many bytes have been followed
  };
  Place start() const { return {0, entries_.size(), 0}; }
  /// One more byte, or several; false where no token goes on so.
  bool follow(Place& place, std::string_view bytes) const;
  /// The number of the token that ends here, if one does.
  std::optional<std::uint32_t> at(const Place& place) const;

  std::optional<std::uint32_t> find(std::string_view text) const;
  bool empty() const { return entries_.empty(); }

  struct Found {
    std::size_t size = 0;  ///< in bytes
    std::uint32_t number = 0;
  };
  /// The longest token that the text begins with, as it goes on from `from`.
  std::optional<Found> longest(std::string_view text, Place from) const;

 private:
  std::vector<Entry> entries_;
};

/// The tokens of a vocabulary with their ids.
TokenIndex index_of(const Vocabulary& vocabulary);

}  // namespace files

// SentencePiece's table of characters and what stands for them, as the files of T5 carry it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace files {

class Precompiled {
 public:
  /// Of the bytes of a precompiled_charsmap; nothing where they are none.
  static std::optional<Precompiled> read(const std::vector<std::uint8_t>& bytes);

  /// Replaces the longest run of bytes that the table has, again and again.
  std::string operator()(const std::string& text) const;

 private:
  std::vector<std::uint32_t> trie_;  ///< a double array: github.com/s-yata/darts-clone
  std::string texts_;                ///< each with a 0 behind it
};

}  // namespace files

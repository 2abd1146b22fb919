// The tokens of a model, and their ids.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace files {

struct Token {
  std::uint32_t id = 0;
  std::string text;  ///< as the vocabulary has it
};

/// Looked up by text without a copy of it.
struct TextHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const {
    return std::hash<std::string_view>()(text);
  }
};
using Vocabulary = std::unordered_map<std::string, std::uint32_t, TextHash, std::equal_to<>>;

/// More tokens than any model has.
inline constexpr std::size_t max_tokens = std::size_t{1} << 20U;

std::optional<std::uint32_t> id_of(const Vocabulary& vocabulary, std::string_view text);

/// "<0x0A>", the token of a byte that no other token has.
std::string byte_token(unsigned char byte);

}  // namespace files

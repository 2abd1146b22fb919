#include "files/tokenizers/models/vocabulary.hpp"

namespace files {

std::optional<std::uint32_t> id_of(const Vocabulary& vocabulary, std::string_view text) {
  const auto found = vocabulary.find(text);
  if (found == vocabulary.end()) return std::nullopt;
  return found->second;
}

std::string byte_token(unsigned char byte) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  std::string text = "<0x";
  text += digits[byte >> 4U];
  text += digits[byte & 15U];
  text += '>';
  return text;
}

}  // namespace files

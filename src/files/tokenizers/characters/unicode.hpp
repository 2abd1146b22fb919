// What tokenizers ask of characters. A tokenizer's text is UTF-32 while it is taken apart.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "files/tokenizers/characters/character_set.hpp"

namespace files::unicode {

bool is_utf8(std::string_view text);

/// Of valid UTF-8, and the other way.
std::u32string characters(std::string_view text);
std::string bytes(std::u32string_view text);

/// Sets of general categories, a bit each, in this order.
using Categories = std::uint32_t;
inline constexpr std::string_view category_names =
    "LuLlLtLmLoMnMcMeNdNlNoPcPdPsPePiPfPoSmScSkSoZsZlZpCcCfCsCoCn";

/// "Lu", or "L" for all that begin with it; 0 where there are none of that name.
constexpr Categories categories_named(std::string_view name) {
  Categories found = 0;
  for (std::size_t i = 0; i < category_names.size(); i += 2) {
    const std::string_view each = category_names.substr(i, 2);
    if (name == each || name == each.substr(0, 1)) found |= Categories{1} << i / 2;
  }
  return found;
}
CharacterSet characters_of(Categories wanted);

bool is_number(char32_t character);           ///< category N
bool is_mark(char32_t character);             ///< category M
bool is_nonspacing_mark(char32_t character);  ///< category Mn
bool is_punctuation(char32_t character);      ///< category P
bool is_other(char32_t character);            ///< category C: control, format, unassigned
bool is_space(char32_t character);            ///< White_Space
/// \w of Unicode Technical Standard 18, annex C: Alphabetic, M, Nd, Pc and Join_Control.
bool is_word(char32_t character);

CharacterSet spaces();  ///< White_Space
CharacterSet alphabetic();
/// Alphabetic, M, Nd and Pc: Oniguruma's \w, by which texts are split.
CharacterSet word_characters();
/// Adds what is the same but for its case, each character by itself.
void add_other_cases(CharacterSet& to);

/// Lower case of each character by itself.
std::u32string lowered(std::u32string_view text);

/// The normal forms of Unicode Standard Annex 15: NFD, or NFKD where `compatible`.
std::u32string decomposed(std::u32string_view text, bool compatible);
/// NFC of what is decomposed.
std::u32string composed(std::u32string_view text);

}  // namespace files::unicode

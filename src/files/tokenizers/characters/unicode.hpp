// What tokenizers ask of characters. A tokenizer's text is UTF-32 while it is taken apart.
#pragma once

#include <string>
#include <string_view>

namespace files::unicode {

bool is_utf8(std::string_view text);

/// Of valid UTF-8, and the other way.
std::u32string characters(std::string_view text);
std::string bytes(std::u32string_view text);

bool is_letter(char32_t character);           ///< category L
bool is_number(char32_t character);           ///< category N
bool is_digit(char32_t character);            ///< category Nd
bool is_mark(char32_t character);             ///< category M
bool is_nonspacing_mark(char32_t character);  ///< category Mn
bool is_punctuation(char32_t character);      ///< category P
bool is_other(char32_t character);            ///< category C: control, format, unassigned
bool is_space(char32_t character);            ///< White_Space
/// Letters, marks, digits, letter-like numerals and connectors, as in a regular expression's \w.
bool is_word(char32_t character);

/// Lower case of each character by itself.
std::u32string lowered(std::u32string_view text);

/// The normal forms of Unicode Standard Annex 15: NFD, or NFKD where `compatible`.
std::u32string decomposed(std::u32string_view text, bool compatible);
/// NFC of what is decomposed.
std::u32string composed(std::u32string_view text);

}  // namespace files::unicode

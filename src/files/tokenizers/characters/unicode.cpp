#include "files/tokenizers/characters/unicode.hpp"

#include <algorithm>
#include <iterator>
#include <span>
#include <vector>

#include <utf8/core.h>
#include <utf8/unchecked.h>

#include "unicode_tables.hpp"

namespace files::unicode {
namespace {

constexpr unsigned value_bits = 8;
constexpr std::uint32_t value_mask = (1U << value_bits) - 1;

/// The value of the last run that begins at or before the character.
std::uint32_t value_in(std::span<const std::uint32_t> runs, char32_t character) {
  const std::uint32_t last = static_cast<std::uint32_t>(character) << value_bits | value_mask;
  return *std::prev(std::upper_bound(runs.begin(), runs.end(), last)) & value_mask;
}

/// Whether a character's general category is one of these.
bool is_of(char32_t character, Categories wanted) {
  return (wanted >> value_in(categories, character) & 1U) != 0;
}

/// Where the texts of a table of replacements begin, each after the one before.
std::vector<std::uint32_t> beginnings(std::span<const std::uint32_t> codes) {
  std::vector<std::uint32_t> places(1, 0);
  for (const std::uint32_t code : codes) places.push_back(places.back() + (code & value_mask));
  return places;
}

/// Adds what stands for the character; false where nothing does.
bool replace(char32_t character, std::span<const std::uint32_t> codes, const std::uint32_t* texts,
             const std::vector<std::uint32_t>& places, std::u32string& to) {
  const std::uint32_t first = static_cast<std::uint32_t>(character) << value_bits;
  const auto found = std::lower_bound(codes.begin(), codes.end(), first);
  if (found == codes.end() || *found >> value_bits != character) return false;
  const auto place = static_cast<std::size_t>(found - codes.begin());
  for (std::uint32_t i = places[place]; i < places[place + 1]; ++i) to.push_back(texts[i]);
  return true;
}

// Hangul syllables are composed of their parts by rule: Unicode, section 3.12.
constexpr char32_t syllables = 0xAC00;
constexpr char32_t leading = 0x1100;
constexpr char32_t vowels = 0x1161;
constexpr char32_t trailing = 0x11A7;
constexpr char32_t vowel_count = 21;
constexpr char32_t trailing_count = 28;
constexpr char32_t leading_count = 19;
constexpr char32_t syllable_count = leading_count * vowel_count * trailing_count;

void decompose_syllable(char32_t syllable, std::u32string& to) {
  const char32_t place = syllable - syllables;
  to.push_back(leading + place / (vowel_count * trailing_count));
  to.push_back(vowels + place / trailing_count % vowel_count);
  if (place % trailing_count != 0) to.push_back(trailing + place % trailing_count);
}

/// What two characters are composed to; 0: nothing.
char32_t pair_of(char32_t first, char32_t second) {
  if (first >= leading && first < leading + leading_count && second >= vowels &&
      second < vowels + vowel_count)
    return syllables + ((first - leading) * vowel_count + second - vowels) * trailing_count;
  if (first >= syllables && first < syllables + syllable_count &&
      (first - syllables) % trailing_count == 0 && second > trailing &&
      second < trailing + trailing_count)
    return first + second - trailing;
  std::size_t begin = 0;
  std::size_t end = std::size(compositions) / 3;
  while (begin < end) {
    const std::size_t middle = (begin + end) / 2;
    const std::uint32_t* entry = compositions + 3 * middle;
    if (entry[0] == first && entry[1] == second) return entry[2];
    if (entry[0] < first || (entry[0] == first && entry[1] < second))
      begin = middle + 1;
    else
      end = middle;
  }
  return 0;
}

std::uint32_t class_of(char32_t character) { return value_in(combining_classes, character); }

}  // namespace

bool is_utf8(std::string_view text) { return utf8::is_valid(text.begin(), text.end()); }

std::u32string characters(std::string_view text) {
  std::u32string result;
  for (auto place = text.begin(); place != text.end();)
    result.push_back(static_cast<char32_t>(utf8::unchecked::next(place)));
  return result;
}

std::string bytes(std::u32string_view text) {
  std::string result;
  for (const char32_t character : text)
    utf8::unchecked::append(static_cast<std::uint32_t>(character), std::back_inserter(result));
  return result;
}

CharacterSet characters_of(Categories wanted) {
  CharacterSet made;
  for (std::size_t i = 0; i < std::size(categories); ++i) {
    if ((wanted >> (categories[i] & value_mask) & 1U) == 0) continue;
    const bool is_last = i + 1 == std::size(categories);
    made.add(
        static_cast<char32_t>(categories[i] >> value_bits),
        is_last ? last_character : static_cast<char32_t>((categories[i + 1] >> value_bits) - 1));
  }
  return made;
}

bool is_number(char32_t character) { return is_of(character, categories_named("N")); }
bool is_mark(char32_t character) { return is_of(character, categories_named("M")); }
bool is_nonspacing_mark(char32_t character) { return is_of(character, categories_named("Mn")); }
bool is_punctuation(char32_t character) { return is_of(character, categories_named("P")); }
bool is_other(char32_t character) { return is_of(character, categories_named("C")); }
bool is_space(char32_t character) {
  static const CharacterSet all = spaces();
  return all.has(character);
}
bool is_word(char32_t character) {
  static const CharacterSet all = [] {
    CharacterSet made = word_characters();
    made.add(0x200C, 0x200D);  // Join_Control
    made.tidy();
    return made;
  }();
  return all.has(character);
}

CharacterSet spaces() {
  CharacterSet made;
  for (const auto& [first, last] :
       {Range{0x09, 0x0D}, Range{0x20, 0x20}, Range{0x85, 0x85}, Range{0xA0, 0xA0},
        Range{0x1680, 0x1680}, Range{0x2000, 0x200A}, Range{0x2028, 0x2029}, Range{0x202F, 0x202F},
        Range{0x205F, 0x205F}, Range{0x3000, 0x3000}})
    made.add(first, last);
  made.tidy();
  return made;
}

CharacterSet alphabetic() {
  CharacterSet made = characters_of(categories_named("L") | categories_named("Nl"));
  // Letters in circles and squares are symbols by their category.
  for (const auto& [first, last] : {Range{0x24B6, 0x24E9}, Range{0x1F130, 0x1F149},
                                    Range{0x1F150, 0x1F169}, Range{0x1F170, 0x1F189}})
    made.add(first, last);
  return made;
}

CharacterSet word_characters() {
  CharacterSet made = alphabetic();
  made.add(characters_of(categories_named("M") | categories_named("Nd") | categories_named("Pc")));
  made.tidy();
  return made;
}

void add_other_cases(CharacterSet& to) {
  to.tidy();
  // First what they are compared as, then all that is compared as that.
  for (const bool back : {false, true}) {
    CharacterSet found;
    const auto pair = [&](std::uint32_t character, std::uint32_t folded) {
      const auto from = static_cast<char32_t>(back ? folded : character);
      const auto other = static_cast<char32_t>(back ? character : folded);
      if (to.has(from)) found.add(other, other);
    };
    const std::uint32_t* text = lower_texts;
    for (const std::uint32_t code : lower_codes) {
      const std::uint32_t length = code & value_mask;
      if (length == 1) pair(code >> value_bits, *text);
      text += length;
    }
    for (std::size_t i = 0; i < std::size(folded_otherwise); i += 2)
      pair(folded_otherwise[i], folded_otherwise[i + 1]);
    to.add(found);
    to.tidy();
  }
}

std::u32string lowered(std::u32string_view text) {
  static const std::vector<std::uint32_t> places = beginnings(lower_codes);
  std::u32string result;
  for (const char32_t character : text) {
    if (!replace(character, lower_codes, lower_texts, places, result)) result.push_back(character);
  }
  return result;
}

std::u32string decomposed(std::u32string_view text, bool compatible) {
  static const std::vector<std::uint32_t> canonical_places = beginnings(canonical_codes);
  static const std::vector<std::uint32_t> compatible_places = beginnings(compatible_codes);
  std::u32string result;
  for (const char32_t character : text) {
    if (character >= syllables && character < syllables + syllable_count) {
      decompose_syllable(character, result);
    } else if (!(compatible && replace(character, compatible_codes, compatible_texts,
                                       compatible_places, result)) &&
               !replace(character, canonical_codes, canonical_texts, canonical_places, result)) {
      result.push_back(character);
    }
  }
  // Marks after the same letter are put in the order of their classes.
  for (auto begin = result.begin(); begin != result.end();) {
    const auto is_starter = [](char32_t character) { return class_of(character) == 0; };
    begin = std::find_if_not(begin, result.end(), is_starter);
    const auto end = std::find_if(begin, result.end(), is_starter);
    std::stable_sort(begin, end, [](char32_t a, char32_t b) { return class_of(a) < class_of(b); });
    begin = end;
  }
  return result;
}

std::u32string composed(std::u32string_view text) {
  std::u32string result;
  std::size_t starter = std::u32string::npos;
  std::uint32_t last = 0;  // the class of what stands between the starter and here; 0: nothing
  for (const char32_t character : text) {
    const std::uint32_t own = class_of(character);
    const bool is_adjacent = starter != std::u32string::npos && starter + 1 == result.size();
    if (starter != std::u32string::npos && (is_adjacent || (last != 0 && last < own))) {
      if (const char32_t pair = pair_of(result[starter], character); pair != 0) {
        result[starter] = pair;
        continue;
      }
    }
    if (own == 0) starter = result.size();
    last = own;
    result.push_back(character);
  }
  return result;
}

}  // namespace files::unicode

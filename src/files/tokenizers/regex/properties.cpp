// Names of sets of characters: \p{Lu}, \p{Han}, [:alpha:].
#include <algorithm>
#include <iterator>
#include <span>
#include <string>

#include "files/tokenizers/characters/unicode.hpp"
#include "files/tokenizers/regex/syntax.hpp"

namespace files::regex {
namespace {

using unicode::CharacterSet;
using unicode::Range;

struct LongName {
  std::string_view name;
  std::string_view category;
};
/// The names of categories, written small and without what parts their words.
constexpr LongName long_names[] = {{"letter", "L"},
                                   {"uppercaseletter", "Lu"},
                                   {"lowercaseletter", "Ll"},
                                   {"titlecaseletter", "Lt"},
                                   {"modifierletter", "Lm"},
                                   {"otherletter", "Lo"},
                                   {"mark", "M"},
                                   {"nonspacingmark", "Mn"},
                                   {"spacingmark", "Mc"},
                                   {"enclosingmark", "Me"},
                                   {"number", "N"},
                                   {"decimalnumber", "Nd"},
                                   {"digit", "Nd"},
                                   {"letternumber", "Nl"},
                                   {"othernumber", "No"},
                                   {"punctuation", "P"},
                                   {"connectorpunctuation", "Pc"},
                                   {"dashpunctuation", "Pd"},
                                   {"openpunctuation", "Ps"},
                                   {"closepunctuation", "Pe"},
                                   {"initialpunctuation", "Pi"},
                                   {"finalpunctuation", "Pf"},
                                   {"otherpunctuation", "Po"},
                                   {"symbol", "S"},
                                   {"mathsymbol", "Sm"},
                                   {"currencysymbol", "Sc"},
                                   {"modifiersymbol", "Sk"},
                                   {"othersymbol", "So"},
                                   {"separator", "Z"},
                                   {"spaceseparator", "Zs"},
                                   {"lineseparator", "Zl"},
                                   {"paragraphseparator", "Zp"},
                                   {"other", "C"},
                                   {"control", "Cc"},
                                   {"cntrl", "Cc"},
                                   {"format", "Cf"},
                                   {"surrogate", "Cs"},
                                   {"privateuse", "Co"},
                                   {"unassigned", "Cn"}};

// Scripts: Scripts.txt of Unicode 17.
constexpr Range han[] = {{0x2E80, 0x2E99},   {0x2E9B, 0x2EF3},   {0x2F00, 0x2FD5},
                         {0x3005, 0x3005},   {0x3007, 0x3007},   {0x3021, 0x3029},
                         {0x3038, 0x303B},   {0x3400, 0x4DBF},   {0x4E00, 0x9FFF},
                         {0xF900, 0xFA6D},   {0xFA70, 0xFAD9},   {0x16FE2, 0x16FE3},
                         {0x16FF0, 0x16FF6}, {0x20000, 0x2A6DF}, {0x2A700, 0x2B81D},
                         {0x2B820, 0x2CEAD}, {0x2CEB0, 0x2EBE0}, {0x2EBF0, 0x2EE5D},
                         {0x2F800, 0x2FA1D}, {0x30000, 0x3134A}, {0x31350, 0x33479}};
constexpr Range hiragana[] = {{0x3041, 0x3096},   {0x309D, 0x309F},   {0x1B001, 0x1B11F},
                              {0x1B132, 0x1B132}, {0x1B150, 0x1B152}, {0x1F200, 0x1F200}};
constexpr Range katakana[] = {{0x30A1, 0x30FA},   {0x30FD, 0x30FF},   {0x31F0, 0x31FF},
                              {0x32D0, 0x32FE},   {0x3300, 0x3357},   {0xFF66, 0xFF6F},
                              {0xFF71, 0xFF9D},   {0x1AFF0, 0x1AFF3}, {0x1AFF5, 0x1AFFB},
                              {0x1AFFD, 0x1AFFE}, {0x1B000, 0x1B000}, {0x1B120, 0x1B122},
                              {0x1B155, 0x1B155}, {0x1B164, 0x1B167}};
constexpr Range hangul[] = {{0x1100, 0x11FF}, {0x302E, 0x302F}, {0x3131, 0x318E}, {0x3200, 0x321E},
                            {0x3260, 0x327E}, {0xA960, 0xA97C}, {0xAC00, 0xD7A3}, {0xD7B0, 0xD7C6},
                            {0xD7CB, 0xD7FB}, {0xFFA0, 0xFFBE}, {0xFFC2, 0xFFC7}, {0xFFCA, 0xFFCF},
                            {0xFFD2, 0xFFD7}, {0xFFDA, 0xFFDC}};
constexpr Range thai[] = {{0xE01, 0xE3A}, {0xE40, 0xE5B}};
constexpr Range lao[] = {{0xE81, 0xE82}, {0xE84, 0xE84}, {0xE86, 0xE8A}, {0xE8C, 0xEA3},
                         {0xEA5, 0xEA5}, {0xEA7, 0xEBD}, {0xEC0, 0xEC4}, {0xEC6, 0xEC6},
                         {0xEC8, 0xECE}, {0xED0, 0xED9}, {0xEDC, 0xEDF}};
constexpr Range khmer[] = {{0x1780, 0x17DD}, {0x17E0, 0x17E9}, {0x17F0, 0x17F9}, {0x19E0, 0x19FF}};
constexpr Range myanmar[] = {
    {0x1000, 0x109F}, {0xA9E0, 0xA9FE}, {0xAA60, 0xAA7F}, {0x116D0, 0x116E3}};
constexpr Range hebrew[] = {{0x591, 0x5C7},   {0x5D0, 0x5EA},   {0x5EF, 0x5F4},
                            {0xFB1D, 0xFB36}, {0xFB38, 0xFB3C}, {0xFB3E, 0xFB3E},
                            {0xFB40, 0xFB41}, {0xFB43, 0xFB44}, {0xFB46, 0xFB4F}};
constexpr Range cyrillic[] = {
    {0x400, 0x484},   {0x487, 0x52F},   {0x1C80, 0x1C8A}, {0x1D2B, 0x1D2B},   {0x1D78, 0x1D78},
    {0x2DE0, 0x2DFF}, {0xA640, 0xA69F}, {0xFE2E, 0xFE2F}, {0x1E030, 0x1E06D}, {0x1E08F, 0x1E08F}};
constexpr Range devanagari[] = {
    {0x900, 0x950}, {0x955, 0x963}, {0x966, 0x97F}, {0xA8E0, 0xA8FF}, {0x11B00, 0x11B09}};
constexpr Range any[] = {{0, unicode::last_character}};
constexpr Range hex_digits[] = {{'0', '9'}, {'A', 'F'}, {'a', 'f'}};

struct NamedRanges {
  std::string_view name;
  std::span<const Range> ranges;
};
constexpr NamedRanges named_ranges[] = {
    {"han", han},          {"hiragana", hiragana}, {"katakana", katakana},
    {"hangul", hangul},    {"thai", thai},         {"lao", lao},
    {"khmer", khmer},      {"myanmar", myanmar},   {"any", any},
    {"hebrew", hebrew},    {"cyrillic", cyrillic}, {"devanagari", devanagari},
    {"xdigit", hex_digits}};

constexpr std::string_view script_prefixes[] = {"script=", "sc=", "generalcategory=", "gc="};

}  // namespace

bool add_property(std::string_view name, CharacterSet& to) {
  std::string plain;
  for (const char c : name) {
    if (c == ' ' || c == '_' || c == '-') continue;
    plain += static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  }
  for (const std::string_view prefix : script_prefixes) {
    if (plain.starts_with(prefix)) plain.erase(0, prefix.size());
  }
  const auto add_categories = [&](std::string_view category) {
    to.add(unicode::characters_of(unicode::categories_named(category)));
    return true;
  };
  for (const LongName& each : long_names) {
    if (plain == each.name) return add_categories(each.category);
  }
  for (const NamedRanges& each : named_ranges) {
    if (plain != each.name) continue;
    for (const Range& range : each.ranges) to.add(range.first, range.last);
    return true;
  }
  if (plain == "alphabetic" || plain == "alpha" || plain == "alnum") {
    to.add(unicode::alphabetic());
    return plain != "alnum" || add_categories("Nd");
  }
  if (plain == "punct") {
    for (const char symbol : std::string_view("$+<=>^`|~")) {
      const auto character = static_cast<char32_t>(symbol);
      to.add(character, character);
    }
    return add_categories("P");
  }
  if (plain == "word") {
    to.add(unicode::word_characters());
    return true;
  }
  if (plain == "space" || plain == "whitespace") {
    to.add(unicode::spaces());
    return true;
  }
  // Short names of categories, in any case: Lu.
  if (plain.empty() || plain.size() > 2) return false;
  plain[0] = static_cast<char>(plain[0] - 'a' + 'A');
  return unicode::categories_named(plain) != 0 && add_categories(plain);
}

}  // namespace files::regex

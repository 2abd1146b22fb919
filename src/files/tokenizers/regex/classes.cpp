// [a-z], \p{Lu} and the like.
#include <utility>

#include "files/tokenizers/characters/unicode.hpp"
#include "files/tokenizers/regex/reader.hpp"

namespace files::regex {
namespace {

using unicode::CharacterSet;

/// {Lu}, {^Lu}, or a letter alone, of an escape that begins at `begin`.
bool read_property(Reader& from, CharacterSet& to, std::size_t begin, bool negated) {
  std::size_t end = from.place + 1;
  std::u32string name = from.text.substr(from.place, 1);
  if (from.take(U"{")) {
    if (from.take(U"^")) negated = !negated;
    end = from.text.find(U'}', from.place);
    if (end == std::u32string::npos) return from.incomplete("}");
    name = from.text.substr(from.place, end - from.place);
    ++end;
  }
  CharacterSet set;
  if (!add_property(unicode::bytes(name), set)) return from.unknown(begin, end);
  from.place = end;
  if (negated) set.invert();
  to.add(set);
  return true;
}

/// HH or {H…} of \x, HHHH of \u.
bool read_code(Reader& from, std::size_t begin, char32_t sign, char32_t& value) {
  const bool in_braces = sign == U'x' && from.take(U"{");
  const std::size_t most = in_braces ? 8 : sign == U'x' ? 2 : 4;
  std::size_t count = 0;
  for (value = 0; count < most && !from.at_end(); ++count, ++from.place) {
    const char32_t digit = from.text[from.place];
    const char32_t small = digit | 0x20U;
    if (digit >= U'0' && digit <= U'9')
      value = value << 4U | (digit - U'0');
    else if (small >= U'a' && small <= U'f')
      value = value << 4U | (small - U'a' + 10);
    else
      break;
    if (value > unicode::last_character) return from.unknown(begin, from.place + 1);
  }
  return (count > 0 && (!in_braces || from.take(U"}"))) || from.unknown(begin, from.place + 1);
}

/// [:alpha:]; false where none stands here.
bool read_posix(Reader& from, CharacterSet& to) {
  const std::size_t end = from.text.find(U":]", from.place);
  if (!from.next_is(U"[:") || end == std::u32string::npos) return false;
  std::string name = unicode::bytes(from.text.substr(from.place + 2, end - from.place - 2));
  const bool negated = name.starts_with('^');
  if (negated) name.erase(0, 1);
  CharacterSet set;
  if (!add_property(name, set)) return false;
  if (negated) set.invert();
  to.add(set);
  from.place = end + 2;
  return true;
}

bool read_end_of_range(Reader& from, CharacterSet& to, std::optional<char32_t>& single) {
  if (from.take(U"\\")) {
    if (!from.take(U"b")) return read_escaped(from, to, single);
    single = U'\b';
  } else {
    single = from.text[from.place++];
  }
  to.add(*single, *single);
  return true;
}

/// a, \d, or a-z.
bool read_member(Reader& from, CharacterSet& to) {
  const std::size_t begin = from.place;
  std::optional<char32_t> first;
  if (!read_end_of_range(from, to, first)) return false;
  if (!first || !from.next_is(U"-") || from.next_is(U"-]") || from.next_is(U"-[")) return true;
  ++from.place;
  if (from.at_end()) return from.incomplete("]");
  std::optional<char32_t> last;
  if (!read_end_of_range(from, to, last)) return false;
  if (!last || *last < *first) return from.unknown(begin, from.place);
  to.add(*first, *last);
  return true;
}

struct Sign {
  char32_t letter;
  char32_t character;
};
constexpr Sign signs[] = {{U'n', U'\n'}, {U'r', U'\r'}, {U't', U'\t'}, {U'f', U'\f'},
                          {U'v', U'\v'}, {U'a', U'\a'}, {U'e', 0x1B},  {U'0', 0}};

}  // namespace

bool read_escaped(Reader& from, CharacterSet& to, std::optional<char32_t>& single) {
  const std::size_t begin = from.place - 1;
  if (from.at_end()) return from.incomplete("\\");
  const char32_t letter = from.text[from.place++];
  const char32_t small = letter | 0x20U;
  const bool negated = letter != small;
  if (small == U's' || small == U'd' || small == U'w' || small == U'h') {
    CharacterSet set;
    add_property(small == U's'   ? "space"
                 : small == U'd' ? "digit"
                 : small == U'w' ? "word"
                                 : "xdigit",
                 set);
    if (negated) set.invert();
    to.add(set);
    return true;
  }
  if (small == U'p') return read_property(from, to, begin, negated);
  char32_t character = letter;
  // Letters and digits that mean something else are not known: \K, \X, \1.
  bool is_known =
      letter >= 0x80 || ((small < U'a' || small > U'z') && (letter < U'0' || letter > U'9'));
  for (const Sign& each : signs) {
    if (each.letter != letter) continue;
    character = each.character;
    is_known = true;
  }
  if (letter == U'x' || letter == U'u') {
    if (!read_code(from, begin, letter, character)) return false;
  } else if (!is_known) {
    return from.unknown(begin, from.place);
  }
  to.add(character, character);
  single = character;
  return true;
}

bool read_class(Reader& from, CharacterSet& to, bool& negated, int depth) {
  if (depth == deepest) return from.above("deep", deepest);
  negated = from.take(U"^");
  std::optional<CharacterSet> before;  // the last &&
  for (bool is_first = true; is_first || !from.next_is(U"]"); is_first = false) {
    if (from.at_end()) return from.incomplete("]");
    if (from.take(U"&&")) {
      if (before) to.keep(*std::move(before));
      before = std::exchange(to, CharacterSet());
    } else if (read_posix(from, to)) {
      continue;
    } else if (from.take(U"[")) {
      CharacterSet set;
      bool without = false;
      if (!read_class(from, set, without, depth + 1)) return false;
      if (without) set.invert();
      to.add(set);
    } else if (!read_member(from, to)) {
      return false;
    }
  }
  ++from.place;
  if (before) to.keep(*std::move(before));
  return true;
}

}  // namespace files::regex

#include "files/tokenizers/characters/splitting.hpp"

#include <array>
#include <optional>

#include "base/text.hpp"
#include "files/tokenizers/characters/patterns.hpp"
#include "files/tokenizers/characters/unicode.hpp"
#include "files/tokenizers/described.hpp"

namespace files {
namespace {

using base::fail;
using base::Json;

/// A part of a text, from one character to another.
struct Part {
  std::size_t begin = 0;
  std::size_t end = 0;
};
using Parts = std::vector<Part>;

/// Splits each piece where `parts_of` says.
template <typename PartsOf>
Split splitting(PartsOf parts_of) {
  return [parts_of](const std::vector<Piece>& pieces) {
    std::vector<Piece> made;
    for (const Piece& piece : pieces) {
      const std::u32string text = unicode::characters(piece.text);
      for (const Part& part : parts_of(std::u32string_view(text))) {
        if (part.end == part.begin) continue;
        made.push_back({unicode::bytes(text.substr(part.begin, part.end - part.begin)),
                        piece.at_start && part.begin == 0});
      }
    }
    return made;
  };
}

Parts parts_between(const Ends& ends) {
  Parts parts;
  std::size_t begin = 0;
  for (const std::size_t end : ends) {
    parts.push_back({begin, end});
    begin = end;
  }
  return parts;
}

Split by_pattern(Pattern pattern) {
  return splitting([pattern](std::u32string_view text) { return parts_between(pattern(text)); });
}

/// Runs of characters of one kind. `kind_of` gives 0 for what is left out, and a negative number
/// for characters that are each a part of their own.
Split by_kind(int (*kind_of)(char32_t)) {
  return splitting([kind_of](std::u32string_view text) {
    Parts parts;
    int last = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
      const int kind = kind_of(text[i]);
      if (kind > 0 && kind == last)
        parts.back().end = i + 1;
      else if (kind != 0)
        parts.push_back({i, i + 1});
      last = kind;
    }
    return parts;
  });
}

bool is_bert_punctuation(char32_t character) {
  const bool is_ascii =
      (character >= 33 && character <= 47) || (character >= 58 && character <= 64) ||
      (character >= 91 && character <= 96) || (character >= 123 && character <= 126);
  return is_ascii || unicode::is_punctuation(character);
}

int kind_for_bert(char32_t character) {
  if (unicode::is_space(character)) return 0;
  return is_bert_punctuation(character) ? -1 : 1;
}
int kind_for_spaces(char32_t character) { return unicode::is_space(character) ? 0 : 1; }
int kind_for_words(char32_t character) {
  if (unicode::is_space(character)) return 0;
  return unicode::is_word(character) ? 1 : 2;
}
int kind_for_punctuation(char32_t character) { return is_bert_punctuation(character) ? -1 : 1; }
int kind_for_digits(char32_t character) { return unicode::is_number(character) ? -1 : 1; }
int kind_for_numbers(char32_t character) { return unicode::is_number(character) ? 2 : 1; }

/// What becomes of what a pattern finds.
enum class Found : unsigned char { removed, isolated, with_previous, with_next };

Split at_text(std::u32string pattern, Found found) {
  return splitting([pattern = std::move(pattern), found](std::u32string_view text) {
    Parts parts;
    std::size_t begin = 0;
    for (std::size_t place = text.find(pattern); place != std::u32string_view::npos;
         place = text.find(pattern, place + pattern.size())) {
      const std::size_t after = place + pattern.size();
      parts.push_back({begin, found == Found::with_previous ? after : place});
      if (found == Found::isolated) parts.push_back({place, after});
      begin = found == Found::with_next ? place : after;
    }
    parts.push_back({begin, text.size()});
    return parts;
  });
}

/// SentencePiece's sign for a space.
Split metaspace(const std::string& sign, const std::string& prepend, bool split) {
  const Split at_signs = at_text(unicode::characters(sign), Found::with_next);
  return [=](const std::vector<Piece>& pieces) {
    std::vector<Piece> made;
    for (Piece piece : pieces) {
      for (std::size_t place = piece.text.find(' '); place != std::string::npos;
           place = piece.text.find(' ', place + sign.size()))
        piece.text.replace(place, 1, sign);
      const bool wanted = prepend == "always" || (prepend == "first" && piece.at_start);
      if (wanted && !piece.text.starts_with(sign)) piece.text = sign + piece.text;
      made.push_back(std::move(piece));
    }
    return split ? at_signs(made) : made;
  };
}

/// Bytes that are visible characters of Latin 1 stand for themselves; the others for those from 256
/// on, in order: Radford et al., 2019.
const std::array<char32_t, 256>& characters_of_bytes() {
  static const std::array<char32_t, 256> made = [] {
    std::array<char32_t, 256> characters{};
    char32_t next = 256;
    for (char32_t byte = 0; byte < 256; ++byte) {
      const bool is_visible =
          (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || byte >= 174;
      characters[byte] = is_visible ? byte : next++;
    }
    return characters;
  }();
  return made;
}

base::Result<Split> metaspace_of(const Json& described) {
  const std::string sign = text_of(described, "replacement");
  if (sign.empty() || sign.find(' ') != std::string::npos || sign.size() > longest_replacement)
    return not_as_it_should_be("Metaspace");
  std::string prepend = text_of(described, "prepend_scheme");
  if (prepend.empty()) prepend = flag(described, "add_prefix_space", true) ? "always" : "never";
  return metaspace(sign, prepend, flag(described, "split", true));
}

base::Result<Split> split_of(const Json& described) {
  const Json* pattern = described.find("pattern");
  if (pattern == nullptr) return not_as_it_should_be("Split");
  const std::string behavior = text_of(described, "behavior");
  const bool invert = flag(described, "invert", false);
  const std::string regex = text_of(*pattern, "Regex");
  if (const Pattern known = pattern_named(regex)) {
    // All of a text is in one of their parts.
    if (behavior == "Isolated" || (behavior == "Removed" && invert)) return by_pattern(known);
    return unknown_part("pre_tokenizer", "Split " + behavior);
  }
  const std::string plain = text_of(*pattern, "String");
  if (plain.empty()) return unknown_part("pre_tokenizer", "Split " + regex);
  constexpr std::array<std::string_view, 4> names = {"Removed", "Isolated", "MergedWithPrevious",
                                                     "MergedWithNext"};
  for (std::size_t i = 0; i < names.size() && !invert; ++i) {
    if (behavior == names[i]) return at_text(unicode::characters(plain), static_cast<Found>(i));
  }
  return unknown_part("pre_tokenizer", "Split " + behavior);
}

base::Result<Split> split_named(std::string_view type, const Json& described) {
  if (type == "ByteLevel")
    return byte_level(flag(described, "add_prefix_space", true),
                      flag(described, "use_regex", true));
  if (type == "BertPreTokenizer") return at_spaces_and_punctuation();
  if (type == "Metaspace") return metaspace_of(described);
  if (type == "WhitespaceSplit") return by_kind(kind_for_spaces);
  if (type == "Whitespace") return by_kind(kind_for_words);
  if (type == "Digits")
    return by_kind(flag(described, "individual_digits", false) ? kind_for_digits
                                                               : kind_for_numbers);
  if (type == "Punctuation") {
    const std::string behavior = text_of(described, "behavior");
    if (behavior.empty() || behavior == "Isolated") return by_kind(kind_for_punctuation);
    return unknown_part("pre_tokenizer", "Punctuation " + behavior);
  }
  if (type == "Split") return split_of(described);
  return unknown_part("pre_tokenizer", type);
}

}  // namespace

Split byte_level(bool add_prefix_space, bool use_regex) {
  const Split words = use_regex ? by_pattern(gpt2_parts) : Split();
  return [=](std::vector<Piece> pieces) {
    for (Piece& piece : pieces) {
      if (add_prefix_space && !piece.text.starts_with(' ')) piece.text = ' ' + piece.text;
    }
    if (words) pieces = words(pieces);
    for (Piece& piece : pieces) {
      std::u32string characters;
      for (const char byte : piece.text)
        characters += characters_of_bytes()[static_cast<unsigned char>(byte)];
      piece.text = unicode::bytes(characters);
    }
    return pieces;
  };
}

Split at_spaces_and_punctuation() { return by_kind(kind_for_bert); }

int byte_of(char32_t character) {
  const auto& all = characters_of_bytes();
  for (std::size_t byte = 0; byte < all.size(); ++byte) {
    if (all[byte] == character) return static_cast<int>(byte);
  }
  return -1;
}

base::Result<void> add_splits(const Json& described, std::vector<Split>& to, bool& is_of_bytes) {
  return for_each_part(described, "pre_tokenizer", "pretokenizers",
                       [&](std::string_view type, const Json& part) -> base::Result<void> {
                         base::Result<Split> made = split_named(type, part);
                         if (!made) return fail(made.error());
                         is_of_bytes |= type == "ByteLevel";
                         to.push_back(*std::move(made));
                         return {};
                       });
}

}  // namespace files

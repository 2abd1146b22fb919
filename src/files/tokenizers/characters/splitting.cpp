#include "files/tokenizers/characters/splitting.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "base/text.hpp"
#include "files/tokenizers/characters/unicode.hpp"
#include "files/tokenizers/described.hpp"

namespace files {
namespace {

using base::fail;
using base::Json;

using Parts = std::vector<Part>;

/// What is looked for in a text.
using Find = std::function<base::Result<Parts>(std::u32string_view)>;

/// A part of a text that was looked for, or one between two of them.
struct Stretch {
  Part part;
  bool is_found = false;
};

/// All of a text.
std::vector<Stretch> stretches_of(const Parts& found, std::size_t size, bool invert) {
  std::vector<Stretch> all;
  std::size_t end = 0;
  for (const Part& part : found) {
    if (part.begin > end) all.push_back({{end, part.begin}, invert});
    all.push_back({part, !invert});
    end = part.end;
  }
  if (end < size) all.push_back({{end, size}, invert});
  return all;
}

Parts parts_of(const std::vector<Stretch>& all, Found found) {
  Parts parts;
  bool was_found = false;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto& [part, is_found] = all[i];
    bool joins = false;
    switch (found) {
      case Found::removed:
        if (is_found) continue;
        break;
      case Found::isolated:
        break;
      case Found::contiguous:
        joins = i > 0 && is_found == was_found;
        break;
      case Found::with_previous:
        joins = i > 0 && is_found && !was_found;
        break;
      // The last of several in a row; none where nothing follows.
      case Found::with_next:
        joins = i > 0 && !is_found && was_found;
        break;
    }
    was_found = is_found;
    if (joins)
      parts.back().end = part.end;
    else
      parts.push_back(part);
  }
  return parts;
}

Split at(Find find, Found found, bool invert) {
  return [find = std::move(find), found,
          invert](const std::vector<Piece>& pieces) -> base::Result<std::vector<Piece>> {
    std::vector<Piece> made;
    for (const Piece& piece : pieces) {
      const std::u32string text = unicode::characters(piece.text);
      const base::Result<Parts> matches = find(text);
      if (!matches) return fail(matches.error());
      for (const Part& part : parts_of(stretches_of(*matches, text.size(), invert), found)) {
        if (part.end == part.begin) continue;
        made.push_back({unicode::bytes(text.substr(part.begin, part.end - part.begin)),
                        piece.at_start && part.begin == 0});
      }
    }
    return made;
  };
}

/// Each character of a kind.
Find each_that(bool (*is_wanted)(char32_t)) {
  return [is_wanted](std::u32string_view text) {
    Parts found;
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (is_wanted(text[i])) found.push_back({i, i + 1});
    }
    return found;
  };
}

Find text_of_characters(std::u32string wanted) {
  return [wanted = std::move(wanted)](std::u32string_view text) {
    Parts found;
    for (std::size_t place = text.find(wanted); place != std::u32string_view::npos;
         place = text.find(wanted, place + wanted.size()))
      found.push_back({place, place + wanted.size()});
    return found;
  };
}

/// Words, and runs of what is neither word nor space: \w+|[^\w\s]+, where \w has what joins the
/// letters of Persian and Hindi.
Parts words_and_signs(std::u32string_view text) {
  Parts found;
  const auto kind_of = [](char32_t character) {
    return unicode::is_space(character) ? 0 : unicode::is_word(character) ? 1 : 2;
  };
  int last = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const int kind = kind_of(text[i]);
    if (kind != 0 && kind == last)
      found.back().end = i + 1;
    else if (kind != 0)
      found.push_back({i, i + 1});
    last = kind;
  }
  return found;
}

bool is_bert_punctuation(char32_t character) {
  const bool is_ascii =
      (character >= 33 && character <= 47) || (character >= 58 && character <= 64) ||
      (character >= 91 && character <= 96) || (character >= 123 && character <= 126);
  return is_ascii || unicode::is_punctuation(character);
}

/// One split after another.
Split in_turn(Split first, Split second) {
  return [first = std::move(first), second = std::move(second)](
             std::vector<Piece> pieces) -> base::Result<std::vector<Piece>> {
    auto made = first(std::move(pieces));
    return made ? second(*std::move(made)) : made;
  };
}

/// As tokenizer.json says it; nothing for another name.
std::optional<Found> found_named(std::string_view behavior) {
  constexpr std::array<std::string_view, 5> names = {"Removed", "Isolated", "MergedWithPrevious",
                                                     "MergedWithNext", "Contiguous"};
  const auto place = std::find(names.begin(), names.end(), behavior);
  if (place == names.end()) return std::nullopt;
  return static_cast<Found>(place - names.begin());
}

/// SentencePiece's sign for a space.
Split metaspace(const std::string& sign, const std::string& prepend, bool split) {
  const Split at_signs = at(text_of_characters(unicode::characters(sign)), Found::with_next, false);
  return [=](std::vector<Piece> pieces) -> base::Result<std::vector<Piece>> {
    for (Piece& piece : pieces) {
      for (std::size_t place = piece.text.find(' '); place != std::string::npos;
           place = piece.text.find(' ', place + sign.size()))
        piece.text.replace(place, 1, sign);
      const bool wanted = prepend == "always" || (prepend == "first" && piece.at_start);
      if (wanted && !piece.text.starts_with(sign)) piece.text = sign + piece.text;
    }
    return split ? at_signs(std::move(pieces)) : std::move(pieces);
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
  if (sign.empty() || sign.find(' ') != std::string::npos) return not_as_it_should_be("Metaspace");
  if (sign.size() > longest_replacement) return too_long("replacement", longest_replacement);
  std::string prepend = text_of(described, "prepend_scheme");
  if (prepend.empty()) prepend = flag(described, "add_prefix_space", true) ? "always" : "never";
  return metaspace(sign, prepend, flag(described, "split", true));
}

base::Result<Split> split_of(const Json& described) {
  const Json* pattern = described.find("pattern");
  const auto found = found_named(text_of(described, "behavior"));
  if (pattern == nullptr || !found) return not_as_it_should_be("Split");
  const bool invert = flag(described, "invert", false);
  const Json* expression = pattern->find("Regex");
  if (expression == nullptr) {
    const std::string plain = text_of(*pattern, "String");
    if (plain.empty()) return not_as_it_should_be("Split");
    return at(text_of_characters(unicode::characters(plain)), *found, invert);
  }
  if (expression->text() == nullptr) return not_as_it_should_be("Split");
  auto regex = Regex::read(*expression->text());
  if (!regex) return fail(regex.error());
  return at_regex(*std::move(regex), *found, invert);
}

base::Result<Split> punctuation_of(const Json& described) {
  const std::string behavior = text_of(described, "behavior");
  const auto found = behavior.empty() ? Found::isolated : found_named(behavior);
  if (!found) return not_as_it_should_be("Punctuation");
  return at(each_that(is_bert_punctuation), *found, false);
}

base::Result<Split> split_named(std::string_view type, const Json& described) {
  if (type == "ByteLevel")
    return byte_level(flag(described, "add_prefix_space", true),
                      flag(described, "use_regex", true));
  if (type == "BertPreTokenizer") return at_spaces_and_punctuation();
  if (type == "Metaspace") return metaspace_of(described);
  if (type == "WhitespaceSplit") return at(each_that(unicode::is_space), Found::removed, false);
  if (type == "Whitespace") return at(words_and_signs, Found::removed, true);
  if (type == "Digits") {
    const bool apart = flag(described, "individual_digits", false);
    return at(each_that(unicode::is_number), apart ? Found::isolated : Found::contiguous, false);
  }
  if (type == "CharDelimiterSplit") {
    const std::u32string sign = unicode::characters(text_of(described, "delimiter"));
    if (sign.size() != 1) return not_as_it_should_be("CharDelimiterSplit");
    return at(text_of_characters(sign), Found::removed, false);
  }
  if (type == "Punctuation") return punctuation_of(described);
  if (type == "Split") return split_of(described);
  return unknown_part("pre_tokenizer", type);
}

}  // namespace

Split at_regex(Regex regex, Found found, bool invert) {
  return at([regex = std::move(regex)](std::u32string_view text) { return regex.matches(text); },
            found, invert);
}

Split at_known_regex(std::string_view pattern, Found found, bool invert) {
  return at_regex(*Regex::read(pattern), found, invert);
}

Split byte_level(bool add_prefix_space, bool use_regex) {
  constexpr std::string_view gpt2 =
      R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)";
  const Split words = use_regex ? at_known_regex(gpt2, Found::isolated, false) : Split();
  return [=](std::vector<Piece> pieces) -> base::Result<std::vector<Piece>> {
    for (Piece& piece : pieces) {
      if (add_prefix_space && !piece.text.starts_with(' ')) piece.text = ' ' + piece.text;
    }
    if (words) {
      auto made = words(std::move(pieces));
      if (!made) return made;
      pieces = *std::move(made);
    }
    for (Piece& piece : pieces) {
      std::u32string characters;
      for (const char byte : piece.text)
        characters += characters_of_bytes()[static_cast<unsigned char>(byte)];
      piece.text = unicode::bytes(characters);
    }
    return pieces;
  };
}

Split at_spaces_and_punctuation() {
  return in_turn(at(each_that(unicode::is_space), Found::removed, false),
                 at(each_that(is_bert_punctuation), Found::isolated, false));
}

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

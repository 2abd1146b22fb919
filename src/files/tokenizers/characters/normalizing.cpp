#include "files/tokenizers/characters/normalizing.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "base/base64.hpp"
#include "base/text.hpp"
#include "files/quote.hpp"
#include "files/tokenizers/characters/precompiled.hpp"
#include "files/tokenizers/characters/unicode.hpp"
#include "files/tokenizers/described.hpp"

namespace files {
namespace {

using base::fail;
using base::Json;

bool is_chinese(char32_t character) {
  struct Range {
    char32_t first, last;
  };
  constexpr std::array ranges = {Range{0x4E00, 0x9FFF},   Range{0x3400, 0x4DBF},
                                 Range{0x20000, 0x2A6DF}, Range{0x2A700, 0x2B73F},
                                 Range{0x2B740, 0x2B81F}, Range{0x2B820, 0x2CEAF},
                                 Range{0xF900, 0xFAFF},   Range{0x2F800, 0x2FA1F}};
  return std::any_of(ranges.begin(), ranges.end(), [&](const Range& range) {
    return character >= range.first && character <= range.last;
  });
}

bool is_line_space(char32_t character) {
  return character == U'\t' || character == U'\n' || character == U'\r';
}

Normalize unicode_form(bool compatible, bool compose) {
  return [compatible, compose](const std::string& text) {
    const std::u32string parts = unicode::decomposed(unicode::characters(text), compatible);
    return unicode::bytes(compose ? unicode::composed(parts) : parts);
  };
}

Normalize replacing_text(std::string pattern, std::string content) {
  return [pattern = std::move(pattern), content = std::move(content)](const std::string& text) {
    std::string result;
    std::size_t begin = 0;
    for (std::size_t place = text.find(pattern); place != std::string::npos;
         place = text.find(pattern, begin)) {
      result.append(text, begin, place - begin).append(content);
      begin = place + pattern.size();
    }
    return result.append(text, begin);
  };
}

Normalize stripping(bool left, bool right) {
  return [left, right](const std::string& text) {
    std::u32string characters = unicode::characters(text);
    while (right && !characters.empty() && unicode::is_space(characters.back()))
      characters.pop_back();
    const auto first =
        left ? std::find_if_not(characters.begin(), characters.end(), unicode::is_space)
             : characters.begin();
    return unicode::bytes(std::u32string(first, characters.end()));
  };
}

std::string without_marks(const std::string& text) {
  std::u32string characters = unicode::characters(text);
  std::erase_if(characters, unicode::is_mark);
  return unicode::bytes(characters);
}

base::Result<Normalize> replace_of(const Json& described) {
  const Json* pattern = described.find("pattern");
  const Json* content = described.find("content");
  const Json* plain = pattern == nullptr ? nullptr : pattern->find("String");
  const Json* regex = pattern == nullptr ? nullptr : pattern->find("Regex");
  if (content == nullptr || content->text() == nullptr) return not_as_it_should_be("Replace");
  if (content->text()->size() > longest_replacement)
    return too_long("content", longest_replacement);
  if (plain != nullptr && plain->text() != nullptr && !plain->text()->empty())
    return replacing_text(*plain->text(), *content->text());
  if (regex == nullptr || regex->text() == nullptr) return not_as_it_should_be("Replace");
  auto read = Regex::read(*regex->text());
  if (!read) return fail(read.error());
  return replacing(*std::move(read), *content->text());
}

base::Result<Normalize> precompiled_of(const Json& described) {
  const Json* map = described.find("precompiled_charsmap");
  const auto bytes =
      map == nullptr || map->text() == nullptr ? std::nullopt : base::from_base64(*map->text());
  auto made = bytes ? Precompiled::read(*bytes) : std::nullopt;
  if (!made) return not_as_it_should_be("precompiled_charsmap");
  return Normalize(*std::move(made));
}

base::Result<Normalize> normalizer_of(std::string_view type, const Json& described) {
  if (type == "NFC" || type == "NFKC") return unicode_form(type == "NFKC", true);
  if (type == "NFD" || type == "NFKD") return unicode_form(type == "NFKD", false);
  if (type == "Lowercase") return in_small_letters();
  if (type == "StripAccents") return Normalize(without_marks);
  if (type == "Strip")
    return stripping(flag(described, "strip_left", true), flag(described, "strip_right", true));
  if (type == "Replace") return replace_of(described);
  if (type == "Precompiled") return precompiled_of(described);
  if (type == "Prepend") {
    const Json* said = described.find("prepend");
    if (said == nullptr || said->text() == nullptr) return not_as_it_should_be("Prepend");
    if (said->text()->size() > longest_replacement) return too_long("prepend", longest_replacement);
    return Normalize([begin = *said->text()](const std::string& text) {
      return text.empty() ? text : begin + text;
    });
  }
  if (type == "BertNormalizer") {
    BertNormalizer made;
    made.clean_text = flag(described, "clean_text", true);
    made.chinese_characters = flag(described, "handle_chinese_chars", true);
    made.lowercase = flag(described, "lowercase", true);
    made.strip_accents = flag(described, "strip_accents", made.lowercase);
    return Normalize(made);
  }
  return unknown_part("normalizer", type);
}

}  // namespace

base::Result<std::string> normalized(const std::vector<Normalize>& normalizers, std::string text) {
  for (const Normalize& normalize : normalizers) {
    auto made = normalize(text);
    if (!made) return made;
    text = *std::move(made);
    if (text.size() > most_normalized)
      return fail(base::text("files.tokenizer.grows", {{"most", most_normalized}}));
  }
  return text;
}

Normalize in_small_letters() {
  return [](const std::string& text) {
    return unicode::bytes(unicode::lowered(unicode::characters(text)));
  };
}

Normalize composed_form() { return unicode_form(false, true); }

Normalize replacing(Regex regex, std::string content) {
  return [regex = std::move(regex),
          content = std::move(content)](const std::string& text) -> base::Result<std::string> {
    const std::u32string characters = unicode::characters(text);
    const auto matches = regex.matches(characters);
    if (!matches) return fail(matches.error());
    std::string made;
    std::size_t end = 0;
    for (const Part& part : *matches) {
      made += unicode::bytes(characters.substr(end, part.begin - end)) + content;
      end = part.end;
    }
    return made + unicode::bytes(characters.substr(end));
  };
}

std::string BertNormalizer::operator()(const std::string& text) const {
  std::u32string made;
  for (const char32_t character : unicode::characters(text)) {
    const bool is_left_out = character == 0 || character == 0xFFFD ||
                             (unicode::is_other(character) && !is_line_space(character));
    if (clean_text && is_left_out) continue;
    if (clean_text && unicode::is_space(character))
      made += U' ';
    else if (chinese_characters && is_chinese(character))
      made.append({U' ', character, U' '});
    else
      made += character;
  }
  if (strip_accents) {
    made = unicode::decomposed(made, false);
    std::erase_if(made, unicode::is_nonspacing_mark);
  }
  return unicode::bytes(lowercase ? unicode::lowered(made) : made);
}

base::Result<void> add_normalizers(const Json& described, std::vector<Normalize>& to) {
  return for_each_part(described, "normalizer", "normalizers",
                       [&](std::string_view type, const Json& part) -> base::Result<void> {
                         base::Result<Normalize> made = normalizer_of(type, part);
                         if (!made) return fail(made.error());
                         to.push_back(*std::move(made));
                         return {};
                       });
}

}  // namespace files

#include "files/tokenizers/added_tokens.hpp"

#include <algorithm>
#include <utility>

#include <utf8/unchecked.h>

#include "files/tokenizers/characters/unicode.hpp"
#include "files/tokenizers/described.hpp"

namespace files {
namespace {

char32_t last_of(std::string_view text) {
  auto place = text.end();
  return static_cast<char32_t>(utf8::unchecked::prior(place));
}
char32_t first_of(std::string_view text) {
  return static_cast<char32_t>(utf8::unchecked::peek_next(text.begin()));
}
bool ends_in_word(std::string_view text) {
  return !text.empty() && unicode::is_word(last_of(text));
}
bool begins_with_word(std::string_view text) {
  return !text.empty() && unicode::is_word(first_of(text));
}

std::size_t size_of_last(std::string_view text) {
  auto place = text.end();
  utf8::unchecked::prior(place);
  return static_cast<std::size_t>(text.end() - place);
}

/// How many bytes of spaces it begins with, or ends with.
std::size_t spaces_at_begin(std::string_view text) {
  auto place = text.begin();
  while (place != text.end() &&
         unicode::is_space(static_cast<char32_t>(utf8::unchecked::peek_next(place))))
    utf8::unchecked::next(place);
  return static_cast<std::size_t>(place - text.begin());
}
std::size_t spaces_at_end(std::string_view text) {
  const std::size_t size = text.size();
  while (!text.empty() && unicode::is_space(last_of(text))) text.remove_suffix(size_of_last(text));
  return size - text.size();
}

}  // namespace

AddedToken added_token_of(const base::Json& described) {
  AddedToken made;
  made.token.text = text_of(described, "content");
  made.strip_left = flag(described, "lstrip", false);
  made.strip_right = flag(described, "rstrip", false);
  made.single_word = flag(described, "single_word", false);
  made.normalized = flag(described, "normalized", false);
  made.special = flag(described, "special", false);
  return made;
}

base::Result<AddedTokens> AddedTokens::of(std::vector<AddedToken> tokens,
                                          const std::vector<Normalize>& normalizers) {
  std::stable_sort(tokens.begin(), tokens.end(), [](const AddedToken& a, const AddedToken& b) {
    return a.special && !b.special;
  });
  std::vector<TokenIndex::Entry> plain;
  std::vector<TokenIndex::Entry> normalized_texts;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    std::string text = tokens[i].token.text;
    if (tokens[i].normalized) {
      auto made = normalized(normalizers, std::move(text));
      if (!made) return base::fail(made.error());
      text = *std::move(made);
    }
    if (text.empty()) continue;
    (tokens[i].normalized ? normalized_texts : plain)
        .emplace_back(std::move(text), static_cast<std::uint32_t>(i));
  }
  AddedTokens made;
  made.tokens_ = std::move(tokens);
  made.plain_ = TokenIndex(std::move(plain));
  made.normalized_ = TokenIndex(std::move(normalized_texts));
  return made;
}

std::vector<Section> AddedTokens::split(const std::string& text, bool normalized) const {
  const TokenIndex& index = normalized ? normalized_ : plain_;
  const std::string_view all = text;
  std::vector<Section> sections;
  std::size_t begin = 0;  // of what is not in a section yet
  for (std::size_t place = 0; place < text.size();) {
    const auto found = index.longest(all.substr(place), index.start());
    if (!found) {
      ++place;
      continue;
    }
    const AddedToken& token = tokens_[found->number];
    const std::string_view before = all.substr(0, place);
    std::size_t end = place + found->size;
    const std::string_view behind = all.substr(end);
    std::size_t first = std::exchange(place, end);
    // Nothing else is found in what is no word by itself.
    if (token.single_word && (ends_in_word(before) || begins_with_word(behind))) continue;
    if (token.strip_left) first = std::max(begin, first - spaces_at_end(before));
    if (token.strip_right) end += spaces_at_begin(behind);
    if (begin < first) sections.push_back({text.substr(begin, first - begin), nullptr});
    sections.push_back({token.token.text, &token});
    begin = end;
  }
  if (begin < text.size()) sections.push_back({text.substr(begin), nullptr});
  return sections;
}

}  // namespace files

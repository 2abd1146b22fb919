#include "files/tokenizers/added_tokens.hpp"

#include <algorithm>

#include <utf8/unchecked.h>

#include "files/tokenizers/characters/unicode.hpp"

namespace files {
namespace {

bool ends_in_word(std::string_view text) {
  const std::u32string characters = unicode::characters(text);
  return !characters.empty() && unicode::is_word(characters.back());
}
bool begins_with_word(std::string_view text) {
  return !text.empty() &&
         unicode::is_word(static_cast<char32_t>(utf8::unchecked::peek_next(text.begin())));
}

/// How many bytes of spaces it begins with.
std::size_t spaces_at(std::string_view text) {
  auto place = text.begin();
  while (place != text.end() &&
         unicode::is_space(static_cast<char32_t>(utf8::unchecked::peek_next(place))))
    utf8::unchecked::next(place);
  return static_cast<std::size_t>(place - text.begin());
}

void strip_end(std::string& text) {
  std::u32string characters = unicode::characters(text);
  while (!characters.empty() && unicode::is_space(characters.back())) characters.pop_back();
  text = unicode::bytes(characters);
}

}  // namespace

AddedTokens::AddedTokens(std::vector<AddedToken> tokens) : tokens_(std::move(tokens)) {
  std::erase_if(tokens_, [](const AddedToken& each) { return each.token.text.empty(); });
  std::stable_sort(tokens_.begin(), tokens_.end(), [](const AddedToken& a, const AddedToken& b) {
    return a.token.text.size() > b.token.text.size();
  });
}

std::vector<Section> AddedTokens::split(const std::string& text, bool normalized) const {
  std::vector<Section> sections;
  std::size_t begin = 0;  // of what is not in a section yet
  for (std::size_t place = 0; place < text.size();) {
    const std::string_view rest = std::string_view(text).substr(place);
    const auto found = std::find_if(tokens_.begin(), tokens_.end(), [&](const AddedToken& each) {
      if (each.normalized != normalized || !rest.starts_with(each.token.text)) return false;
      return !each.single_word || (!ends_in_word(std::string_view(text).substr(0, place)) &&
                                   !begins_with_word(rest.substr(each.token.text.size())));
    });
    if (found == tokens_.end()) {
      ++place;
      continue;
    }
    std::string before = text.substr(begin, place - begin);
    if (found->strip_left) strip_end(before);
    if (!before.empty()) sections.push_back({std::move(before), nullptr});
    sections.push_back({found->token.text, &*found});
    place += found->token.text.size();
    if (found->strip_right) place += spaces_at(std::string_view(text).substr(place));
    begin = place;
  }
  if (begin < text.size()) sections.push_back({text.substr(begin), nullptr});
  return sections;
}

}  // namespace files

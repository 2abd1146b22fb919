#include "files/tokenizers/models/unigram.hpp"

#include <algorithm>
#include <limits>
#include <string>

#include <utf8/unchecked.h>

namespace files {
namespace {

/// How the best split of what is before a place ends.
struct Best {
  double score = -std::numeric_limits<double>::infinity();
  std::size_t begin = 0;
  std::optional<std::uint32_t> id;  ///< nothing: a character that is no token
};

/// Several characters without a token; false where nothing stands for them.
bool add_unknown(const Unigram& model, std::string_view text, std::vector<Token>& to) {
  std::vector<Token> bytes;
  for (const char byte : model.byte_fallback ? text : std::string_view()) {
    std::string token = byte_token(static_cast<unsigned char>(byte));
    if (const auto id = model.tokens.find(token)) bytes.push_back({*id, std::move(token)});
  }
  if (!bytes.empty() && bytes.size() == text.size())
    to.insert(to.end(), bytes.begin(), bytes.end());
  else if (model.unknown)
    to.push_back({*model.unknown, std::string(text)});
  else
    return false;
  return true;
}

}  // namespace

bool Unigram::encode(std::string_view word, std::vector<Token>& to) const {
  constexpr double penalty = 10.0;
  std::vector<Best> best(word.size() + 1);
  best[0].score = 0.0;
  for (std::size_t begin = 0; begin < word.size();) {
    auto next = word.begin() + static_cast<std::ptrdiff_t>(begin);
    utf8::unchecked::next(next);
    const auto character_end = static_cast<std::size_t>(next - word.begin());
    const auto offer = [&](std::size_t end, double score, std::optional<std::uint32_t> id) {
      const double sum = best[begin].score + score;
      if (sum > best[end].score) best[end] = {sum, begin, id};
    };
    bool is_token = false;
    TokenIndex::Place place = tokens.start();
    for (std::size_t end = begin + 1;
         end <= word.size() && tokens.follow(place, word.substr(end - 1, 1)); ++end) {
      const auto id = tokens.at(place);
      if (!id) continue;
      offer(end, scores[*id], id);
      is_token |= end == character_end;
    }
    if (!is_token) offer(character_end, lowest - penalty, std::nullopt);
    begin = character_end;
  }
  std::vector<Best> path;  // from the last to the first; `score` is not used any more
  std::vector<std::size_t> ends;
  for (std::size_t end = word.size(); end > 0; end = best[end].begin) {
    path.push_back(best[end]);
    ends.push_back(end);
  }
  for (std::size_t i = path.size(); i-- > 0;) {
    const std::size_t begin = path[i].begin;
    if (path[i].id && path[i].id != unknown) {
      to.push_back({*path[i].id, std::string(word.substr(begin, ends[i] - begin))});
      continue;
    }
    while (i > 0 && (!path[i - 1].id || path[i - 1].id == unknown)) --i;
    if (!add_unknown(*this, word.substr(begin, ends[i] - begin), to)) return false;
  }
  return true;
}

}  // namespace files

#include <algorithm>
#include <map>
#include <set>

#include "translation/vocabulary.hpp"

namespace translation {
namespace {

using Pair = std::pair<std::string, std::string>;

/// A word as the parts that it has been put together to, and how often it occurs.
struct Word {
  std::vector<std::string> parts;
  std::size_t count = 0;
};

/// How often each pair of neighbours occurs, and in which words.
class Pairs {
 public:
  explicit Pairs(std::vector<Word>& words) : words_(words) {
    for (std::size_t i = 0; i < words.size(); ++i) count(i, 1);
    rank_changed();
  }

  /// The most frequent pair, the last by its letters among equals; null if there is none.
  const Pair* most_frequent() const {
    return ranked_.empty() ? nullptr : &ranked_.rbegin()->second;
  }

  /// Makes one part of the pair wherever it occurs.
  void join(const Pair& pair) {
    const std::set<std::size_t> where = words_with_[pair];
    for (const std::size_t word : where) {
      count(word, -1);
      std::vector<std::string>& parts = words_[word].parts;
      for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
        if (parts[i] != pair.first || parts[i + 1] != pair.second) continue;
        parts[i] += parts[i + 1];
        parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(i) + 1);
      }
      count(word, 1);
    }
    rank_changed();
  }

 private:
  void rank_changed() {
    for (const Pair& pair : changed_) {
      const long now = counts_[pair];
      ranked_.erase({ranked_at_[pair], pair});
      ranked_at_[pair] = now;
      if (now > 0) ranked_.insert({now, pair});
    }
    changed_.clear();
  }

  /// Counts the pairs of a word in (sign 1) or out (−1).
  void count(std::size_t word, long sign) {
    const std::vector<std::string>& parts = words_[word].parts;
    for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
      const Pair pair{parts[i], parts[i + 1]};
      long& total = counts_[pair];
      changed_.insert(pair);
      total += sign * static_cast<long>(words_[word].count);
      if (sign > 0) {
        words_with_[pair].insert(word);
      } else {
        words_with_[pair].erase(word);
      }
    }
  }

  std::vector<Word>& words_;
  std::map<Pair, long> counts_;
  std::map<Pair, std::set<std::size_t>> words_with_;
  std::map<Pair, long> ranked_at_;  ///< the count with which it stands in ranked_
  std::set<Pair> changed_;
  std::set<std::pair<long, Pair>> ranked_;
};

}  // namespace

std::vector<std::string> learn_pieces(const std::vector<std::string>& sentences, std::size_t size,
                                      std::size_t least) {
  std::map<std::string, std::size_t> counts;
  std::map<std::string, std::size_t> characters;
  for (const std::string& sentence : sentences) {
    for (const std::string& word : words_of(sentence)) ++counts[word];
  }
  for (const auto& [word, count] : counts) {
    for (const std::string& character : characters_of(word)) characters[character] += count;
  }
  std::vector<std::string> pieces;
  for (const auto& [character, count] : characters) {
    if (count >= least) pieces.push_back(character);
  }
  const std::size_t room = size - std::min(size, Vocabulary::unknown + 1);
  if (pieces.size() > room) {
    std::stable_sort(pieces.begin(), pieces.end(), [&](const auto& a, const auto& b) {
      return characters.at(a) > characters.at(b);
    });
    pieces.resize(room);
    std::sort(pieces.begin(), pieces.end());
  }
  std::vector<Word> words;
  for (const auto& [word, count] : counts) words.push_back({characters_of(word), count});
  Pairs pairs(words);
  std::set<std::string> known(pieces.begin(), pieces.end());
  while (pieces.size() + Vocabulary::unknown + 1 < size) {
    const Pair* pair = pairs.most_frequent();
    if (pair == nullptr) break;
    const Pair joined = *pair;
    // The same letters may come together from other parts again.
    if (known.insert(joined.first + joined.second).second)
      pieces.push_back(joined.first + joined.second);
    pairs.join(joined);
  }
  return pieces;
}

}  // namespace translation

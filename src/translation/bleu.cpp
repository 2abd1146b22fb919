#include "translation/bleu.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <map>
#include <utility>

namespace translation {
namespace {

constexpr std::size_t longest_run = 4;

using Counts = std::map<std::vector<std::string>, std::size_t>;

bool is_digit(char letter) { return letter >= '0' && letter <= '9'; }

/// Always a word by itself: { to ~, [ to `, space to &, ( to +, : to @, and /.
bool is_mark(char letter) {
  return (letter >= '{' && letter <= '~') || (letter >= '[' && letter <= '`') ||
         (letter >= '!' && letter <= '&') || (letter >= '(' && letter <= '+') ||
         (letter >= ':' && letter <= '@') || letter == '/';
}

/// The rules begin with four entities of HTML, in this order.
std::string without_entities(std::string text) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 4> entities = {
      {{"&quot;", "\""}, {"&amp;", "&"}, {"&lt;", "<"}, {"&gt;", ">"}}};
  for (const auto& [entity, letter] : entities) {
    for (std::size_t at = text.find(entity); at != std::string::npos;
         at = text.find(entity, at + 1))
      text.replace(at, entity.size(), letter);
  }
  return text;
}

Counts runs_of(const std::vector<std::string>& words, std::size_t length) {
  Counts counts;
  for (std::size_t i = 0; i + length <= words.size(); ++i) {
    const auto first = words.begin() + static_cast<std::ptrdiff_t>(i);
    ++counts[{first, first + static_cast<std::ptrdiff_t>(length)}];
  }
  return counts;
}

}  // namespace

std::vector<std::string> bleu_words(std::string_view text) {
  // A space in front and behind, as the rules look at neighbours.
  const std::string line = ' ' + without_entities(std::string(text)) + ' ';
  std::string spaced;
  for (std::size_t i = 1; i + 1 < line.size(); ++i) {
    const char letter = line[i];
    const bool stop = letter == '.' || letter == ',';
    const bool apart = is_mark(letter) ||
                       (stop && (!is_digit(line[i - 1]) || !is_digit(line[i + 1]))) ||
                       (letter == '-' && is_digit(line[i - 1]));
    if (apart) {
      spaced += ' ';
      spaced += letter;
      spaced += ' ';
    } else {
      spaced += letter;
    }
  }
  std::vector<std::string> words;
  std::string word;
  for (const char letter : spaced + ' ') {
    if (letter != ' ' && letter != '\t' && letter != '\n') {
      word += letter;
    } else if (!word.empty()) {
      words.push_back(std::move(word));
      word.clear();
    }
  }
  return words;
}

double bleu(const std::vector<std::string>& translations,
            const std::vector<std::vector<std::string>>& references) {
  std::array<double, longest_run> found{};
  std::array<double, longest_run> total{};
  double length = 0.0;
  double reference_length = 0.0;
  for (std::size_t i = 0; i < translations.size(); ++i) {
    const std::vector<std::string> words = bleu_words(translations[i]);
    std::vector<std::vector<std::string>> wanted;
    for (const std::string& reference : references[i]) wanted.push_back(bleu_words(reference));
    length += static_cast<double>(words.size());
    const auto distance = [&](const std::vector<std::string>& reference) {
      const auto a = static_cast<long>(reference.size());
      const auto b = static_cast<long>(words.size());
      return std::pair(std::labs(a - b), a);  // the shorter of two equally close ones
    };
    const auto closest =
        std::min_element(wanted.begin(), wanted.end(),
                         [&](const auto& a, const auto& b) { return distance(a) < distance(b); });
    reference_length += static_cast<double>(closest->size());
    for (std::size_t run = 1; run <= longest_run; ++run) {
      Counts most;
      for (const auto& reference : wanted) {
        for (const auto& [words_of_run, count] : runs_of(reference, run))
          most[words_of_run] = std::max(most[words_of_run], count);
      }
      for (const auto& [words_of_run, count] : runs_of(words, run)) {
        total[run - 1] += static_cast<double>(count);
        const auto in_reference = most.find(words_of_run);
        if (in_reference != most.end())
          found[run - 1] += static_cast<double>(std::min(count, in_reference->second));
      }
    }
  }
  double logarithm = 0.0;
  for (std::size_t run = 0; run < longest_run; ++run) {
    if (found[run] == 0.0) return 0.0;
    logarithm += std::log(found[run] / total[run]) / static_cast<double>(longest_run);
  }
  const double penalty =
      length < reference_length ? std::exp(1.0 - reference_length / length) : 1.0;
  return 100.0 * penalty * std::exp(logarithm);
}

}  // namespace translation

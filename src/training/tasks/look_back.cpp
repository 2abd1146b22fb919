// What language models learn first about a text: that it repeats itself. Two layers can do it
// together: one notes at each word which word was before it, the next looks for the place where the
// present word is noted. Olsson and others, "In-context Learning and Induction Heads", 2022.
#include <array>
#include <utility>

#include "training/tasks/tasks.hpp"

namespace training {
namespace {

constexpr std::size_t length = 16;
constexpr std::size_t num_phrases = 3;

constexpr std::array<std::string_view, 9> vocabulary = {"sun",  "moon", "star", "tree", "leaf",
                                                        "bird", "rain", "wind", "lake"};
constexpr std::size_t longest_phrase = vocabulary.size() / num_phrases;

Sequence draw(base::Random& random) {
  std::array<int, vocabulary.size()> words{};
  for (std::size_t i = 0; i < words.size(); ++i) words[i] = static_cast<int>(i);
  for (std::size_t i = words.size(); i > 1; --i)
    std::swap(words[i - 1], words[random.below(static_cast<std::uint32_t>(i))]);

  // A phrase has two or three words: were all of one length, positions would say where in a
  // phrase a word stands.
  std::array<std::size_t, num_phrases> lengths{};
  for (std::size_t& phrase : lengths) phrase = longest_phrase - random.below(2);

  Sequence sequence;
  std::array<bool, num_phrases> seen{};
  while (sequence.tokens.size() < length) {
    const std::size_t phrase = random.below(num_phrases);
    for (std::size_t i = 0; i < lengths[phrase]; ++i) {
      const int* const word = &words[phrase * longest_phrase + i];
      // What follows the last word of a phrase, or a word that is new, cannot be known.
      const bool known = seen[phrase] && i + 1 < lengths[phrase];
      sequence.tokens.push_back(*word);
      sequence.targets.push_back(known ? word[1] : not_counted);
    }
    seen[phrase] = true;
  }
  sequence.tokens.resize(length);
  sequence.targets.resize(length);
  return sequence;
}

}  // namespace

Task look_back() {
  return {
      .id = TaskId::look_back,
      .name = "look-back",
      .vocabulary = vocabulary,
      .length = length,
      .settings = {.num_layers = 2, .num_heads = 1, .causal = true},
      .draw = draw,
  };
}

}  // namespace training

// Every answer takes its gender from one word and its number from another, as many languages ask
// of adjectives and possessives. One head can only mix the two words; two heads read one each.
#include <array>

#include "training/tasks/tasks.hpp"

namespace training {
namespace {

constexpr std::size_t length = 8;
constexpr std::size_t num_questions = 2;

// The nouns of the example "gender and number". Noun 2·gender + number.
constexpr std::array<std::string_view, 8> vocabulary = {"king",  "boys",  "queen", "girls",
                                                        "house", "books", "?",     "and"};
constexpr std::uint32_t num_nouns = 6;
constexpr int question = 6;
constexpr int filler = 7;

int agreeing(int before, int after) { return before / 2 * 2 + after % 2; }

Sequence draw(base::Random& random) {
  // A noun, a question and a noun, and again. What is left of the length is filled at random
  // places, so that a noun does not always stand at the same distance.
  constexpr std::size_t num_words = 3 * num_questions;
  std::array<std::size_t, num_words + 1> fillers{};  // before each word, and after the last
  for (std::size_t i = num_words; i < length; ++i) ++fillers[random.below(num_words + 1)];

  Sequence sequence;
  const auto add = [&sequence](int token, int target, std::size_t fillers_before) {
    sequence.tokens.insert(sequence.tokens.end(), fillers_before, filler);
    sequence.targets.insert(sequence.targets.end(), fillers_before, not_counted);
    sequence.tokens.push_back(token);
    sequence.targets.push_back(target);
  };
  for (std::size_t i = 0; i < num_words; i += 3) {
    const int before = static_cast<int>(random.below(num_nouns));
    const int after = static_cast<int>(random.below(num_nouns));
    add(before, not_counted, fillers[i]);
    add(question, agreeing(before, after), fillers[i + 1]);
    add(after, not_counted, fillers[i + 2]);
  }
  sequence.tokens.resize(length, filler);
  sequence.targets.resize(length, not_counted);
  return sequence;
}

}  // namespace

Task agree() {
  return {
      .id = TaskId::agree,
      .name = "agree",
      .vocabulary = vocabulary,
      .length = length,
      .settings = {.learning_rate = 0.005F},
      .draw = draw,
  };
}

}  // namespace training

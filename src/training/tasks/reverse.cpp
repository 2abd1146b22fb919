// The shortest task that needs attention: every answer stands at one other position.
#include <array>

#include "training/tasks/tasks.hpp"

namespace training {
namespace {

constexpr std::size_t length = 8;

constexpr std::array<std::string_view, 10> vocabulary = {"a", "b", "c", "d", "e",
                                                         "f", "g", "h", "i", "j"};

Sequence draw(base::Random& random) {
  Sequence sequence;
  for (std::size_t i = 0; i < length; ++i)
    sequence.tokens.push_back(static_cast<int>(random.below(vocabulary.size())));
  sequence.targets.assign(sequence.tokens.rbegin(), sequence.tokens.rend());
  return sequence;
}

}  // namespace

Task reverse() {
  return {
      .id = TaskId::reverse,
      .name = "reverse",
      .vocabulary = vocabulary,
      .length = length,
      .settings = {},
      .draw = draw,
  };
}

}  // namespace training

#include "document/link/riddle.hpp"

#include <cstdint>

namespace document {

std::string riddle_of(model::Mistake mistake) {
  // FNV-1a. It need not be secure: a reader who computes it has earned the answer.
  std::uint32_t hash = 2166136261U;
  for (const char letter : model::name_of(mistake)) {
    hash ^= static_cast<unsigned char>(letter);
    hash *= 16777619U;
  }
  std::string riddle = "riddle-";
  for (int i = 0; i < 4; ++i) {
    riddle += static_cast<char>('a' + hash % 26U);
    hash /= 26U;
  }
  return riddle;
}

std::optional<model::Mistake> mistake_of_riddle(std::string_view text) {
  for (const std::string_view name : model::mistake_names) {
    const auto mistake = model::mistake_named(name);
    if (mistake && riddle_of(*mistake) == text) return mistake;
  }
  return std::nullopt;
}

}  // namespace document

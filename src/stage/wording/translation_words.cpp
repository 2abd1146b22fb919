#include "stage/wording/translation_words.hpp"

#include "stage/scene/number_text.hpp"

namespace stage {

std::string unchanged_words(const lesson::Translated& translated) {
  if (!translated.unchanged) return {};
  const auto number = [](double value) { return number_text(static_cast<float>(value), 2); };
  const lesson::Translated::Unchanged& unchanged = *translated.unchanged;
  return "“" + unchanged.text + "” has a log-probability of " +
         number(unchanged.log_probability_now) + " now; without your changes it is " +
         number(unchanged.log_probability) + ".";
}

}  // namespace stage

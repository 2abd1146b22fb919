#include "stage/wording/translation_words.hpp"

#include "base/text.hpp"
#include "stage/scene/number_text.hpp"

namespace stage {

std::string unchanged_words(const lesson::Translated& translated) {
  if (!translated.unchanged) return {};
  const auto number = [](double value) { return number_text(static_cast<float>(value), 2); };
  const lesson::Translated::Unchanged& unchanged = *translated.unchanged;
  return base::text("stage.translation.unchanged", {{"text", unchanged.text},
                                                    {"now", number(unchanged.log_probability_now)},
                                                    {"before", number(unchanged.log_probability)}});
}

}  // namespace stage

#include "lesson/steps/offered_steps.hpp"

namespace lesson {

OfferedSteps::OfferedSteps(std::span<const StepId> steps) {
  for (const StepId step : steps) offered_.set(static_cast<std::size_t>(step));
}

std::optional<StepId> OfferedSteps::after(StepId step) const {
  for (std::size_t next = static_cast<std::size_t>(step) + 1; next < step_count; ++next)
    if (offered_.test(next)) return static_cast<StepId>(next);
  return std::nullopt;
}

std::optional<StepId> OfferedSteps::before(StepId step) const {
  for (std::size_t i = static_cast<std::size_t>(step); i > 0; --i)
    if (offered_.test(i - 1)) return static_cast<StepId>(i - 1);
  return std::nullopt;
}

StepId OfferedSteps::first() const {
  constexpr StepId sentence = StepId::sentence;
  return has(sentence) ? sentence : after(sentence).value_or(sentence);
}

}  // namespace lesson

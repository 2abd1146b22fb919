// Names of the mistakes, and texts on what each does.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "lesson/steps/step.hpp"
#include "model/attention/overrides.hpp"

namespace lesson {

struct MistakeText {
  model::Mistake mistake = model::Mistake::none;
  StepId step = StepId::transpose;  ///< where it happens

  std::string_view label() const;  ///< on a switch: "no transpose"
  std::string_view text() const;   ///< what is done wrong and what comes of it, in two sentences
  /// What the step does then, where its own sentence would be wrong.
  std::optional<std::string_view> sentence() const;
  /// The step's formula then, where its own would be wrong. `q`, `k`: what the scores are made of;
  /// `scores`: what is masked.
  std::optional<std::string> formula(std::string_view q, std::string_view k,
                                     std::string_view scores) const;
};

/// The texts of every mistake but `none`, in the order of Mistake.
std::span<const MistakeText> mistake_texts();
const MistakeText& text_of(model::Mistake mistake);

/// The mistakes that are most often made in this step, or none.
std::span<const model::Mistake> mistakes_in(StepId step);

}  // namespace lesson

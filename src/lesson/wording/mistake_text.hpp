// What the mistakes are called, and what each of them spoils.
#pragma once

#include <optional>
#include <string_view>

#include "attention/interventions.hpp"
#include "lesson/steps/step.hpp"

namespace lesson {

struct MistakeText {
  attention::Mistake mistake = attention::Mistake::none;
  std::string_view label;           ///< on a switch: "no transpose"
  std::string_view text;            ///< what is done wrong and what comes of it, in two sentences
  StepId step = StepId::transpose;  ///< where it happens
};

/// Of every mistake but `none`.
const MistakeText& text_of(attention::Mistake mistake);

/// The mistake that is most often made in this step, or nothing.
std::optional<attention::Mistake> mistake_in(StepId step);

}  // namespace lesson

// What a step does backward: the gradients that it makes of gradients.
#pragma once

#include <string>

#include "document/computed.hpp"
#include "lesson/steps/step.hpp"

namespace stage {

/// What happens while the step's gradients are computed, in two to four sentences.
std::string backward_text(lesson::StepId step, const model::Trace& trace);

/// The same in symbols: "d_scores = d_scaled_scores / √D". d_NAME is the gradient of NAME. For one
/// who guesses which mistake was made, `rightly`: what should be computed.
std::string backward_formula(lesson::StepId step, const model::Trace& trace, bool rightly);

}  // namespace stage

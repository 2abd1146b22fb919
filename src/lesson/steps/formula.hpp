// The formula of a step as it is for one attention: without the parts that this attention does not
// have.
#pragma once

#include <string>

#include "lesson/steps/step.hpp"
#include "model/trace.hpp"

namespace lesson {

/// The step's formula where the trace does all of it; otherwise what the trace really does: no
/// scale or another divisor, no mask, no projections, no position encoding. `rightly`: what it
/// should do where it makes a mistake.
std::string formula_for(const Step& step, const model::Trace& trace, bool rightly = false);

}  // namespace lesson

// The formula of a step for one attention, without the parts that this attention does not have.
#pragma once

#include <string>

#include "lesson/steps/step.hpp"
#include "model/trace.hpp"

namespace lesson {

/// The step's formula, changed to what the trace really computes: another divisor or none, no mask,
/// no projections, no position encoding. `rightly`: as it would be without the trace's mistake.
std::string formula_for(const Step& step, const model::Trace& trace, bool rightly = false);

}  // namespace lesson

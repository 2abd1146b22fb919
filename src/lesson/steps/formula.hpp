// The formula, the title and the sentence of a step for one attention, without the parts that this
// attention does not have.
#pragma once

#include <string>
#include <string_view>

#include "lesson/steps/step.hpp"
#include "model/trace.hpp"

namespace lesson {

/// The step's formula, changed to what the trace really computes: another divisor or none, no mask,
/// no projections, no position encoding. `rightly`: as it would be without the trace's mistake.
std::string formula_for(const Step& step, const model::Trace& trace, bool rightly = false);

/// The step's text, followed by what the variants of this attention do in it, with their sources;
/// before it, what the mistake does that is made in it. `rightly`: as it would be without.
std::string text_for(const Step& step, const model::Trace& trace, bool rightly = false);

/// What the scores are divided by: " / √D", or nothing.
std::string division_of(const model::Trace& trace, bool rightly = false);

/// What is done to the scores before the softmax: " / √D + mask", or the part of it that is done.
std::string scaling_of(const model::Trace& trace, bool rightly = false);

/// The step's title, or another one where the trace has no output matrix, so that no heads are
/// combined.
std::string_view title_for(const Step& step, const model::Trace& trace);

/// The step's sentence, or what is true instead where the trace has no matrices to multiply by, or
/// under its mistake. `rightly`: as it would be without the mistake.
std::string_view sentence_for(const Step& step, const model::Trace& trace, bool rightly = false);

}  // namespace lesson

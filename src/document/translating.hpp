// A translator whose heads, weights or masks are changed says something else.
#pragma once

#include "document/document.hpp"

namespace document {

/// The translator's problem with what it says under this configuration: its mistake, heads that are
/// switched off, masks, edits. Every other problem, and a translator in which nothing is changed,
/// is returned as it is. Edits and rows of weights at tokens that are not said take no effect.
/// `last`: parts of the model that were computed before, as for model::compute. Errors: as
/// with_choices and model::add_decoder.
base::Result<lesson::Problem> translated(const lesson::Problem& problem,
                                         const Configuration& configuration,
                                         const std::vector<model::Trace>& last);

}  // namespace document

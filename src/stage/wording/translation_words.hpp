// What became of a translation, in words.
#pragma once

#include <string>

#include "document/computed.hpp"
#include "lesson/steps/step.hpp"

namespace stage {

/// How probable the translation without the reader's changes still is: "“Hola.” has a
/// log-probability of −4.210 now; without your changes it is −0.310." Empty where nothing is
/// changed.
std::string unchanged_words(const lesson::Translated& translated);

/// How probable one that a beam found is: "log-probability −4.21, −0.38 per token".
std::string finished_words(const lesson::Translated::Finished& finished);

/// The text of a step (lesson::text_for); where k and v are made of an attention that kept them
/// while a translation was said, it says so.
std::string step_text(const lesson::Step& step, const document::ComputedAttention& attention);

}  // namespace stage

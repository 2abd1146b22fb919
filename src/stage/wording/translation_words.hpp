// What became of a translation, in words.
#pragma once

#include <string>

#include "document/computed.hpp"
#include "lesson/steps/step.hpp"
#include "stage/layout/lettering.hpp"

namespace stage {

/// "62.1 %", or "< 0.1 %".
std::string probability_words(double probability);

/// How probable the translation without the reader's changes still is: "“Hola.” has a probability
/// of 1.5 % now, 73.3 % without your changes (…)." Empty where nothing is changed. `fits`: whether
/// there is room for such words; if not, the translation is shortened, never what is said of it.
std::string unchanged_words(const lesson::Translated& translated, const Fits& fits = {});

/// How probable one that a beam found is: "log-probability −4.21, −0.38 per token".
std::string finished_words(const lesson::Translated::Finished& finished);

/// How many bytes of keys and values a translator keeps in all layers of this attention's kind
/// while it says a translation; 0 where it keeps none.
std::size_t kept_bytes(const document::ComputedAttention& attention);

/// The text of a step (lesson::text_for); where k and v are made of an attention that kept them
/// while a translation was said, it says so.
/// `guessing`: it gives no mistake away.
std::string step_text(const lesson::Step& step, const document::ComputedAttention& attention,
                      bool guessing = false);

}  // namespace stage

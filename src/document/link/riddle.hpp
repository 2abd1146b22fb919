// A mistake as a link tells it while it is to be guessed: not by its name.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "model/attention/overrides.hpp"

namespace document {

/// "riddle-" and four letters that do not show at a glance which mistake it is. Always the same for
/// the same mistake, so that the link opens the same screen.
std::string riddle_of(model::Mistake mistake);
/// The other way; nothing where `text` is no riddle.
std::optional<model::Mistake> mistake_of_riddle(std::string_view text);

}  // namespace document

// How a link writes a mistake that the reader is to guess, without its name.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "model/attention/overrides.hpp"

namespace document {

/// "riddle-" and four letters that do not show at a glance which mistake it is. Always the same for
/// the same mistake, so that the link opens the same screen.
std::string riddle_of(model::Mistake mistake);
/// The inverse; nothing if `text` is no riddle.
std::optional<model::Mistake> mistake_of_riddle(std::string_view text);

}  // namespace document

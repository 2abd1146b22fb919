// What a command did where it cannot be seen, as a sentence for the reader.
#pragma once

#include <string>

#include "document/session.hpp"

namespace app {

/// Why the mistake that is made changes no number that is shown; empty if it does, if none is made,
/// or while it is to be guessed.
std::string why_mistake_is_unseen(const document::Session& session);

/// That the step which was just chosen went on to another attention or sample, where it has
/// something to show; empty if it did not. `before`: what was looked at before.
std::string where_it_landed(const document::Session& session, const document::ViewState& before);

}  // namespace app

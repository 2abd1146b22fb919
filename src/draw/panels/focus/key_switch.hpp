// Hiding the key of a score or weight from its query, and showing it again.
#pragma once

#include <optional>

#include "document/commands.hpp"
#include "document/computed.hpp"

namespace draw {

/// A button's text and what it does.
struct KeySwitch {
  const char* words;  ///< key of the text
  document::EditCell command;
};

/// Hides the key of this score, weight or mask cell from its query in all heads, or shows it if it
/// is hidden; nothing for other cells.
std::optional<KeySwitch> key_switch(const document::ComputedAttention& attention,
                                    const document::CellRef& cell);

}  // namespace draw

// What of a file, beside the weights, belongs to the attentions that were found in it.
#pragma once

#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "files/layers/found_attention.hpp"

namespace files {

/// The tensors of a header, sorted by name.
using NamedEntries = std::vector<std::pair<std::string_view, const HeaderEntry*>>;

/// Lists, for each attention, the tensors under its name that none of them reads and that may
/// change what it computes.
void list_unread(const NamedEntries& named, std::span<FoundAttention> attentions);

}  // namespace files

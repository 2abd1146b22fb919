// The names of the fields of a state in JSON.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace document {

/// The names of all fields, in the order in which a state is written and read. Reading them one by
/// one in this order gives the same document as reading all at once.
std::span<const std::string_view> state_fields();

/// True if a state has a field of that name.
bool is_state_field(std::string_view name);

/// A sentence about a name that is none. It names the fields that begin alike: all of them would be
/// too many to read.
std::string unknown_field(std::string_view name);

}  // namespace document

// Bytes as text that needs no quoting in an address.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace base {

/// RFC 4648, section 5 (“-” and “_” instead of “+” and “/”), without padding.
std::string to_base64(std::span<const std::uint8_t> bytes);

/// The other way; both alphabets, with padding or without. Nothing where `text` is something else.
std::optional<std::vector<std::uint8_t>> from_base64(std::string_view text);

}  // namespace base

// Reads single values of a JSON text and checks their types. Nothing here throws.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/json/json.hpp"
#include "document/computed.hpp"

namespace document {

/// How −∞ is written where JSON has no number for it.
inline constexpr std::string_view minus_infinity = "-Infinity";

/// A shape, or a place in one, as a list of numbers.
base::Json json_of(const tensor::Extents& extents);

/// Which of `allowed` the text is. Errors name `field`, what it is, and `allowed`.
base::Result<std::size_t> choice(std::string_view field, const base::Json& value,
                                 std::span<const std::string_view> allowed);

base::Result<bool> boolean(std::string_view field, const base::Json& value);

/// A whole number from `smallest` to `largest`; 1.0 is none.
base::Result<std::size_t> whole(std::string_view field, const base::Json& value,
                                std::uint64_t smallest, std::uint64_t largest);

/// A number in the range of float32, or −∞ by its name; nothing for anything else. Tighter bounds
/// are checked where the number is used.
std::optional<float> number(const base::Json& value);

/// {"attention", "tensor", "index", "value"}, all four and no others. Does not check that there is
/// such a cell.
base::Result<Edit> read_edit(const base::Json& value);
/// The same of a target: what a cell should be.
base::Result<Edit> read_target(const base::Json& value);

/// A list of whole numbers, each below 2^32.
base::Result<std::vector<std::size_t>> places(std::string_view field, const base::Json& value);

/// {"attention", "sample", "head", "query", "weights"}, all five and no others. Does not check that
/// there is such a row.
base::Result<GivenRow> read_row(const base::Json& value);

/// {"tensor", "index"}, both and no others. Does not check that there is such a cell.
base::Result<CellRef> read_cell(const base::Json& value);

}  // namespace document

// Reads the JSON header of a safetensors file. read_safetensors checks it against the data.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "tensor/extents.hpp"

namespace files {

/// The longest axis a tensor may have: it and every index into it fit in 31 bits on every platform.
inline constexpr std::uint64_t max_axis_length = (std::uint64_t{1} << 31U) - 1;

using Metadata = std::vector<std::pair<std::string, std::string>>;

/// One entry: "name": {"dtype": …, "shape": […], "data_offsets": [begin, end]}.
struct HeaderEntry {
  std::string name;
  std::string dtype;
  tensor::Shape shape;      ///< every axis at most max_axis_length, at most Extents::max_rank axes
  std::uint64_t begin = 0;  ///< in bytes, from the start of the data
  std::uint64_t end = 0;
};

struct Header {
  std::vector<HeaderEntry> entries;  ///< as the file lists them
  Metadata metadata;                 ///< "__metadata__": strings by name
};

/// Reads the header in one pass without recursion. Memory is bounded by a small multiple of the
/// text's length.
///
/// Errors: not UTF-8, not JSON, not an object of tensors; a name or a field that occurs twice, is
/// missing or unknown; more than Extents::max_rank axes; sizes and offsets that are not whole
/// numbers in range.
base::Result<Header> read_header(std::string_view text);

}  // namespace files

// Reads and writes the safetensors format: 8 bytes with the header's length (little-endian), a JSON
// header with each tensor's dtype, shape and offsets, then the numbers.
// https://huggingface.co/docs/safetensors
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "files/safetensors_header.hpp"
#include "tensor/tensor.hpp"

namespace files {

/// The longest header that is read. The format allows 100 MB; a header of this length describes
/// some 100,000 tensors.
inline constexpr std::size_t max_header_bytes = std::size_t{1} << 24U;

/// A tensor in a file. `to_float32` converts its numbers.
struct StoredTensor {
  std::string name;
  std::string dtype;  ///< as the file says: "F32", "BOOL", …
  tensor::Shape shape;
  std::span<const std::byte> bytes;  ///< inside the file's bytes, which must outlive this
};

struct Safetensors {
  std::vector<StoredTensor> tensors;  ///< in the order of their data
  Metadata metadata;

  /// The tensor of that name, or null.
  const StoredTensor* find(std::string_view name) const;
};

/// What a file says about itself before its data.
struct Layout {
  Header header;                 ///< the entries in the order of their data
  std::uint64_t data_begin = 0;  ///< where in the file its data begin
};

/// Where the header of a file of `file_size` bytes ends, which `beginning` holds the first 8 bytes
/// of. Errors: a file that is shorter than that; a header over max_header_bytes.
base::Result<std::uint64_t> header_end(std::span<const std::byte> beginning,
                                       std::uint64_t file_size);

/// Reads the header alone: `beginning` holds the file up to header_end at least. Errors: as
/// read_safetensors.
base::Result<Layout> read_layout(std::span<const std::byte> beginning, std::uint64_t file_size);

/// Reads a whole file. Only the header is copied, and sizes that it claims are checked against the
/// file's size before anything is allocated.
///
/// Errors: a truncated file; a header that is too long or malformed (see read_header); data that
/// overlap, have gaps, lie beyond the file or do not have the size of their dtype and shape.
base::Result<Safetensors> read_safetensors(std::span<const std::byte> file);

/// The numbers as float32, contiguous; BOOL as 0 and 1.
/// Errors: a dtype other than F32, F16, BF16, F64 and BOOL; a BOOL that is neither 0 nor 1.
base::Result<tensor::Tensor> to_float32(const StoredTensor& stored);

/// A tensor to be written.
struct NamedTensor {
  std::string name;
  tensor::Tensor tensor;
  bool as_int8 = false;  ///< whole numbers from −128 to 127, written as I8
};

/// The bytes of a file with these tensors, as F32 unless they say otherwise, in this order; the
/// data begin at a multiple of 8. Errors: a name that occurs twice, is not UTF-8 or is
/// "__metadata__"; an undefined tensor; more bytes than memory can address.
base::Result<std::vector<std::byte>> write_safetensors(std::span<const NamedTensor> tensors,
                                                       const Metadata& metadata = {});

}  // namespace files
